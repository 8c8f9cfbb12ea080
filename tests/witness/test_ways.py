"""Input accepts every way of making a move that the rules allow, not only its notation."""

from __future__ import annotations

import random

import escale
from escale.play.check import option_sets
from tests.witness import tortuga
from tests.witness.test_compare import only_places, strewn_tortuga


def test_every_way_of_tortuga_is_understood() -> None:
    chance = random.Random(5)
    sets = option_sets(escale.game("tortuga"))
    several = 0
    for _ in range(1500 if escale.COMPILED else 60):
        position = strewn_tortuga(chance, chance.choice(sets))
        if position.turn is None:
            continue
        options = {name: position.options[name] for name in ("obligation", "longest")}
        ways = tortuga.ways(only_places(position.cells), position.turn, **options)
        for atoms, after in ways:
            assert only_places(position.play("-".join(atoms)).cells) == after, (position, atoms)
        several += len(ways) > len(position.moves())
        for move in position.moves():
            same = [a for a, after in ways if after == only_places(position.play(move).cells)]
            assert len(move.atoms) == min(map(len, same)), (position, move)
    assert several, "no position had two ways for one move"
