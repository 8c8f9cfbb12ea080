"""What the rules of Tortuga state as facts, checked on the witness alone.

The expected values were worked out by hand from the rules; ``expected.toml`` holds the small
positions, and the tables of ``perft.toml`` are counted again as far as that is quick.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.games.facts import QUICK, load, name_of, state
from tests.games.tortuga import witness as tortuga

EXPECTED = load(Path(__file__).with_name("expected.toml"), "tortuga")
PERFT = load(Path(__file__).with_name("perft.toml"), "table")


# --- The board and the start ---------------------------------------------------------------------


def test_cells() -> None:
    assert len(tortuga.CELLS) == 37
    heights = [sum(cell[0] == column for cell in tortuga.CELLS) for column in "abcdefg"]
    assert heights == [4, 5, 6, 7, 6, 5, 4]


def test_is_as_drawn() -> None:
    # Every cell stands in the drawing of the docstring where its coordinates say.
    lines = (tortuga.__doc__ or "").splitlines()
    drawn = {}
    rows = [line for line in lines if line.startswith("      ") and len(line.split()[0]) == 2]
    for height, line in enumerate(reversed(rows), start=2):
        for cell in line.split():
            drawn[cell] = ((line.index(cell) - 6) // 4, height)
    assert drawn == {cell: tortuga.point(cell) for cell in tortuga.CELLS}


def test_forward_cells_by_hand() -> None:
    assert set(tortuga.forward("d1", 0)) == {"d2", "c1", "e1"}
    assert set(tortuga.forward("d4", 0)) == {"d5", "c4", "e4"}
    assert set(tortuga.forward("c3", 0)) == {"c4", "d4", "b3"}
    assert set(tortuga.forward("f2", 0)) == {"f3", "e3", "g2"}
    assert set(tortuga.forward("a1", 0)) == {"a2", "b2"}
    assert set(tortuga.forward("a4", 0)) == {"b5"}
    assert set(tortuga.forward("b5", 0)) == {"c6"}
    assert set(tortuga.forward("c6", 0)) == {"d7"}
    assert set(tortuga.forward("d7", 0)) == set()
    assert set(tortuga.forward("d7", 1)) == {"d6", "c6", "e6"}
    assert set(tortuga.forward("d4", 1)) == {"d3", "c3", "e3"}
    assert set(tortuga.forward("c4", 1)) == {"c3", "d4", "b3"}
    assert set(tortuga.forward("g3", 1)) == {"g2", "f3"}
    assert set(tortuga.forward("a1", 1)) == {"b1"}
    assert set(tortuga.forward("d1", 1)) == set()


def test_forward_is_up_for_south_and_down_for_north() -> None:
    # Straight on is two half cells, a diagonal one half cell and one column.
    for cell in tortuga.CELLS:
        column, height = tortuga.point(cell)
        for seat, way in ((0, 1), (1, -1)):
            wanted = {(column, height + 2 * way)}
            wanted |= {(column - 1, height + way), (column + 1, height + way)}
            there = {tortuga.CELL_AT[where] for where in wanted if where in tortuga.CELL_AT}
            assert set(tortuga.forward(cell, seat)) == there


def test_what_is_forward_for_one_is_backward_for_the_other() -> None:
    for cell in tortuga.CELLS:
        for ahead in tortuga.forward(cell, 0):
            assert cell in tortuga.forward(ahead, 1)


def test_forward_neighbours_number_90() -> None:
    # 37 cells of a hexagon of side 4 have 90 pairs of neighbours, each forward for both seats.
    for seat in (0, 1):
        assert sum(len(tortuga.forward(cell, seat)) for cell in tortuga.CELLS) == 90


def test_corners_can_never_be_jumped() -> None:
    corners = {"a1", "a4", "d1", "d7", "g1", "g4"}
    for seat in (0, 1):
        jumpable = {
            over
            for cell in tortuga.CELLS
            for over in tortuga.forward(cell, seat)
            if tortuga.right_behind(cell, over) is not None
        }
        assert not jumpable & corners
        assert jumpable == set(tortuga.CELLS) - corners


def test_formations() -> None:
    for formation in ("edges", "compact"):
        cells = tortuga.start(formation)
        assert len(cells) == 16
        for seat in tortuga.SEATS:
            assert sum(owner == seat for owner in cells.values()) == 8
        assert cells == upside_down(cells)
        assert cells == left_right(cells)
    assert tortuga.start() == tortuga.start("edges")


def test_first_moves_by_hand() -> None:
    # edges: d1 over d2; c1 to c2 or over d2, and e1 alike; b1, f1, a1, g1 two steps each;
    # d2 three steps.  The armies are too far apart to meet, so North has as many answers.
    assert tortuga.perft(tortuga.start("edges"), 0, 1) == 1 + 2 * 2 + 4 * 2 + 3
    assert tortuga.perft(tortuga.start("edges"), 0, 2) == 16 * 16
    # compact: d1 over d2; d2 straight on or over c2 or e2; c1 over c2 or b1, and e1 alike;
    # c2 and e2 three steps each; b1 to b2, to a1 or over c2, and f1 alike.
    assert tortuga.perft(tortuga.start("compact"), 0, 1) == 1 + 3 + 2 * 2 + 2 * 3 + 2 * 3
    assert tortuga.perft(tortuga.start("compact"), 0, 2) == 20 * 20


def test_first_chains_by_hand() -> None:
    ways = [atoms for atoms, _ in tortuga.ways(tortuga.start(), 0)]
    assert ("d1", "d3") in ways
    assert ("c1", "e2") in ways
    assert ("e1", "c2") in ways
    assert ("a1", "b2") in ways
    assert ("c1", "a1") not in ways


# --- The tables, row by row ----------------------------------------------------------------------


def after(cells: tortuga.Cells, turn: int, *atoms: str, **options: str) -> tortuga.Cells:
    """The table after one way of moving, which must be legal and told once."""
    tables = [table for way, table in tortuga.ways(cells, turn, **options) if way == atoms]
    assert len(tables) == 1
    return tables[0]


def test_step_moves_one_turtle() -> None:
    cells = {"d4": "south", "a4": "north", "g2": "neutral"}
    assert after(cells, 0, "d4", "c4") == {"c4": "south", "a4": "north", "g2": "neutral"}


def test_enemies_jumped_are_turned_on_their_backs() -> None:
    cells = {"d1": "south", "d2": "north", "d4": "north"}
    expected = {"d2": "neutral", "d4": "neutral", "d5": "south"}
    assert after(cells, 0, "d1", "d3", "d5") == expected


def test_neutrals_jumped_are_put_on_their_feet_one_by_one() -> None:
    cells = {"d1": "south", "d2": "neutral", "d4": "neutral"}
    for first in tortuga.SEATS:
        for second in tortuga.SEATS:
            table = after(cells, 0, "d1", "d3", first, "d5", second)
            assert table == {"d2": first, "d4": second, "d5": "south"}


def test_friends_jumped_do_not_change() -> None:
    cells = {"d7": "north", "d6": "north"}
    assert after(cells, 1, "d7", "d5") == {"d6": "north", "d5": "north"}


def test_enemy_and_neutral_in_one_chain() -> None:
    cells = {"d1": "south", "d2": "neutral", "d4": "north"}
    table = after(cells, 0, "d1", "d3", "north", "d5")
    assert table == {"d2": "north", "d4": "neutral", "d5": "south"}


def test_a_move_changes_nothing_in_the_table_it_came_from() -> None:
    cells = {"d1": "south", "d2": "neutral", "d4": "north"}
    before = dict(cells)
    tortuga.ways(cells, 0)
    assert cells == before


def test_unknown_options_are_refused() -> None:
    cells = {"d1": "south", "d2": "south"}
    with pytest.raises(ValueError, match="obligation"):
        tortuga.ways(cells, 0, obligation="never")
    with pytest.raises(ValueError, match="longest"):
        tortuga.ways(cells, 0, longest="on")


def test_both_bases_reached_belongs_to_the_last_mover() -> None:
    cells = {"d7": "south", "d1": "north"}
    assert tortuga.outcome(cells, 0) == (0.0, 1.0)
    assert tortuga.outcome(cells, 1) == (1.0, 0.0)


# --- Facts true of every table -------------------------------------------------------------------


def upside_down(cells: tortuga.Cells) -> tortuga.Cells:
    """The table seen from North, the seats' names exchanged."""
    swap = {"south": "north", "north": "south", "neutral": "neutral"}
    heights = dict(zip(tortuga.COLUMNS, tortuga.COLUMN_HEIGHTS, strict=True))
    return {
        f"{cell[0]}{heights[cell[0]] + 1 - int(cell[1:])}": swap[owner]
        for cell, owner in cells.items()
    }


