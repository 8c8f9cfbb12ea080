"""What the rules of Canyon (1997) state as facts, checked on the witness alone.

The expected values were worked out by hand from the rules; ``expected.toml`` holds the small
positions.
"""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.games.canyon_1997 import witness as canyon

with Path(__file__).with_name("expected.toml").open("rb") as file:
    EXPECTED: dict[str, list[dict[str, Any]]] = tomllib.load(file)

THREE_BANDS = """
 0 SSSSSS    10 .....#    20 ##....
 1 ......    11 ...###    21 #...P#
 2 ......    12 #..###    22 >>>>W#
 3 #....#    13 #.O.##    23 >>>>W#
 4 #.OO.#    14 #...##    24 OO>>W#
 5 #....#    15 ##.###    25 >>>>W#
 6 ##..##    16 #....#    26 >>>>W#
 7 ##...#    17 .....#    27 O>>>W#
 8 #.....    18 ..O...    28 >>>>W#
 9 #.O.O.    19 #...O.    29 LLL###
"""
"""The map as the rules print it, in three bands of ten rows."""


def cases(kind: str) -> pytest.MarkDecorator:
    """Every expected case of a kind, named for the report."""
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case["name"]) for case in EXPECTED[kind]]
    )


def seat_of(letters: dict[str, str], letter: str) -> int:
    """The seat of a canoe called by its letter: their order is that of the letters."""
    return sorted(letters).index(letter)


def cells_of(letters: dict[str, str]) -> tuple[str, ...]:
    """The cells of the canoes by seat."""
    return tuple(letters[letter] for letter in sorted(letters))


def equal_shares(seats: int, winners: list[str]) -> tuple[float, ...]:
    """What each seat gets when the winners, by letter, share alike."""
    return tuple(1 / len(winners) if "ABCDEF"[seat] in winners else 0.0 for seat in range(seats))


def at_the_canoes(
    canoes: tuple[str, ...], first: int, bids: list[int], won: list[int]
) -> canyon.State:
    """A table on which the last trick has just been taken."""
    seats = len(canoes)
    state = replace(
        canyon.start(seats),
        phase="canoes",
        drawing=(),
        dealer=(first - 1) % seats,
        first_player=first,
        trump_card="green 1",
        bids=tuple(bids),
        tricks_won=tuple(won),
        canoes=canoes,
    )
    return canyon.settle(state)


def to_bid(seats: int, first: int, *, secret: bool) -> canyon.State:
    """A table in the first round, the cards dealt and the trump turned up."""
    state = replace(
        canyon.start(seats, secret=secret),
        phase="deal",
        drawing=(),
        dealer=(first - 1) % seats,
        first_player=first,
        canoes=tuple(canyon.cells_with(canyon.RIVER, "S")[:seats]),
    )
    return play(state, *canyon.CARDS[: 8 * seats + 1])


def play(state: canyon.State, *moves: str) -> canyon.State:
    """The table after several moves."""
    for move in moves:
        state = canyon.after(state, move)
    return state


# --- The expected cases --------------------------------------------------------------------------


def test_there_are_enough_cases_each_with_its_reason() -> None:
    every = [case for kind in EXPECTED.values() for case in kind]
    assert len(every) >= 40
    assert all(case["why"] for case in every)
    assert len({case["name"] for case in every}) == len(every)


@cases("move")
def test_expected_moves(case: dict[str, Any]) -> None:
    canoes = case["canoes"]
    ends = canyon.choices(
        canyon.RIVER, cells_of(canoes), seat_of(canoes, case["mover"]), case["points"]
    )
    assert sorted(ends) == sorted((cell, steps) for cell, steps in case["ends"])
    others = [cell for letter, cell in canoes.items() if letter != case["mover"]]
    here = canoes[case["mover"]]
    assert canyon.is_shut(canyon.RIVER, others, here) == case.get("shut", False)


def test_expected_moves_with_every_way_gone() -> None:
    # Eleven steps are millions of ways: for those the search that skips hopeless ones must do.
    few = [case for case in EXPECTED["move"] if case["points"] <= 6 and "shut" not in case]
    assert len(few) >= 60
    for case in few:
        canoes = dict(case["canoes"])
        here = canoes.pop(case["mover"])
        ends = canyon.nearest_of_every_way(canyon.RIVER, canoes.values(), here, case["points"])
        assert ends == {cell for cell, _ in case["ends"]}, case["name"]


