"""Breakthrough: the conformance kit, and the rules by a witness too plain to be wrong."""

from __future__ import annotations

import random
from pathlib import Path

import escale
from escale.devkit.testing import GameTests
from escale.kernel import perft

GAME = escale.game("breakthrough")


class TestConformance(GameTests):
    """What every game must keep, and the rules by a witness."""

    slug = "breakthrough"
    witness = Path(__file__).with_name("witness.py")


def test_what_ended_the_game_is_shown() -> None:
    chance = random.Random("breakthrough")
    for _ in range(30):
        position = GAME.start()
        while position.turn is not None:
            position = position.play(chance.choice(position.moves()))
        assert position.outcome is not None
        assert position.outcome.winners
        won = GAME.seat_names[position.outcome.winners[0]]
        far = "8" if won == "south" else "1"
        through = {cell for cell, seat in position.cells.items() if seat == won and cell[1] == far}
        left = {cell for cell, seat in position.cells.items() if seat == won}
        assert set(position.outcome.cells) == (through or left)


def test_perft() -> None:
    start = GAME.start().kernel()
    assert [perft(start, depth) for depth in (1, 2, 3)] == [22, 484, 11132]
