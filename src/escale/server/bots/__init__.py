"""Accounts of bots, their streams, routes and pages."""
