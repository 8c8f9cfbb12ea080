"""Where pieces would go: what the house tells of moves whose atoms do not say it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import escale
from escale.game.game import Game
from escale.game.state_of_play import short_ways
from escale.kernel import CHANCE

BOXES = escale.games()


@pytest.mark.parametrize("box", BOXES, ids=lambda box: str(box.slug))
def test_what_is_told_and_what_is_pointed_at_are_the_ways_of_every_move(box: Game[Any]) -> None:
    chance = random.Random(1)
    position = box.start_with(dict(box.quick), seed=4)
    told_at_all = 0
    for _ in range(40):
        if not position.moves():
            break
        if position.turn != CHANCE and len(position.moves()) < 150:
            told = {
                move.text: way
                for move in position.moves() if (way := short_ways(move, move.atoms)) is not None
            }
            for move in position.moves():
                cells = [atom for atom in move.atoms if atom in box.board.cell_names]
                pointed = ["-".join(cells)] if len(cells) > 1 else []
                shown = _in_full(told[move.text], move.atoms) if move.text in told else pointed
                assert shown == ["-".join(way) for way in move.ways]
            told_at_all += len(told)
        position = position.play(chance.choice(position.moves()))
    # Where all that a piece passes is pointed at, nothing is sent.
    assert (told_at_all == 0) == (box.slug in {"canoe", "tortuga", "canyon-1972", "qenj1"})


def _in_full(told: str, atoms: Sequence[str]) -> list[str]:
    before = list(atoms[:2])
    ways = []
    for way in told.split():
        cells = way.split("-")
        for place, cell in enumerate(cells):
            if not cell:
                cells[place] = before[place]
            elif cell[0].isdigit():
                cells[place] = before[place][0] + cell
        ways.append("-".join(cells))
        before = cells
    return ways


def test_a_stack_lands_piece_by_piece() -> None:
    box = escale.game("qenj3")
    position = box.start_with({}, seed=2)
    chance = random.Random(2)
    while position.turn == CHANCE or not any(len(move.ways) > 1 for move in position.moves()):
        position = position.play(chance.choice(position.moves()))
    move = next(move for move in position.moves() if len(move.ways) > 1)
    after = position.play(move)
    assert len(move.ways) > 1
    for way in move.ways:
        assert way[0] in position.cells
        assert after.cells.get(way[-1]) == position.cells[way[0]]
