"""Why an attempt at Tortuga is refused: words for what the generator has judged."""

from __future__ import annotations

from typing import Any

from escale.games.tortuga.board import BITS, FORWARD, NAMES
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
    start, *rest = atoms
    if start not in BITS:
        return no("turtle-first", 8, turtles=sorted(c for c in cells if cells[c] == mine))
    if cells.get(start) != mine:
        reasons = {theirs: ("not-yours", 4), "neutral": ("on-its-back", 5)}
        key, paragraph = reasons.get(str(cells.get(start)), ("nobody", 8))
        return no(key, paragraph, start, cell=start)
    enemies = {cell for cell in cells if cells[cell] == theirs}
    compulsory: list[str] = []
    if all(any(event.over in enemies for event in move.events) for move in position.moves()):
        compulsory = sorted({move.atoms[0] for move in position.moves()})

    # Walk along the attempt as far as the turtle could really go.
    at, jumped = start, set[str]()
    hops = 0
    while rest:
        to = rest.pop(0)
        if to not in BITS:
            return no("no-side-to-choose", 16, at, at=at)
        if to == at:
            return no("not-forward", 9, at, at=at, to=to)
        gap = BITS[to] - BITS[at]
        if gap in FORWARD[seat]:
            if cells.get(to):
                return no("occupied", 10, to, to=to)
            if hops:
                return no("no-step-after-jump", 13, to, to=to)
            if rest:
                return no("step-ends", 10, to, to=to)
            if compulsory:
                return no("must-jump", _obligation(position), *compulsory, turtles=compulsory)
            return None
        over = NAMES.get(BITS[at] + gap // 2)
        if over is None or gap not in [2 * direction for direction in FORWARD[seat]]:
            return no("not-forward", 9, to, at=at, to=to)
        if over not in cells:
            return no("nothing-to-jump", 11, over, over=over)
        if cells.get(to):
            return no("occupied", 11, to, to=to)
        jumped.add(str(cells[over]))
        if {mine, theirs} <= jumped:
            return no("friends-and-enemies", 14, over, over=over)
        at, hops = to, hops + 1
        if cells[over] == "neutral":
            if not rest or rest[0] not in position.game.seat_names:
                return no("choose-side", 16, over, over=over)
            rest.pop(0)
    if not hops:
        return None
    node = position.choices().after(*atoms)
    if node is not None:
        return no("go-on", 13, *node.next, next=list(node.next))
    if position.options["longest"] == "on" and theirs in jumped:
        return no("longest", 25, *compulsory, turtles=compulsory)
    if compulsory:
        return no("must-jump", _obligation(position), *compulsory, turtles=compulsory)
    return None


def _obligation(position: Position) -> int:
    return 24 if position.options["obligation"] == "start" else 18
