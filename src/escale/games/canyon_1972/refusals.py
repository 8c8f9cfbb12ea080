"""Refusals at Canyon (1972): sentences for what the move generator has decided."""

from __future__ import annotations

from typing import Any

from escale.game.moves import Atoms
from escale.game.position import Position
from escale.game.refusals import Refusal
from escale.games.canyon_1972.chains import PASS, STOP, captures
from escale.games.canyon_1972.geometry import BITS, CANYON, GRID, NAMES

#: Every refusal, and the paragraph that it cites.
PARAGRAPHS = {
    "canyon": "canyon",
    "across-canyon": "canyon",
    "pawn-first": "turn",
    "not-yours": "turn",
    "nobody": "turn",
    "where-to": "turn",
    "step-ends": "no-mixing",
    "no-step-after-jump": "no-mixing",
    "hemmed-in": "step",
    "occupied": "step",
    "too-far": "jump",
    "nothing-to-jump": "jump",
    "no-landing": "jump",
    "go-on-or-stop": "chain",
    "no-stop-yet": "chain",
    "no-stop-needed": "chain",
    "after-stop": "chain",
    "gone": "at-once",
    "nothing-changes": "round-trip",
    "same-move": "round-trip",
    "no-pass": "no-pass",
    "must-pass": "no-pass",
}


def refuse(position: Position, atoms: Atoms) -> Refusal | None:
    """The paragraph that forbids these atoms, all of which are known."""

    def no(key: str, *lit: str, **values: Any) -> Refusal:
        return Refusal(position.game, key, PARAGRAPHS[key], lit, values)

    seat = position.turn
    assert seat is not None
    mine, theirs = position.game.seat_names[seat], position.game.seat_names[1 - seat]
    cells = position.cells
    canyon = CANYON[position.options["canyon"]]
    movable = [*position.choices().next]
    if movable == [PASS]:
        return no("must-pass", *(cell for cell in cells if cells[cell] == mine))
    if PASS in atoms:
        return no("no-pass", *movable)
    chain = atoms[:-1] if atoms[-1] == STOP else atoms
    if not chain or chain[0] == STOP:
        return no("pawn-first", *movable, pawns=movable)
    start, *rest = chain
    if canyon >> BITS[start] & 1:
        return no("canyon", start, cell=start)
    if cells.get(start) != mine:
        return no("not-yours" if start in cells else "nobody", start, cell=start)
    if start not in movable:
        return no("hemmed-in", start, cell=start)

    # Follow the attempt as far as the pawn could go.
    del cells[start]
    at, hops = start, 0
    captured: set[str] = set()
    while rest:
        to = rest.pop(0)
        if to == STOP:
            return no("after-stop" if hops else "no-stop-yet", at, at=at)
        if to == start == at:
            return no("no-pass", at)
        if canyon >> BITS[to] & 1:
            return no("canyon", to, cell=to)
        east, north = ord(to[0]) - ord(at[0]), int(to[1]) - int(at[1])
        if max(abs(east), abs(north)) == 1:
            if hops:
                return no("no-step-after-jump", to, to=to)
            if to in cells:
                return no("occupied", to, to=to)
            if rest:
                return no("step-ends", to, to=to)
            return no("no-stop-needed", to, at=to)
        if {abs(east), abs(north)} not in ({2}, {0, 2}):
            return no("too-far", to, at=at, to=to)
        over = NAMES[(BITS[at] + BITS[to]) // 2]
        if canyon >> BITS[over] & 1:
            return no("across-canyon", over, over=over)
        if over not in cells:
            return no("gone" if over in captured else "nothing-to-jump", over, over=over)
        if to in cells:
            return no("no-landing", to, to=to, over=over)
        if cells[over] == theirs:
            captured.add(over)
            del cells[over]
        at, hops = to, hops + 1

    node = position.choices().after(*chain)
    following = [atom for atom in node.next if atom != STOP] if node else []
    if not hops:
        key = "no-stop-yet" if atoms[-1] == STOP else "where-to"
        return no(key, *following, at=at, next=following)
    if at == start and not captured:
        return no("nothing-changes", at, at=at)
    if node is None:
        return no("same-move", at, move=_same(position, start, at, captured))
    if atoms[-1] == STOP:
        return no("no-stop-needed", at, at=at)
    return no("go-on-or-stop", at, *following, at=at, next=following)


def _same(position: Position, start: str, end: str, captured: set[str]) -> str:
    """The notation of the move with the same effect as a longer chain."""
    enemies = GRID.holding(position.cells, position.game.seat_names[position.turn == 0])
    taken = captures(enemies, enemies & ~sum(1 << BITS[cell] for cell in captured))
    for move in position.moves():
        ends = NAMES[move.code & 63], NAMES[move.code >> 6 & 63]
        if move.code >> 12 == taken and (
            ends == (start, end) or (start == end and ends[0] == ends[1])
        ):
            return move.text
    raise LookupError(f"no move from {start} to {end} captures {sorted(captured)}")
