"""Opponents: levels that play like somebody who wants to win."""
