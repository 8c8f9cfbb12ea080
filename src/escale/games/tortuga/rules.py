"""Tortuga's rules: turtles that cross a hexagon, jumping forward only.

A cell is a bit: eight bits a column, a to g, so that the three forward steps are three shifts and
what leaves the board falls on a bit that no cell uses. Numbers are bits, from South (below):

            30
         22    37              d7
      14    29    44        c6    e6
    6    21    36    51       …
      13    28    43
    5    20    35    50     South's turtles go up: +1 straight on, -7 left, +8 right;
      12    27    42        North's go down:      -1, +7, -8.
    4    19    34    49
      11    26    41
    3    18    33    48
      10    25    40
         17    32             c1    e1
            24                   d1

A move is the start cell (bits 0-5), the end cell (6-11) and a code of three bits for each hop
(from bit 12): 1 to 3 its direction, 4 to 6 the same when the turtle put back on its feet is given
to the enemy. A plain step has code 7, then its direction.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, Position, add, lowest, mix, u64
else:
    from escale.kernel.core import Position, add, lowest, mix, u64

BOARD = cython.declare(cython.const[u64], 0x000F1F3F7F7E7C78)
BASE_SOUTH = cython.declare(cython.const[u64], 1 << 24)
BASE_NORTH = cython.declare(cython.const[u64], 1 << 30)
ONE = cython.declare(cython.const[u64], 1)
ENDS = cython.declare(cython.const[u64], 0xFFF)             # start and end of a move
STEP = cython.declare(cython.const[u64], 7)
MAX_PLIES = cython.declare(cython.const[cython.int], 300)

# What a chain has jumped so far, besides neutral turtles.
NEITHER = cython.declare(cython.const[cython.int], 0)
FRIENDS = cython.declare(cython.const[cython.int], 1)
ENEMIES = cython.declare(cython.const[cython.int], 2)

# How a game ends, in the order of the facts' list.
BASE = cython.declare(cython.const[cython.int], 0)
STUCK = cython.declare(cython.const[cython.int], 1)
REPETITION = cython.declare(cython.const[cython.int], 2)
LENGTH = cython.declare(cython.const[cython.int], 3)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def ahead(cells: u64, turn: cython.int, k: cython.int) -> u64:
    """`cells` one step forward: k = 0 straight on, 1 left, 2 right, as South sees the board."""
    if turn == 0:
        return cells << 1 if k == 0 else cells >> 7 if k == 1 else cells << 8
    return cells >> 1 if k == 0 else cells >> 8 if k == 1 else cells << 7


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def stride(turn: cython.int, k: cython.int) -> cython.int:
    """What one step forward adds to a cell's number."""
    if turn == 0:
        return 1 if k == 0 else -7 if k == 1 else 8
    return -1 if k == 0 else -8 if k == 1 else 7


