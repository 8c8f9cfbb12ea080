"""What the rules of Canyon (1972) state as facts, checked on the witness alone.

The expected values were worked out by hand from the rules; ``expected.toml`` holds the small
positions.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.games.canyon_1972 import witness as canyon
from tests.games.facts import load, name_of

EXPECTED = Path(__file__).with_name("expected.toml")
DRAW = (0.5, 0.5)
RED_WINS = (1.0, 0.0)
YELLOW_WINS = (0.0, 1.0)


def table(red: str, yellow: str) -> canyon.Cells:
    """A table from the cells of the red pawns and those of the yellow pawns."""
    cells = dict.fromkeys(red.split(), "red")
    cells.update(dict.fromkeys(yellow.split(), "yellow"))
    return cells


def as_set(tables: list[canyon.Cells]) -> set[frozenset[tuple[str, str]]]:
    """Tables without their order."""
    return {frozenset(cells.items()) for cells in tables}


def play(state: canyon.State, pawn: str, end: str, *captured: str) -> canyon.State:
    """The game after a move told by its pawn, its end and its captures."""
    return canyon.after(state, canyon.moved(state.cells, pawn, end, frozenset(captured)))


# --- The board -----------------------------------------------------------------------------------


def test_values_are_as_drawn() -> None:
    lines = (canyon.__doc__ or "").splitlines()
    rows = [line.split() for line in lines if "|" in line]
    assert [row[0] for row in rows] == list("87654321")
    for rank, _, *signs in rows:
        for file, sign in zip("abcdefgh", signs, strict=True):
            cell = f"{file}{rank}"
            if sign == "##":
                assert cell in canyon.CANYONS["short"]
            else:
                assert cell not in canyon.CANYONS["short"]
                assert canyon.value(cell, 0) == int(sign)


def test_values_of_the_two_seats() -> None:
    assert canyon.value("a1", 0) == 1
    assert canyon.value("h8", 0) == 15
    assert canyon.value("a1", 1) == 15
    assert canyon.value("h8", 1) == 1
    assert all(canyon.value(cell, 0) + canyon.value(cell, 1) == 16 for cell in canyon.CELLS)


def test_camps() -> None:
    # The corners of the triangle: 1, 5 and 5, which the other player reads as 11.
    red = "a1 a2 a3 a4 a5 b1 b2 b3 b4 c1 c2 c3 d1 d2 e1"
    yellow = "h8 h7 h6 h5 h4 g8 g7 g6 g5 f8 f7 f6 e8 e7 d8"
    assert canyon.start() == table(red, yellow)
    for seat, corners in ((0, ("a1", "a5", "e1")), (1, ("h8", "h4", "d8"))):
        assert [canyon.value(cell, seat) for cell in corners] == [1, 5, 5]
        assert [canyon.value(cell, 1 - seat) for cell in corners] == [15, 11, 11]


def test_canyon_is_the_middle_diagonals_without_two_cells_at_each_end() -> None:
    listed = "c5 c6 d4 d5 d6 e3 e4 e5 f3 f4"
    assert canyon.CANYONS["short"] == set(listed.split())
    assert len(canyon.CANYONS["short"]) == 10
    diagonals = [
        [cell for cell in sorted(canyon.CELLS) if canyon.value(cell, 0) == row] for row in (7, 8, 9)
    ]
    assert [len(cells) for cells in diagonals] == [7, 8, 7]
    assert canyon.CANYONS["short"] == {cell for cells in diagonals for cell in cells[2:-2]}
    assert next(iter(canyon.CANYONS)) == canyon.begin().canyon == "short"


def test_narrow_canyon_is_the_middle_diagonals_without_the_rim() -> None:
    listed = "b6 b7 c5 c6 c7 d4 d5 d6 e3 e4 e5 f2 f3 f4 g2 g3"
    assert canyon.CANYONS["narrow"] == set(listed.split())
    middle = {cell for cell in canyon.CELLS if canyon.value(cell, 0) in (7, 8, 9)}
    rim = {cell for cell in canyon.CELLS if cell[0] in "ah" or cell[1] in "18"}
    assert canyon.CANYONS["narrow"] == middle - rim
    assert canyon.CANYONS["wide-passes"] == middle - rim - {"b7", "g2"}
    assert len(canyon.CANYONS["narrow"]) == 16
    assert len(canyon.CANYONS["wide-passes"]) == 14


def test_the_board_looks_the_same_to_both() -> None:
    # Turned by half a turn, a1 is h8, and the canyon is itself.
    for cells in canyon.CANYONS.values():
        turned = {f"{'hgfedcba'['abcdefgh'.index(c[0])]}{9 - int(c[1])}" for c in cells}
        assert turned == cells


@pytest.mark.parametrize(
    ("pawns", "best"),
    list(enumerate((15, 29, 43, 56, 69, 82, 94, 106, 118, 130, 141, 152, 163, 174, 185), start=1)),
)
def test_best_sums_on_an_empty_far_corner(pawns: int, best: int) -> None:
    for option in canyon.CANYONS:
        red = table(" ".join(canyon.camp(0)[:pawns]), "a8")
        assert canyon.best_sum(red, 0, option) == best
        yellow = table("a8", " ".join(canyon.camp(1)[:pawns]))
        assert canyon.best_sum(yellow, 1, option) == best


def test_first_moves() -> None:
    for option, number in (("short", 26), ("narrow", 24), ("wide-passes", 24)):
        assert len(canyon.successors(canyon.start(), 0, canyon=option)) == number
        assert len(canyon.successors(canyon.start(), 1, canyon=option)) == number
    assert canyon.begin().turn == 0


# --- The small positions -------------------------------------------------------------------------


@pytest.mark.parametrize("case", load(EXPECTED, "canyon"), ids=name_of)
def test_position(case: dict[str, Any]) -> None:
    cells: canyon.Cells = case["cells"]
    turn: int = case["turn"]
    option: str = case.get("canyon", "short")
    tables = canyon.successors(cells, turn, canyon=option)
    assert len(as_set(tables)) == len(tables)
    ways = dict(canyon.ways(cells, turn, canyon=option))
    assert as_set(list(ways.values())) <= as_set(tables)
    if "legal" in case:
        legal = [
            canyon.moved(cells, pawn, end, frozenset(captured))
            for pawn, end, *captured in case["legal"]
        ]
        assert as_set(tables) == as_set(legal)
        assert as_set(list(ways.values())) == as_set(legal)
        assert len(tables) == case.get("moves", len(legal))
    for way in case.get("allowed", []):
        assert tuple(way) in ways
    for attempt in case.get("forbidden", []):
        assert tuple(attempt["way"]) not in ways, attempt["why"]
    for group in case.get("same", []):
        first = ways[tuple(group[0])]
        assert all(ways[tuple(way)] == first for way in group)
        assert tables.count(first) == 1


@pytest.mark.parametrize("case", load(EXPECTED, "end"), ids=name_of)
def test_end(case: dict[str, Any]) -> None:
    cells: canyon.Cells = case["cells"]
    option: str = case.get("canyon", "short")
    assert list(canyon.sums(cells)) == case["sums"]
    assert [canyon.best_sum(cells, seat, option) for seat in (0, 1)] == case["best"]
    assert canyon.ended(cells, case["mover"], canyon=option) == case["ended"]


def test_enough_cases() -> None:
    assert len(load(EXPECTED, "canyon")) >= 20


# --- How games end -------------------------------------------------------------------------------


def test_finished_and_won() -> None:
    state = play(canyon.begin(table("g8", "a8")), "g8", "h8")
    assert canyon.outcome(state) == (RED_WINS, "finished", (15, 8))


def test_finished_and_lost() -> None:
    # Red arrives first, but both sums are compared.
    state = play(canyon.begin(table("g8", "a1 b1")), "g8", "h8")
    assert canyon.outcome(state) == (YELLOW_WINS, "finished", (15, 29))


def test_finished_and_drawn() -> None:
    state = play(canyon.begin(table("g8", "a1")), "g8", "h8")
    assert canyon.outcome(state) == (DRAW, "finished", (15, 15))


def test_a_capture_that_leaves_the_best_cell_and_one_that_reaches_it() -> None:
    # From h8 over g8 to f8: 13 is not the best for one pawn any more.
    state = play(canyon.begin(table("h8", "g8 a8")), "h8", "f8", "g8")
    assert canyon.outcome(state) is None
    # From f8 over g8 to h8: captured and finished at once.
    state = play(canyon.begin(table("f8", "g8 a8")), "f8", "h8", "g8")
    assert canyon.outcome(state) == (RED_WINS, "finished", (15, 8))


def test_the_end_is_not_looked_at_for_the_other_seat() -> None:
    # Yellow stands on its best cell all the time and only Red moves: the game goes on ...
    state = play(canyon.begin(table("a5", "a1 h5")), "a5", "a6")
    assert canyon.outcome(state) is None
    # ... and when a capture leaves Yellow with its best sum, that is not Yellow's own move.
    state = play(canyon.begin(table("h4", "a1 h5")), "h4", "h6", "h5")
    assert canyon.sums(state.cells)[1] == canyon.best_sum(state.cells, 1) == 15
    assert canyon.outcome(state) is None


def test_the_end_is_not_looked_at_before_the_first_move() -> None:
    assert canyon.outcome(canyon.begin(table("h8", "a8"), 1)) is None


def test_the_end_is_not_looked_at_after_a_pass() -> None:
    # Red is on 15, the best for one pawn, and shut in: it passes, and Yellow moves.
    state = canyon.begin(table("h8", "g8 h7 g7 f8 h6 f6"))
    assert canyon.sums(state.cells)[0] == canyon.best_sum(state.cells, 0) == 15
    state = canyon.after_pass(state)
    assert canyon.outcome(state) is None
    assert state.turn == 1
    assert (state.plies, state.passes, state.since) == (1, 1, 1)
    # A move of Yellow's ends the row of passes.
    state = play(state, "f6", "f5")
    assert canyon.outcome(state) is None
    assert state.passes == 0


def test_only_a_seat_without_a_move_passes() -> None:
    with pytest.raises(ValueError, match="without a legal move"):
        canyon.after_pass(canyon.begin())


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(ValueError, match="legal"):
        canyon.after(canyon.begin(), canyon.start())


def test_no_pawns() -> None:
    state = play(canyon.begin(table("a1", "b2")), "a1", "c3", "b2")
    assert canyon.outcome(state) == (RED_WINS, "no-pawns", (5, 0))
    state = play(canyon.begin(table("g7", "h8"), 1), "h8", "f6", "g7")
    assert canyon.outcome(state) == (YELLOW_WINS, "no-pawns", (0, 5))


def test_no_pawns_is_named_before_finished() -> None:
    state = play(canyon.begin(table("f8", "g8")), "f8", "h8", "g8")
    assert canyon.outcome(state) == (RED_WINS, "no-pawns", (15, 0))


def test_two_passes_in_a_row() -> None:
    # Every cell but the canyon is held: Red has all its values up to 8, Yellow the rest.
    red = [cell for cell in canyon.CELLS if canyon.value(cell, 0) <= 8]
    held = [cell for cell in canyon.CELLS if cell not in canyon.CANYONS["short"]]
    state = canyon.begin(
        {cell: "red" if cell in red else "yellow" for cell in held},
    )
    state = canyon.after_pass(state)
    assert canyon.outcome(state) is None
    state = canyon.after_pass(state)
    # Both: 1 + 2*2 + 3*3 + 4*4 + 5*5 + 6*6 + 4*7 = 119; and Red's four pawns on 8.
    assert canyon.outcome(state) == (RED_WINS, "passes", (151, 119))


def test_third_repetition() -> None:
    state = canyon.begin(table("a1 d1", "h8"))
    start = state.cells
    for turn in range(2):
        for pawn, end in (("a1", "b1"), ("h8", "g8"), ("b1", "a1"), ("g8", "h8")):
            assert canyon.outcome(state) is None
            state = play(state, pawn, end)
        assert state.cells == start
        assert state.occurrences[canyon.position(start, 0)] == turn + 2
    assert state.plies == 8
    # Red 1 + 4; Yellow 1.
    assert canyon.outcome(state) == (RED_WINS, "repetition", (5, 1))


def test_same_table_with_the_other_seat_to_move_is_another_position() -> None:
    cells = table("a1", "h8")
    assert canyon.position(cells, 0) != canyon.position(cells, 1)


@pytest.mark.parametrize("case", load(EXPECTED, "progress"), ids=name_of)
def test_progress(case: dict[str, Any]) -> None:
    state = canyon.begin(case["cells"], case["turn"])
    state = replace(state, best=tuple(case["best"]), since=case["since"])
    for number, step in enumerate(case["moves"]):
        state = play(state, *step["move"])
        assert list(state.best) == step["best"], number
        assert state.since == step["since"], number
        assert canyon.outcome(state) is None


def test_the_start_is_a_sum_that_both_have_had() -> None:
    assert canyon.begin().best == (55, 55)
    assert canyon.begin(table("b1", "g8")).best == (2, 2)


def test_a_pass_is_no_progress_and_changes_no_best_sum() -> None:
    # Yellow shuts Red's last pawn in by capturing the other, and Red passes.
    state = canyon.begin(table("h8 g5", "g8 h7 g7 f8 h6 h4"), 1)
    state = play(replace(state, best=(40, 40), since=9), "h4", "f6", "g5")
    assert (state.best, state.since) == ((15, 18), 0)
    state = canyon.after_pass(state)
    assert (state.best, state.since) == ((15, 18), 1)
    state = play(state, "f6", "f5")
    assert (state.best, state.since) == ((15, 19), 0)


def test_hundred_plies_without_progress() -> None:
    state = replace(canyon.begin(table("b1", "g8")), since=98, plies=200)
    state = play(state, "b1", "a1")
    assert state.since == 99
    assert canyon.outcome(state) is None
    state = play(state, "g8", "h8")
    assert state.since == 100
    assert canyon.outcome(state) == (DRAW, "no-progress", (1, 1))


def test_six_hundred_plies() -> None:
    state = replace(canyon.begin(table("b1", "g8")), plies=598)
    state = play(state, "b1", "b2")
    assert canyon.outcome(state) is None
    state = play(state, "g8", "h8")
    assert canyon.outcome(state) == (RED_WINS, "length", (3, 1))


def test_which_reason_is_named() -> None:
    state = replace(canyon.begin(table("g8 c2", "a8")), plies=599, since=99)
    both = play(state, "g8", "f8")
    assert canyon.outcome(both) == (RED_WINS, "no-progress", (17, 8))
    repeated = replace(both, occurrences={canyon.position(both.cells, 1): 3})
    assert canyon.outcome(repeated) == (RED_WINS, "repetition", (17, 8))
    passed = replace(repeated, passes=2)
    assert canyon.outcome(passed) == (RED_WINS, "passes", (17, 8))
    finished = play(replace(canyon.begin(table("g8", "a8")), plies=599, since=99), "g8", "h8")
    assert canyon.outcome(finished) == (RED_WINS, "finished", (15, 8))


# --- What holds in every game --------------------------------------------------------------------


@pytest.mark.parametrize("option", list(canyon.CANYONS))
def test_random_games(option: str) -> None:
    chance = random.Random(1972)
    for _ in range(3):
        state = canyon.begin(canyon=option)
        while canyon.outcome(state) is None and state.plies < 120:
            before = state.cells
            mover = canyon.SEATS[state.turn]
            tables = canyon.successors(before, state.turn, canyon=option)
            assert before not in tables
            listed = canyon.ways(before, state.turn, canyon=option, longest=3)
            assert as_set([cells for _, cells in listed]) <= as_set(tables)
            for cells in tables:
                # No pawn enters the canyon, own pawns are never lost, enemies never move.
                assert not canyon.CANYONS[option] & set(cells)
                own = [cell for cell in cells if cells[cell] == mover]
                assert len(own) == len([cell for cell in before if before[cell] == mover])
                assert all(before.get(c) == cells[c] for c in cells if cells[c] != mover)
                # The other seat's sum never grows, and one pawn at most has moved.
                other = 1 - state.turn
                assert canyon.sums(cells)[other] <= canyon.sums(before)[other]
                assert len([c for c in own if before.get(c) != mover]) <= 1
            state = canyon.after(state, chance.choice(tables))
            for seat in (0, 1):
                has = canyon.sums(state.cells)[seat]
                assert has <= state.best[seat]
                assert has <= canyon.best_sum(state.cells, seat, option)


def test_counts_are_the_same_for_both_seats() -> None:
    # The board is the same to both: as many sequences whoever starts.
    for option, first in (("short", 26), ("narrow", 24), ("wide-passes", 24)):
        for depth in (1, 2):
            for turn in (0, 1):
                begun = canyon.begin(turn=turn, canyon=option)
                assert canyon.perft(begun, depth) == first**depth
