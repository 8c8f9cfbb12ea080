"""What the rules of Qenj 1, 2, 3 and 4 state as facts, checked on the witness alone.

The expected values were worked out by hand from the rules; ``expected.toml`` holds the small
positions.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.games.facts import load
from tests.games.qenj import witness as qenj
from tests.games.qenj.witness import GAMES, Cells, Game, Result, State

EXPECTED = load(Path(__file__).with_name("expected.toml"), "qenj")
DRAW = (0.5, 0.5)
A_WINS = (1.0, 0.0)
B_WINS = (0.0, 1.0)

DOTS = (1, 2, 3, 4, 4, 3, 2, 1, 1, 2, 3, 4)
"""A shuffle of the columns of Qenj 1."""


def column(letter: str, first: int, *pieces: str) -> Cells:
    """Pieces in a column, from a row on southwards."""
    return {f"{letter}{row}": piece for row, piece in enumerate(pieces, start=first)}


DEAD_1 = (
    column("a", 1, "red 2", "blue 1", "green 1")
    | column("b", 1, "blue 3", "green 3", "yellow 1")
    | column("c", 1, "red 1", "green 2", "yellow 3")
    | column("d", 1, "red 3", "blue 2", "yellow 2")
)
"""Qenj 1: neither side has a legal move (worked out in the TOML file)."""

ONE_MOVE_1 = (
    column("a", 1, "blue 1", "green 1", "red 1")
    | column("b", 1, "blue 3", "green 3", "yellow 1")
    | column("c", 1, "red 2", "green 2", "yellow 3")
    | column("d", 1, "red 3", "blue 2", "yellow 2")
)
"""Qenj 1: North has no legal move, South has one, a3 to b4 (worked out in the TOML file)."""


def name_of(entry: dict[str, Any]) -> str:
    """A case's name, for the report."""
    parts = [entry["name"], entry.get("of", "all")]
    return ", ".join(parts)


def as_set(tables: list[Cells]) -> set[frozenset[tuple[str, str]]]:
    """Tables without their order."""
    return {frozenset(cells.items()) for cells in tables}


def told(cells: Cells, move: dict[str, str]) -> Result:
    """What a move does that says where each piece goes, and perhaps which one is taken out."""
    pieces = {cell: end for cell, end in move.items() if cell != "out"}
    table = {cell: piece for cell, piece in cells.items() if cell not in pieces}
    for cell, end in pieces.items():
        table[end] = cells[cell]
    taken = table.pop(move["out"]) if "out" in move else None
    return Result(table, taken)


def play(state: State, **move: str) -> State:
    """The game after a move that says where each piece goes."""
    return qenj.after(state, told(state.cells, move))


def sizes(game: Game, cells: Cells) -> list[int]:
    """How many pieces there are in each remaining column."""
    return [len(qenj.occupied(game, cells, column)) for column in qenj.remaining(game, cells)]


# --- The table of the four games -----------------------------------------------------------------


def test_columns_and_cells() -> None:
    found = [(len(game.columns), game.rows) for game in GAMES.values()]
    assert found == [(12, 4), (12, 9), (9, 6), (9, 6)]


def test_pieces() -> None:
    assert [sum(qenj.bag(game).values()) for game in GAMES.values()] == [12, 36, 21, 18]
    # Qenj 1: 4 colours x forces 1, 2, 3.
    assert len(qenj.bag(GAMES[1])) == 12
    assert set(qenj.bag(GAMES[1]).values()) == {1}
    assert set(qenj.colours_in_bag(GAMES[1]).values()) == {3}
    # Qenj 2: 3 colours x 4 of each force 1, 2, 3.
    assert len(qenj.bag(GAMES[2])) == 9
    assert set(qenj.bag(GAMES[2]).values()) == {4}
    assert set(qenj.colours_in_bag(GAMES[2]).values()) == {12}
    # Qenj 3 and 4: 7 and 6 of each of three colours.
    assert qenj.bag(GAMES[3]) == Counter(black=7, white=7, red=7)
    assert qenj.bag(GAMES[4]) == Counter(black=6, white=6, red=6)


