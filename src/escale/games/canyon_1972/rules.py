# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The rules of Canyon (1972): steps, chains of jumps, captures, and sums of row values.

A cell is a bit, eight to a rank; `geometry.py` draws them.

A move is its effect, without its way: the start (bits 0-5), the end (6-11) and the captured
enemies (12-26), the enemy on the lowest bit first. A pass is 0. A chain that ends on its start
leaves the same table for each pawn that can make it: it is written once, for the first such pawn.

The search for chains. A jump goes two cells on, so the cells on which a pawn can land and those of
the pawns it jumps are never the same, and the free landings do not change on the way.
Landings joined by jumps over friends are therefore one *part*: a pawn that reaches one reaches all.
The search then has to find the parts in reach for each set of captured enemies. A capture
adds to the set, so if sets are taken in the order of their numbers, each is complete when its
turn comes: every chain, however long, in one pass, without a table that could be too small.
"""

from __future__ import annotations

import cython

from escale.games.canyon_1972 import geometry

if cython.compiled:
    from cython.cimports.escale.games.canyon_1972.chains import spell
    from cython.cimports.escale.kernel.core import (
        Moves,
        State,
        add,
        add_each,
        lowest,
        mark_each,
        mix,
        rotated,
        u64,
    )
else:
    from escale.games.canyon_1972.chains import spell
    from escale.kernel.core import State, add, add_each, lowest, mark_each, mix, rotated, u64

ONE = cython.declare(cython.const[u64], 1)
ALL = cython.declare(cython.const[u64], 0xFFFFFFFFFFFFFFFF)
H8 = cython.declare(cython.const[u64], 0x8000000000000000)
PASS = cython.declare(cython.const[u64], 0)
CAPACITY = cython.declare(cython.const[cython.int], 65536)      # the most ever found is 57,415
MAX_QUIET = cython.declare(cython.const[cython.int], 100)
MAX_PLIES = cython.declare(cython.const[cython.int], 600)
MAX_SUM = cython.declare(cython.double, max(geometry.BEST))
NO_MORE = cython.declare(cython.const[cython.int], -1)          # atoms

# The endings, in the order of the facts' list.
FINISHED = cython.declare(cython.const[cython.int], 0)
NO_PAWNS = cython.declare(cython.const[cython.int], 1)
PASSES = cython.declare(cython.const[cython.int], 2)
REPETITION = cython.declare(cython.const[cython.int], 3)
NO_PROGRESS = cython.declare(cython.const[cython.int], 4)
LENGTH = cython.declare(cython.const[cython.int], 5)

# For each direction, the stride of a step, and the cells from which it stays on the board.
STRIDE = cython.declare(cython.int[8], geometry.STRIDES)
INSIDE = cython.declare(u64[8], geometry.INSIDE)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def ahead(cells: u64, k: cython.int) -> u64:
    """`cells` one step on in direction k, where k ^ 1 is the opposite."""
    return rotated(cells & INSIDE[k], STRIDE[k])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def value(cell: cython.int, seat: cython.int) -> cython.int:
    """The value of a cell for a seat."""
    red = (cell & 7) + (cell >> 3) + 1
    return red if seat == 0 else 16 - red


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def total(pawns: u64, seat: cython.int) -> cython.int:
    """The value of a seat's pawns for that seat."""
    points = 0
    while pawns:
        points += value(lowest(pawns), seat)
        pawns &= pawns - 1
    return points


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def highest(pawns: u64, barred: u64, seat: cython.int) -> cython.int:
    """The most that this number of pawns can be worth to a seat on cells that are not `barred`."""
    points = 0
    worth = 15
    row = H8 if seat == 0 else ONE
    while pawns:
        cells = row & ~barred
        while cells and pawns:
            points += worth
            cells &= cells - 1
            pawns &= pawns - 1
        row = ahead(row, 1) | ahead(row, 3) if seat == 0 else ahead(row, 0) | ahead(row, 2)
        worth -= 1
    return points


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def single(enemy: u64, enemies: u64) -> cython.int:
    """The set of captures with only one enemy."""
    captured = 1
    below = enemies & (enemy - 1)
    while below:
        below &= below - 1
        captured <<= 1
    return captured


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part(cells: u64, friends: u64, free: u64) -> u64:
    """The landings that jumps over friends join to `cells`, and `cells`."""
    reached: u64 = 0
    while cells != reached:
        reached = cells
        for k in range(8):
            cells |= ahead(ahead(reached, k) & friends, k) & free
    return reached