def left_right(cells: tortuga.Cells) -> tortuga.Cells:
    """The table in a mirror: column a becomes g, and so on."""
    mirror = dict(zip("abcdefg", "gfedcba", strict=True))
    return {mirror[cell[0]] + cell[1:]: owner for cell, owner in cells.items()}


def contents(tables: list[tortuga.Cells]) -> set[frozenset[tuple[str, str]]]:
    """Tables as a set, so that their order does not matter."""
    return {frozenset(table.items()) for table in tables}


def random_tables(seed: int, how_many: int) -> list[tuple[tortuga.Cells, int]]:
    """Tables met in games played at random, won ones included."""
    chance = random.Random(seed)
    found: list[tuple[tortuga.Cells, int]] = []
    while len(found) < how_many:
        cells, turn = tortuga.start(chance.choice(["edges", "compact"])), chance.randrange(2)
        for _ in range(80):
            found.append((cells, turn))
            tables = tortuga.successors(cells, turn)
            if not tables:
                break
            cells, turn = chance.choice(tables), 1 - turn
    return found[:how_many]


def strewn_tables(seed: int, how_many: int) -> list[tuple[tortuga.Cells, int]]:
    """Turtles dropped anywhere but on the bases, half of them perhaps on their backs."""
    chance = random.Random(seed)
    places = [cell for cell in tortuga.CELLS if cell not in tortuga.BASES]
    found = []
    for _ in range(how_many):
        held = chance.sample(places, chance.randint(4, 16))
        owners = chance.choices([*tortuga.SEATS, tortuga.NEUTRAL], k=len(held))
        found.append((dict(zip(held, owners, strict=True)), chance.randrange(2)))
    return found