def test_same_colour_in_one_column() -> None:
    assert [game.same_colour for game in GAMES.values()] == [1, 3, 2, 2]
    # A full column has as many of each colour as it may have, of all the colours.
    for game in GAMES.values():
        assert game.same_colour * len(game.colours) == game.rows


def test_ring_direction() -> None:
    assert [game.either_way for game in GAMES.values()] == [False, True, False, False]


def test_what_moves() -> None:
    found = [game.moves for game in GAMES.values()]
    assert found == ["proxime", "stack", "nearest", "nearest"]


def test_goals() -> None:
    assert [game.pieces_to_take for game in GAMES.values()] == [0, 0, 3, 2]


def test_first_to_move() -> None:
    assert [qenj.SEATS[game.first] for game in GAMES.values()] == ["A", "A", "B", "B"]
    assert qenj.begin(GAMES[1], DEAD_1, 1).turn == 0
    assert qenj.begin(GAMES[4], {"a3": "black", "b3": "red"}, 1).turn == 1


def test_names() -> None:
    # a1 is the north-west cell; rows are counted from North to South.
    game = GAMES[1]
    assert qenj.column_cells(game, "a") == ["a1", "a2", "a3", "a4"]
    cells = {"a1": "red 1", "a2": "blue 1"}
    assert qenj.from_side(game, cells, "a", "north") == ["a1", "a2"]
    assert qenj.from_side(game, cells, "a", "south") == ["a2", "a1"]


def test_ring() -> None:
    game = GAMES[1]
    cells = {f"{column}1": "red 1" for column in "acdgl"}
    assert qenj.remaining(game, cells) == list("acdgl")
    assert [qenj.further(game, cells, "a", f) for f in (1, 2, 3)] == ["c", "d", "g"]
    assert [qenj.further(game, cells, "g", f) for f in (1, 2, 3)] == ["l", "a", "c"]
    assert [qenj.further(game, cells, "a", -f) for f in (1, 2, 3)] == ["l", "g", "d"]


def test_landings() -> None:
    game = GAMES[3]
    assert qenj.landings(game, {"a3": "red"}, "a") == ["a2", "a4"]
    assert qenj.landings(game, {"a1": "red"}, "a") == ["a2"]
    assert qenj.landings(game, {"a6": "red"}, "a") == ["a5"]
    # A hole is an empty cell next to an occupied one.
    assert qenj.landings(game, {"a2": "red", "a4": "red"}, "a") == ["a1", "a3", "a5"]
    # Nothing lands in an empty column, whatever stands beside it.
    assert qenj.landings(game, {"a3": "red"}, "b") == []


# --- The small positions -------------------------------------------------------------------------


@pytest.mark.parametrize("case", EXPECTED, ids=name_of)
def test_position(case: dict[str, Any]) -> None:
    game = GAMES[case["game"]]
    cells: Cells = case["cells"]
    side: str = case["side"]
    unstack: str = case.get("unstack", "bottom")
    every_way = qenj.ways(game, cells, side, unstack=unstack)
    ways = dict(every_way)
    assert len(ways) == len(every_way)
    results = qenj.successors(game, cells, side, unstack=unstack)
    assert as_set([result.cells for result in results]) == as_set(
        [result.cells for result in ways.values()]
    )
    if "of" in case:
        assert case["of"] in cells
        meant = [result for atoms, result in ways.items() if atoms[0] == case["of"]]
    else:
        meant = results
    tables = as_set([result.cells for result in meant])
    if "legal" in case:
        legal = [told(cells, move) for move in case["legal"]]
        assert tables == as_set([result.cells for result in legal])
        assert all(result in results for result in legal)
        assert len(tables) == len(legal)
    if "moves" in case:
        assert len(tables) == case["moves"]
    for way in case.get("allowed", []):
        assert tuple(way) in ways
    for attempt in case.get("forbidden", []):
        assert tuple(attempt["way"]) not in ways, attempt["why"]


def test_enough_cases() -> None:
    assert len(EXPECTED) >= 30


