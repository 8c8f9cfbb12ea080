"""Canoë against its literal witness: the same successors, the same outcomes."""

from __future__ import annotations

import random
from typing import Any

import pytest

import escale
from tests.games.canoe import witness
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
from tests.sizes import COMPARED, COMPARED_ALL

GAME = escale.game("canoe")


def same(position: escale.Position, occurrences: int) -> bool:
    cells, turn = only_places(position.cells), position.kernel().turn
    for seat, colour in enumerate(("light", "dark")):
        assert position.cells[f"{colour} reserve"] == witness.reserve(cells, seat)
    expected = witness.outcome(cells, turn, plies=position.plies, occurrences=occurrences)
    assert shares(position) == expected, position
    if expected is None:
        swap = position.options["swap"]
        successors = witness.successors(cells, turn, swap=swap, plies=position.plies)
        assert tables(position) == {frozenset(after.items()) for after in successors}, position
    return True


def strewn(
    game: escale.Game[Any], chance: random.Random, options: dict[str, str]
) -> escale.Position:
    """Whole canoes and loose pegs dropped anywhere: wins and near wins are frequent."""
    places = [place for shape in witness.SHAPES for place in witness.places(shape)]
    while True:
        cells: dict[str, Any] = {}
        for colour in ("light", "dark"):
            pegs: set[str] = set()
            for _ in range(chance.randint(0, 3)):
                pegs |= chance.choice(places)
            pegs |= set(chance.sample(sorted(witness.HOLES), chance.randint(0, 3)))
            cells |= dict.fromkeys([hole for hole in pegs if hole not in cells][:13], colour)
        text = f"{game.write_board(cells)} {chance.choice(['light', 'dark'])} 0"
        try:
            return game.position(text, options=options)
        except escale.BadPosition:
            continue


@IN_CHUNKS
def test_as_the_witness_says(chunk: int) -> None:
    compare(GAME, chunk, COMPARED // CHUNKS, same, strewn)


@pytest.mark.exhaustive
@AT_LENGTH
def test_as_the_witness_says_at_length(chunk: int) -> None:
    compare(GAME, chunk, COMPARED_ALL // CHUNKS_AT_LENGTH, same, strewn)
