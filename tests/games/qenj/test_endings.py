"""The four games of Qenj: what shows how they ended, and the countdown to three hundred plies."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import escale
from escale.games.qenj import Qenj
from tests.games.endings import (
    COUNTED,
    Left,
    at_ply,
    check_cells,
    check_repetition,
    left_of,
    occurrences,
    to_the_end,
)
from tests.games.qenj import witness
from tests.games.qenj.test_compare import EVERY_GAME, strewn, table

OFTEN = {
    "qenj1": ("filled", "length"),
    "qenj2": ("filled",),
    "qenj3": ("taken", "length", "length-ahead"),
    "qenj4": ("taken", "length", "length-ahead"),
}


def play(game: Qenj, chance: random.Random) -> escale.Position:
    """A table in play, strewn or from the beginning."""
    if chance.random() < 0.7:
        return strewn(game, chance, dict(game.quick))
    position = game.start_with(game.quick)
    while position.turn == escale.CHANCE or "north" not in position.cells:
        position = position.play(chance.choice(position.moves()))
    return position


def ended(game: Qenj, chance: random.Random) -> Iterator[escale.Position]:
    while True:
        position = play(game, chance)
        if position.turn not in (None, escale.CHANCE) and chance.random() < 0.3:
            position = at_ply(position, chance.randint(290, 300))
        yield to_the_end(position, chance)


def shown(position: escale.Position) -> set[str]:
    """The full column; where pieces are taken out, those of the seat that has more of them."""
    game = witness.GAMES[int(position.game.slug[-1])]
    if game.pieces_to_take:
        a, b = int(position.cells["A out"]), int(position.cells["B out"])
        return set() if a == b else {"A out" if a > b else "B out"}
    cells = table(position)
    return {
        cell for column in game.columns if witness.full(game, cells, column)
        for cell in witness.column_cells(game, column)
    }


@EVERY_GAME
def test_the_full_column_or_the_pieces_taken_out_show_it(game: Qenj) -> None:
    check_cells(game, ended(game, random.Random(game.slug)), shown, *OFTEN[game.slug])


@EVERY_GAME
def test_the_countdown_is_exact(game: Qenj) -> None:
    chance = random.Random(2)
    lengths = 0
    for _ in range(COUNTED):
        position = play(game, chance)
        if position.turn in (None, escale.CHANCE):
            continue
        plies, met = chance.randint(270, 299), Counter[Any]()
        position = at_ply(position, plies)
        while True:
            times = occurrences(met, position)
            if position.turn is None:
                break
            assert times < 3
            assert plies < 300 or game.slug == "qenj2"
            expected: Left = {} if game.slug == "qenj2" else {"length": 300 - plies}
            if times == 2:
                expected["repetition"] = None
            assert left_of(position) == expected
            position, plies = position.play(chance.choice(position.moves())), plies + 1
        assert position.outcome is not None
        if position.outcome.name.startswith("length"):
            lengths += 1
            assert plies == 300
    assert lengths == 0 or game.slug != "qenj2"
    assert lengths or game.slug == "qenj2" or not escale.COMPILED
    if game.slug != "qenj2":
        while (position := play(game, chance)).turn is None:
            pass
        check_repetition(position)
