"""The facts of `cells` and `counts` beyond the board, declared so that programs can number them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that is no cell of the board, or a count, with its possible values."""

    name: str
    """Its name among a position's cells, or in `Definition.counters`."""
    words: tuple[str, ...] = ()
    """The words that may be there, one or several: cards, seats."""
    most: int | None = None
    """The highest possible number, counted from 0, for example the size of a hidden hand; None if
    it has no number.
    """
    numbers: int = 1
    """The number of its numbers, in a count such as `best=12,30`."""