@cases("drift")
def test_expected_drifts(case: dict[str, Any]) -> None:
    river = tuple(case.get("river", canyon.RIVER))
    canoes = case["canoes"]
    before = cells_of(canoes)
    after = canyon.drift(river, before, seat_of(canoes, case["mover"]))
    assert after == cells_of({**canoes, **case["after"]})
    falls = [seat_of(canoes, letter) for letter in case.get("falls", [])]
    assert canyon.fallen(river, before, after) == falls


@cases("canoes")
def test_expected_canoes_of_a_round(case: dict[str, Any]) -> None:
    canoes = case["canoes"]
    first = seat_of(canoes, case["first"])
    state = at_the_canoes(cells_of(canoes), first, case["bids"], case["won"])
    lost = state.lost_move
    for choice in case["asked"]:
        assert state.phase == "canoes"
        assert canyon.mover(state) == seat_of(canoes, choice["seat"])
        assert sorted(canyon.moves(state)) == sorted(choice["ends"])
        lost = state.lost_move
        state = canyon.after(state, choice["play"])
    assert state.canoes == cells_of({**canoes, **case["after"]})
    assert lost == tuple(seat_of(canoes, letter) for letter in case.get("lost", []))
    if "winners" in case:
        assert canyon.outcome(state) == equal_shares(len(canoes), case["winners"])
        assert canyon.moves(state) == []
        assert canyon.mover(state) is None
    else:
        # The next round: the first player has become the dealer.
        assert canyon.outcome(state) is None
        assert (state.phase, state.round_number, state.dealer) == ("deal", 2, first)
        assert state.first_player == (first + 1) % len(canoes)
        assert not any(state.moved)


@cases("bids")
def test_expected_knowledge_of_bids(case: dict[str, Any]) -> None:
    seats = len(case["seen"]) - 1
    state = to_bid(seats, "ABCDEF".index(case["first"]), secret=case["secret"])
    for number in case["chosen"]:
        # Whatever was bid before, the same bids are there to choose from.
        assert canyon.moves(state) == [f"bid {bid}" for bid in range(9)]
        state = canyon.after(state, f"bid {number}")
    for name, seen in case["seen"].items():
        viewer = name if name == canyon.SPECTATOR else "ABCDEF".index(name)
        assert canyon.bids_seen(state, viewer) == tuple(seen)
    if "next" in case:
        assert (state.phase, canyon.mover(state)) == ("bid", "ABCDEF".index(case["next"]))
    else:
        assert (state.phase, canyon.mover(state)) == ("play", state.first_player)


@cases("legal")
def test_expected_legal_cards(case: dict[str, Any]) -> None:
    assert canyon.legal_cards(case["hand"], case.get("lead")) == case["cards"]


@cases("trick")
def test_expected_tricks(case: dict[str, Any]) -> None:
    assert canyon.trick_winner(case["cards"], case["trumps"]) == case["winner"]


@cases("points")
def test_expected_points(case: dict[str, Any]) -> None:
    assert canyon.points(case["bid"], case["won"]) == case["water"]
    current = canyon.points_in_current(case["bid"], case["won"])
    assert ("drift" if current is None else current) == case["current"]


@cases("end")
def test_expected_ends(case: dict[str, Any]) -> None:
    seats = len(case["bids"])
    landed = ["ABCDEF".index(letter) for letter in case["landed"]]
    shares = canyon.shares(seats, landed, case["left_over"], case["bids"])
    assert shares == equal_shares(seats, case["winners"])
    assert sum(shares) == pytest.approx(1)


# --- The map -------------------------------------------------------------------------------------


def test_the_map_is_the_printed_one() -> None:
    rows = {}
    for line in THREE_BANDS.split("\n"):
        words = line.split()
        for number, signs in zip(words[::2], words[1::2], strict=True):
            rows[int(number)] = signs
    assert tuple(rows[number] for number in range(30)) == canyon.RIVER


def test_the_map_is_as_drawn() -> None:
    drawn: list[str] = []
    for line in (canyon.__doc__ or "").splitlines():
        words = line.split()
        if len(words) == 7 and words[0].isdigit():
            assert int(words[0]) == len(drawn)
            drawn.append("".join(words[1:]))
    assert tuple(drawn) == canyon.RIVER


def test_thirty_rows_of_six() -> None:
    assert len(canyon.RIVER) == 30
    assert {len(row) for row in canyon.RIVER} == {6}
    assert len(canyon.all_cells(canyon.RIVER)) == 180


