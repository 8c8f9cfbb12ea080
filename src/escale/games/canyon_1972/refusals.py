"""Why an attempt at Canyon (1972) is refused: words for what the generator has judged."""

from __future__ import annotations

from typing import Any

from escale.games.canyon_1972.board import BITS, NAMES, pawns
from escale.games.canyon_1972.chains import PASS, STOP, captures
from escale.games.canyon_1972.rules import CANYON
from escale.play.moves import Atoms
from escale.play.position import Position
from escale.play.refusals import Refusal


def refuse(position: Position, atoms: Atoms) -> Refusal | None:
    """The paragraph that forbids these atoms, of which none is unknown."""

    def no(key: str, paragraph: int, *lit: str, **values: Any) -> Refusal:
        return Refusal(position.game, key, paragraph, lit, values)

    seat = position.turn
    assert seat is not None
    mine, theirs = position.game.seat_names[seat], position.game.seat_names[1 - seat]
    cells = position.cells
    canyon = CANYON[position.options["canyon"]]
    chain = atoms[:-1] if atoms[-1] == STOP else atoms
    if (PASS,) in [move.atoms for move in position.moves()]:
        return no("must-pass", 12)
    if PASS in atoms:
        return no("no-pass", 12)
    if not chain or chain[0] == STOP:
        return no("pawn-first", 6)
    start, *rest = chain
    if canyon >> BITS[start] & 1:
        return no("canyon", 4, start, cell=start)
    if cells.get(start) != mine:
        return no("not-yours" if start in cells else "nobody", 6, start, cell=start)

    # Walk along the attempt as far as the pawn could really go.
    del cells[start]
    at, hops = start, 0
    captured: set[str] = set()
    while rest:
        to = rest.pop(0)
        if to == STOP:
            return no("after-stop", 9, at, at=at)
        if canyon >> BITS[to] & 1:
            return no("canyon", 4, to, cell=to)
        east, north = ord(to[0]) - ord(at[0]), int(to[1]) - int(at[1])
        if max(abs(east), abs(north)) == 1:
            if hops:
                return no("no-step-after-jump", 6, to, to=to)
            if to in cells:
                return no("occupied", 7, to, to=to)
            if rest:
                return no("step-ends", 6, to, to=to)
            return no("no-stop-needed", 9, to, at=to) if atoms[-1] == STOP else None
        if {abs(east), abs(north)} not in ({2}, {0, 2}):
            return no("too-far", 8, to, at=at, to=to)
        over = NAMES[(BITS[at] + BITS[to]) // 2]
        if canyon >> BITS[over] & 1:
            return no("across-canyon", 4, over, over=over)
        if over not in cells:
            key, paragraph = ("gone", 10) if over in captured else ("nothing-to-jump", 8)
            return no(key, paragraph, over, over=over)
        if to in cells:
            return no("occupied", 8, to, to=to)
        if cells[over] == theirs:
            captured.add(over)
            del cells[over]
        at, hops = to, hops + 1
    if not hops:
        return no("no-stop-yet", 9, at, at=at) if atoms[-1] == STOP else None
    if at == start and not captured:
        return no("nothing-changes", 11, start, at=start)
    node = position.choices().after(*chain)
    if node is None:
        return no("same-move", 11, at, move=_same(position, start, at, captured))
    if atoms[-1] == STOP:
        return no("no-stop-needed", 9, at, at=at)
    return no("go-on-or-stop", 9, *(to for to in node.next if to != STOP), next=list(node.next))


def _same(position: Position, start: str, end: str, captured: set[str]) -> str:
    """The notation of the move to which a roundabout chain comes."""
    enemies = pawns(position.cells, position.game.seat_names[position.turn == 0])
    left = enemies & ~sum(1 << BITS[cell] for cell in captured)
    for move in position.moves():
        ends = NAMES[move.code & 63], NAMES[move.code >> 6 & 63]
        if move.code >> 12 == captures(enemies, left) and (
            ends == (start, end) or (start == end and ends[0] == ends[1])
        ):
            return move.text
    raise LookupError(f"no move from {start} to {end} captures {sorted(captured)}")