OPTIONS = [
    {"obligation": obligation, "longest": longest}
    for obligation in ("any", "start")
    for longest in tortuga.LONGEST
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options.values()))
def test_facts_of_random_tables(options: dict[str, str]) -> None:
    for cells, turn in random_tables(seed=2007, how_many=250):
        tables = tortuga.successors(cells, turn, **options)
        # A move is what it does: no table twice.
        assert len(contents(tables)) == len(tables)
        for table in tables:
            # Turtles are never taken away.
            assert len(table) == 16
            # One turtle has left its cell, and one cell more is occupied.
            assert len(set(cells) - set(table)) == len(set(table) - set(cells)) == 1
            # The other seat's turtles stay where they are.
            gone = (set(cells) - set(table)).pop()
            assert cells[gone] == tortuga.SEATS[turn]
        # The board is the same from both sides, and in a mirror.
        other_side = tortuga.successors(upside_down(cells), 1 - turn, **options)
        assert contents(other_side) == contents([upside_down(table) for table in tables])
        mirrored = tortuga.successors(left_right(cells), turn, **options)
        assert contents(mirrored) == contents([left_right(table) for table in tables])


def test_obligations_only_take_moves_away() -> None:
    for cells, turn in random_tables(seed=37, how_many=250):
        for obligation in ("any", "start"):
            free = contents(tortuga.successors(cells, turn, obligation=obligation))
            bound = contents(
                tortuga.successors(cells, turn, obligation=obligation, longest="enemies")
            )
            assert bound <= free
            assert bool(bound) == bool(free)


def test_longest_jumps_only_takes_chains_away() -> None:
    fewer = 0
    for cells, turn in strewn_tables(seed=74, how_many=1500):
        for obligation in ("any", "start"):
            ways = tortuga.ways(cells, turn, obligation=obligation, longest="jumps")
            told = {atoms for atoms, _ in ways}
            free = {chain.atoms: chain for chain in tortuga.chains(cells, turn)}
            stepped = {atoms for atoms, _ in tortuga.steps(cells, turn)}
            assert told <= set(free) | stepped
            # A seat that has a move has one with this option, too.
            assert bool(told) == bool(free or stepped)
            # After the same first jump no chain is longer.
            for atoms in told & set(free):
                rivals = [c for c in free.values() if c.atoms[:2] == atoms[:2]]
                assert len(free[atoms].jumped) == max(len(c.jumped) for c in rivals)
            fewer += len(told & set(free)) < len(free)
    assert fewer > 100


