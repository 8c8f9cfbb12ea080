"""Opponents: levels that play to win."""