# --- Set-up --------------------------------------------------------------------------------------


def test_dots() -> None:
    game = GAMES[1]
    assert qenj.shuffle_allowed(game, DOTS)
    assert not qenj.shuffle_allowed(game, (1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4))
    assert not qenj.shuffle_allowed(game, DOTS[:-1])
    home = qenj.home_cells(game, DOTS)
    assert home[:5] == ["a1", "b2", "c3", "d4", "e4"]
    assert Counter(cell[1] for cell in home) == Counter({"1": 3, "2": 3, "3": 3, "4": 3})


def test_home_cells() -> None:
    assert len(qenj.home_cells(GAMES[2])) == 36
    assert {cell[1] for cell in qenj.home_cells(GAMES[2])} == {"4", "5", "6"}
    gold = qenj.home_cells(GAMES[3])
    assert len(gold) == 21
    assert GAMES[3].rows * len(GAMES[3].columns) - len(gold) == 33
    per_row = Counter(cell[1] for cell in gold)
    assert per_row == Counter({"2": 2, "3": 9, "4": 9, "5": 1})
    assert [cell for cell in gold if cell[1] in "25"] == ["b2", "e5", "h2"]
    assert len(qenj.home_cells(GAMES[4])) == 18
    assert {cell[1] for cell in qenj.home_cells(GAMES[4])} == {"3", "4"}


def test_phases() -> None:
    assert qenj.phases(GAMES[1]) == (
        ("columns", None),
        ("colours", 0),
        ("forces", None),
        ("side", 1),
    )
    assert qenj.phases(GAMES[2]) == (("colours", 0), ("forces", None), ("side", 1))
    assert qenj.phases(GAMES[3]) == (("pieces", None), ("side", 0))
    assert qenj.phases(GAMES[4]) == (("pieces", None),)
    assert qenj.phases(GAMES[1], "quick") == (("columns", None), ("pieces", None), ("side", 1))
    assert qenj.phases(GAMES[2], "quick") == (("pieces", None), ("side", 1))


def test_placing_colours() -> None:
    # Qenj 1: twelve dots, four colours.
    game = GAMES[1]
    assert len(qenj.setup_moves(game, "colours", dots=DOTS)) == 48
    # Three reds are down, and no fourth is left: nine dots, three colours.
    placed = {"a1": "red", "b2": "red", "c3": "red"}
    moves = qenj.setup_moves(game, "colours", placed=placed, dots=DOTS)
    assert len(moves) == 27
    assert ("d4", "blue") in moves
    assert ("d4", "red") not in moves
    assert ("a1", "blue") not in moves
    assert ("d1", "blue") not in moves
    # Qenj 2: 36 cells, three colours; three of the same colour in a column are allowed.
    game = GAMES[2]
    assert len(qenj.setup_moves(game, "colours")) == 108
    moves = qenj.setup_moves(game, "colours", placed={"a4": "red", "a5": "red"})
    assert ("a6", "red") in moves
    assert len(moves) == 102
    # Twelve of each colour: after four full columns of red, no red is left.
    placed = {cell: "red" for cell in qenj.home_cells(game) if cell[0] in "abcd"}
    moves = qenj.setup_moves(game, "colours", placed=placed)
    assert len(moves) == 48
    assert {name for _, name in moves} == {"blue", "yellow"}


def test_nobody_chooses_where_chance_acts() -> None:
    for game in GAMES.values():
        for phase, chooser in qenj.phases(game):
            assert (chooser is None) == (qenj.setup_moves(game, phase, dots=DOTS) == [])


def test_choice_of_side() -> None:
    for number in (1, 2, 3):
        assert qenj.setup_moves(GAMES[number], "side") == [("north",), ("south",)]
    assert qenj.setup_moves(GAMES[4], "side") == []
    # In Qenj 1 and 2, B chooses; in Qenj 3, A; in Qenj 4, B sits North.
    for number in (1, 2):
        assert qenj.seat_north(GAMES[number], "north") == 1
        assert qenj.seat_north(GAMES[number], "south") == 0
    assert qenj.seat_north(GAMES[3], "north") == 0
    assert qenj.seat_north(GAMES[3], "south") == 1
    assert qenj.seat_north(GAMES[4]) == 1


