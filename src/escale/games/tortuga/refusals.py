"""Refusals at Tortuga: sentences for what the move generator has decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from escale.game.moves import Atoms
from escale.game.position import Position
from escale.game.refusals import Refusal
from escale.games.tortuga.geometry import BASES, BITS, FORWARD, GRID, NAMES

#: Every refusal, and the paragraph that it cites.
PARAGRAPHS = {
    "not-yours": "facing",
    "on-its-back": "neutral",
    "chance-decided": "first-player",
    "turtle-first": "turn",
    "nobody": "turn",
    "no-pass": "turn",
    "where-to": "turn",
    "step-ends": "turn",
    "no-step-after-jump": "turn",
    "not-ahead": "forward",
    "not-in-line": "forward",
    "occupied": "step",
    "jump-it": "step",
    "hemmed-in": "step",
    "too-far": "step",
    "nothing-to-jump": "jump",
    "one-at-a-time": "jump",
    "no-landing": "jump",
    "corner": "corner",
    "go-on": "chain",
    "friends-and-enemies": "no-mixing",
    "enemy-falls": "enemy-jumped",
    "choose-side": "neutral-jumped",
    "side-chosen": "neutral-jumped",
    "no-side-to-choose": "neutral-jumped",
    "friend-stays": "friend-jumped",
    "must-jump": "must-jump",
    "base-ends": "win",
    "must-begin": "obligation",
    "most-jumps": "longest",
    "most-enemies": "longest",
    "no-chance": "first",
}

CORNERS = ("a1", "a4", "d1", "d7", "g1", "g4")
DRAWN_AT = {cell.id: cell.y for cell in GRID.cells}


def refuse(position: Position, atoms: Atoms) -> Refusal | None:
    """The paragraph that forbids these atoms, all of which are known."""
    return _beginning(position, atoms) or _way(position, atoms)


def _no(position: Position, key: str, lit: Iterable[str], **values: Any) -> Refusal:
    return Refusal(position.game, key, PARAGRAPHS[key], tuple(lit), values)


def _teams(position: Position) -> tuple[int, str, str]:
    """The seat to move, the name of its turtles, and the name of the other seat's."""
    seat = position.turn
    assert seat is not None
    names = position.game.seat_names
    return seat, names[seat], names[1 - seat]


def _ahead(cell: str, seat: int) -> Iterator[list[str]]:
    """The cells ahead of a turtle in each of its three directions, nearest first."""
    for direction in FORWARD[seat]:
        line = []
        bit = BITS[cell] + direction
        while bit in NAMES:
            line.append(NAMES[bit])
            bit += direction
        yield line


def _beginning(position: Position, atoms: Atoms) -> Refusal | None:
    """The fault in the choice of the turtle."""
    seat, mine, theirs = _teams(position)
    cells, legal = position.cells, position.choices().next
    start = atoms[0]
    if start not in BITS:
        settled = "chance-decided" if position.options["first"] == "chance" else "no-chance"
        key = settled if len(atoms) == 1 else "turtle-first"
        return _no(position, key, sorted(legal), turtles=sorted(legal))
    if cells.get(start) != mine:
        key = {theirs: "not-yours", "neutral": "on-its-back"}.get(str(cells.get(start)), "nobody")
        return _no(position, key, [start], cell=start)
    if len(atoms) > 1:
        return None
    if start in legal:
        return _no(position, "where-to", legal[start].next, at=start, next=[*legal[start].next])
    lines = [line for line in _ahead(start, seat) if line]
    if all(cell in cells for line in lines for cell in line[:2]):
        return _no(position, "hemmed-in", [line[0] for line in lines], at=start)
    return _obligation(position, [])


