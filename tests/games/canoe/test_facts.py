"""What the rules of Canoë state as facts, checked on the witness alone.

The expected values were worked out by hand from the rules; ``expected.toml`` holds the small
positions, and the tables of ``perft.toml`` are counted again as far as that is quick.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.games.canoe import witness as canoe
from tests.games.facts import QUICK, load, name_of, state

EXPECTED = load(Path(__file__).with_name("expected.toml"), "canoe")
PERFT = load(Path(__file__).with_name("perft.toml"), "table")


# --- The board -----------------------------------------------------------------------------------


def test_holes() -> None:
    assert len(canoe.HOLES) == 61
    rows = [sum(hole[1] == row for hole in canoe.HOLES) for row in "654321"]
    assert rows == [4, 13, 13, 13, 11, 7]


def test_is_as_drawn() -> None:
    lines = (canoe.__doc__ or "").splitlines()
    rows = [line.split() for line in lines if line.strip()[:3] in {f"{n}  " for n in range(1, 7)}]
    drawn = {
        f"{column}{row[0]}"
        for row in rows
        for column, sign in zip("abcdefghijklm", row[1:], strict=True)
        if sign == "O"
    }
    assert drawn == set(canoe.HOLES)


def test_places() -> None:
    assert [len(canoe.places(shape)) for shape in canoe.SHAPES] == [36, 34, 22, 22]
    assert len(canoe.CANOE_PLACES) == 114
    assert len(set(canoe.CANOE_PLACES)) == 114


def test_places_row_by_row_by_hand() -> None:
    # Lying, middle pegs below the ends: by the row of the middle pegs, from 1 to 5.
    middles = {1: 6, 2: 10, 3: 10, 4: 10, 5: 0}
    below = canoe.places(canoe.SHAPES[0])
    assert {r: sum(min(int(h[1]) for h in p) == r for p in below) for r in middles} == middles
    # Lying, middle pegs above the ends: by the row of the ends, from 1 to 5.
    lows = {1: 4, 2: 8, 3: 10, 4: 10, 5: 2}
    above = canoe.places(canoe.SHAPES[1])
    assert {r: sum(min(int(h[1]) for h in p) == r for p in above) for r in lows} == lows
    # Standing, either way: by the row of the lower end.
    feet = {1: 7, 2: 11, 3: 4}
    for shape in canoe.SHAPES[2:]:
        standing = canoe.places(shape)
        assert {r: sum(min(int(h[1]) for h in p) == r for p in standing) for r in feet} == feet


def test_every_place_alone_is_a_canoe() -> None:
    for seat, colour in enumerate(canoe.SEATS):
        for place in canoe.CANOE_PLACES:
            cells = dict.fromkeys(place, colour)
            assert canoe.canoes(cells, seat) == [place]
            assert canoe.canoes(cells, 1 - seat) == []


def test_a_peg_more_spoils_it_just_when_it_is_beside() -> None:
    for place in canoe.CANOE_PLACES:
        beside = {other for hole in place for other in canoe.neighbours(hole)} - place
        for hole in set(canoe.HOLES) - place:
            cells = dict.fromkeys(place, "light")
            cells[hole] = "light"
            assert canoe.canoes(cells, 0) == ([] if hole in beside else [place])
            cells[hole] = "dark"
            assert canoe.canoes(cells, 0) == [place]


def test_neighbours_by_hand() -> None:
    assert set(canoe.neighbours("b6")) == {"c6", "a5", "b5", "c5"}
    assert set(canoe.neighbours("c6")) == {"b6", "b5", "c5", "d5"}
    assert set(canoe.neighbours("d5")) == {"c6", "c5", "e5", "c4", "d4", "e4"}
    assert set(canoe.neighbours("a3")) == {"a4", "b4", "b3", "b2"}
    assert set(canoe.neighbours("c2")) == {"b3", "c3", "d3", "b2", "d2", "d1"}
    assert set(canoe.neighbours("j1")) == {"i1", "i2", "j2", "k2"}
    assert len(canoe.neighbours("g3")) == 8
    # 54 pairs in the rows, 48 in the columns and 92 along the diagonals.
    assert sum(len(canoe.neighbours(hole)) for hole in canoe.HOLES) == 2 * (54 + 48 + 92)


def test_first_actions_by_hand() -> None:
    assert canoe.perft(canoe.start(), 0, 1) == 61
    assert canoe.perft(canoe.start(), 0, 2) == 61 * 60
    # Light's second action: 59 holes, its peg back, or its peg to an empty neighbour.  Over all
    # pairs of pegs, each of the 388 neighbourhoods is open with 59 of the 60 holes for Dark.
    assert canoe.perft(canoe.start(), 0, 3) == 61 * 60 * 60 + 388 * 59


def test_actions_change_the_table_as_told() -> None:
    cells = {"g3": "light", "h4": "dark"}
    told = dict(canoe.ways(cells, 0))
    assert told[("a3",)] == {"g3": "light", "h4": "dark", "a3": "light"}
    assert told[("g3", "reserve")] == {"h4": "dark"}
    assert told[("g3", "g4")] == {"g4": "light", "h4": "dark"}
    assert len(told) == 59 + 1 + 7
    assert len(canoe.successors(cells, 0)) == len(told)
    assert cells == {"g3": "light", "h4": "dark"}


def test_first_actions_with_the_swap_by_hand() -> None:
    assert canoe.perft(canoe.start(), 0, 1, swap="on") == 61
    # Dark may answer each peg with 60 pegs or the swap.
    assert canoe.perft(canoe.start(), 0, 2, swap="on") == 61 * 61
    # After a swap there are 60 holes for Light, and nothing else.
    without = 61 * 60 * 60 + 388 * 59
    assert canoe.perft(canoe.start(), 0, 3, swap="on") == without + 61 * 60
    # The fourth action after a swap is Dark's, of the peg swapped or another: as without a swap
    # the third is Light's.  The deepest number of the table has these sequences more.
    by_swap = {table.get("options", {}).get("swap"): table["nodes"] for table in PERFT[:2]}
    assert by_swap["on"][3] - by_swap["off"][3] == without


def test_the_swap_is_possible_once() -> None:
    chance = random.Random(2)
    for swap, wanted in (("off", 0), ("on", 1)):
        for _ in range(5):
            cells, offered = canoe.start(), 0
            for plies in range(60):
                ways = canoe.ways(cells, plies % 2, swap=swap, plies=plies)
                if not ways:
                    break
                told = [atoms for atoms, _ in ways]
                offered += told.count(("swap",))
                assert ("swap",) not in told or plies == 1
                cells = chance.choice(ways)[1]
            assert offered == wanted


def test_the_swap_leaves_a_table_that_nothing_else_leaves() -> None:
    for hole in canoe.HOLES:
        tables = canoe.successors({hole: "light"}, 1, swap="on", plies=1)
        assert len(tables) == 61
        assert tables.count({hole: "dark"}) == 1


def test_unknown_options_are_refused() -> None:
    with pytest.raises(ValueError, match="swap"):
        canoe.ways({}, 0, swap="always")


def test_nobody_is_ever_stuck() -> None:
    # With a peg in reserve there is a hole for it; with none there is a peg to take back.
    chance = random.Random(61)
    for _ in range(100):
        holes = chance.sample(canoe.HOLES, 26)
        cells = {hole: canoe.SEATS[number % 2] for number, hole in enumerate(holes)}
        if canoe.outcome(cells, 0) is None:
            ways = [atoms for atoms, _ in canoe.ways(cells, 0)]
            assert sum(atoms[-1] == "reserve" for atoms in ways) == 13
            assert not any(len(atoms) == 1 for atoms in ways)


def test_two_canoes_of_the_seat_to_act_end_the_game_too() -> None:
    # It cannot come about in a game, but the game ends as soon as a seat has its two canoes.
    cells = dict.fromkeys(["a3", "b4", "c4", "d3", "f3", "g4", "h4", "i3"], "light")
    assert canoe.outcome(cells, 0) == (1.0, 0.0)
    assert canoe.successors(cells, 0) == []


# --- The positions worked out by hand ------------------------------------------------------------


def is_planting(atoms: tuple[str, ...]) -> bool:
    """Whether an action is to plant a peg."""
    return len(atoms) == 1 and atoms[0] in canoe.HOLES


@pytest.mark.parametrize("case", EXPECTED, ids=name_of)
def test_expected(case: dict[str, Any]) -> None:
    cells, turn, plies = case["cells"], case["turn"], case.get("plies", 0)
    ways = canoe.ways(cells, turn, plies=plies, **case.get("options", {}))
    told = [atoms for atoms, _ in ways]
    assert len(set(told)) == len(told)
    if "plants" in case:
        assert sum(is_planting(atoms) for atoms in told) == case["plants"]
    if "legal_beside" in case:
        beside = [atoms for atoms in told if not is_planting(atoms)]
        assert sorted(beside) == sorted(tuple(way) for way in case["legal_beside"])
    for attempt in case.get("forbidden", []):
        assert tuple(attempt["way"]) not in told, attempt["why"]
    for attempt in case.get("allowed", []):
        table = dict(ways)[tuple(attempt["way"])]
        shares = canoe.outcome(table, 1 - turn)
        assert state(shares, ("light", "dark")) == attempt["after"]
        assert table == attempt.get("table", table)
    if "reserves" in case:
        assert [canoe.reserve(cells, seat) for seat in (0, 1)] == case["reserves"]
    if "canoes" in case:
        for seat in (0, 1):
            found = sorted(sorted(place) for place in canoe.canoes(cells, seat))
            assert found == case["canoes"][seat]
    if "state" in case:
        shares = canoe.outcome(
            cells, turn, plies=plies, occurrences=case.get("occurrences", 1)
        )
        assert state(shares, ("light", "dark")) == case["state"]


def test_there_are_enough_expected_positions() -> None:
    assert len(EXPECTED) >= 15


# --- The perft tables ----------------------------------------------------------------------------


@pytest.mark.parametrize("table", PERFT, ids=name_of)
def test_perft(table: dict[str, Any]) -> None:
    for depth, nodes in enumerate(table["nodes"], start=1):
        if nodes <= QUICK:
            cells, options = table.get("cells", canoe.start()), table.get("options", {})
            assert canoe.perft(cells, table["turn"], depth, **options) == nodes