def test_deals() -> None:
    # Forces are dealt within each colour, where A has put it.
    game = GAMES[1]
    names = ["red", "blue", "green", "yellow"] * 3
    home = qenj.home_cells(game, DOTS)
    placed = dict(zip(home, names, strict=True))
    forces = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
    deal = {
        cell: f"{name} {strength}" for cell, name, strength in zip(home, names, forces, strict=True)
    }
    assert qenj.deal_allowed(game, deal, dots=DOTS, placed=placed)
    swapped = {**deal, home[0]: deal[home[1]], home[1]: deal[home[0]]}
    assert qenj.deal_allowed(game, swapped, dots=DOTS)
    assert not qenj.deal_allowed(game, swapped, dots=DOTS, placed=placed)
    twice = {**deal, home[0]: "red 2"}
    assert not qenj.deal_allowed(game, twice, dots=DOTS)
    assert not qenj.deal_allowed(game, deal, dots=DOTS[::-1])


def test_redraw_of_qenj_3() -> None:
    game = GAMES[3]
    home = qenj.home_cells(game)
    pieces = ["black", "white", "red"] * 7
    deal = dict(zip(home, pieces, strict=True))
    assert qenj.deal_allowed(game, deal)
    # Column b holds b2, b3, b4: three of a colour there are drawn again.
    assert [cell for cell in home if cell[0] == "b"] == ["b2", "b3", "b4"]
    blacks = [cell for cell in home if deal[cell] == "black" and cell[0] not in "beh"]
    again = dict(deal)
    for cell in ("b2", "b3", "b4"):
        if again[cell] != "black":
            other = blacks.pop()
            again[cell], again[other] = again[other], again[cell]
    assert Counter(again.values()) == qenj.bag(game)
    assert [again[cell] for cell in ("b2", "b3", "b4")] == ["black"] * 3
    assert not qenj.deal_allowed(game, again)


# --- How games end -------------------------------------------------------------------------------


def test_filling_wins_qenj_1() -> None:
    # A sits South and has the one move, which fills column b.
    state = qenj.begin(GAMES[1], ONE_MOVE_1, north=1)
    assert state.side == "south"
    state = play(state, a3="b4")
    assert qenj.outcome(state) == (A_WINS, "filled")
    with pytest.raises(ValueError, match="ended"):
        qenj.after_pass(state)


def test_a_pass_and_then_a_move() -> None:
    # A sits North and passes; B fills column b.
    state = qenj.begin(GAMES[1], ONE_MOVE_1, north=0)
    assert state.side == "north"
    state = qenj.after_pass(state)
    assert qenj.outcome(state) is None
    state = play(state, a3="b4")
    assert state.passes == 0
    assert qenj.outcome(state) == (B_WINS, "filled")


def test_passing_needs_a_reason_and_moving_must_be_legal() -> None:
    state = qenj.begin(GAMES[1], ONE_MOVE_1, north=1)
    with pytest.raises(ValueError, match="without a legal move"):
        qenj.after_pass(state)
    with pytest.raises(ValueError, match="not a legal"):
        play(state, a1="b4")


def test_both_stuck_is_a_draw_in_qenj_1() -> None:
    state = qenj.after_pass(qenj.begin(GAMES[1], DEAD_1, north=0))
    assert qenj.outcome(state) is None
    state = qenj.after_pass(state)
    assert qenj.outcome(state) == (DRAW, "stuck")


def test_filling_wins_qenj_2() -> None:
    eight = ("red 1", "red 1", "red 1", "blue 1", "blue 1", "blue 2", "yellow 2", "yellow 2")
    others = {"a4": "yellow 1", "c5": "red 2", "d5": "red 2", "e5": "yellow 3"}
    cells = column("b", 1, *eight) | others
    state = play(qenj.begin(GAMES[2], cells, north=0, turn=1), a4="b9")
    assert qenj.outcome(state) == (B_WINS, "filled")


