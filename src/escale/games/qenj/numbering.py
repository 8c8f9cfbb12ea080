# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Atoms of moves and observations, by numbers: batches of games are played with them.

`moves.py` says the same in words; docs/adapters.md has the order of the numbers. The number of a
cell is that of its column, times the cells of a column, plus its row.

These hooks are called from outside, never by the rules: they stand in a class from which that of
the rules inherits, which is final.
"""

from __future__ import annotations

import cython

from escale.games.qenj.geometry import FAMILY
from escale.games.qenj.ring import WORDS

if cython.compiled:
    from cython.cimports.escale.games.qenj.ring import PASS, PLAY, SIDES, nearest, target_of
    from cython.cimports.escale.kernel.core import State, lowest, u32, u64
else:
    from escale.games.qenj.ring import PASS, PLAY, SIDES, nearest, target_of
    from escale.kernel.core import State, lowest, u32, u64

#: The numbers of the atoms that are no cells; of several, the first. 0 if there are none.
ATOMS = {
    #                            Qenj 1  Qenj 2  Qenj 3  Qenj 4
    "column":                   (0,      108,    0,      0),
    "colour":                   (48,     120,    56,     56),
    "fill":                     (52,     123,    0,      0),
    "repeat":                   (0,      124,    0,      0),
    "redraw":                   (0,      0,      59,     0),
    "north":                    (53,     125,    60,     0),        # then South
    "pass":                     (55,     127,    62,     59),
}
NO_MORE = cython.declare(cython.const[cython.int], -1)

COLUMN = cython.declare(cython.int[4], list(ATOMS["column"]))
NORTH = cython.declare(cython.int[4], list(ATOMS["north"]))
#: By game and move, the atoms that belong to no piece.
WORD = cython.declare(cython.int[64], [
    ATOMS[WORDS[move]][game] if move in WORDS else ATOMS["colour"][game] + max(move - 1, 0)
    for game in range(4) for move in range(16)
])

# The family's page, for compiled code.
COLUMNS = cython.declare(cython.int[4], list(FAMILY["columns"]))
CELLS = cython.declare(cython.int[4], list(FAMILY["cells"]))
OF_FORCE = cython.declare(cython.int[4], list(FAMILY["forces"]))
GOAL = cython.declare(cython.int[4], list(FAMILY["out"]))
#: Kinds of pieces: every colour has four in games with forces; else one kind is for those out.
KINDS = cython.declare(cython.int[4], [
    4 * colours if forces else colours + 1
    for colours, forces in zip(FAMILY["colours"], FAMILY["forces"], strict=True)
])
#: The length of an observation: cells, dots beside columns, the seat in the North, pieces out.
OBSERVED = cython.declare(cython.int[4], [
    KINDS[game] * COLUMNS[game] * CELLS[game] + (COLUMNS[0] * CELLS[0] if game == 0 else 0)
    + 2 + (2 * (GOAL[game] + 1) if GOAL[game] else 0)
    for game in range(4)
])


@cython.cclass
class NumberedState(State):
    """The table, the sides of the seats, and the phase of the set-up."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _atom(self, move: u64, index: cython.int) -> cython.int:
        game: cython.int = self.game
        if self.phase != PLAY or move == PASS:
            if index > 0:
                return NO_MORE
            if self.phase == SIDES:
                return NORTH[game] + cython.cast(cython.int, move)
            return WORD[16 * game + cython.cast(cython.int, move & 15)]
        if COLUMN[game]:
            return self.stacked(move, index)
        return self.pointed(move, index)

    def pointed(self, move, index):
        """Each piece and its landing, in turn; the last of several needs no name. Then the piece
        that leaves a column just filled."""
        count: cython.int = cython.cast(cython.int, move >> 4 & 7) + 1
        named: cython.int = count - 1 if count > 1 else 1
        if index < 2 * named and index & 1 == 0:
            which: u64 = move >> (12 + 7 * (index >> 1)) & 7
            return self.taken(move, cython.cast(cython.int, which))
        row: u64 = move >> (8 + 7 * (index >> 1)) & 15
        if index >= count + named:
            row = (move >> 29 & 15) - 1
            if index > count + named or move >> 29 == 0:
                return NO_MORE
        return CELLS[self.game] * self.target(move) + cython.cast(cython.int, row)

    def stacked(self, move, index):
        """The deepest piece of a stack, its new column, and North or South for each piece that can
        go to either; in any order, each piece before its landing; the last needs no name."""
        i: cython.int
        count: cython.int = cython.cast(cython.int, move >> 4 & 7) + 1
        if index == 0:
            return self.taken(move, count - 1)
        target: cython.int = self.target(move)
        if index == 1:
            return COLUMN[1] + target
        index -= 2
        rows: u32 = self.tally[target] >> 20
        top: cython.int = nearest(rows, True)
        bottom: cython.int = nearest(rows, False)
        landings: u64 = move >> 8
        for i in range(count):
            if self.free and i < count - 1:
                if index == 0:
                    return self.taken(move, cython.cast(cython.int, landings >> 4 & 7))
                index -= 1
            row: cython.int = cython.cast(cython.int, landings & 15)
            if top > 0 and bottom < CELLS[1] - 1:
                if index == 0:
                    return NORTH[1] + (row > top)
                index -= 1
            elif not self.free:                 # the others have no choice either
                return NO_MORE
            if row < top:
                top = row
            else:
                bottom = row
            landings >>= 7
        return NO_MORE

    def taken(self, move, which):
        """The cell of a piece that a move takes, counted from the mover's end."""
        source: cython.int = cython.cast(cython.int, move & 15)
        rows: u32 = self.tally[source] >> 20
        north: cython.bint = self.turn == self.north
        if GOAL[self.game] == 0:                # such columns have no holes
            row: cython.int = nearest(rows, north)
            return CELLS[self.game] * source + (row + which if north else row - which)
        while which:
            rows ^= cython.cast(u32, 1) << nearest(rows, north)
            which -= 1
        return CELLS[self.game] * source + nearest(rows, north)

    def target(self, move):
        """The column where the pieces of a move arrive."""
        game: cython.int = self.game
        north: cython.bint = self.turn == self.north
        return target_of(move, self.columns, self.tally, COLUMNS[game], OF_FORCE[game], north)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observed(self) -> cython.int:
        return OBSERVED[self.game]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observe(self, seat: cython.int, out: cython.p_float) -> cython.void:
        i: cython.int
        game: cython.int = self.game
        cells: cython.int = CELLS[game]
        plane: cython.int = COLUMNS[game] * cells
        for i in range(COLUMNS[game]):
            rows: u32 = self.tally[i] >> 20
            while rows:
                row: cython.int = lowest(rows)
                rows &= rows - 1
                piece: cython.int = cython.cast(cython.int, self.columns[i] >> 5 * row & 31) - 4
                out[plane * (piece if OF_FORCE[game] else piece >> 2) + cells * i + row] = 1.0
        at: cython.int = plane * KINDS[game]
        if game == 0:
            for i in range(COLUMNS[0]):
                dot: cython.int = cython.cast(cython.int, self.dots >> 3 * i & 7)
                if dot:
                    out[at + dot - 1] = 1.0
                at += cells
        if self.north >= 0:
            out[at + self.north] = 1.0
        if GOAL[game]:
            out[at + 2 + self.out_a] = 1.0
            out[at + 3 + GOAL[game] + self.out_b] = 1.0