def test_names_of_cells() -> None:
    # Row 11, column 3.
    assert canyon.cell_name(11, 2) == "c11"
    assert canyon.place_of("c11") == (11, 2)
    assert canyon.place_of("f29") == (29, 5)
    assert canyon.sign(canyon.RIVER, "c13") == canyon.ROCK
    assert canyon.sign(canyon.RIVER, "d13") == canyon.WATER


def test_six_start_cells_in_row_0() -> None:
    assert canyon.cells_with(canyon.RIVER, "S") == ["a0", "b0", "c0", "d0", "e0", "f0"]


def test_28_cells_between_start_and_finish() -> None:
    # From every start cell the shortest way has 28 cells before the landing.
    for cell in canyon.cells_with(canyon.RIVER, "S"):
        assert canyon.distance(canyon.RIVER, cell) == 29


def test_three_landings_in_the_last_row() -> None:
    assert canyon.cells_with(canyon.RIVER, "L") == ["a29", "b29", "c29"]


def test_the_landings_follow_the_last_row_of_the_waterfall() -> None:
    # By the waterfall, but not touching it: between c29 and e28 lie the current and a mountain.
    assert canyon.sign(canyon.RIVER, "e28") == "W"
    assert "e28" not in canyon.neighbours(canyon.RIVER, "c29")
    assert canyon.sign(canyon.RIVER, "d28") == ">"
    assert canyon.sign(canyon.RIVER, "d29") == "#"


def test_seven_rows_of_current_before_the_goal_with_the_waterfall_beside_them() -> None:
    current = canyon.cells_with(canyon.RIVER, ">")
    assert sorted({canyon.place_of(cell)[0] for cell in current}) == [22, 23, 24, 25, 26, 27, 28]
    # Four cells a row, but for three rocks: two in row 24, one in row 27.
    assert len(current) == 4 * 7 - 3
    waterfall = canyon.cells_with(canyon.RIVER, "W")
    assert waterfall == ["e22", "e23", "e24", "e25", "e26", "e27", "e28"]


def test_every_drift_ends_in_the_waterfall_and_none_is_blocked() -> None:
    # A canoe alone in column a falls at the fourth drift, in column d at the first.
    for cell in canyon.cells_with(canyon.RIVER, ">"):
        canoes: tuple[str, ...] = (cell,)
        for _ in range("dcba".index(cell[0]) + 1):
            assert canyon.sign(canyon.RIVER, canoes[0]) == ">"
            canoes = canyon.drift(canyon.RIVER, canoes, 0)
        assert canoes == ("e21",)


def test_one_footbridge_at_the_start_of_the_rapids() -> None:
    assert canyon.cells_with(canyon.RIVER, "P") == ["e21"]
    # In the row before the first of the current, and touching it.
    assert canyon.sign(canyon.RIVER, "d22") == ">"
    assert "d22" in canyon.neighbours(canyon.RIVER, "e21")


def test_bottlenecks() -> None:
    widths = [sum(sign in "S.>L" for sign in row) for row in canyon.RIVER]
    assert [row for row, width in enumerate(widths) if width == 1] == [15]
    assert [row for row, width in enumerate(widths) if width == 2] == [4, 6, 12, 13, 24]


def test_islands_and_rocks() -> None:
    islands = ["c4", "d4", "c9", "e9", "c13", "c18", "e19"]
    rocks = ["a24", "b24", "a27"]
    assert canyon.cells_with(canyon.RIVER, "O") == islands + rocks


def test_eight_neighbours() -> None:
    assert sorted(canyon.neighbours(canyon.RIVER, "c11")) == sorted(
        ["b10", "c10", "d10", "b11", "d11", "b12", "c12", "d12"]
    )
    assert sorted(canyon.neighbours(canyon.RIVER, "a0")) == ["a1", "b0", "b1"]
    assert sorted(canyon.neighbours(canyon.RIVER, "f29")) == ["e28", "e29", "f28"]


def test_distances_are_the_rows_but_for_five_cells() -> None:
    # Worked out row by row: everywhere one can go straight on, save from these.
    exceptions = {
        # The pocket on the right: row 11 is entered by a10 to d10 only.
        "e10": 20,  # d10 (19) first
        "f9": 21,  # e10 first, or e8
        "f8": 22,  # e8 (21) or f9 (21) first
        # Behind the footbridge.
        "f20": 10,  # e20 (9) first
        # Above the rocks a24 and b24.
        "a23": 7,  # b23 (6) first
    }
    for cell in canyon.cells_with(canyon.RIVER, "S.>PL"):
        expected = exceptions.get(cell, 29 - canyon.place_of(cell)[0])
        assert canyon.distance(canyon.RIVER, cell) == expected, cell


