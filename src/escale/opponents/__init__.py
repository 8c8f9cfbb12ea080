"""Opponents: levels built on the kernel's search."""

from escale.opponents.levels import CEILINGS, LEVELS, Way, way_of
from escale.opponents.thinking import Thought, method_for, think

__all__ = ["CEILINGS", "LEVELS", "Thought", "Way", "method_for", "think", "way_of"]
