"""Refusals at the games of Qenj: sentences for what the move generator has decided."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from escale.game.moves import Atoms
from escale.game.position import Position
from escale.game.refusals import Refusal
from escale.games.qenj.box import LETTERS, Box
from escale.games.qenj.moves import SIDES
from escale.games.qenj.ring import PHASES
from escale.games.qenj.rules import QenjState

CELL = re.compile("[a-l][1-9]")


def refuse(
    box: Box, direction: str, position: Position, atoms: Atoms
) -> Refusal | None:
    """The paragraph that forbids these atoms, all of which are known."""
    table = Attempt(box, direction, position)
    state = position.kernel()
    assert isinstance(state, QenjState)
    match PHASES[state.phase]:
        case "colours":
            return table.placing(atoms)
        case "sides":
            return table.no("choose-side", "sides", *table.places(atoms[:1]))
        case _:
            return table.moving(atoms)


class Attempt:
    """A position, with the columns as the seat to move sees them."""

    def __init__(self, box: Box, direction: str, position: Position) -> None:
        self.box = box
        self.direction = direction
        """The paragraph on the direction in which pieces go."""
        self.position = position
        self.legal = position.choices()
        self.cells = {
            place: str(piece) for place, piece in position.cells.items()
            if CELL.fullmatch(place)
        }
        self.columns = [letter for letter in LETTERS if self.rows(letter)]
        """The columns that remain."""
        self.north = position.cells.get("north") == position.game.seat_names[position.turn or 0]

    def no(self, key: str, paragraph: str, *lit: str, **values: Any) -> Refusal:
        """A refusal that cites the paragraph with this name.

        Highlighted places are crossed out: the impossible place, or the pieces in the way, but
        never a piece that can be moved.
        """
        return Refusal(self.position.game, key, paragraph, lit, values)

    def places(self, atoms: Iterable[str]) -> list[str]:
        """The atoms that are places on the table."""
        board = self.position.game.board
        known = {cell.id for cell in board.cells} | {area.atom for area in board.areas}
        return [atom for atom in dict.fromkeys(atoms) if atom in known]

    def rows(self, letter: str) -> list[str]:
        """The pieces of a column, from the North."""
        return [
            f"{letter}{row + 1}" for row in range(self.box.cells)
            if f"{letter}{row + 1}" in self.cells
        ]

    def nearest(self, letter: str) -> list[str]:
        """The pieces of a column, the nearest to the seat to move first."""
        return self.rows(letter) if self.north else self.rows(letter)[::-1]

    def further(self, letter: str, distance: int) -> str:
        """The column at a distance to the East; to the West if the distance is negative."""
        index = self.columns.index(letter) + distance
        return self.columns[index % len(self.columns)]

    def placing(self, atoms: Atoms) -> Refusal | None:
        """The fault while A chooses colours."""
        first, *rest = atoms
        if first in self.legal.next:
            return self.no("one-at-a-time", "place", *self.places(rest)) if rest else None
        if first in self.box.colours:
            alike = [place for place, piece in self.cells.items() if piece == first]
            return self.no("none-left", "pieces", *alike)
        if first == "repeat":
            return self.no("no-repeat", "repeat")
        return self.no("choose-colour", "place", *self.places([first]))

    def moving(self, atoms: Atoms) -> Refusal | None:
        """The fault of a move on the board."""
        first, *rest = atoms
        if first == "pass":
            if "pass" in self.legal.next:
                return None                 # more atoms follow, which the game does not explain
            playable = sorted({self.nearest(atom[0])[0] for atom in self.legal.next})
            return self.no("no-pass", "pass", *playable, pieces=playable)
        if "pass" in self.legal.next:
            return self.no("must-pass", "pass", *self.places(atoms[:1]))
        if not CELL.fullmatch(first):
            return self.no("piece-first", "proxime", *self.places([first]))
        letter = first[0]
        if letter not in self.columns:
            return self.no("gone", "closing", first, column=letter)
        if first not in self.cells:
            return self.no("nothing-there", "proxime", first, cell=first)
        pieces = self.nearest(letter)
        depth = pieces.index(first) + 1
        if depth > self.box.fact("taken"):
            return self.no(
                "not-proxime" if self.box.forces else "too-deep", "proxime",
                first, cell=first, proxime=pieces[0],
            )
        if not rest:
            return None if first in self.legal.next else self._nowhere(pieces, depth)
        to = rest[0]
        named = CELL.fullmatch(to) is not None
        if not named and not (self.box.stacks and to in LETTERS):
            key = ("column-next", "distance") if self.box.stacks else ("cell-next", "landing")
            return self.no(*key, *self.places([to]))
        if to[0] not in self.columns:
            return self.no("gone", "closing", to, column=to[0])
        going = self._going(pieces, depth, to)
        if going is None and named and self.box.stacks:
            return self.no("column-next", "distance", to)
        return going or self._landing(pieces, depth, rest)

    def _nowhere(self, pieces: list[str], depth: int) -> Refusal | None:
        """The reason why pieces that are near may go to no column, if it is always the same."""
        steps: Iterable[int] = range(depth, min(len(pieces), 3) + 1)
        if self.box.forces:
            force = int(self.cells[pieces[0]][-1])
            steps = (force, -force) if self.box.fact("both ways") else (force,)
        reasons = [self._going(pieces, depth, f"{self.further(pieces[0][0], n)}1") for n in steps]
        return next((reason for reason in reasons if reason is not None), None)

    def _going(self, pieces: list[str], depth: int, to: str) -> Refusal | None:
        """The reason why the pieces may not go to the column of `to`, if they may not."""
        box, source, target = self.box, pieces[0][0], to[0]
        count = depth
        if box.forces:
            force = int(self.cells[pieces[0]][-1])
            steps = (force, -force) if box.fact("both ways") else (force,)
            targets = [self.further(source, step) for step in steps]
            if target == self.further(source, -force) and target not in targets:
                return self.no("wrong-way", self.direction, to, column=target)
            if target not in targets:
                return self.no(
                    "not-so-far", "distance", to, force=force, targets=targets, column=target
                )
        else:
            reach = [self.further(source, number) for number in (1, 2, 3)]
            if target not in reach and target in [self.further(source, -n) for n in (1, 2, 3)]:
                return self.no("wrong-way", self.direction, to, column=target)
            if target not in reach:
                return self.no("too-far", "distance", to, column=target)
            count = reach.index(target) + 1
            if depth > count or len(pieces) < count:
                return self.no("not-nearest", "distance", to, count=count, column=target)
        taken = [self.cells[piece].partition(" ")[0] for piece in pieces[:count]]
        there = [self.cells[piece].partition(" ")[0] for piece in self.rows(target)]
        total = len(taken) + len(there)
        if total > box.cells:
            return self.no("no-room", "room", *self.rows(target), column=target)
        if box.fact("outgrow") and total <= len(pieces):
            return self.no(
                "too-small", "outgrow", *self.rows(target),
                column=target, total=total, source=len(pieces),
            )
        colour, most = Counter([*taken, *there]).most_common(1)[0]
        if most > box.fact("alike"):
            alike = [
                piece for piece in self.rows(target)
                if self.cells[piece].partition(" ")[0] == colour
            ]
            return self.no(
                "too-many-alike", "alike", *alike, column=target, most=box.fact("alike")
            )
        return None

    def _landing(self, pieces: list[str], depth: int, rest: list[str]) -> Refusal | None:
        """The fault in the landings, in a column to which the pieces may go."""
        to = rest[0]
        if self.box.stacks:
            node = self.legal.after(pieces[depth - 1])
            for atom in rest:
                if node is not None and atom not in node.next:
                    if atom in SIDES:
                        return self.no("no-choice", "landing", *self.rows(to), column=to)
                    if set(SIDES) <= node.next.keys():
                        return self.no("side-next", "landing", *self.places([atom]), column=to)
                node = node.next.get(atom) if node else None
            return None
        full = set(self.rows(to[0]))
        count = 1 if self.box.forces else self._count(pieces[0][0], to[0])
        left = pieces[:count]
        left.remove(pieces[depth - 1])
        waiting = [*rest]
        landed = 0
        while waiting:
            atom = waiting.pop(0)
            if landed == count:
                if len(full) == self.box.cells and self.box.goal:
                    return None if atom in full else self.no(
                        "take-from", "out", *self.places([atom]), column=to[0]
                    )
                return self.no("too-long", "distance", *self.places([atom]))
            if atom in left and landed and len(left) > 1:
                left.remove(atom)
                continue
            if not CELL.fullmatch(atom):
                return self.no("cell-next", "landing", *self.places([atom]))
            if atom[0] != to[0]:
                return self.no("together", "distance", atom, column=to[0])
            if atom in full:
                return self.no("occupied", "landing", atom, cell=atom)
            row = int(atom[1])
            if not {f"{to[0]}{row - 1}", f"{to[0]}{row + 1}"} & full:
                return self.no("not-beside", "landing", atom, cell=atom)
            full.add(atom)
            landed += 1
        return None

    def _count(self, source: str, target: str) -> int:
        return [self.further(source, number) for number in (1, 2, 3)].index(target) + 1