# --- The examples of the rules -------------------------------------------------------------------


def end_cells(canoes: tuple[str, ...], seat: int, points: int) -> list[str]:
    return [cell for cell, _ in canyon.choices(canyon.RIVER, canoes, seat, points)]


def cell_at(row: int, column: int) -> str:
    """A cell by its row and its column as the examples give them: columns 1 to 6."""
    return canyon.cell_name(row, column - 1)


def test_example_1() -> None:
    canoes = (cell_at(13, 2), cell_at(11, 3), cell_at(12, 2))
    assert end_cells(canoes, 1, 2) == [cell_at(13, 4)]


def test_example_2() -> None:
    canoes = (cell_at(19, 4), cell_at(19, 3), cell_at(18, 5), cell_at(18, 4))
    ends = end_cells(canoes, 3, 3)
    assert cell_at(19, 2) in ends
    # Beside Bernd.
    assert canoes[1] in canyon.neighbours(canyon.RIVER, cell_at(19, 2))
    # Back first: with one point it goes no farther, with two it is beside where it was.
    assert end_cells(canoes, 3, 1) == [cell_at(17, column) for column in (3, 4, 5)]
    assert end_cells(canoes, 3, 2) == [cell_at(18, 2), cell_at(18, 6)]
    # On this map the other bank is as good.
    assert ends == [cell_at(19, 2), cell_at(19, 6)]


def test_example_3() -> None:
    canoes = (cell_at(13, 2), cell_at(13, 4), cell_at(12, 2))
    assert canyon.choices(canyon.RIVER, canoes, 2, 3) == [(cell_at(12, 2), 0)]


def test_example_4() -> None:
    canoes = (cell_at(16, 3), "a0", cell_at(14, 3))
    assert end_cells(canoes, 2, 2) == [cell_at(16, 2), cell_at(16, 4)]
    # Beside Anja, either way.
    for cell in end_cells(canoes, 2, 2):
        assert canoes[0] in canyon.neighbours(canyon.RIVER, cell)


def test_example_of_the_current() -> None:
    canoes = (cell_at(26, 3), cell_at(26, 4), cell_at(26, 2))
    after = canyon.drift(canyon.RIVER, canoes, 2)
    assert after == (cell_at(26, 4), "e21", cell_at(26, 3))
    assert canyon.fallen(canyon.RIVER, canoes, after) == [1]


def test_examples_of_points() -> None:
    assert canyon.points(2, 3) == 3
    assert canyon.points(1, 1) == 3
    assert canyon.points(0, 0) == 1
    assert canyon.points(4, 2) == 2


def test_examples_of_points_in_the_current() -> None:
    assert canyon.points_in_current(2, 2) == 3
    assert canyon.points_in_current(0, 0) == 1
    assert canyon.points_in_current(2, 4) is None
    assert canyon.points_in_current(4, 4) == 3


def test_example_of_a_trick() -> None:
    assert canyon.trick_winner(["blue 7", "blue 8", "blue 3", "red 9"], "green") == 1


# --- The table of the water, row by row ----------------------------------------------------------


def test_a_step_is_never_onto_what_is_not_water() -> None:
    reached = canyon.fewest_steps(canyon.RIVER, (), "c15", 180)
    signs = {canyon.sign(canyon.RIVER, cell) for cell in reached}
    assert signs == {"S", ".", ">", "L"}
    # Everywhere else is reached: only rocks, mountains, the waterfall and the footbridge are not.
    assert set(reached) == set(canyon.cells_with(canyon.RIVER, "S.>L")) - {"c15"}


def test_a_step_between_rock_and_mountain() -> None:
    # c12 to d13, between c13 and d12.
    assert canyon.fewest_steps(canyon.RIVER, (), "c12", 1).keys() == {
        "b11",
        "c11",
        "b12",
        "b13",
        "d13",
    }


def test_a_step_is_never_over_a_canoe() -> None:
    # c15 is the only way down: with a canoe there nothing below is reached.
    reached = canyon.fewest_steps(canyon.RIVER, ("c15",), "c14", 180)
    assert max(canyon.place_of(cell)[0] for cell in reached) == 14


def test_a_move_ends_on_the_nearest_cells_only() -> None:
    # As many rows on as there are points, though everything before could be reached too.
    assert set(end_cells(("c0",), 0, 3)) == {"b3", "c3", "d3", "e3"}
    assert set(end_cells(("c0",), 0, 4)) == {"b4", "e4"}


