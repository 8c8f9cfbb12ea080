"""Canoë: what shows how it ended, and the countdown to two hundred plies."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import escale
from tests.games.canoe import witness
from tests.games.canoe.test_compare import GAME, strewn
from tests.games.compare import only_places
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


def ended(chance: random.Random) -> Iterator[escale.Position]:
    """Strewn tables on which a seat has won, and games that go on from the others for a while."""
    while True:
        position = strewn(GAME, chance, {"swap": chance.choice(["off", "on"])})
        if position.turn is None or chance.random() < 0.05:
            yield to_the_end(at_ply(position, chance.randint(190, 199)), chance)


def shown(position: escale.Position) -> set[str]:
    """The pegs of all valid canoes of the seat that has just acted, if it has two."""
    canoes = witness.canoes(only_places(position.cells), 1 - position.kernel().turn)
    return set().union(*canoes) if len(canoes) >= 2 else set()


def test_the_canoes_show_who_won() -> None:
    check_cells(GAME, ended(random.Random(1)), shown, "canoes", "length")
    # Taking back a peg that has joined two canoes may leave three of them.
    canoes = ["a5", "b4", "c4", "d5", "f5", "g4", "h4", "i5", "l2", "m3", "m4", "l5"]
    board = GAME.write_board(dict.fromkeys([*canoes, "e4"], "light"))
    after = GAME.position(f"{board} light 40").play("e4-reserve")
    assert after.outcome is not None
    assert sorted(after.outcome.cells) == sorted(canoes)


def test_the_countdown_is_exact() -> None:
    chance = random.Random(2)
    repeated = 0
    for _ in range(COUNTED):
        position = at_ply(strewn(GAME, chance, {"swap": "off"}), chance.randint(170, 199))
        plies, met = position.plies, Counter[Any]()
        while True:
            times = occurrences(met, position)
            won = len(witness.canoes(only_places(position.cells), 1 - position.kernel().turn)) >= 2
            over = won or times >= 3 or plies >= 200
            assert (position.turn is None) == over
            expected: Left = {"length": 200 - plies, **({"repetition": None} if times == 2 else {})}
            assert left_of(position) == ({} if over else expected)
            repeated += times == 2
            if over:
                break
            near = [countdown for countdown in position.countdowns if countdown.near]
            assert bool(near) == (plies >= 180 or times == 2)
            position, plies = position.play(shuffle(position, chance)), plies + 1
    assert repeated


def shuffle(position: escale.Position, chance: random.Random) -> escale.Move:
    """Any move, or often the one that undoes what the seat did last."""
    moves = position.moves()
    before = position.parent.last if position.parent else None
    if before is not None and chance.random() < 0.8:
        back = {"-".join(reversed(before.atoms)), f"{before.atoms[-1]}-reserve", before.atoms[0]}
        moves = [move for move in moves if move.text in back] or moves
    return chance.choice(moves)


def test_a_position_that_has_come_twice_is_told() -> None:
    check_repetition(GAME.start().play("g3"))
