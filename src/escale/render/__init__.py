"""Scenes drawn as SVG and as text; no module here knows a game."""
