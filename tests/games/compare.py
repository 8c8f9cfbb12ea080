"""Compiled rules against literal witnesses: the same successors, the same outcomes.

Positions come from random games with every combination of options, and from tables on which
pieces were strewn at random, which random games hardly ever reach. What is the same, and how
pieces are strewn, each game says in its own `test_compare.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

import escale
from escale.devkit.starts import option_sets

#: The comparison is cut in pieces that can run side by side.
CHUNKS = 4
CHUNKS_AT_LENGTH = 100
IN_CHUNKS = pytest.mark.parametrize("chunk", range(CHUNKS))
AT_LENGTH = pytest.mark.parametrize("chunk", range(CHUNKS, CHUNKS + CHUNKS_AT_LENGTH))

Table = frozenset[tuple[str, Any]]

Same = Callable[[escale.Position, int], bool]
"""Compares a position that has occurred so often; False where there was nothing to compare."""

Strewn = Callable[[Any, random.Random, dict[str, str]], escale.Position]
"""A table with pieces strewn at random, with these options."""


def only_places(cells: dict[str, Any]) -> dict[str, str]:
    """What stands on the board, without what is beside it."""
    return {cell: piece for cell, piece in cells.items() if isinstance(piece, str)}


def tables(position: escale.Position) -> set[Table]:
    """What the table looks like after every legal move."""
    rules, found = position.kernel(), []
    for code in rules.legal_moves():
        after = rules.copy()
        after.play(code)
        found.append(frozenset(only_places(position.game.cells(after)).items()))
    assert len(set(found)) == len(found), f"{position}: two moves lead to the same table"
    return set(found)


def shares(position: escale.Position) -> tuple[float, ...] | None:
    return position.outcome.shares if position.outcome else None


def walk(start: escale.Position, chance: random.Random) -> Iterator[escale.Position]:
    """Every position of a random game."""
    position = start
    while True:
        if position.turn != escale.CHANCE:
            yield position
        moves = position.moves()
        if not moves:
            return
        position = position.play(chance.choice(moves))


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
            compared += same(position, met[key])
            if most is not None and len(position.kernel().legal_moves()) > most:
                break
    while compared < wanted:
        compared += same(strewn(game, chance, chance.choice(sets)), 1)
