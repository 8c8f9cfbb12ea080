"""Breakthrough: the conformance kit, and the rules by a witness too plain to be wrong."""

from __future__ import annotations

import random

import escale
from escale.devkit.testing import GameTests
from escale.kernel import perft

GAME = escale.game("breakthrough")


class TestConformance(GameTests):
    """What every game must keep."""

    slug = "breakthrough"


def successors(cells: dict[str, str], seat: str) -> set[frozenset[tuple[str, str]]]:
    """The tables after every move, read off the rules word by word."""
    found = set()
    up = 1 if seat == "south" else -1
    for cell in [cell for cell, piece in cells.items() if piece == seat]:
        for aside in (-1, 0, 1):
            file, rank = ord(cell[0]) - ord("a") + aside, int(cell[1]) + up
            if not (0 <= file < 8 and 1 <= rank <= 8):
                continue
            to = "abcdefgh"[file] + str(rank)
            if cells.get(to) == seat or (aside == 0 and to in cells):
                continue
            after = {where: piece for where, piece in cells.items() if where != cell}
            found.add(frozenset({**after, to: seat}.items()))
    return found


def test_the_moves_are_those_of_the_witness() -> None:
    chance = random.Random("breakthrough")
    for _ in range(30):
        position = GAME.start()
        while position.turn is not None:
            cells = {cell: str(piece) for cell, piece in position.cells.items()}
            tables = {frozenset(position.play(move).cells.items()) for move in position.moves()}
            assert tables == successors(cells, GAME.seat_names[position.turn])
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
