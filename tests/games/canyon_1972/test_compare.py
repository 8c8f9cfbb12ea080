"""Canyon (1972) against its literal witness: the same successors, outcomes and ways of moving."""

from __future__ import annotations

import random
from typing import Any

import pytest

import escale
from escale.devkit.starts import option_sets
from tests.games.canyon_1972 import witness
from tests.games.compare import (
    AT_LENGTH,
    CHUNKS,
    CHUNKS_AT_LENGTH,
    IN_CHUNKS,
    compare,
    only_places,
    tables,
)
from tests.sizes import COMPARED, COMPARED_ALL

GAME = escale.game("canyon-1972")


def state_of(position: escale.Position, occurrences: int) -> witness.State:
    """The witness's account of a position of Canyon (1972)."""
    rules: Any = position.kernel()
    cells = only_places(position.cells)
    best = (rules.own_best, rules.enemy_best)
    return witness.State(
        cells=cells, turn=rules.turn, plies=rules.plies, passes=rules.passed,
        best=best if rules.turn == 0 else best[::-1], since=rules.quiet,
        occurrences={witness.position(cells, rules.turn): occurrences},
        canyon=position.options["canyon"],
    )


def same(position: escale.Position, occurrences: int) -> bool:
    state = state_of(position, occurrences)
    outcome = position.outcome
    found = outcome and (outcome.shares, outcome.name, outcome.scores)
    assert found == witness.outcome(state), position
    if found is None:
        successors = witness.successors(state.cells, state.turn, canyon=state.canyon)
        # A seat without a move passes, and the table stays as it is.
        expected = {frozenset(after.items()) for after in successors or [state.cells]}
        assert tables(position) == expected, position
    return True


def strewn(
    game: escale.Game[Any], chance: random.Random, options: dict[str, str]
) -> escale.Position:
    """Pawns dropped anywhere, or so that chains explode."""
    turn = chance.choice((0, 1))
    drop = dense if chance.random() < 0.25 else loose
    cells = drop(chance, turn, options["canyon"])
    text = f"{game.write_board({**cells})} {witness.SEATS[turn]} {chance.choice('01')}"
    return game.position(text, options=options)


def loose(chance: random.Random, turn: int, width: str) -> dict[str, str]:
    """Pawns dropped anywhere, on one side of the canyon, or close to where the game ends."""
    places = [cell for cell in witness.CELLS if cell not in witness.CANYONS[width]]
    side = chance.choice([places, [c for c in places if witness.value(c, 0) <= 8]])
    cells: dict[str, str] = {}
    for seat, name in enumerate(witness.SEATS):
        number = chance.randint(1, chance.choice([3, 15]))
        best = sorted(places, key=lambda cell: -witness.value(cell, seat))
        region = best[: number + chance.randint(0, 2)] if chance.random() < 0.3 else side
        free = [cell for cell in region if cell not in cells] or [
            cell for cell in places if cell not in cells
        ]
        cells |= dict.fromkeys(chance.sample(free, min(number, len(free))), name)
    return cells


def dense(chance: random.Random, turn: int, width: str) -> dict[str, str]:
    """One pawn, and around it nothing but pawns that it can jump: hundreds of chains."""
    places = [cell for cell in witness.CELLS if cell not in witness.CANYONS[width]]
    pawn = chance.choice(places)
    landings = [
        cell for cell in places
        if (ord(cell[0]) - ord(pawn[0])) % 2 == (int(cell[1]) - int(pawn[1])) % 2 == 0
    ]
    between = {
        over
        for cell in landings
        for direction in witness.DIRECTIONS
        if (over := witness.neighbour(cell, direction)) in places
        and witness.neighbour(over, direction) in landings
    }
    others = chance.sample(sorted(between), chance.randint(1, len(between)))
    friends = chance.randint(0, min(14, len(others) - 1))
    mine, theirs = witness.SEATS[turn], witness.SEATS[1 - turn]
    return {
        pawn: mine,
        **dict.fromkeys(others[:friends], mine),
        **dict.fromkeys(others[friends : friends + 8], theirs),
    }


@IN_CHUNKS
def test_as_the_witness_says(chunk: int) -> None:
    compare(GAME, chunk, COMPARED // CHUNKS, same, strewn)


@pytest.mark.exhaustive
@AT_LENGTH
def test_as_the_witness_says_at_length(chunk: int) -> None:
    compare(GAME, chunk, COMPARED_ALL // CHUNKS_AT_LENGTH, same, strewn)


def test_progress_is_counted_as_the_witness_counts_it() -> None:
    chance = random.Random(1972)
    captures = 0
    for options in option_sets(GAME):
        position = GAME.start_with(options)
        state = witness.begin(canyon=options["canyon"])
        while position.turn is not None and position.plies < (400 if escale.COMPILED else 60):
            position = position.play(chance.choice(position.moves()))
            cells = only_places(position.cells)
            if cells == state.cells:    # a pass
                state = witness.after_pass(state)
            else:
                captures += len(cells) < len(state.cells)
                state = witness.made(state, cells)
            found = state_of(position, 1)
            assert (found.best, found.since) == (state.best, state.since), position
    assert captures


def test_every_way_of_moving_is_understood() -> None:
    chance = random.Random(5)
    sets = option_sets(GAME)
    several = 0
    for _ in range(600 if escale.COMPILED else 30):
        position = strewn(GAME, chance, chance.choice(sets))
        if position.turn is None:
            continue
        cells = only_places(position.cells)
        ways = witness.ways(cells, position.turn, **position.options, longest=5)
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
