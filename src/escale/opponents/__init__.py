"""Opponents: levels built on the kernel's searches, and an engine for other programs."""

from escale.opponents.levels import CEILINGS, LEVELS, Way, way_of
from escale.opponents.thinking import method_for, think

__all__ = ["CEILINGS", "LEVELS", "Way", "method_for", "think", "way_of"]