def test_both_stuck_is_a_draw_in_qenj_2() -> None:
    # Every column has three red pieces and nothing else.
    cells = {f"{column}{row}": "red 1" for column in "abcd" for row in (4, 5, 6)}
    state = qenj.after_pass(qenj.after_pass(qenj.begin(GAMES[2], cells, north=0)))
    assert qenj.outcome(state) == (DRAW, "stuck")


FIVE = (
    {"a3": "white", "b3": "white", "c3": "red"}
    | column("d", 1, "black", "white")
    | column("d", 4, "red", "black", "white")
)
"""Qenj 3 and 4: c3 to d3 fills column d."""


def test_second_piece_wins_qenj_4() -> None:
    state = play(qenj.begin(GAMES[4], FIVE, north=1), c3="d3", out="d1")
    assert state.taken == (0, 1)
    assert qenj.outcome(state) is None
    assert "c" not in qenj.remaining(GAMES[4], state.cells)
    state = play(qenj.begin(GAMES[4], FIVE, north=1, taken=(1, 1)), c3="d3", out="d1")
    assert qenj.outcome(state) == (B_WINS, "taken")
    state = play(qenj.begin(GAMES[4], FIVE, north=1, turn=0, taken=(1, 1)), c3="d3", out="d6")
    assert qenj.outcome(state) == (A_WINS, "taken")


def test_third_piece_wins_qenj_3() -> None:
    for before, expected in (((0, 0), None), ((0, 1), None), ((2, 2), (B_WINS, "taken"))):
        state = qenj.begin(GAMES[3], FIVE, north=1, taken=before)
        state = play(state, c3="d3", out="d2")
        assert qenj.outcome(state) == expected


def test_the_others_stay_where_they_are() -> None:
    state = play(qenj.begin(GAMES[3], FIVE, north=1), c3="d3", out="d5")
    assert {cell for cell in state.cells if cell[0] == "d"} == {"d1", "d2", "d3", "d4", "d6"}
    # The hole is landed on again: the column is filled once more.
    assert qenj.landings(GAMES[3], state.cells, "d") == ["d5"]


@pytest.mark.parametrize("number", [3, 4])
@pytest.mark.parametrize(
    ("taken", "shares"),
    [((0, 0), DRAW), ((1, 1), DRAW), ((1, 0), A_WINS), ((0, 1), B_WINS)],
)
def test_both_stuck_in_qenj_3_and_4(
    number: int, taken: tuple[int, int], shares: tuple[float, float]
) -> None:
    # Every column has two black and two white pieces: nobody may bring another.
    cells = {
        f"{column}{row}": piece
        for column in "abcd"
        for row, piece in ((2, "black"), (3, "white"), (4, "white"), (5, "black"))
    }
    state = qenj.begin(GAMES[number], cells, north=1, taken=taken)
    state = qenj.after_pass(state)
    assert qenj.outcome(state) is None
    state = qenj.after_pass(state)
    assert qenj.outcome(state) == (shares, "stuck")


ROUND = (
    *({"a1": "b1"}, {"c3": "d3"}, {"b1": "c1"}, {"d3": "a3"}),
    *({"c1": "d1"}, {"a3": "b3"}, {"d1": "a1"}, {"b3": "c3"}),
)
"""North leads the piece of a1 once round four columns, South that of c3."""


def test_third_repetition_is_a_draw_in_qenj_1() -> None:
    cells = {"a1": "red 1", "c3": "green 1"}
    cells |= {"a2": "blue 1", "b2": "blue 2", "c2": "blue 3", "d2": "yellow 1"}
    state = qenj.begin(GAMES[1], cells, north=0)
    for _ in range(2):
        for move in ROUND:
            assert qenj.outcome(state) is None
            state = play(state, **move)
        assert state.cells == cells
    assert state.plies == 16
    assert qenj.outcome(state) == (DRAW, "repetition")


