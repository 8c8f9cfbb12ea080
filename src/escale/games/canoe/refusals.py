"""Why an attempt at Canoë is refused: words for what the generator has judged."""

from __future__ import annotations

from escale.game.moves import Atoms
from escale.game.position import Position
from escale.game.refusals import Refusal
from escale.games.canoe.geometry import BITS, COLUMNS

#: Every refusal, and the paragraph that it cites.
PARAGRAPHS = {
    "hole-first": 5,
    "one-action": 5,
    "no-pass": 6,
    "taken": 7,
    "plant-by-hole": 7,
    "where-to": 7,
    "nothing-to-take": 8,
    "nothing-to-move": 9,
    "occupied": 9,
    "too-far": 9,
    "not-yours": 10,
    "reserve-empty": 11,
}


def refuse(position: Position, atoms: Atoms) -> Refusal | None:
    """The paragraph that forbids these atoms, of which none is unknown."""

    def no(key: str, *lit: str, hole: str = "") -> Refusal:
        return Refusal(position.game, key, PARAGRAPHS[key], lit or (hole,), {"hole": hole})

    seat = position.turn
    assert seat is not None
    mine, theirs = position.game.seat_names[seat], position.game.seat_names[1 - seat]
    reserve = f"{mine} reserve"
    cells = position.cells
    first, *rest = atoms
    if first not in BITS:
        if len(rest) != 1 or rest[0] not in BITS:
            return no("hole-first", reserve)
        [hole] = rest
        if hole in cells:
            return no("taken", hole=hole)
        if not cells[reserve]:
            return no("reserve-empty", hole, reserve)
        return no("plant-by-hole", hole=hole)
    holder = cells.get(first)
    if not rest:
        if holder is None:
            return no("reserve-empty", first, reserve)
        return no("taken" if holder == theirs else "where-to", hole=first)
    if holder == theirs:
        return no("not-yours", hole=first)
    if len(rest) > 1:
        extra = [reserve if atom not in BITS else atom for atom in rest[1:]]
        return no("one-action", *dict.fromkeys(extra))
    [to] = rest
    if holder is None:
        return no("nothing-to-move" if to in BITS else "nothing-to-take", hole=first)
    if to == first:
        return no("no-pass", hole=first)
    if to in cells:
        return no("occupied", hole=to)
    if to in BITS and _distance(first, to) > 1:
        return no("too-far", hole=to)
    return None


def _distance(one: str, other: str) -> int:
    """How many moves of a peg from one hole to the other, were there holes everywhere."""
    columns = COLUMNS.index(one[0]) - COLUMNS.index(other[0])
    return max(abs(columns), abs(int(one[1]) - int(other[1])))
