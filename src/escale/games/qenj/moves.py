"""Moves of the family: their atoms, and their changes on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from escale.game.changes import Change
from escale.game.moves import Atoms
from escale.games.qenj.box import LETTERS, Box, cell
from escale.games.qenj.ring import PASS, PHASES, WORDS
from escale.games.qenj.rules import QenjState
from escale.kernel import CHANCE

SIDES = ("north", "south")
SEATS = ("A", "B")
#: By the number of pieces: the bits of a move that say on which rows they land.
ROWS = [sum(15 << 8 + 7 * i for i in range(count)) for count in range(9)]
#: The cells of every column, from the North.
CELLS = [[cell(column, row) for row in range(16)] for column in range(len(LETTERS))]


class Trip(NamedTuple):
    """The pieces of a move, its source and its target: the first byte of a move."""

    source: int
    target: int
    taken: tuple[str, ...]
    """The cells of the pieces taken, the nearest to the mover first."""
    fills: bool
    """Whether one of the target's pieces is then taken out."""
    held: tuple[int, int]
    """The first and the last row of the target on which a piece stands."""


class Columns:
    """The columns of one position, read once for all of its moves."""

    def __init__(self, box: Box, words: tuple[int, ...], north: bool, free: bool) -> None:
        self.box = box
        self.words = words
        self.north = north
        """Whether the seat in the North is to move."""
        self.free = free
        self.ring = [column for column, word in enumerate(words) if word]
        self.trip = cache(self._trip)

    def piece(self, place: str) -> str:
        """The name of the piece on a cell."""
        word = self.words[LETTERS.index(place[0])]
        return self.box.name(word >> 5 * (int(place[1]) - 1) & 31)

    def _trip(self, head: int) -> Trip:
        source, count, west = head & 15, (head >> 4 & 7) + 1, head >> 7
        rows = occupied(self.words[source], self.box.cells)
        if not self.north:
            rows.reverse()
        distance = self.words[source] >> 5 * rows[0] & 3 if self.box.forces else count
        index = self.ring.index(source) + (-distance if west else distance)
        target = self.ring[index % len(self.ring)]
        there = occupied(self.words[target], self.box.cells)
        return Trip(
            source, target, tuple(cell(source, row) for row in rows[:count]),
            fills=self.box.goal > 0 and len(there) + count == self.box.cells,
            held=(there[0], there[-1]),
        )

    def landings(self, move: int) -> list[tuple[int, int]]:
        """For each landing, in order, the piece and its row."""
        codes = (move >> 8 + 7 * i for i in range((move >> 4 & 7) + 1))
        return [(code >> 4 & 7, code & 15) for code in codes]

    def pointed(self, move: int) -> Atoms:
        """A piece and the cell where it lands; or, for a stack, its deepest piece, the column where
        it arrives, and North or South for each piece that can go to either.

        The last of several pieces needs no name.
        """
        trip = self.trip(move & 255)
        if self.box.stacks:
            return self._stacked(trip, move)
        taken, cells = trip.taken, CELLS[trip.target]
        code = move >> 8
        if len(taken) == 1:
            atoms = [taken[code >> 4 & 7], cells[code & 15]]
        else:
            atoms = []
            for _ in taken[1:]:
                atoms += taken[code >> 4 & 7], cells[code & 15]
                code >>= 7
            atoms.append(cells[code & 15])
        if trip.fills:
            atoms.append(self.taken_out(trip, move))
        return tuple(atoms)

    def _stacked(self, trip: Trip, move: int) -> Atoms:
        count = len(trip.taken)
        sides = sides_of(self.box.cells, *trip.held, count, move & ROWS[count])
        if not self.free:
            return (trip.taken[-1], LETTERS[trip.target], *filter(None, sides))
        atoms = [trip.taken[-1], LETTERS[trip.target]]
        which = move >> 12
        for side in sides[:-1]:
            atoms.append(trip.taken[which & 7])
            which >>= 7
            if side:
                atoms.append(side)
        return (*atoms, sides[-1]) if sides[-1] else tuple(atoms)

    def taken_out(self, trip: Trip, move: int) -> str:
        """The cell of the piece that leaves the column just filled."""
        return cell(trip.target, (move >> 29 & 15) - 1)

    def changes(self, move: int, seat: str) -> Iterator[Change]:
        """The changes on the table."""
        trip = self.trip(move & 255)
        landed: dict[str, str] = {}
        for which, row in self.landings(move):
            at, to = trip.taken[which], cell(trip.target, row)
            landed[to] = self.piece(at)
            yield Change.moved(landed[to], at, to)
        if trip.fills:
            out = self.taken_out(trip, move)
            piece = landed.get(out) or self.piece(out)
            yield Change.taken(piece, out, f"{seat} out")
        if len(trip.taken) == len(occupied(self.words[trip.source], self.box.cells)):
            column = LETTERS[trip.source]
            yield Change(kind="closed-up", at=column, cells={column: None})