def test_the_distance_is_that_of_the_empty_board() -> None:
    # d13 leads to nothing here, its three ways on being taken; yet it is nearer than c12.
    canoes = ("c12", "b13", "c14", "d14")
    assert canyon.choices(canyon.RIVER, canoes, 0, 3) == [("d13", 1)]


def crowd(chance: random.Random) -> tuple[str, list[str]]:
    """A canoe, and two to five others close to it, or on the landings."""
    waters = canyon.cells_with(canyon.RIVER, "S.>")
    here = chance.choice([*waters, "e21", "e21", "e21", "e21"])
    row = canyon.place_of(here)[0]
    near = [
        cell for cell in waters if -1 <= canyon.place_of(cell)[0] - row <= 2 and cell != here
    ]
    if chance.random() < 0.3:
        near += canyon.cells_with(canyon.RIVER, "L")
    return here, chance.sample(near, chance.randint(2, min(5, len(near))))


def test_skipping_hopeless_ways_leaves_none_out() -> None:
    chance = random.Random("every way")
    for _ in range(800):
        here, others = crowd(chance)
        points = chance.randint(0, 5)
        ends = canyon.nearest_of_every_way(canyon.RIVER, others, here, points)
        assert canyon.nearest_ends(canyon.RIVER, others, here, points) == ends, (here, others)


def test_there_is_always_an_end_and_what_it_must_be() -> None:
    chance = random.Random("always an end")
    kinds: Counter[str] = Counter()
    for _ in range(1_500):
        here, others = crowd(chance)
        points = chance.randint(1, 11)
        ends = canyon.choices(canyon.RIVER, (here, *others), 0, points)
        assert ends
        [distance] = {canyon.distance(canyon.RIVER, cell) for cell, _ in ends}
        gain = canyon.distance(canyon.RIVER, here) - distance
        steps = {number for _, number in ends}
        if canyon.is_shut(canyon.RIVER, others, here):
            # It never gets farther, nor moves sideways; it uses no point for nothing.
            assert gain > 0 or ends == [(here, 0)]
            assert max(steps) <= points
            kinds["shut: moves" if gain else "shut: stays"] += 1
        elif distance == 0:
            assert max(steps) <= points
            kinds["lands"] += 1
        else:
            # It never stays, and uses every point.
            assert steps == {points}
            assert here not in dict(ends)
            kinds["straight on" if gain == points else "nearer" if gain > 0 else "no nearer"] += 1
    # Each of these was met.
    assert len(kinds) == 6
    assert min(kinds.values()) >= 10, kinds


def test_staying_loses_the_points() -> None:
    state = at_the_canoes(("c14", "c15", "a0"), 0, [1, 1, 1], [6, 0, 0])
    assert state.canoes == ("c14", "c15", "a0")
    assert state.left_over == (0, 0, 0)
    assert (state.phase, state.round_number) == ("deal", 2)


def test_points_left_over_count_the_fewest_steps() -> None:
    # Canoes in the way included: from d28 to b29 by c28 two steps, by c27 and b28 three.
    assert ("b29", 2) in canyon.choices(canyon.RIVER, ("d28", "a0"), 0, 3)
    assert ("b29", 3) in canyon.choices(canyon.RIVER, ("d28", "c28"), 0, 3)
    state = at_the_canoes(("d28", "c28", "a0"), 0, [2, 1, 1], [2, 0, 0])
    assert canyon.after(state, "b29").left_over == (0, 0, 0)
    assert canyon.after(state, "c29").left_over == (2, 0, 0)


def test_from_ordinary_water_full_points_even_with_the_bid_missed() -> None:
    # Two tricks, bid 0: two steps from d21 into the current.
    state = at_the_canoes(("d21", "a0", "b0"), 0, [0, 1, 1], [2, 0, 0])
    assert canyon.moves(state) == ["b23", "c23", "d23"]


def test_from_a_current_cell_with_the_bid_exact_the_bonus_alone() -> None:
    for bid, ends in (
        (0, ["b23", "c23", "d23"]),
        (1, ["c24", "d24"]),
        (2, ["b25", "c25", "d25"]),
        (5, ["b25", "c25", "d25"]),
    ):
        state = at_the_canoes(("c22", "a0", "b0"), 0, [bid, 1, 1], [bid, 0, 0])
        assert canyon.moves(state) == ends


