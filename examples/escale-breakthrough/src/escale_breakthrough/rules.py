# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Breakthrough's rules: sixteen pieces each, the first on the far rank wins.

A cell is a bit, eight times its rank plus its file:

    8  56 57 58 59 60 61 62 63      North moves down
    7  48 …
    2   8  9 10 11 12 13 14 15
    1   0  1  2  3  4  5  6  7      South moves up
        a  b  c  d  e  f  g  h

A move is the cell a piece leaves (bits 0-5) and the cell it comes to (6-11).
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, add, lowest, u64
    from cython.cimports.escale.kernel.sides import SidesState
else:
    from escale.kernel.core import add, lowest, u64
    from escale.kernel.sides import SidesState

ONE = cython.declare(cython.const[u64], 1)
SOUTH = cython.declare(cython.const[u64], 0x000000000000FFFF)
NORTH = cython.declare(cython.const[u64], 0xFFFF000000000000)
FAR = cython.declare(u64[2], [0xFF00000000000000, 0x00000000000000FF])   # each seat's goal
FILE_A = cython.declare(cython.const[u64], 0x0101010101010101)
FILE_H = cython.declare(cython.const[u64], 0x8080808080808080)
MASK = cython.declare(cython.const[u64], 0xFFFFFFFFFFFFFFFF)

# How a game ends, in the order of the facts' list.
THROUGH = cython.declare(cython.const[cython.int], 0)
CAPTURED = cython.declare(cython.const[cython.int], 1)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def ahead(pieces: u64, turn: cython.int, aside: cython.int) -> u64:
    """The cells in front of some pieces: straight on, or to the West (-1) or the East (1)."""
    if aside < 0:
        pieces &= ~FILE_A & MASK
    elif aside > 0:
        pieces &= ~FILE_H & MASK
    if turn == 0:
        return (pieces << (8 + aside)) & MASK
    return pieces >> (8 - aside)


@cython.final
@cython.cclass
class BreakthroughState(SidesState):
    """Pieces on the board."""

    def __init__(self, own: object = SOUTH, enemy: object = NORTH, turn: cython.int = 0):
        SidesState.__init__(self, own, enemy, turn)
        self.won = self.own == 0 or self.enemy & FAR[1 - turn] != 0
        self.capacity = 48

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _result(self, shares: cython.p_double) -> cython.int:
        shares[self.turn] = 0.0
        shares[1 - self.turn] = 1.0
        return CAPTURED if self.own == 0 else THROUGH

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _legal_moves(self, out: Moves) -> cython.void:
        if self.won:
            return
        aside: cython.int
        for aside in range(-1, 2):
            barred = self.own | self.enemy if aside == 0 else self.own
            targets = ahead(self.own, self.turn, aside) & ~barred
            step: cython.int = 8 + aside if self.turn == 0 else aside - 8
            while targets:
                to: cython.int = lowest(targets)
                targets &= targets - 1
                add(out, cython.cast(u64, (to - step) | to << 6))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play(self, move: u64) -> cython.void:
        to = ONE << (move >> 6)
        own = self.own ^ ONE << (move & 63) | to
        enemy = self.enemy & ~to
        self.won = enemy == 0 or to & FAR[self.turn] != 0
        self.turned(own, enemy, 0)              # pieces only go forward: nothing comes again
