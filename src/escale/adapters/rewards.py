"""What the end of a game is worth, as learners count it."""

from __future__ import annotations

from collections.abc import Sequence


def rewards(shares: Sequence[float]) -> list[float]:
    """Each seat's reward for its share of the win: they add up to 0, and a sole winner has 1.

    Of two seats the other then has -1; an even result is 0 for everybody.

    >>> rewards([0.0, 1.0]), rewards([0.5, 0.5]), rewards([1.0, 0.0, 0.0])
    ([-1.0, 1.0], [0.0, 0.0], [1.0, -0.5, -0.5])
    """
    seats = len(shares)
    return [(seats * share - 1) / (seats - 1) for share in shares]


def forfeit(seats: int, loser: int) -> list[float]:
    """The rewards when a seat loses by what it did against the rules: the others share the win."""
    return rewards([0.0 if seat == loser else 1 / (seats - 1) for seat in range(seats)])