def test_the_owner_chosen_for_a_neutral_never_matters_to_the_chain() -> None:
    # So it does not matter either whether it is a part of the "first jump".
    chosen = 0
    for cells, turn in strewn_tables(seed=5, how_many=600):
        told = {chain.atoms for chain in tortuga.chains(cells, turn)}
        for atoms in told:
            for place, atom in enumerate(atoms):
                if atom in tortuga.SEATS:
                    other = tortuga.SEATS[1 - tortuga.SEATS.index(atom)]
                    assert (*atoms[:place], other, *atoms[place + 1 :]) in told
                    chosen += 1
    assert chosen > 100


def test_longest_jumps_can_free_one_of_an_obligation() -> None:
    freed = 0
    for cells, turn in strewn_tables(seed=16, how_many=3000):
        bound = tortuga.ways(cells, turn, longest="off")
        ways = tortuga.ways(cells, turn, longest="jumps")
        freed += len(contents([t for _, t in ways]) - contents([t for _, t in bound])) > 0
        # By the other reading of the obligation it never does.
        starts = tortuga.successors(cells, turn, obligation="start", longest="jumps")
        free = tortuga.successors(cells, turn, obligation="start", longest="off")
        assert contents(starts) <= contents(free)
    assert freed > 0


def test_a_position_never_comes_again() -> None:
    chance = random.Random(300)
    for _ in range(60):
        cells, turn = tortuga.start(chance.choice(["edges", "compact"])), chance.randrange(2)
        options = chance.choice(OPTIONS)
        met: set[tuple[frozenset[tuple[str, str]], int]] = set()
        while tortuga.outcome(cells, turn, plies=len(met), **options) is None:
            here = (frozenset(cells.items()), turn)
            assert here not in met
            met.add(here)
            cells = chance.choice(tortuga.successors(cells, turn, **options))
            turn = 1 - turn
        assert len(met) < tortuga.PLY_CAP


def test_without_neutrals_both_obligations_are_the_same() -> None:
    # A chain that jumps an enemy can then only have begun over one.
    for cells, turn in random_tables(seed=8, how_many=250):
        if "neutral" in cells.values():
            continue
        for longest in tortuga.LONGEST:
            by_any = tortuga.successors(cells, turn, obligation="any", longest=longest)
            by_start = tortuga.successors(cells, turn, obligation="start", longest=longest)
            assert contents(by_any) == contents(by_start)


# --- The positions worked out by hand ------------------------------------------------------------


@pytest.mark.parametrize("case", EXPECTED, ids=name_of)
def test_expected(case: dict[str, Any]) -> None:
    cells, turn, options = case["cells"], case["turn"], case.get("options", {})
    ways = tortuga.ways(cells, turn, **options)
    told = [atoms for atoms, _ in ways]
    assert len(set(told)) == len(told)
    if "legal" in case:
        assert sorted(told) == sorted(tuple(way) for way in case["legal"])
    if "moves" in case:
        assert len(tortuga.successors(cells, turn, **options)) == case["moves"]
    for attempt in case.get("forbidden", []):
        assert tuple(attempt["way"]) not in told, attempt["why"]
    for attempt in case.get("allowed", []):
        table = dict(ways)[tuple(attempt["way"])]
        shares = tortuga.outcome(table, 1 - turn, **options)
        assert state(shares, ("south", "north")) == attempt["after"]
    if "state" in case:
        shares = tortuga.outcome(
            cells,
            turn,
            plies=case.get("plies", 0),
            **options,
        )
        assert state(shares, ("south", "north")) == case["state"]


def test_there_are_enough_expected_positions() -> None:
    assert len(EXPECTED) >= 25


# --- The perft tables ----------------------------------------------------------------------------


@pytest.mark.parametrize("table", PERFT, ids=name_of)
def test_perft(table: dict[str, Any]) -> None:
    formation = table["options"]["formation"]
    options = {key: value for key, value in table["options"].items() if key != "formation"}
    cells = table.get("cells", tortuga.start(formation))
    for depth, nodes in enumerate(table["nodes"], start=1):
        if nodes <= QUICK:
            assert tortuga.perft(cells, table["turn"], depth, **options) == nodes
