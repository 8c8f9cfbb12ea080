# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Connect Four's rules: the one game that stands in OpenSpiel and in pgx too, for `adapters.py`.

A cell is a bit, seven times its column plus its row; the seventh row of a column stays empty, so
that lines do not run from one column into the next:

     6  13  20  27  34  41  48      always empty
     5  12  19  26  33  40  47
     …
     0   7  14  21  28  35  42

A move is a column. It is one atom, as it is one action in the other libraries.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, State, add, mix, u64
else:
    from escale.kernel.core import State, add, mix, u64

ONE = cython.declare(cython.const[u64], 1)
COLUMN = cython.declare(cython.const[u64], 0b111111)
FULL = cython.declare(cython.const[cython.int], 42)

# How a game ends.
FOUR = cython.declare(cython.const[cython.int], 0)
DRAWN = cython.declare(cython.const[cython.int], 1)

NO_MORE = cython.declare(cython.const[cython.int], -1)      # atoms


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def in_line(discs: u64, by: cython.int) -> cython.bint:
    """Whether four of these discs stand in a line, each `by` after the one before."""
    pairs: u64 = discs & discs >> by
    return pairs & pairs >> 2 * by != 0


@cython.final
@cython.cclass
class ConnectFourState(State):
    """Discs in the frame."""

    own: u64            # discs of the seat to move
    enemy: u64
    won: cython.bint    # by the last move

    def __init__(self):
        State.__init__(self)
        self.own = self.enemy = 0
        self.won = False
        self.capacity = 7
        self.resume(0, 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self) -> u64:
        return mix(mix(self.turn, self.own), self.enemy)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _result(self, shares: cython.p_double) -> cython.int:
        shares[self.turn] = 0.0 if self.won else 0.5
        shares[1 - self.turn] = 1.0 if self.won else 0.5
        return FOUR if self.won else DRAWN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _legal_moves(self, out: Moves) -> cython.void:
        column: cython.int
        if self.won:
            return
        discs: u64 = self.own | self.enemy
        for column in range(7):
            if not discs >> (7 * column + 5) & 1:
                add(out, column)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play(self, move: u64) -> cython.void:
        discs: u64 = self.own | self.enemy
        own: u64 = self.own | (discs + (ONE << 7 * move)) & (COLUMN << 7 * move)
        self.won = in_line(own, 1) or in_line(own, 6) or in_line(own, 7) or in_line(own, 8)
        self.own, self.enemy = self.enemy, own
        self.turn ^= 1
        self.plies += 1
        self.record(self._key(), 0)             # discs stay: nothing comes again

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _atom(self, move: u64, index: cython.int) -> cython.int:
        return cython.cast(cython.int, move) if index == 0 else NO_MORE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observed(self) -> cython.int:
        return 2 * FULL

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observe(self, seat: cython.int, out: cython.p_float) -> cython.void:
        cell: cython.int
        for cell in range(FULL):
            at: cython.int = cell + cell // 6
            out[cell] = cython.cast(cython.float, self.own >> at & 1)
            out[FULL + cell] = cython.cast(cython.float, self.enemy >> at & 1)
