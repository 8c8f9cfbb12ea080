"""Checks what reasons say in comparison with other moves, by the literal witnesses."""

from __future__ import annotations

from statistics import median
from typing import Any

import escale
from escale import kernel
from escale.game.definition import Merit
from escale.study.reasons import Reason
from tests.games.canoe import witness as canoe
from tests.games.canyon_1972 import witness as canyon
from tests.study.literal import table, tries

NODES = 100_000 if escale.COMPILED else 2000
"""What an exhaustive search may take; longer claims are not checked."""
COUNTED = 8
"""Of positions with more moves the replies to all of them are not counted."""


def check(position: escale.Position, move: escale.Move, found: Reason) -> None:
    """Whether what is said of a move beside others is so."""
    seat, after = position.turn, position.play(move)
    assert seat is not None
    here = (position, move.text, found)
    if found.other is not None:
        assert found.other.code != move.code, here
        there = position.play(found.other)
    if found.kind == "avoids-loss":
        assert found.count is not None
        if found.count == 1:
            assert any(one.wins for one in tries(there, 1 - seat)), here
        assert certain(there, 2 * found.count - 1, 1 - seat) in (1, None), here
        assert certain(after, 2 * found.count - 1, 1 - seat) != 1, here
    elif found.kind == "avoids-capture":
        assert any(one.taken == set(found.cells) for one in tries(there, 1 - seat)), here
        assert all(len(one.taken) < len(found.cells) for one in tries(after, 1 - seat)), here
    elif found.kind == "clears":
        exposed, left = (
            {cell for one in tries(where, 1 - seat) for cell in one.taken}
            for where in (position, after)
        )
        assert found.cells, here
        assert set(found.cells) == exposed - left, here
    elif found.kind == "fewer-ways":
        takes = [
            len(results(one for one in tries(where, 1 - seat) if one.taken))
            for where in (after, there)
        ]
        assert takes == [found.count, found.left], here
        assert takes[0] < takes[1], here
    elif found.kind == "gains":
        gains = [points(one.cells, seat) - points(table(position), seat)
                 for one in tries(position, seat)]
        mine = points(table(after), seat) - points(table(position), seat)
        assert mine == found.count == max(gains) > min(gains), here
    elif found.kind == "denies":
        assert found.threat is not None
        best, rest = (
            max(points(one.cells, 1 - seat) - points(table(where), 1 - seat)
                for one in tries(where, 1 - seat))
            for where in (position, after)
        )
        assert (best, max(0, rest)) == (found.count, found.left), here
        assert best > found.left, here
    elif found.kind in ("restricts", "narrows", "frees"):
        check_count(position, after, found)
    elif found.kind == "merit":
        assert found.merit is not None
        {"canoe": check_canoe, "tortuga": check_tortuga}[position.game.slug](
            position, move, found.merit
        )
    else:
        assert found.kind in ("lost", "draws", "saves", "plain"), here


def results(found: Any) -> set[frozenset[tuple[str, str]]]:
    """The different tables that some moves lead to."""
    return {frozenset(one.cells.items()) for one in found}


def count(where: escale.Position, seat: int) -> int:
    """How many moves a seat has; a pass is one."""
    return len(results(tries(where, seat))) or 1


def check_count(position: escale.Position, after: escale.Position, found: Reason) -> None:
    seat = position.turn
    assert seat is not None
    whose = seat if found.kind == "frees" else 1 - seat
    mine = count(after, whose)
    assert mine == found.count, (position, found, mine)
    if len(position.moves()) > COUNTED:
        return
    every = [count(position.play(one), whose) for one in position.moves()
             if position.play(one).turn is not None]
    if found.kind == "frees":
        assert mine == max(every), (position, found, every)
    elif found.kind == "restricts":
        assert mine == min(every), (position, found, every)
    else:
        assert mine <= median(every), (position, found, every)


def certain(where: escale.Position, plies: int, seat: int) -> float | None:
    """What a seat gets for certain within so many plies; None if it is open, or takes too long."""
    bounds = kernel.brute_force(where.kernel(), plies, NODES)
    if bounds is None or bounds[0] != bounds[1]:
        return None
    low: float = bounds[0]
    return low if seat == 0 else 1 - low


