# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Canoë's rules: thirteen pegs each, two separate canoes win.

A hole is a bit; `geometry.py` draws them. A move is the hole a peg leaves (bits 0-5) and the hole
it comes to (6-11); 63 stands for the reserve. From the reserve to the reserve is the swap.
"""

from __future__ import annotations

import cython

from escale.games.canoe import geometry

if cython.compiled:
    from cython.cimports.escale.kernel.core import (
        Moves,
        State,
        add,
        add_each,
        lowest,
        mark_each,
        mix,
        u64,
    )
else:
    from escale.kernel.core import State, add, add_each, lowest, mark_each, mix, u64

BOARD = cython.declare(u64, geometry.BOARD)
NOWHERE = cython.declare(cython.const[u64], 0xFFFFFFFFFFFFFFFF)
ONE = cython.declare(cython.const[u64], 1)
RESERVE = cython.declare(cython.const[u64], 63)
SWAP = cython.declare(cython.const[u64], 0xFFF)
PEGS = cython.declare(cython.const[cython.int], 13)
MAX_PLIES = cython.declare(cython.const[cython.int], 200)

# Atoms are the holes by their numbers, then these two; and the number after the last.
HOLES = cython.declare(cython.const[cython.int], 61)
BACK = cython.declare(cython.const[cython.int], 61)
SWAPPED = cython.declare(cython.const[cython.int], 62)
NO_MORE = cython.declare(cython.const[cython.int], -1)

# The endings, in the order of the facts' list.
CANOES = cython.declare(cython.const[cython.int], 0)
REPETITION = cython.declare(cython.const[cython.int], 1)
LENGTH = cython.declare(cython.const[cython.int], 2)

# For each hole its neighbours; and the four canoes that have it as the left or lower one of their
# two middle pegs: their pegs, and the holes around, which must be free of pegs of the same colour.
NEIGHBOURS = cython.declare(u64[61])
CANOE = cython.declare(u64[244])
AROUND = cython.declare(u64[244])
if not cython.compiled:
    NEIGHBOURS, CANOE, AROUND = [0] * 61, [0] * 244, [0] * 244


def fill_tables() -> None:
    """Put the geometry where compiled code finds it."""
    i: cython.int
    for i in range(61):
        NEIGHBOURS[i] = geometry.NEIGHBOURS[i]
    for i in range(244):
        CANOE[i] = NOWHERE
    for canoe in geometry.CANOES:
        CANOE[canoe.number] = canoe.pegs
        AROUND[canoe.number] = canoe.around


fill_tables()


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def valid(pegs: u64, i: cython.int) -> cython.int:
    """1 if canoe i is there and keeps its distance."""
    return 1 if pegs & CANOE[i] == CANOE[i] and pegs & AROUND[i] == 0 else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def canoes(pegs: u64) -> cython.int:
    """The number of valid canoes among the pegs of one colour."""
    count = 0
    # Two middle pegs differ by 1 side by side, by 12 or 13 one above the other. Others may, too,
    # but they have no canoes in the tables.
    level = pegs & pegs >> 1
    while level:
        i = 4 * lowest(level)
        level &= level - 1
        count += valid(pegs, i) + valid(pegs, i + 1)
    upright = pegs & (pegs >> 12 | pegs >> 13)
    while upright:
        i = 4 * lowest(upright)
        upright &= upright - 1
        count += valid(pegs, i + 2) + valid(pegs, i + 3)
    return count


@cython.final
@cython.cclass
class CanoeState(State):
    """Pegs on the board; the rest of the thirteen are in the reserve."""

    def __init__(
        self, own: int = 0, enemy: int = 0, turn: cython.int = 0, swaps: cython.bint = False
    ):
        State.__init__(self)
        self.own = own
        self.enemy = enemy
        self.own_reserve = PEGS - int(own).bit_count()
        self.enemy_reserve = PEGS - int(enemy).bit_count()
        self.turn = turn
        self.won = canoes(self.enemy) >= 2
        self.swaps = swaps
        self.resume(0, 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self) -> u64:
        return mix(mix(mix(1, self.turn), self.own), self.enemy)

    def plies_left(self) -> int:
        """The number of further plies after which the game ends in any case."""
        return MAX_PLIES - self.plies

    def may_swap(self):
        """Whether it is Dark's first turn: Light has one peg, and Dark may take its hole."""
        return (
            self.plies == 1 and self.swaps and self.turn == 1
            and self.own_reserve == PEGS and self.enemy_reserve == PEGS - 1
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _result(self, shares: cython.p_double) -> cython.int:
        if self.won:
            shares[self.turn] = 0.0
            shares[1 - self.turn] = 1.0
            return CANOES
        shares[0] = shares[1] = 0.5
        return REPETITION if self.occurrences >= 3 else LENGTH

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _legal_moves(self, out: Moves) -> cython.void:
        if self.won or self.plies >= MAX_PLIES or self.occurrences >= 3:
            return
        empty = BOARD & ~(self.own | self.enemy)
        if self.own_reserve:
            add_each(out, empty, RESERVE, 64)
        pegs = self.own
        while pegs:
            hole = lowest(pegs)
            pegs &= pegs - 1
            add(out, hole | RESERVE << 6)
            add_each(out, NEIGHBOURS[hole] & empty, hole, 64)
        if self.may_swap():
            add(out, SWAP)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play(self, move: u64) -> cython.void:
        own = self.own
        reserve = self.own_reserve
        if move == SWAP:
            # Light has one peg and Dark none: they exchange their pegs.
            own, self.enemy = self.enemy, own
            reserve, self.enemy_reserve = self.enemy_reserve, reserve
        else:
            if move & 63 == RESERVE:
                reserve -= 1
            else:
                own ^= ONE << (move & 63)
            if move >> 6 == RESERVE:
                reserve += 1
            else:
                own |= ONE << (move >> 6)
        self.own = self.enemy
        self.own_reserve = self.enemy_reserve
        self.enemy = own
        self.enemy_reserve = reserve
        self.turn ^= 1
        self.plies += 1
        self.won = reserve <= PEGS - 8 and canoes(own) >= 2
        self.record(self._key(), self.recorded)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _atom(self, move: u64, index: cython.int) -> cython.int:
        """The hole of a new peg, or the peg and its new hole, or the swap."""
        leaves: cython.int = cython.cast(cython.int, move & 63)
        comes: cython.int = cython.cast(cython.int, move >> 6)
        if leaves == RESERVE:
            if index > 0:
                return NO_MORE
            return SWAPPED if comes == RESERVE else comes
        if index == 0:
            return leaves
        if index > 1:
            return NO_MORE
        return BACK if comes == RESERVE else comes

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observed(self) -> cython.int:
        return 2 * (HOLES + PEGS + 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observe(self, seat: cython.int, out: cython.p_float) -> cython.void:
        side: cython.int
        for side in range(2):
            mine: cython.bint = side == self.turn
            mark_each(out, HOLES * side, self.own if mine else self.enemy)
            out[2 * HOLES + (PEGS + 1) * side + (
                self.own_reserve if mine else self.enemy_reserve
            )] = 1.0