@lru_cache(maxsize=50_000)
def sides_of(cells: int, top: int, bottom: int, count: int, rows: int) -> tuple[str | None, ...]:
    """North or South for each landing in a column that is held from `top` to `bottom`.

    Empty if there is no choice.
    """
    sides: list[str | None] = []
    for number in range(count):
        row = rows >> 8 + 7 * number & 15
        choice = top > 0 and bottom < cells - 1
        sides.append(SIDES[row > top] if choice else None)
        top, bottom = min(top, row), max(bottom, row)
    return tuple(sides)


@lru_cache(maxsize=8)
def _table(box: Box, words: tuple[int, ...], north: bool, free: bool) -> Columns:
    return Columns(box, words, north, free)


def table(box: Box, state: QenjState) -> Columns:
    """The columns as the seat to move sees them."""
    return _table(box, tuple(state.words()), state.turn == state.north, state.free)


def occupied(word: int, cells: int) -> list[int]:
    """The rows of a column on which a piece stands, from the North."""
    return [row for row in range(cells) if word >> 5 * row & 31]


def spelled(box: Box, state: QenjState, moves: Iterable[int]) -> list[Atoms]:
    """The atoms of each of these moves."""
    if PHASES[state.phase] != "play":
        return [_of_setup(box, state, move) for move in moves]
    pointed = table(box, state).pointed
    return [("pass",) if move == PASS else pointed(move) for move in moves]


def _of_setup(box: Box, state: QenjState, move: int) -> Atoms:
    phase = PHASES[state.phase]
    if phase == "sides":
        return (SIDES[move],)
    if phase == "shuffle":
        return (cell(state.step, move),)
    if phase == "colours" and move in WORDS:
        return (WORDS[move],)
    if phase == "colours" and state.turn != CHANCE:
        return (box.colours[move - 1],)
    drawn = str(move) if phase == "forces" else box.colours[move - 1]
    return (cell(*box.spot(state.dots, state.step)), drawn)


def changes(box: Box, state: QenjState, move: int) -> Iterator[Change]:
    """The changes on the table during a move."""
    phase = PHASES[state.phase]
    if phase == "play":
        seat = SEATS[state.turn]
        if move == PASS:
            yield Change(kind="passed", at=seat)
        else:
            yield from table(box, state).changes(move, seat)
    elif phase == "sides":
        seat = SEATS[state.turn ^ move]
        yield Change(kind="seated", at="north", to=seat, cells={"north": seat})
    elif phase == "shuffle":
        column, spot = LETTERS[state.step], cell(state.step, move)
        yield Change(kind="laid", at=column, to=spot, cells={column: spot})
    elif phase == "colours" and move in WORDS:
        yield from _of_button(box, state, WORDS[move])
    else:
        spot = cell(*box.spot(state.dots, state.step))
        if phase == "colours":
            yield Change.placed(box.colours[move - 1], spot)
        else:
            colour = table(box, state).piece(spot)
            yield Change.turned(f"{colour} {move}", spot)


def _of_button(box: Box, state: QenjState, word: str) -> Iterator[Change]:
    if word == "repeat":
        for step in range(state.step - 3, state.step):
            column, row = box.spot(state.dots, step)
            colour = table(box, state).piece(cell(column, row))
            yield Change.placed(colour, cell(column + 1, row))
    elif word == "redraw":
        pieces = [
            cell(column, row) for column, held in enumerate(state.words())
            for row in occupied(held, box.cells)
        ]
        dots = [LETTERS[column] for column in range(box.columns) if state.dots >> 3 * column & 7]
        yield Change(kind="cleared", cells=dict.fromkeys([*pieces, *dots]))
    else:
        yield Change(kind="filling")