@cython.final
@cython.cclass
class Tortuga(Position):
    """Turtles on the board, and the options that change which moves are compulsory."""

    own = cython.declare(u64, visibility="readonly")        # turtles of the seat to move
    enemy = cython.declare(u64, visibility="readonly")
    neutral = cython.declare(u64, visibility="readonly")
    start_only = cython.declare(cython.bint, visibility="readonly")     # obligation=start
    longest = cython.declare(cython.bint, visibility="readonly")
    righted: cython.int         # how much of the history precedes the last turtle put on its feet
    empty: u64                  # the rest is of use during `generate` only
    compelled: cython.int       # most enemies jumped by a compulsory chain found so far
    compulsory: cython.bint     # whether the chains being tried are

    def __init__(
        self,
        own: object = 0,
        enemy: object = 0,
        neutral: object = 0,
        turn: cython.int = 0,
        start_only: cython.bint = False,
        longest: cython.bint = False,
    ):
        Position.__init__(self)
        self.own = own
        self.enemy = enemy
        self.neutral = neutral
        self.turn = turn
        self.start_only = start_only
        self.longest = longest
        self.righted = 0
        self.resume(0, 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def key(self) -> u64:
        return mix(mix(mix(self.turn + 2, self.own), self.enemy), self.neutral)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def base_reached(self) -> cython.bint:
        """The seat that has just moved stands on the base of the seat to move."""
        return (self.enemy & (BASE_SOUTH if self.turn == 0 else BASE_NORTH)) != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def stuck(self) -> cython.bint:
        """The seat to move has neither a step nor a first hop."""
        taken = self.own | self.enemy | self.neutral
        empty = BOARD & ~taken
        for k in range(3):
            reach = ahead(self.own, self.turn, k)
            if (reach | ahead(reach & taken, self.turn, k)) & empty:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def result(self, shares: cython.p_double) -> cython.int:
        loser = self.turn
        if self.base_reached():
            ending = BASE
        elif self.stuck():
            ending = STUCK
        else:
            shares[0] = shares[1] = 0.5
            return REPETITION if self.occurrences >= 3 else LENGTH
        shares[loser] = 0.0
        shares[1 - loser] = 1.0
        return ending

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def generate(self, out: Moves) -> cython.void:
        if self.turn < 0:                       # the lot: South or North starts
            add(out, 0)
            add(out, 1)
            return
        if self.base_reached() or self.plies >= MAX_PLIES or self.occurrences >= 3:
            return
        self.empty = BOARD & ~(self.own | self.enemy | self.neutral)
        self.compelled = 0
        self.compulsory = True
        for k in range(3):
            self.first_hops(self.enemy, k, ENEMIES, out)
        if self.start_only:
            if self.compelled:
                return
            self.compulsory = False
        for k in range(3):
            self.first_hops(self.neutral, k, NEITHER, out)
        if self.compelled:
            return
        for k in range(3):
            self.steps(k, out)
            self.first_hops(self.own, k, FRIENDS, out)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def steps(self, k: cython.int, out: Moves) -> cython.void:
        targets = ahead(self.own, self.turn, k) & self.empty
        size = stride(self.turn, k)
        while targets:
            end = lowest(targets)
            targets &= targets - 1
            add(out, (end - size) | end << 6 | STEP << 12 | cython.cast(u64, k + 1) << 15)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def first_hops(
        self, over: u64, k: cython.int, jumped: cython.int, out: Moves
    ) -> cython.void:
        """Every chain whose first hop goes over a turtle of `over` in direction k."""
        targets = ahead(ahead(self.own, self.turn, k) & over, self.turn, k) & self.empty
        size = stride(self.turn, k)
        enemies = 1 if jumped == ENEMIES else 0
        while targets:
            end = lowest(targets)
            targets &= targets - 1
            start = end - 2 * size
            self.chain(end, jumped, enemies, start | cython.cast(u64, k + 1) << 12, 15, out)
            if jumped == NEITHER:
                self.chain(end, jumped, enemies, start | cython.cast(u64, k + 4) << 12, 15, out)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def chain(
        self, at: cython.int, jumped: cython.int, enemies: cython.int, move: u64,
        bit: cython.int, out: Moves,
    ) -> cython.void:
        """Go on jumping from cell `at` while any jump is legal, then write the move."""
        ended = True
        for k in range(3):
            over = ahead(ONE << at, self.turn, k)
            if not ahead(over, self.turn, k) & self.empty:
                continue
            end = at + 2 * stride(self.turn, k)
            if over & self.neutral:
                ended = False
                self.chain(end, jumped, enemies, move | cython.cast(u64, k + 1) << bit, bit + 3, out)
                self.chain(end, jumped, enemies, move | cython.cast(u64, k + 4) << bit, bit + 3, out)
            elif over & self.enemy and jumped != FRIENDS:
                ended = False
                self.chain(
                    end, ENEMIES, enemies + 1, move | cython.cast(u64, k + 1) << bit, bit + 3, out
                )
            elif over & self.own and jumped != ENEMIES:
                ended = False
                self.chain(end, FRIENDS, 0, move | cython.cast(u64, k + 1) << bit, bit + 3, out)
        if ended:
            self.write(move | at << 6, jumped, enemies, out)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def write(
        self, move: u64, jumped: cython.int, enemies: cython.int, out: Moves
    ) -> cython.void:
        """Keep a finished chain, unless a compulsory one forbids it or it is known already."""
        if self.compulsory and enemies:
            if self.compelled == 0 or (self.longest and enemies > self.compelled):
                out.count = 0                   # what was found so far is no longer legal
                self.compelled = enemies
            elif self.longest and enemies < self.compelled:
                return
        elif self.compelled:
            return
        if jumped == FRIENDS and not self.every_way and self.known(move, out):
            return
        add(out, move)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def known(self, move: u64, out: Moves) -> cython.bint:
        """A chain to the same effect was found before; the shorter of the two is kept.

        Friends jumped stay as they are, so only chains over friends can come to the same. They do
        when they start and end on the same cells and put the same turtles on their feet.
        """
        for i in range(out.count):
            other = out.items[i]
            if (
                (other ^ move) & ENDS == 0
                and self.righting(other, True) == self.righting(move, True)
                and self.righting(other, False) == self.righting(move, False)
            ):
                if move < other:                # fewer hops, smaller number
                    out.items[i] = move
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def righting(self, move: u64, mine: cython.bint) -> u64:
        """The turtles that a chain puts on their feet for its mover, or for the enemy."""
        turtles: u64 = 0
        cell = ONE << (move & 63)
        move >>= 12
        while move:
            code = cython.cast(cython.int, (move & 7) - 1)
            move >>= 3
            over = ahead(cell, self.turn, code if code < 3 else code - 3)
            cell = ahead(over, self.turn, code if code < 3 else code - 3)
            if over & self.neutral and mine == (code < 3):
                turtles |= over
        return turtles

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play(self, move: u64) -> cython.void:
        if self.turn < 0:
            if move == 1:
                self.own, self.enemy = self.enemy, self.own
            self.turn = cython.cast(cython.int, move)
            self.recorded = 0
            self.record(self.key(), 0)
            return
        own = self.own ^ (ONE << (move & 63)) | (ONE << (move >> 6 & 63))
        enemy = self.enemy
        cell = ONE << (move & 63)
        move >>= 12
        if move & 7 != STEP:
            while move:
                code = cython.cast(cython.int, (move & 7) - 1)
                move >>= 3
                k = code if code < 3 else code - 3
                over = ahead(cell, self.turn, k)
                cell = ahead(over, self.turn, k)
                if over & enemy:
                    enemy ^= over
                    self.neutral |= over
                elif over & self.neutral:
                    self.neutral ^= over
                    self.righted = self.recorded
                    if code < 3:
                        own |= over
                    else:
                        enemy |= over
        self.own = enemy
        self.enemy = own
        self.turn ^= 1
        self.plies += 1
        # Turtles only advance or fall on their backs: a position can come again only after one
        # has been put back on its feet.
        self.record(self.key(), self.righted)
