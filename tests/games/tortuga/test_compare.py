"""Tortuga against its literal witness: the same successors, outcomes and ways of moving."""

from __future__ import annotations

import random
from typing import Any

import pytest

import escale
from escale.devkit.starts import option_sets
from tests.games.compare import (
    AT_LENGTH,
    CHUNKS,
    CHUNKS_AT_LENGTH,
    IN_CHUNKS,
    compare,
    only_places,
    shares,
    tables,
)
from tests.games.tortuga import witness
from tests.sizes import COMPARED, COMPARED_ALL

GAME = escale.game("tortuga")


def same(position: escale.Position, occurrences: int) -> bool:
    options = {name: position.options[name] for name in ("obligation", "longest")}
    cells, turn = only_places(position.cells), position.kernel().turn
    expected = witness.outcome(cells, turn, plies=position.plies, **options)
    assert shares(position) == expected, position
    if expected is None:
        successors = witness.successors(cells, turn, **options)
        assert tables(position) == {frozenset(after.items()) for after in successors}, position
    return True


def strewn(
    game: escale.Game[Any], chance: random.Random, options: dict[str, str]
) -> escale.Position:
    """Turtles dropped anywhere, now mostly of one side, now mostly on their backs."""
    while True:
        weights = [chance.random() ** 2 for _ in range(3)]
        cells = {
            cell: chance.choices(["south", "north", "neutral"], weights)[0]
            for cell in chance.sample([c.id for c in game.board.cells], chance.randint(2, 16))
        }
        words = [game.write_board(dict(cells)), chance.choice(["south", "north"]), "0"]
        try:
            return game.position(" ".join(words), options=options)
        except escale.BadPosition:
            continue


@IN_CHUNKS
def test_as_the_witness_says(chunk: int) -> None:
    compare(GAME, chunk, COMPARED // CHUNKS, same, strewn)


@pytest.mark.exhaustive
@AT_LENGTH
def test_as_the_witness_says_at_length(chunk: int) -> None:
    compare(GAME, chunk, COMPARED_ALL // CHUNKS_AT_LENGTH, same, strewn)


def test_every_way_of_moving_is_understood() -> None:
    chance = random.Random(5)
    sets = option_sets(GAME)
    several = 0
    for _ in range(1500 if escale.COMPILED else 60):
        position = strewn(GAME, chance, chance.choice(sets))
        if position.turn is None:
            continue
        options = {name: position.options[name] for name in ("obligation", "longest")}
        ways = witness.ways(only_places(position.cells), position.turn, **options)
        for atoms, after in ways:
            assert only_places(position.play("-".join(atoms)).cells) == after, (position, atoms)
        several += len(ways) > len(position.moves())
        for move in position.moves():
            same = [a for a, after in ways if after == only_places(position.play(move).cells)]
            assert len(move.atoms) == min(map(len, same)), (position, move)
    assert several or not escale.COMPILED, "no position had two ways for one move"