def test_from_a_current_cell_with_the_bid_missed_a_drift() -> None:
    state = at_the_canoes(("c22", "a0", "b0"), 0, [3, 1, 1], [2, 0, 0])
    assert state.canoes == ("d22", "a0", "b0")


def test_who_falls_before_its_move_has_lost_it_and_moves_next_round() -> None:
    # A misses and pushes C over; B has no points; D is asked, so that the round is still on.
    canoes = ("c23", "a0", "d23", "b0")
    state = at_the_canoes(canoes, 0, [1, 1, 0, 0], [0, 0, 0, 1])
    assert state.canoes == ("d23", "a0", "e21", "b0")
    assert state.lost_move == (2,)
    assert state.moved == (True, True, True, False)
    assert canyon.mover(state) == 3
    # Next round nothing is held against it: from the footbridge, ordinary water.
    state = canyon.after(state, "c1")
    assert (state.phase, state.lost_move, state.moved) == ("deal", (), (False,) * 4)
    state = replace(state, phase="canoes", bids=(1, 1, 1, 1), tricks_won=(0, 0, 2, 0))
    assert canyon.canoe_points(state, 2) == 2
    # In the order B, C, D, A: C goes by d22 to c23, since A is on d23; then A drifts and falls.
    assert canyon.settle(state).canoes == ("e21", "a0", "c23", "c1")


def test_the_footbridge_is_entered_only_through_the_cave() -> None:
    for cell in ("d20", "e20", "f20", "d21", "d22"):
        assert "e21" in canyon.neighbours(canyon.RIVER, cell)
        assert "e21" not in canyon.fewest_steps(canyon.RIVER, (), cell, 180)


def test_all_canoes_on_the_footbridge() -> None:
    canoes = ("e21",) * 6
    for seat in range(6):
        assert canyon.choices(canyon.RIVER, canoes, seat, 1) == [("d22", 1)]


# --- Cards ---------------------------------------------------------------------------------------


def test_fifty_cards() -> None:
    assert len(set(canyon.CARDS)) == 50
    assert Counter(canyon.suit_of(card) for card in canyon.CARDS) == dict.fromkeys(
        ("blue", "red", "green", "yellow", "purple"), 10
    )
    assert Counter(canyon.value_of(card) for card in canyon.CARDS) == dict.fromkeys(range(1, 11), 5)


def test_the_largest_deal_leaves_a_card_to_turn_up() -> None:
    assert 6 * max(canyon.HAND_SIZES) + 1 <= len(canyon.CARDS)


def test_hand_sizes() -> None:
    first_fourteen = [8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7]
    assert [canyon.hand_size(number) for number in range(1, 15)] == first_fourteen
    # Then again from round 1.
    assert [canyon.hand_size(number) for number in range(15, 29)] == first_fourteen


def test_short_hand_sizes() -> None:
    # Rounds 6, 7, 8, 9 are skipped: after round 5 comes round 10.
    markers = [canyon.marker(number, short=True) for number in range(1, 12)]
    assert markers == [1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 1]
    sizes = [canyon.hand_size(number, short=True) for number in range(1, 12)]
    assert sizes == [8, 7, 6, 5, 4, 3, 4, 5, 6, 7, 8]


def test_bonus() -> None:
    assert [canyon.bonus(bid, bid) for bid in range(9)] == [1, 2, 3, 3, 3, 3, 3, 3, 3]
    assert all(canyon.bonus(bid, won) == 0 for bid in range(9) for won in range(9) if bid != won)


def test_speed_cards_can_show_every_bid() -> None:
    # One card each of 0 to 4: up to 4 with one card, up to 7 with two, 8 with three.
    sums: dict[int, int] = {}
    for shown in range(1, 2**5):
        cards = [value for value in range(5) if shown >> value & 1]
        sums[sum(cards)] = min(len(cards), sums.get(sum(cards), 5))
    assert [sums[bid] for bid in range(9)] == [1, 1, 1, 1, 1, 2, 2, 2, 3]


# --- A game --------------------------------------------------------------------------------------


def test_three_to_six_seats() -> None:
    for seats in (2, 7):
        with pytest.raises(ValueError, match="three to six"):
            canyon.start(seats)


def test_the_highest_card_deals_and_its_left_is_first() -> None:
    state = canyon.start(3)
    assert canyon.mover(state) == "chance"
    assert canyon.moves(state) == list(canyon.CARDS)
    state = play(state, "red 4", "blue 3", "green 9")
    assert (state.dealer, state.first_player, state.phase) == (2, 0, "place")
    assert canyon.mover(state) == 0


