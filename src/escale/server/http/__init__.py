"""Connections: how many there may be, how long they may keep the house waiting, and proxies."""
