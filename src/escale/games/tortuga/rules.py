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

from pathlib import Path

import cython

from escale.kernel.weights import keep_weights

if cython.compiled:
    from cython.cimports.escale.kernel.core import (
        Moves,
        State,
        add,
        add_each,
        lowest,
        mix,
        ones,
        u64,
    )
else:
    from escale.kernel.core import State, add, add_each, lowest, mix, ones, u64

BOARD = cython.declare(cython.const[u64], 0x000F1F3F7F7E7C78)
BASE_SOUTH = cython.declare(cython.const[u64], 1 << 24)
BASE_NORTH = cython.declare(cython.const[u64], 1 << 30)
ONE = cython.declare(cython.const[u64], 1)
ALL = cython.declare(cython.const[u64], 0xFFFFFFFFFFFFFFFF)
ENDS = cython.declare(cython.const[u64], 0xFFF)             # start and end of a move
STEP = cython.declare(cython.const[u64], 7)
THEIRS = cython.declare(cython.const[u64], 3)               # makes a hop's code one for the enemy
MAX_PLIES = cython.declare(cython.const[cython.int], 300)

# What a chain has jumped so far, besides neutral turtles; also whose turtles are jumped.
NEUTRALS = cython.declare(cython.const[cython.int], 0)
FRIENDS = cython.declare(cython.const[cython.int], 1)
ENEMIES = cython.declare(cython.const[cython.int], 2)

# How a game ends, in the order of the facts' list.
BASE = cython.declare(cython.const[cython.int], 0)
STUCK = cython.declare(cython.const[cython.int], 1)
REPETITION = cython.declare(cython.const[cython.int], 2)
LENGTH = cython.declare(cython.const[cython.int], 3)


# What a step adds to a number: straight on, left, right, as South sees them, for South, for North.
FORWARD = cython.declare(cython.int[6], [1, -7, 8, -1, -8, 7])

# What an evaluation adds up: `weights.toml` says what each is for.
WEIGHTS = cython.declare(cython.int[50])
TURTLE = cython.declare(cython.const[cython.int], 0)
CELLS = cython.declare(cython.const[cython.int], 1)
FRONT = cython.declare(cython.const[cython.int], 23)
FREE = cython.declare(cython.const[cython.int], 31)
STEPS = cython.declare(cython.const[cython.int], 39)
FEW = cython.declare(cython.const[cython.int], 40)
NEUTRAL = cython.declare(cython.const[cython.int], 44)
DANGER = cython.declare(cython.const[cython.int], 45)
TEMPO = cython.declare(cython.const[cython.int], 49)
SIZES = {
    "turtle": 1, "cells": 22, "front": 8, "free": 8, "steps": 1, "few": 4, "neutral": 1,
    "danger": 4, "tempo": 1,
}

# For each cell, South's then North's view: plies to the enemy base on an empty board (7 when it is
# out of reach); which of the weights of cells, left and right being alike; and the cells from which
# an enemy still comes towards it.
TO_BASE = cython.declare(cython.int[128])
ALIKE = cython.declare(cython.int[128])
BEYOND = cython.declare(u64[128])
if not cython.compiled:
    WEIGHTS, TO_BASE, ALIKE, BEYOND = [0] * 50, [0] * 128, [0] * 128, [0] * 128


def fill_tables() -> None:
    """Work the tables of the evaluation out from the board."""
    cells = [cell for cell in range(64) if BOARD >> cell & 1]
    height = {cell: 2 * (cell & 7) + (cell >> 3) for cell in cells}
    places = sorted({(height[cell], abs(3 - (cell >> 3))) for cell in cells})
    for cell in cells:
        aside, ahead = abs(3 - (cell >> 3)), height[30] - height[cell]
        ALIKE[cell] = ALIKE[64 + 54 - cell] = places.index((height[cell], aside))
        TO_BASE[cell] = 7 if aside > ahead else (aside + ahead) // 2
        TO_BASE[64 + 54 - cell] = TO_BASE[cell]
        BEYOND[cell] = sum(1 << other for other in cells if height[other] > height[cell])
        BEYOND[64 + cell] = sum(1 << other for other in cells if height[other] < height[cell])


def put_weight(i: cython.int, number: cython.int) -> None:
    """Set number `i` of the weights."""
    WEIGHTS[i] = number


fill_tables()
keep_weights(Path(__file__).with_name("weights.toml"), SIZES, put_weight)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def shifted(cells: u64, by: cython.int) -> u64:
    """All `cells` moved by a stride; what leaves the board stays off it."""
    return (cells << (by & 63) | cells >> (-by & 63)) & ALL


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shorter(move: u64, other: u64) -> cython.bint:
    """Whether a chain has fewer hops than another."""
    move >>= 12
    other >>= 12
    while move and other:
        move >>= 3
        other >>= 3
    return other != 0