def test_ties_draw_again() -> None:
    state = play(canyon.start(4), "red 9", "green 3", "blue 9", "yellow 8")
    # Seats 0 and 2 only, from the 46 cards that are left.
    assert (state.phase, state.drawing) == ("draw", (0, 2))
    assert len(canyon.moves(state)) == 46
    # A tie again: once more.
    state = play(state, "red 2", "blue 2")
    assert (state.phase, state.drawing) == ("draw", (0, 2))
    assert len(canyon.moves(state)) == 44
    # Lower than what seat 3 had drawn: that does not matter any more.
    state = play(state, "red 1", "blue 5")
    assert (state.dealer, state.first_player) == (2, 3)


def test_ties_to_the_end_of_the_pack() -> None:
    # Five seats may tie ten times; then all fifty cards are shuffled again.
    state = canyon.start(5)
    for value in range(10, 0, -1):
        assert len(canyon.moves(state)) == 5 * value
        state = play(state, *(f"{suit} {value}" for suit in canyon.SUITS))
        assert state.drawing == (0, 1, 2, 3, 4)
    assert canyon.moves(state) == list(canyon.CARDS)


def test_canoes_are_put_on_free_start_cells() -> None:
    state = play(canyon.start(3), "red 9", "green 3", "blue 1")
    assert canyon.moves(state) == ["a0", "b0", "c0", "d0", "e0", "f0"]
    state = play(state, "c0")
    assert (canyon.mover(state), canyon.moves(state)) == (2, ["a0", "b0", "d0", "e0", "f0"])
    state = play(state, "a0")
    assert (canyon.mover(state), canyon.moves(state)) == (0, ["b0", "d0", "e0", "f0"])
    state = play(state, "f0")
    assert state.canoes == ("f0", "c0", "a0")
    assert (state.phase, canyon.mover(state)) == ("deal", "chance")


def dealt_one_each() -> canyon.State:
    """Three seats, dealer 0; a round of one card, with red trumps, before the bids."""
    state = play(canyon.start(3), "red 9", "green 3", "blue 1", "c0", "d0", "b0")
    state = replace(state, round_number=8)
    return play(state, "blue 5", "red 1", "blue 10", "red 7")


def test_a_deal() -> None:
    state = dealt_one_each()
    # Seat 1 is first: it got the blue 5, seat 2 the red 1, seat 0 the blue 10.
    assert state.hands == (("blue 10",), ("blue 5",), ("red 1",))
    assert (state.trump_card, state.phase) == ("red 7", "bid")


def test_a_deal_goes_round_one_card_at_a_time() -> None:
    state = play(canyon.start(3), "red 9", "green 3", "blue 1", "c0", "d0", "b0")
    for card in canyon.CARDS[:24]:
        assert (canyon.mover(state), state.phase) == ("chance", "deal")
        state = canyon.after(state, card)
    assert state.hands[1][:3] == ("blue 1", "blue 4", "blue 7")
    assert [len(hand) for hand in state.hands] == [8, 8, 8]
    assert (canyon.mover(state), state.phase) == ("chance", "turn up")
    assert canyon.moves(state) == list(canyon.CARDS[24:])
    # The card turned up belongs to no seat.
    state = canyon.after(state, "purple 10")
    assert all("purple 10" not in hand for hand in state.hands)
    assert canyon.moves(state) == [f"bid {number}" for number in range(9)]


def test_a_round_of_one_card() -> None:
    state = dealt_one_each()
    # Canoes: seat 0 on b0, seat 1 on c0, seat 2 on d0.
    assert (canyon.mover(state), canyon.moves(state)) == (1, ["bid 0", "bid 1"])
    # The sum of the bids is free: three bids for one trick.
    state = play(state, "bid 1", "bid 1", "bid 1")
    assert state.bids == (1, 1, 1)
    assert (state.phase, canyon.mover(state)) == ("play", 1)
    # Seat 2 has no blue: its trump takes the trick.
    state = play(state, "blue 5", "red 1", "blue 10")
    assert state.tricks_won == (0, 0, 1)
    # Seat 1 has no point and stays without being asked; seat 2 has 1 + 2.
    assert (state.phase, canyon.mover(state)) == ("canoes", 2)
    assert canyon.moves(state) == ["b3", "c3", "d3", "e3"]
    state = play(state, "e3")
    # Seat 0 stays too: round 9, two cards, dealt by seat 1, seat 2 first.
    assert state.canoes == ("b0", "c0", "e3")
    assert (state.round_number, state.dealer, state.first_player) == (9, 1, 2)
    assert (state.phase, canyon.size(state), state.bids) == ("deal", 2, (-1, -1, -1))


