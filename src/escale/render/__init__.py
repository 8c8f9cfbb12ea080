"""Scenes drawn as SVG and as text; nothing here knows a game."""
