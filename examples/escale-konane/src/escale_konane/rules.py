# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Konane's rules: a full board, two stones taken away, then straight jumps; the last to jump wins.

A cell is a bit, eight times its rank plus its file; `b` is a black stone, `w` a white one:

    8  56 57 58 …     w b w b w b w b
    2   8  9 10 …     w b w b w b w b
    1   0  1  2 …     b w b w b w b w
        a  b  c

A move is the cell a stone leaves (bits 0-5) and the cell it comes to (6-11): the same one where a
stone is taken away. What lies between was jumped.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, add, add_each, lowest, rotated, u64
    from cython.cimports.escale.kernel.sides import SidesState
else:
    from escale.kernel.core import add, add_each, lowest, rotated, u64
    from escale.kernel.sides import SidesState

ONE = cython.declare(cython.const[u64], 1)
ALL = cython.declare(cython.const[u64], 0xFFFFFFFFFFFFFFFF)
BLACK = cython.declare(cython.const[u64], 0xAA55AA55AA55AA55)
WHITE = cython.declare(cython.const[u64], 0x55AA55AA55AA55AA)
FIRST = cython.declare(cython.const[u64], 0x8000001008000001)      # a1, d4, e5, h8
STRIDE = cython.declare(cython.int[4], [8, -8, 1, -1])              # North, South, East, West
INSIDE = cython.declare(u64[4], [                                   # from where a step stays inside
    0x00FFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF00, 0x7F7F7F7F7F7F7F7F, 0xFEFEFEFEFEFEFEFE,
])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def ahead(cells: u64, way: cython.int) -> u64:
    """The cells one step further."""
    return rotated(cells & INSIDE[way], STRIDE[way])


@cython.final
@cython.cclass
class KonaneState(SidesState):
    """Stones on the board."""

    def __init__(self, own: object = BLACK, enemy: object = WHITE, turn: cython.int = 0):
        SidesState.__init__(self, own, enemy, turn)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _legal_moves(self, out: Moves) -> cython.void:
        empty: u64 = ~(self.own | self.enemy) & ALL
        way: cython.int
        if empty & (empty - 1) == 0:            # the first two moves take a stone away
            taken: u64 = FIRST
            if empty:
                taken = 0
                for way in range(4):
                    taken |= ahead(empty, way)
            add_each(out, self.own & taken, 0, 65)
            return
        for way in range(4):
            start = self.own
            landed: u64 = start
            hops: cython.int = 0
            while landed:                       # all stones at once, a hop further each time
                landed = ahead(ahead(landed, way) & self.enemy, way) & empty
                hops += 1
                ends = landed
                while ends:
                    end: cython.int = lowest(ends)
                    ends &= ends - 1
                    add(out, cython.cast(u64, end - 2 * hops * STRIDE[way] | end << 6))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play(self, move: u64) -> cython.void:
        start: cython.int = cython.cast(cython.int, move & 63)
        end: cython.int = cython.cast(cython.int, move >> 6)
        own: u64 = self.own & ~(ONE << start)
        enemy: u64 = self.enemy
        if start != end:
            own |= ONE << end
            step: cython.int = 8 if (end - start) % 8 == 0 else 1
            if end < start:
                step = -step
            while start != end:
                enemy &= ~(ONE << (start + step))
                start += 2 * step
        self.turned(own, enemy, 0)              # stones only leave: nothing comes again

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _result(self, shares: cython.p_double) -> cython.int:
        shares[self.turn] = 0.0
        shares[1 - self.turn] = 1.0
        return 0
