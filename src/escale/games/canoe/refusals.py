"""Refusals at Canoë: sentences for what the move generator has decided."""

from __future__ import annotations

from escale.game.moves import Atoms
from escale.game.position import Position
from escale.game.refusals import Refusal
from escale.games.canoe.geometry import BITS, COLUMNS

#: Every refusal, and the paragraph that it cites.
PARAGRAPHS = {
    "hole-first": "turn",
    "one-action": "turn",
    "no-pass": "no-pass",
    "taken": "plant",
    "plant-by-hole": "plant",
    "where-to": "plant",
    "nothing-to-take": "take-back",
    "nothing-to-move": "move",
    "occupied": "move",
    "too-far": "move",
    "not-yours": "own-pegs",
    "reserve-empty": "empty-reserve",
    "no-swap": "swap",
    "swap-once": "swap",
    "swap-only": "swap",
}


def refuse(position: Position, atoms: Atoms) -> Refusal | None:
    """The paragraph that forbids these atoms, all of which are known."""

    def no(key: str, *lit: str, hole: str = "") -> Refusal:
        return Refusal(position.game, key, PARAGRAPHS[key], lit or (hole,), {"hole": hole})

    seat = position.turn
    assert seat is not None
    mine, theirs = position.game.seat_names[seat], position.game.seat_names[1 - seat]
    reserve = f"{mine} reserve"
    cells = position.cells
    first, *rest = atoms
    if "swap" in atoms:
        if position.options["swap"] == "off":
            return no("no-swap", reserve)
        if "swap" not in position.choices().next:
            return no("swap-once", reserve)
        return no("swap-only", *(hole for hole in cells if hole in BITS))
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
    """The number of moves that a peg would need between two holes on a board full of holes."""
    columns = COLUMNS.index(one[0]) - COLUMNS.index(other[0])
    return max(abs(columns), abs(int(one[1]) - int(other[1])))
