"""Moves of the family in words: what one points at, and what happens on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from escale.games.qenj.box import LETTERS, Box, cell
from escale.games.qenj.rules import PHASES, WORDS
from escale.games.qenj.rules import Qenj as Rules
from escale.kernel import CHANCE
from escale.play.moves import Atoms, Event

SIDES = ("north", "south")
SEATS = ("A", "B")


class Transfer(NamedTuple):
    """A move on the board: columns and rows are numbers from 0."""

    source: int
    target: int
    rows: tuple[int, ...]
    """The rows of the pieces taken, the nearest to the mover first."""
    landings: tuple[tuple[int, int], ...]
    """Which piece lands, and on which row, in order."""
    taken_out: int | None
    """The row of the piece that leaves the full column."""


def ring(rules: Rules) -> list[int]:
    """The columns that remain, from West to East."""
    return [column for column, word in enumerate(rules.words()) if word]


def occupied(word: int, cells: int) -> list[int]:
    """The rows of a column on which a piece stands, from the North."""
    return [row for row in range(cells) if word >> 5 * row & 31]


def transfer(box: Box, rules: Rules, move: int) -> Transfer:
    """What the number of a move on the board means."""
    source, count, west = move & 15, (move >> 4 & 7) + 1, move >> 7 & 1
    words, columns = rules.words(), ring(rules)
    rows = occupied(words[source], box.cells)
    if rules.turn != rules.north:
        rows.reverse()
    distance = words[source] >> 5 * rows[0] & 3 if box.forces else count
    index = columns.index(source) + (-distance if west else distance)
    codes = [move >> 8 + 7 * i for i in range(count)]
    landings = tuple((code >> 4 & 7, code & 15) for code in codes)
    filled = len(occupied(words[columns[index % len(columns)]], box.cells)) + count == box.cells
    taken_out = (move >> 29 & 15) - 1 if box.goal and filled else None
    return Transfer(
        source, columns[index % len(columns)], tuple(rows[:count]), landings, taken_out
    )


def atoms(box: Box, rules: Rules, move: int) -> Atoms:
    """What one points at to make a move."""
    phase = PHASES[rules.phase]
    if phase == "play":
        return ("pass",) if move == 15 else _pointed(box, rules, transfer(box, rules, move))
    if phase == "sides":
        return (SIDES[move],)
    if phase == "shuffle":
        return (cell(rules.step, move),)
    if phase == "colours" and move in WORDS:
        return (WORDS[move],)
    if phase == "colours" and rules.turn != CHANCE:
        return (box.colours[move - 1],)
    drawn = str(move) if phase == "forces" else box.colours[move - 1]
    return (cell(*box.spot(rules.dots, rules.step)), drawn)


def _pointed(box: Box, rules: Rules, move: Transfer) -> Atoms:
    """A piece and the cell where it lands; or, for a stack, its deepest piece, the column where
    it arrives, and North or South for each piece that can go to either.

    The last of several pieces needs no name.
    """
    atoms = []
    if box.stacks:
        atoms += [cell(move.source, move.rows[-1]), LETTERS[move.target]]
    taken = occupied(rules.words()[move.target], box.cells)
    for number, (which, row) in enumerate(move.landings, 1):
        piece = cell(move.source, move.rows[which])
        last = number == len(move.landings)
        if not box.stacks:
            atoms += [cell(move.target, row)] if last and number > 1 else [
                piece, cell(move.target, row)
            ]
            continue
        if rules.free and not last:
            atoms.append(piece)
        if taken[0] > 0 and taken[-1] < box.cells - 1:
            atoms.append(SIDES[row > taken[0]])
        taken = sorted([*taken, row])
    if move.taken_out is not None:
        atoms.append(cell(move.target, move.taken_out))
    return tuple(atoms)


def events(box: Box, rules: Rules, move: int) -> Iterator[Event]:
    """What happens on the table during a move."""
    phase = PHASES[rules.phase]
    if phase == "play":
        if move == 15:
            yield Event(kind="passed", at=SEATS[rules.turn])
        else:
            yield from _moved(box, rules, transfer(box, rules, move))
    elif phase == "sides":
        north = rules.turn ^ move
        yield Event(kind="seated", at="north", to=SEATS[north])
    elif phase == "shuffle":
        yield Event(kind="laid", at=LETTERS[rules.step], to=cell(rules.step, move))
    elif phase == "forces":
        column, row = box.spot(rules.dots, rules.step)
        piece = rules.words()[column] >> 5 * row & 31
        yield Event(kind="turned", piece=box.name(piece | move), at=cell(column, row))
    elif move in WORDS:
        yield from _of_button(box, rules, WORDS[move])
    else:
        spot = cell(*box.spot(rules.dots, rules.step))
        yield Event(kind="placed", piece=box.colours[move - 1], to=spot)


def _moved(box: Box, rules: Rules, move: Transfer) -> Iterator[Event]:
    words = rules.words()
    column = {
        row: box.name(words[move.target] >> 5 * row & 31)
        for row in occupied(words[move.target], box.cells)
    }
    for which, row in move.landings:
        start = move.rows[which]
        column[row] = box.name(words[move.source] >> 5 * start & 31)
        yield Event(
            kind="moved", piece=column[row],
            at=cell(move.source, start), to=cell(move.target, row),
        )
    if move.taken_out is not None:
        yield Event(
            kind="taken", piece=column[move.taken_out],
            at=cell(move.target, move.taken_out), to=f"{SEATS[rules.turn]} out",
        )
    if len(move.rows) == len(occupied(words[move.source], box.cells)):
        yield Event(kind="closed-up", at=LETTERS[move.source])


def _of_button(box: Box, rules: Rules, word: str) -> Iterator[Event]:
    words = rules.words()
    spots = [box.spot(rules.dots, step) for step in range(rules.step)]
    if word == "repeat":
        for column, row in spots[-3:]:
            colour = box.name(words[column] >> 5 * row & 31)
            yield Event(kind="placed", piece=colour, to=cell(column + 1, row))
    elif word == "redraw":
        yield Event(kind="cleared")
    else:
        yield Event(kind="filling")
