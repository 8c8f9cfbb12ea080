"""Input accepts every way of making a move that the rules allow, not only its notation."""

from __future__ import annotations

import random

import escale
from escale.devkit.starts import option_sets
from tests.witness import canyon_1972, tortuga
from tests.witness.test_compare import only_places, strewn_canyon, strewn_tortuga


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
    assert several or not escale.COMPILED, "no position had two ways for one move"


def test_every_way_of_canyon_is_understood() -> None:
    chance = random.Random(5)
    sets = option_sets(escale.game("canyon-1972"))
    several = 0
    for _ in range(600 if escale.COMPILED else 30):
        position = strewn_canyon(chance, chance.choice(sets))
        if position.turn is None:
            continue
        cells = only_places(position.cells)
        ways = canyon_1972.ways(cells, position.turn, **position.options, longest=5)
        if len(ways) > 1500:            # beyond what input promises
            continue
        shortest: dict[str, int] = {}
        for atoms, after in ways:
            node = position.choices().after(*atoms)
            assert node is not None, (position, atoms)
            said = atoms if node.move else (*atoms, "stop")
            move = position.find("-".join(said))
            assert only_places(position.play(move).cells) == after, (position, atoms)
            shortest[move.text] = min(len(atoms), shortest.get(move.text, 99))
        several += len(ways) > len(shortest)
        for move in position.moves():
            landings = [atom for atom in move.atoms if atom != "stop"]
            assert len(landings) == shortest.get(move.text, len(landings)), (position, move)
    assert several or not escale.COMPILED, "no position had two ways for one move"