def test_who_takes_a_trick_leads_the_next() -> None:
    state = replace(
        dealt_one_each(),
        round_number=7,
        hands=(("blue 10", "green 1"), ("blue 5", "green 9"), ("red 1", "blue 2")),
    )
    state = play(state, "bid 0", "bid 2", "bid 1")
    # Seat 2 has a blue card: it may not trump.
    state = play(state, "blue 5")
    assert (canyon.mover(state), canyon.moves(state)) == (2, ["blue 2"])
    state = play(state, "blue 2", "blue 10")
    assert (canyon.mover(state), state.tricks_won, state.leader) == (0, (1, 0, 0), 0)
    # Seat 0 leads its green 1; seat 1 follows higher; seat 2 trumps, its only card.
    state = play(state, "green 1", "green 9")
    assert (canyon.mover(state), canyon.moves(state)) == (2, ["red 1"])
    state = play(state, "red 1")
    assert state.tricks_won == (1, 0, 1)
    # Bids: seat 1 bid 0 and made it (1 point), seat 2 bid 2, seat 0 bid 1 and made it.
    assert (canyon.mover(state), canyon.moves(state)) == (1, ["b1", "c1", "d1"])


def test_what_is_not_a_move_is_refused() -> None:
    state = dealt_one_each()
    for move in ("bid 2", "blue 5", "c1"):
        with pytest.raises(ValueError, match="not a move"):
            canyon.after(state, move)


def test_a_new_game_has_no_outcome() -> None:
    assert canyon.outcome(canyon.start(5)) is None


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("short", [False, True])
def test_games_at_random(seats: int, short: bool) -> None:
    chance = random.Random(100 * seats + short)
    state = canyon.start(seats, short=short, secret=not short)
    while canyon.mover(state) is not None:
        before = state
        moves = canyon.moves(state)
        assert moves
        assert len(set(moves)) == len(moves)
        # Canoes with nothing to choose move on their own.
        assert state.phase != "canoes" or len(moves) > 1
        state = canyon.after(state, chance.choice(moves))
        check(before, state)
    shares = canyon.outcome(state)
    assert shares is not None
    assert sum(shares) == pytest.approx(1)
    assert all(share == 0 or seat in state.landed for seat, share in enumerate(shares))


def check(before: canyon.State, state: canyon.State) -> None:
    """What holds after every move."""
    # No cell is occupied by more than one canoe, save the footbridge.
    afloat = [cell for cell in state.canoes if cell not in (canyon.NOWHERE, "e21")]
    assert len(set(afloat)) == len(afloat)
    assert {canyon.sign(canyon.RIVER, cell) for cell in afloat} <= {"S", ".", ">", "L"}
    # The landed are those on a landing, three at most.
    landed = {
        seat
        for seat, cell in enumerate(state.canoes)
        if cell != canyon.NOWHERE and canyon.sign(canyon.RIVER, cell) == "L"
    }
    assert landed == set(state.landed)
    assert len(landed) <= 3
    # The dealer sits on the right of the first player, and moves last.
    if state.phase != "draw":
        assert canyon.left(state, state.dealer) == state.first_player
        assert canyon.order(state)[-1] == state.dealer
    # Every trick goes to a seat.
    held = sum(len(hand) for hand in state.hands) + len(state.trick)
    if state.phase in ("play", "canoes", "over"):
        size = canyon.size(state)
        assert held == state.seats * (size - sum(state.tricks_won))
        assert all(0 <= bid <= size for bid in state.bids)
    # Rounds follow one another, the deal going clockwise.
    if state.round_number != before.round_number:
        assert state.round_number == before.round_number + 1
        assert state.dealer == before.first_player
    # While seats bid in secret, each knows its own bid and no other; then all seats know all.
    for viewer in (*range(state.seats), canyon.SPECTATOR):
        known = [bid for bid in canyon.bids_seen(state, viewer) if isinstance(bid, int)]
        secret = state.phase == "bid" and state.secret
        allowed = [viewer] if secret else range(state.seats)
        bids = [state.bids[seat] for seat in allowed if isinstance(seat, int)]
        assert known == [bid for bid in bids if bid != canyon.NO_BID]
    # The end cells to choose from are equally near.
    if before.phase == "canoes":
        ends = canyon.moves(before)
        assert len({canyon.distance(canyon.RIVER, cell) for cell in ends}) == 1