@cython.final
@cython.cclass
class TortugaState(State):
    """Turtles on the board, and the options that change which moves are compulsory."""

    own = cython.declare(u64, visibility="readonly")        # turtles of the seat to move
    enemy = cython.declare(u64, visibility="readonly")
    neutral = cython.declare(u64, visibility="readonly")
    start_only = cython.declare(cython.bint, visibility="readonly")     # obligation=start
    longest = cython.declare(cython.bint, visibility="readonly")

    # The rest is of use during `generate` only.
    hops: u64[9]                # [3 * whose + k]: from where a hop goes over such a turtle
    onward: u64[3]              # [jumped]: where a chain that has jumped such turtles must go on
    duty: cython.int            # enemies that a legal move has to jump
    landed: u64                 # where chains over friends have ended

    def __init__(
        self,
        own: object = 0,
        enemy: object = 0,
        neutral: object = 0,
        turn: cython.int = 0,
        start_only: cython.bint = False,
        longest: cython.bint = False,
    ):
        State.__init__(self)
        if not cython.compiled:
            self.hops, self.onward = [0] * 9, [0] * 3
        self.own = own
        self.enemy = enemy
        self.neutral = neutral
        self.turn = turn
        self.start_only = start_only
        self.longest = longest
        self.capacity = 4096    # a turtle before many on their backs has over a thousand moves
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
            by = FORWARD[3 * self.turn + k]
            reach = shifted(self.own, by)
            if (reach | shifted(reach & taken, by)) & empty:
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
        empty = BOARD & ~(self.own | self.enemy | self.neutral)
        over_neutrals: u64 = 0
        over_friends: u64 = 0
        over_enemies: u64 = 0
        for k in range(3):
            by = FORWARD[3 * self.turn + k]
            clear = shifted(empty, -by)         # a turtle here can be jumped
            self.hops[k] = shifted(clear & self.neutral, -by)
            self.hops[3 + k] = shifted(clear & self.own, -by)
            self.hops[6 + k] = shifted(clear & self.enemy, -by)
            over_neutrals |= self.hops[k]
            over_friends |= self.hops[3 + k]
            over_enemies |= self.hops[6 + k]
        self.onward[NEUTRALS] = over_neutrals | over_friends | over_enemies
        self.onward[FRIENDS] = over_neutrals | over_friends
        self.onward[ENEMIES] = over_neutrals | over_enemies
        self.landed = 0
        self.duty = 1 if self.own & over_enemies else 0
        if self.duty:
            for k in range(3):
                self.first_hops(ENEMIES, k, out)
            if self.start_only:
                return
        if self.neutral:
            for k in range(3):
                self.first_hops(NEUTRALS, k, out)
        if self.duty:
            return
        for k in range(3):
            by = FORWARD[3 * self.turn + k]
            step = (STEP | cython.cast(u64, k + 1) << 3) << 12
            add_each(out, shifted(self.own, by) & empty, step - by, 65)
            self.first_hops(FRIENDS, k, out)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def first_hops(self, whose: cython.int, k: cython.int, out: Moves) -> cython.void:
        """Every chain whose first hop goes over such a turtle in direction k."""
        starts = self.own & self.hops[3 * whose + k]
        while starts:
            start = lowest(starts)
            starts &= starts - 1
            end = start + 2 * FORWARD[3 * self.turn + k]
            move = start | cython.cast(u64, k + 1) << 12
            self.chain(end, whose, 1 if whose == ENEMIES else 0, move, 15, out)
            if whose == NEUTRALS:
                self.chain(end, whose, 0, move + (THEIRS << 12), 15, out)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def chain(
        self, at: cython.int, jumped: cython.int, enemies: cython.int, move: u64,
        bit: cython.int, out: Moves,
    ) -> cython.void:
        """Go on jumping from cell `at` while any jump is legal, then write the move.

        Nothing that a hop changes matters to the next, for a turtle never comes back: the tables
        made before the first hop serve for the whole chain.
        """
        cell = ONE << at
        if not cell & self.onward[jumped]:
            self.write(at, jumped, enemies, move | cython.cast(u64, at) << 6, out)
            return
        for k in range(3):
            end = at + 2 * FORWARD[3 * self.turn + k]
            longer = move | cython.cast(u64, k + 1) << bit
            if cell & self.hops[k]:
                self.chain(end, jumped, enemies, longer, bit + 3, out)
                self.chain(end, jumped, enemies, longer + (THEIRS << bit), bit + 3, out)
            elif cell & self.hops[6 + k] and jumped != FRIENDS:
                more = 0 if self.start_only and enemies == 0 else 1
                self.chain(end, ENEMIES, enemies + more, longer, bit + 3, out)
            elif cell & self.hops[3 + k] and jumped != ENEMIES and self.duty == 0:
                self.chain(end, FRIENDS, 0, longer, bit + 3, out)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def write(
        self, at: cython.int, jumped: cython.int, enemies: cython.int, move: u64, out: Moves
    ) -> cython.void:
        """Keep a finished chain, unless a compulsory one forbids it or it is known already."""
        duty = enemies if self.longest else 1 if enemies else 0
        if duty < self.duty:
            return
        if duty > self.duty:                    # what was found so far is no longer legal
            self.duty = duty
            out.count = 0
        if jumped == FRIENDS and not self.every_way:
            if self.landed & (ONE << at) and self.known(move, out):
                return
            self.landed |= ONE << at
        add(out, move)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def known(self, move: u64, out: Moves) -> cython.bint:
        """A chain to the same effect was found before; the shorter of the two is kept.

        Friends jumped stay as they are, so only chains over friends can come to the same. They do
        when they start and end on the same cells and turn the same turtles the same way.
        """
        for i in range(out.count):
            other = out.items[i]
            if (
                (other ^ move) & ENDS == 0
                and self.turned(other, True) == self.turned(move, True)
                and self.turned(other, False) == self.turned(move, False)
            ):
                if shorter(move, other):
                    out.items[i] = move
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def turned(self, move: u64, theirs: cython.bint) -> u64:
        """The turtles that a chain turns over; those put on their feet for the enemy apart."""
        turtles: u64 = 0
        cell = ONE << (move & 63)
        move >>= 12
        while move:
            code = cython.cast(cython.int, (move & 7) - 1)
            move >>= 3
            by = FORWARD[3 * self.turn + (code if code < 3 else code - 3)]
            over = shifted(cell, by)
            cell = shifted(over, by)
            if over & self.own == 0 and theirs == (code >= 3):
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
            return
        own = self.own ^ (ONE << (move & 63)) | (ONE << (move >> 6 & 63))
        enemy = self.enemy
        cell = ONE << (move & 63)
        move >>= 12
        if move & 7 != STEP:
            while move:
                code = cython.cast(cython.int, (move & 7) - 1)
                move >>= 3
                by = FORWARD[3 * self.turn + (code if code < 3 else code - 3)]
                over = shifted(cell, by)
                cell = shifted(over, by)
                if over & enemy:
                    enemy ^= over
                    self.neutral |= over
                elif over & self.neutral:
                    self.neutral ^= over
                    if code < 3:
                        own |= over
                    else:
                        enemy |= over
        self.own = enemy
        self.enemy = own
        self.turn ^= 1
        self.plies += 1
        # No position comes again, so none is recorded. If one did, take the highest cell on which
        # a turtle of South's lands in between: it must come down, so one of North's jumps it, from
        # higher still, and must get up there again, as South's, by landing higher yet.
        self.occurrences = 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def forced(self) -> cython.bint:
        return self.duty > 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def evaluate(self) -> cython.int:
        empty = BOARD & ~(self.own | self.enemy | self.neutral)
        threats = 0
        for k in range(3):
            by = FORWARD[3 * (1 - self.turn) + k]
            threats += ones(shifted(self.enemy, by) & self.own & shifted(empty, -by))
        return (
            self.prospects(self.own, self.enemy, empty, self.turn)
            - self.prospects(self.enemy, self.own, empty, 1 - self.turn)
            + WEIGHTS[DANGER + min(3, threats)] + WEIGHTS[TEMPO]
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prospects(self, turtles: u64, others: u64, empty: u64, seat: cython.int) -> cython.int:
        """What a seat's turtles are worth: where they stand, how free, what they can do."""
        total: cython.int = WEIGHTS[TURTLE] * ones(turtles)
        front: cython.int = 7                   # the turtle nearest to the base
        free: cython.int = 7                    # the nearest that nobody comes towards
        steps: cython.int = 0
        rest = turtles
        while rest:
            cell = 64 * seat + lowest(rest)
            rest &= rest - 1
            distance = TO_BASE[cell]
            total += WEIGHTS[CELLS + ALIKE[cell]]
            front = min(front, distance)
            if others & BEYOND[cell] == 0:
                free = min(free, distance)
        total += WEIGHTS[FRONT + front] + WEIGHTS[FREE + free]
        for k in range(3):
            by = FORWARD[3 * seat + k]
            reach = shifted(turtles, by)
            steps += ones(reach & empty)
            total += WEIGHTS[NEUTRAL] * ones(reach & self.neutral & shifted(empty, -by))
        return total + WEIGHTS[STEPS] * steps + WEIGHTS[FEW + min(steps, 3)]
