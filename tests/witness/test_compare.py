"""The compiled rules against the literal witnesses: the same successors, the same outcomes.

Positions come from random games with every combination of options, and from tables on which
pieces were strewn at random, which random games hardly ever reach.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import escale
from escale.devkit.starts import option_sets
from tests.sizes import COMPARED, COMPARED_ALL
from tests.witness import canoe, canyon_1972, tortuga

CHUNKS = 20
"""The comparison is cut in pieces that can run side by side."""

Table = frozenset[tuple[str, Any]]


def only_places(cells: dict[str, Any]) -> dict[str, str]:
    """What stands on the board, without what is beside it."""
    return {cell: piece for cell, piece in cells.items() if isinstance(piece, str)}


def tables(position: escale.Position) -> set[Table]:
    """What the table looks like after every legal move."""
    rules, found = position.kernel(), []
    for code in rules.legal_moves():
        after = rules.copy()
        after.play(code)
        found.append(frozenset(only_places(position.game.cells(after)).items()))
    assert len(set(found)) == len(found), f"{position}: two moves lead to the same table"
    return set(found)


def shares(position: escale.Position) -> tuple[float, ...] | None:
    return position.outcome.shares if position.outcome else None


def walk(start: escale.Position, chance: random.Random) -> Iterator[escale.Position]:
    """Every position of a random game."""
    position = start
    while True:
        if position.turn != escale.CHANCE:
            yield position
        moves = position.moves()
        if not moves:
            return
        position = position.play(chance.choice(moves))


def compare_tortuga(position: escale.Position, occurrences: int) -> None:
    options = {name: position.options[name] for name in ("obligation", "longest")}
    cells, turn = only_places(position.cells), position.kernel().turn
    expected = tortuga.outcome(
        cells, turn, plies=position.plies, occurrences=occurrences, **options
    )
    assert shares(position) == expected, position
    if expected is None:
        successors = tortuga.successors(cells, turn, **options)
        assert tables(position) == {frozenset(after.items()) for after in successors}, position


def compare_canoe(position: escale.Position, occurrences: int) -> None:
    cells, turn = only_places(position.cells), position.kernel().turn
    for seat, colour in enumerate(("light", "dark")):
        assert position.cells[f"{colour} reserve"] == canoe.reserve(cells, seat)
    expected = canoe.outcome(cells, turn, plies=position.plies, occurrences=occurrences)
    assert shares(position) == expected, position
    if expected is None:
        successors = canoe.successors(cells, turn)
        assert tables(position) == {frozenset(after.items()) for after in successors}, position


def canyon_state(position: escale.Position, occurrences: int) -> canyon_1972.State:
    """The witness's account of a position of Canyon (1972)."""
    rules: Any = position.kernel()
    cells = only_places(position.cells)
    best = (rules.own_best, rules.enemy_best)
    return canyon_1972.State(
        cells=cells, turn=rules.turn, plies=rules.plies, passes=rules.passed,
        best=best if rules.turn == 0 else best[::-1], since=rules.quiet,
        occurrences={canyon_1972.position(cells, rules.turn): occurrences},
        canyon=position.options["canyon"],
    )


def compare_canyon(position: escale.Position, occurrences: int) -> None:
    state = canyon_state(position, occurrences)
    outcome = position.outcome
    found = outcome and (outcome.shares, outcome.name, outcome.scores)
    assert found == canyon_1972.outcome(state), position
    if found is None:
        successors = canyon_1972.successors(state.cells, state.turn, canyon=state.canyon)
        # Who has no move passes, and the table stays as it is.
        expected = {frozenset(after.items()) for after in successors or [state.cells]}
        assert tables(position) == expected, position


def strewn_tortuga(chance: random.Random, options: dict[str, str]) -> escale.Position:
    """Turtles dropped anywhere, now mostly of one side, now mostly on their backs."""
    game = escale.game("tortuga")
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


def strewn_canoe(chance: random.Random, options: dict[str, str]) -> escale.Position:
    """Whole canoes and loose pegs dropped anywhere: wins and near wins are frequent."""
    game = escale.game("canoe")
    places = [place for shape in canoe.SHAPES for place in canoe.places(shape)]
    while True:
        cells: dict[str, Any] = {}
        for colour in ("light", "dark"):
            pegs: set[str] = set()
            for _ in range(chance.randint(0, 3)):
                pegs |= chance.choice(places)
            pegs |= set(chance.sample(sorted(canoe.HOLES), chance.randint(0, 3)))
            cells |= dict.fromkeys([hole for hole in pegs if hole not in cells][:13], colour)
        text = f"{game.write_board(cells)} {chance.choice(['light', 'dark'])} 0"
        try:
            return game.position(text)
        except escale.BadPosition:
            continue


