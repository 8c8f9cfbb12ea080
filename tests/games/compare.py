"""Compiled rules against literal witnesses: the same successors, the same outcomes.

Positions come from random games with every combination of options, and from tables on which
pieces were strewn at random, which random games hardly ever reach. What is the same, and how
pieces are strewn, each game says in its own `test_compare.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import escale
from escale.devkit.starts import option_sets
from escale.devkit.witness import only_places, shares, smallest, tables, walk

__all__ = [
    "AT_LENGTH", "CHUNKS", "CHUNKS_AT_LENGTH", "IN_CHUNKS", "compare", "only_places", "shares",
    "tables", "walk",
]

#: The comparison is cut in pieces that can run side by side.
CHUNKS = 4
CHUNKS_AT_LENGTH = 100
IN_CHUNKS = pytest.mark.parametrize("chunk", range(CHUNKS))
AT_LENGTH = pytest.mark.parametrize("chunk", range(CHUNKS, CHUNKS + CHUNKS_AT_LENGTH))

Same = Callable[[escale.Position, int], bool]
"""Compares a position that has occurred so often; False where there was nothing to compare."""

Strewn = Callable[[Any, random.Random, dict[str, str]], escale.Position]
"""A table with pieces strewn at random, with these options."""


def tell_smallest(same: Same, position: escale.Position, occurrences: int) -> bool:
    """Compare, and where there is a difference say it of the smallest position that has one."""
    try:
        return same(position, occurrences)
    except AssertionError:
        def wrong(other: escale.Position) -> bool:
            try:
                same(other, 1)
            except AssertionError:
                return True
            return False

        if wrong(position):
            same(smallest(position, wrong), 1)
        raise


def compare(
    game: escale.Game[Any], chunk: int, wanted: int, same: Same, strewn: Strewn, *,
    sets: Sequence[dict[str, str]] = (), most: int | None = None,
) -> None:
    """Compare so many positions, half of them from random games, with any of these sets of options.

    A game in which a position has more than `most` moves is left there: no witness can follow.
    """
    sets = sets or option_sets(game)
    chance = random.Random(f"{game.slug} {chunk}")
    compared = 0
    while compared < wanted // 2:
        met: dict[Any, int] = {}
        for position in walk(game.start_with(chance.choice(sets)), chance):
            key = (position.kernel().turn, frozenset(position.cells.items()))
            met[key] = met.get(key, 0) + 1
            compared += tell_smallest(same, position, met[key])
            if most is not None and len(position.kernel().legal_moves()) > most:
                break
    while compared < wanted:
        compared += tell_smallest(same, strewn(game, chance, chance.choice(sets)), 1)