@pytest.mark.parametrize("number", [3, 4])
@pytest.mark.parametrize(
    ("taken", "shares"),
    [((0, 0), DRAW), ((1, 1), DRAW), ((1, 0), A_WINS), ((0, 1), B_WINS)],
)
def test_third_repetition_in_qenj_3_and_4(
    number: int, taken: tuple[int, int], shares: tuple[float, float]
) -> None:
    cells = {"a1": "black", "c3": "red", **{f"{column}2": "white" for column in "abcd"}}
    state = qenj.begin(GAMES[number], cells, north=1, taken=taken)
    for _ in range(2):
        for move in ROUND:
            assert qenj.outcome(state) is None
            state = play(state, **move)
    assert qenj.outcome(state) == (shares, "repetition")


# --- What holds in every game --------------------------------------------------------------------


def random_start(game: Game, chance: random.Random) -> Cells:
    """A table before the first move, all at random."""
    dots = [1, 2, 3, 4] * 3
    chance.shuffle(dots)
    home = qenj.home_cells(game, tuple(dots))
    pieces = list(qenj.bag(game).elements())
    while True:
        chance.shuffle(pieces)
        cells = dict(zip(home, pieces, strict=True))
        if qenj.deal_allowed(game, cells, dots=tuple(dots)):
            return cells


def contiguous(cells: list[str]) -> bool:
    """Whether the cells of a column are one block, without a hole."""
    rows = [int(cell[1:]) for cell in cells]
    return rows == list(range(rows[0], rows[0] + len(rows)))


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_random_games(number: int) -> None:
    game = GAMES[number]
    chance = random.Random(number)
    fewest = {1: 4, 2: 5, 3: 4, 4: 4}[number]
    holes = 0
    for _ in range(4 if number == 2 else 12):
        state = qenj.begin(game, random_start(game, chance), north=chance.choice((0, 1)))
        while qenj.outcome(state) is None and state.plies < 60:
            # Before the end no column is full, so that enough columns remain.
            assert max(sizes(game, state.cells)) < game.rows
            assert len(qenj.remaining(game, state.cells)) >= fewest
            assert len(state.cells) + sum(state.taken) == sum(qenj.bag(game).values())
            for column in qenj.remaining(game, state.cells):
                here = qenj.occupied(game, state.cells, column)
                assert not qenj.too_many_alike(game, state.cells, column)
                if number in (1, 2):
                    assert contiguous(here)
                else:
                    # One hole of one cell at most.
                    first, last = int(here[0][1:]), int(here[-1][1:])
                    assert last - first + 1 - len(here) <= 1
                    holes += last - first + 1 - len(here)
            results = qenj.successors(game, state.cells, state.side)
            if not results:
                state = qenj.after_pass(state)
                continue
            # Filling a column is preferred, so that holes come to be.
            filling = [result for result in results if result.taken is not None]
            result = chance.choice(filling or results)
            before = state
            state = qenj.after(state, result)
            if number == 2:
                squares = [sum(size**2 for size in sizes(game, s.cells)) for s in (before, state)]
                assert squares[1] > squares[0]
    # The games of Qenj 3 and 4 did meet holes.
    assert (holes > 0) == (number in (3, 4))


def test_free_unstacking_allows_more() -> None:
    game = GAMES[2]
    chance = random.Random(7)
    state = qenj.begin(game, random_start(game, chance), north=0)
    for _ in range(3):
        bottom = qenj.successors(game, state.cells, state.side)
        free = qenj.successors(game, state.cells, state.side, unstack="free")
        assert as_set([result.cells for result in bottom]) < as_set(
            [result.cells for result in free]
        )
        state = qenj.after(state, chance.choice(bottom))


def test_mirror() -> None:
    # Seen from the other side, North is South: as many moves in the mirror image.
    chance = random.Random(11)
    for game in GAMES.values():
        cells = random_start(game, chance)
        mirror = {f"{cell[0]}{game.rows + 1 - int(cell[1:])}": cells[cell] for cell in cells}
        north = qenj.successors(game, cells, "north")
        south = qenj.successors(game, mirror, "south")
        assert len(north) == len(south)
        assert qenj.perft(qenj.begin(game, cells, 0, turn=0), 1) == max(1, len(north))
