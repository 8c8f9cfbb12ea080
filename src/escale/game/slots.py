"""What `cells` and `counts` may say beyond the board: declared, so that programs can number it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that is no cell of the board, or a count, and what may be said of it."""

    name: str
    """Its name among a position's cells, or in `Definition.counters`."""
    words: tuple[str, ...] = ()
    """What may be there, one or several of them: cards, seats."""
    most: int | None = None
    """The highest number that may be there, from 0: how many there are, where a hidden hand is only
    a number; None where there is no number."""
    numbers: int = 1
    """How many numbers there are, in a count such as `best=12,30`."""