def strewn_canyon(chance: random.Random, options: dict[str, str]) -> escale.Position:
    """Pawns dropped anywhere, or so that chains explode."""
    game = escale.game("canyon-1972")
    turn = chance.choice((0, 1))
    drop = dense_canyon if chance.random() < 0.25 else loose_canyon
    cells = drop(chance, turn, options["canyon"])
    text = f"{game.write_board({**cells})} {canyon_1972.SEATS[turn]} {chance.choice('01')}"
    return game.position(text, options=options)


def loose_canyon(chance: random.Random, turn: int, width: str) -> dict[str, str]:
    """Pawns dropped anywhere, on one side of the canyon, or close to where the game ends."""
    places = [cell for cell in canyon_1972.CELLS if cell not in canyon_1972.CANYONS[width]]
    side = chance.choice([places, [c for c in places if canyon_1972.value(c, 0) <= 8]])
    cells: dict[str, str] = {}
    for seat, name in enumerate(canyon_1972.SEATS):
        number = chance.randint(1, chance.choice([3, 15]))
        best = sorted(places, key=lambda cell: -canyon_1972.value(cell, seat))
        region = best[: number + chance.randint(0, 2)] if chance.random() < 0.3 else side
        free = [cell for cell in region if cell not in cells] or [
            cell for cell in places if cell not in cells
        ]
        cells |= dict.fromkeys(chance.sample(free, min(number, len(free))), name)
    return cells


def dense_canyon(chance: random.Random, turn: int, width: str) -> dict[str, str]:
    """One pawn, and around it nothing but pawns that it can jump: hundreds of chains."""
    places = [cell for cell in canyon_1972.CELLS if cell not in canyon_1972.CANYONS[width]]
    pawn = chance.choice(places)
    landings = [
        cell for cell in places
        if (ord(cell[0]) - ord(pawn[0])) % 2 == (int(cell[1]) - int(pawn[1])) % 2 == 0
    ]
    between = {
        over
        for cell in landings
        for direction in canyon_1972.DIRECTIONS
        if (over := canyon_1972.neighbour(cell, direction)) in places
        and canyon_1972.neighbour(over, direction) in landings
    }
    others = chance.sample(sorted(between), chance.randint(1, len(between)))
    friends = chance.randint(0, min(14, len(others) - 1))
    mine, theirs = canyon_1972.SEATS[turn], canyon_1972.SEATS[1 - turn]
    return {
        pawn: mine,
        **dict.fromkeys(others[:friends], mine),
        **dict.fromkeys(others[friends : friends + 8], theirs),
    }


COMPARISONS: dict[str, tuple[Callable[..., None], Callable[..., escale.Position]]] = {
    "tortuga": (compare_tortuga, strewn_tortuga),
    "canoe": (compare_canoe, strewn_canoe),
    "canyon-1972": (compare_canyon, strewn_canyon),
}


def compare(slug: str, chunk: int, wanted: int) -> None:
    game = escale.game(slug)
    same, strewn = COMPARISONS[slug]
    sets = option_sets(game)
    chance = random.Random(f"{slug} {chunk}")
    compared = 0
    while compared < wanted // 2:
        met: dict[Any, int] = {}
        for position in walk(game.start_with(chance.choice(sets)), chance):
            key = (position.kernel().turn, frozenset(position.cells.items()))
            met[key] = met.get(key, 0) + 1
            same(position, met[key])
            compared += 1
    while compared < wanted:
        same(strewn(chance, chance.choice(sets)), 1)
        compared += 1


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("slug", COMPARISONS)
def test_as_the_witness_says(slug: str, chunk: int) -> None:
    compare(slug, chunk, COMPARED // CHUNKS)


@pytest.mark.exhaustive
@pytest.mark.parametrize("chunk", range(CHUNKS, 6 * CHUNKS))
@pytest.mark.parametrize("slug", COMPARISONS)
def test_as_the_witness_says_at_length(slug: str, chunk: int) -> None:
    compare(slug, chunk, COMPARED_ALL // (5 * CHUNKS))