def _way(position: Position, atoms: Atoms) -> Refusal | None:
    """Follow the turtle as far as it could go."""
    seat, mine, theirs = _teams(position)
    cells = position.cells
    at, over = atoms[0], ""             # the turtle's cell, and the last turtle that it jumped
    jumped: list[str] = []              # the owner of the turtles that it has jumped
    stepped = choosing = False
    done = 0
    for done, to in enumerate(atoms[1:], 1):
        if to not in BITS:
            if not choosing:
                key = {mine: "friend-stays", theirs: "enemy-falls", "neutral": "side-chosen"}.get(
                    jumped[-1] if jumped else "", "no-side-to-choose"
                )
                return _no(position, key, [over or at], at=at, over=over)
            choosing = False
            continue
        if choosing:
            break
        if at == BASES[1 - seat]:
            return _no(position, "base-ends", [at], at=at)
        if stepped:
            return _no(position, "step-ends", [at], at=at)
        if to == at and not jumped:
            return _no(position, "no-pass", [at], at=at)
        line = next((line for line in _ahead(at, seat) if to in line), [])
        if not line:
            ahead = DRAWN_AT[to] != DRAWN_AT[at] and (DRAWN_AT[to] < DRAWN_AT[at]) == (seat == 0)
            return _no(position, "not-in-line" if ahead else "not-ahead", [to], at=at, to=to)
        if to == line[0]:
            if to in cells:
                return _occupied(position, atoms[:done], line)
            if jumped:
                return _no(position, "no-step-after-jump", [to], to=to)
            at, stepped = to, True
            continue
        over = line[0]
        if over not in cells:
            if to == line[1] or jumped:
                return _no(position, "nothing-to-jump", [over], over=over)
            return _no(position, "too-far", [to], to=to)
        if to != line[1]:
            return _no(position, "one-at-a-time", [to], over=over, to=to)
        if to in cells:
            return _no(position, "no-landing", [to], over=over, to=to)
        jumped.append(str(cells[over]))
        if mine in jumped and theirs in jumped:
            return _no(position, "friends-and-enemies", [over], over=over)
        at, choosing = to, jumped[-1] == "neutral"
    else:
        done = len(atoms)
    node = position.choices().after(*atoms[:done])
    if node is None:
        return _obligation(position, jumped) or _too_short(position, atoms, at)
    if choosing:
        return _no(position, "choose-side", [over], over=over)
    return _no(position, "go-on", node.next, next=[*node.next])


def _occupied(position: Position, before: Atoms, line: list[str]) -> Refusal:
    """The turtle goes towards a cell that another turtle occupies."""
    seat, _, _ = _teams(position)
    to = line[0]
    if to in CORNERS and to != BASES[1 - seat]:
        return _no(position, "corner", [to], to=to)
    node = position.choices().after(*before)
    if node is not None and len(line) > 1 and line[1] in node.next:
        return _no(position, "jump-it", [to], to=to, behind=line[1])
    return _no(position, "occupied", [to], to=to)


def _obligation(position: Position, jumped: list[str]) -> Refusal | None:
    """The way itself is possible, but the rules oblige the seat to take another."""
    _, _, theirs = _teams(position)
    enemies = {cell for cell, turtle in position.cells.items() if turtle == theirs}
    moves = position.moves()
    hits = [[change.over in enemies for change in move.changes] for move in moves]
    turtles = sorted({move.atoms[0] for move in moves})
    begin = position.options["obligation"] == "start"
    if theirs in (jumped[:1] if begin else jumped):
        if position.options["longest"] != "enemies":
            return None
        most = max(map(sum, hits))
        return _no(position, "most-enemies", turtles, turtles=turtles, most=most)
    if not all(hit[0] if begin else any(hit) for hit in hits):
        return None
    return _no(position, "must-begin" if begin else "must-jump", turtles, turtles=turtles)


def _too_short(position: Position, atoms: Atoms, at: str) -> Refusal | None:
    """No rule obliges the seat, but after the same first jump a chain can have more jumps."""
    if position.options["longest"] != "jumps":
        return None
    nodes = (position.choices().after(*atoms[:done]) for done in range(len(atoms), 1, -1))
    ways = next(([*node.next] for node in nodes if node is not None), [at])
    return _no(position, "most-jumps", ways)