def points(cells: dict[str, str], seat: int) -> int:
    return canyon.sums(cells)[seat]


# ---- what only the game sees ----


def check_canoe(position: escale.Position, move: escale.Move, merit: Merit) -> None:
    seat, cells, after = position.turn, table(position), table(position.play(move))
    assert seat is not None
    own, theirs = (set(canoe.own_pegs(after, one)) for one in (seat, 1 - seat))
    here = (position, move.text, merit)
    hole = move.atoms[-1]
    if merit.name in ("completes", "frees"):
        named = frozenset(str(merit.values["cells"]).split(", "))
        assert named in canoe.canoes(after, seat), here
        assert named not in canoe.canoes(cells, seat), here
        assert (hole in named) == (merit.name == "completes"), here
    elif merit.name in ("three", "pair"):
        lacking = {str(merit.values[name]) for name in ("first", "second")} - {""}
        assert len(lacking) == {"three": 1, "pair": 2}[merit.name], here
        assert not lacking & (own | theirs), here
        assert any(
            hole in place and place - own == lacking and apart(place, own)
            for place in canoe.CANOE_PLACES
        ), here
    elif merit.name in ("breaks", "hinders"):
        size = {"breaks": 3, "hinders": 2}[merit.name]
        assert any(
            hole in place and len(place & theirs) == size and apart(place, theirs)
            and not place & set(canoe.own_pegs(cells, seat))
            for place in canoe.CANOE_PLACES
        ), here
    elif merit.name in ("open", "blocks"):
        sides = [set(canoe.own_pegs(cells, one)) for one in (seat, 1 - seat)]
        ours, others = sides if merit.name == "open" else sides[::-1]
        assert room(hole, ours, others) == merit.count, here
        free = [one for one in canoe.HOLES if one not in cells and one != hole]
        assert merit.count > sum(room(one, ours, others) for one in free) / len(free), here
    else:
        assert merit.name == "opens", here
        ours = set(canoe.own_pegs(cells, seat)) - {move.atoms[0]}
        there = [room(one, ours, theirs) for one in (hole, move.atoms[0])]
        assert there == [merit.count, merit.values["before"]], here
        assert there[0] > there[1], here


def apart(place: frozenset[str], pegs: set[str]) -> bool:
    """Whether no peg beside these holes is of the same colour."""
    return not {near for hole in place for near in canoe.neighbours(hole)} & (pegs - place)


def room(hole: str, own: set[str], others: set[str]) -> int:
    return sum(
        hole in place and not place & others and apart(place, own)
        for place in canoe.CANOE_PLACES
    )


def check_tortuga(position: escale.Position, move: escale.Move, merit: Merit) -> None:
    seat = position.turn
    assert seat is not None
    here = (position, move.text, merit)

    def ahead(cell: str) -> int:
        """Half steps from one's own end: a column aside begins half a step farther."""
        up = 2 * int(cell[1]) + abs(3 - "abcdefg".index(cell[0]))
        return up if seat == 0 else -up

    def way(one: escale.Move) -> tuple[str, str]:
        cells = [atom for atom in one.atoms if atom not in ("south", "north")]
        return cells[0], cells[-1]

    begins, ends = way(move)
    own = [cell for cell, who in table(position).items() if who == position.game.seat_names[seat]]
    if merit.name == "bounds":
        far = [ahead(way(one)[1]) - ahead(way(one)[0]) for one in position.moves()
               if one.code != move.code]
        assert ahead(ends) - ahead(begins) > max(far, default=-99), here
    elif merit.name == "leads":
        assert ahead(ends) > max(map(ahead, own)) > ahead(begins), here
    elif merit.name == "rear":
        assert ahead(begins) == min(map(ahead, own)) < max(map(ahead, own)), here
    else:
        assert merit.name == "centre", here
        aside = [abs(3 - "abcdefg".index(cell[0])) for cell in (ends, begins)]
        assert aside[0] < aside[1], here


