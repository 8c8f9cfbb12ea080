"""A game being played: positions as values, notation, refusals, scenes, matches."""