@cython.final
@cython.cclass
class CanyonState(State):
    """Pawns on the board, their values, and the facts on which the endings depend."""

    def __init__(
        self,
        own: int = 0,
        enemy: int = 0,
        turn: cython.int = 0,
        canyon: int = 0,
        own_best: cython.int = 0,
        enemy_best: cython.int = 0,
        quiet: cython.int = 0,
        passed: cython.int = 0,
    ):
        State.__init__(self)
        self.capacity = CAPACITY
        self.own = own
        self.enemy = enemy
        self.turn = turn
        self.canyon = canyon
        self.own_sum = total(self.own, turn)
        self.enemy_sum = total(self.enemy, 1 - turn)
        self.own_best = max(own_best, self.own_sum)
        self.enemy_best = max(enemy_best, self.enemy_sum)
        self.quiet = quiet
        self.passed = passed
        self.finished = passed == 0 and self.enemy_at_best()
        self.resume(0, 1)

    def possible(self) -> tuple[int, int]:
        """The best sums that the seat to move and the other can have with their present pawns."""
        return (
            highest(self.own, self.enemy | self.canyon, self.turn),
            highest(self.enemy, self.own | self.canyon, 1 - self.turn),
        )

    def plies_left(self) -> int:
        """The number of further plies after which the game ends in any case."""
        return MAX_PLIES - self.plies

    def quiet_left(self) -> int:
        """The number of further plies without progress after which the game ends."""
        return MAX_QUIET - self.quiet

    def enemy_at_best(self):
        """Whether the seat that is not to move has its best sum; never while its 15 is empty."""
        if not (self.own | self.enemy) & (ONE if self.turn == 0 else H8):
            return False
        return self.enemy_sum == highest(self.enemy, self.own | self.canyon, 1 - self.turn)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self) -> u64:
        return mix(mix(mix(1, self.turn), self.own), self.enemy)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _circumstances(self) -> u64:
        """The counts of passes and of moves without progress, and the best sums so far."""
        return cython.cast(u64, (
            self.own_best << 20 | self.enemy_best << 10 | self.quiet << 2 | self.passed
        ))

    def ending(self):
        """The ending of the game, or -1."""
        if self.own == 0 or self.enemy == 0: return NO_PAWNS
        if self.finished and self.plies: return FINISHED
        if self.passed >= 2: return PASSES
        if self.occurrences >= 3: return REPETITION
        if self.quiet >= MAX_QUIET: return NO_PROGRESS
        return LENGTH if self.plies >= MAX_PLIES else -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _result(self, shares: cython.p_double) -> cython.int:
        lead = self.own_sum - self.enemy_sum
        shares[self.turn] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
        shares[1 - self.turn] = 1.0 - shares[self.turn]
        return self.ending()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _legal_moves(self, out: Moves) -> cython.void:
        rounds: u64[512]                # the captures of chains that end on their start
        if not cython.compiled:
            rounds = [0] * 512
        if self.ending() >= 0:
            return
        for i in range(512):
            rounds[i] = 0
        free = ~(self.own | self.enemy | self.canyon) & ALL
        pawns = self.own
        while pawns:
            start = lowest(pawns)
            cell = ONE << start
            pawns ^= cell
            near: u64 = 0
            for k in range(8):
                near |= ahead(cell, k)
            add_each(out, near & free, start, 64)
            self.chains(start, free | cell, rounds, out)
        if out.count == 0:
            add(out, PASS)

    def chains(self, start, free, rounds, out):
        """Write every move by jumps of the pawn on `start`."""
        parts: u64[16]                  # a pawn has at most 16 landings, so at most 16 parts
        first: cython.int[17]           # the first capture that leads out of each part
        taking: cython.int[84]          # each capture: the enemy, as a set of one, …
        enters: cython.int[84]          # … and the part beyond; 84 pairs of landings are opposite
        reached: cython.ushort[32768]   # for each set of captures, the parts in reach
        if not cython.compiled:
            parts, first, taking, enters = [0] * 16, [0] * 17, [0] * 84, [0] * 84
            reached = {}
        cell = ONE << start
        friends = self.own ^ cell
        parts[0] = part(cell, friends, free)
        found = 1
        captures = 0
        prey = 0
        i = 0
        while i < found:
            first[i] = captures
            for k in range(8):
                over = ahead(parts[i], k) & self.enemy & ahead(free, k ^ 1)
                while over:
                    enemy = over & -over & ALL
                    over ^= enemy
                    landing = ahead(enemy, k)
                    j = 0
                    while j < found and not parts[j] & landing:
                        j += 1
                    if j == found:
                        parts[found] = part(landing, friends, free)
                        found += 1
                    taking[captures] = single(enemy, self.enemy)
                    enters[captures] = 1 << j
                    prey |= taking[captures]
                    captures += 1
            i += 1
        first[found] = captures
        captured = prey
        while captured:
            reached[captured] = 0
            captured = (captured - 1) & prey            # the next smaller set
        reached[0] = 1
        while True:
            if reached[captured]:
                ends: u64 = 0
                here: cython.int = reached[captured]
                for i in range(found):
                    if here >> i & 1:
                        ends |= parts[i]
                        for j in range(first[i], first[i + 1]):
                            if not captured & taking[j]:
                                reached[captured | taking[j]] |= enters[j]
                if ends & cell and (captured == 0 or rounds[captured >> 6] >> (captured & 63) & 1):
                    ends ^= cell
                elif ends & cell:
                    rounds[captured >> 6] |= ONE << (captured & 63)
                add_each(out, ends, start | cython.cast(u64, captured) << 12, 64)
            captured = (captured - prey) & prey         # the next larger set
            if captured == 0:
                break

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play(self, move: u64) -> cython.void:
        own = self.own
        own_sum = self.own_sum
        captured = move >> 12
        if move == PASS:
            self.passed += 1
        else:
            start = cython.cast(cython.int, move & 63)
            end = cython.cast(cython.int, move >> 6 & 63)
            own = own ^ (ONE << start) | (ONE << end)
            own_sum += value(end, self.turn) - value(start, self.turn)
            self.passed = 0
        taking: cython.bint = captured != 0
        if taking or own_sum > self.own_best:
            self.quiet = 0
        else:
            self.quiet += 1
        pawns = self.enemy
        while captured:
            if captured & 1:
                self.enemy ^= pawns & -pawns & ALL
                self.enemy_sum -= value(lowest(pawns), 1 - self.turn)
            pawns &= pawns - 1
            captured >>= 1
        self.own, self.enemy = self.enemy, own
        self.own_sum, self.enemy_sum = self.enemy_sum, own_sum
        if taking:                      # from now on a best sum must exceed the present ones
            self.own_best, self.enemy_best = self.own_sum, own_sum
        else:
            self.own_best, self.enemy_best = self.enemy_best, max(self.own_best, own_sum)
        self.turn ^= 1
        self.plies += 1
        self.finished = move != PASS and self.enemy_at_best()
        self.record(self._key(), self.recorded)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _atom(self, move: u64, index: cython.int) -> cython.int:
        """See `chains`; no search is needed for a pawn that does not return to its start."""
        atoms: cython.int[257]
        if not cython.compiled:
            atoms = [0] * 257
        if index == 0 and (move & 63) != (move >> 6 & 63):
            return cython.cast(cython.int, move & 63)
        return atoms[index] if index < spell(
            self.own, self.enemy, self.canyon, move, atoms
        ) else NO_MORE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observed(self) -> cython.int:
        return 2 * 64 + 2 + 1 + 3                  # pawns, and three counts

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observe(self, seat: cython.int, out: cython.p_float) -> cython.void:
        """Each seat's pawns; then the counts, each 0 if a position's text leaves it out."""
        side: cython.int
        for side in range(2):
            mine: cython.bint = side == self.turn
            mark_each(out, 64 * side, self.own if mine else self.enemy)
            if self.own_best != self.own_sum or self.enemy_best != self.enemy_sum:
                best: cython.int = self.own_best if mine else self.enemy_best
                out[128 + side] = (best + 1) / (MAX_SUM + 1)
        if self.quiet:
            out[130] = (self.quiet + 1.0) / (MAX_QUIET + 1)
        if self.passed:
            out[131 + self.passed] = 1.0
