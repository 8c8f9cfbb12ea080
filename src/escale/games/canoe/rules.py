"""Canoë's rules: thirteen pegs each, two separate canoes win.

A hole is a bit, numbered row by row from the bottom left:

    6  . 57 58  .  .  .  .  .  .  . 59 60  .
    5 44 45 46 47 48 49 50 51 52 53 54 55 56
    4 31 32 33 34 35 36 37 38 39 40 41 42 43
    3 18 19 20 21 22 23 24 25 26 27 28 29 30
    2  .  7  8  9 10 11 12 13 14 15 16 17  .
    1  .  .  .  0  1  2  3  4  5  6  .  .  .
       a  b  c  d  e  f  g  h  i  j  k  l  m

A move is the hole a peg leaves (bits 0-5) and the hole it comes to (6-11); 63 stands for the
reserve.
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

# Each row from the bottom: the columns (a = 0) that have a hole.
ROWS = (range(3, 10), range(1, 12), range(13), range(13), range(13), (1, 2, 10, 11))
HOLES = [(row, column) for row, columns in enumerate(ROWS) for column in columns]

# The four canoes, as (row, column) offsets: an end, the two middle pegs, the other end. The first
# two lie level, the others stand upright.
SHAPES = (
    ((0, 0), (1, 1), (1, 2), (0, 3)),
    ((1, 0), (0, 1), (0, 2), (1, 3)),
    ((0, 1), (1, 0), (2, 0), (3, 1)),
    ((0, 0), (1, 1), (2, 1), (3, 0)),
)

BOARD = cython.declare(cython.const[u64], 0x1FFFFFFFFFFFFFFF)
NOWHERE = cython.declare(cython.const[u64], 0xFFFFFFFFFFFFFFFF)
ONE = cython.declare(cython.const[u64], 1)
RESERVE = cython.declare(cython.const[u64], 63)
PEGS = cython.declare(cython.const[cython.int], 13)
MAX_PLIES = cython.declare(cython.const[cython.int], 200)

# How a game ends, in the order of the facts' list.
CANOES = cython.declare(cython.const[cython.int], 0)
REPETITION = cython.declare(cython.const[cython.int], 1)
LENGTH = cython.declare(cython.const[cython.int], 2)

# For each hole its neighbours; and the four canoes that have it as the left or lower one of their
# two middle pegs: their pegs, and the holes around, which must be free of pegs of the same colour.
NEIGHBOURS = cython.declare(u64[61])
CANOE = cython.declare(u64[244])
AROUND = cython.declare(u64[244])
PLACES = cython.declare(cython.int[114])                # where the tables have a canoe

# What an evaluation adds up: `weights.toml` says what each is for.
WEIGHTS = cython.declare(cython.int[65])
RACE = cython.declare(cython.const[cython.int], 0)
WAYS = cython.declare(cython.const[cython.int], 36)
SINGLE = cython.declare(cython.const[cython.int], 60)
STOCK = cython.declare(cython.const[cython.int], 64)
SIZES = {"race": 36, "ways": 12, "their_ways": 12, "single": 4, "stock": 1}
FAR = cython.declare(cython.const[cython.int], 4)       # a canoe that needs more is not looked at
MOST = cython.declare(cython.const[cython.int], 32)     # canoes of one colour that are paired

if not cython.compiled:
    NEIGHBOURS, CANOE, AROUND = [0] * 61, [0] * 244, [0] * 244
    PLACES, WEIGHTS = [0] * 114, [0] * 65


def bits(holes: object) -> int:
    """The holes, given by row and column, as one number."""
    return sum(1 << HOLES.index(hole) for hole in holes)


def around(holes: object) -> set:
    """The neighbours of a group of holes."""
    near = {(r + i, c + j) for r, c in holes for i in (-1, 0, 1) for j in (-1, 0, 1)}
    return near.intersection(HOLES) - set(holes)


def fill_tables() -> None:
    """Work the tables out from the board and the shapes."""
    known = 0
    for i, hole in enumerate(HOLES):
        NEIGHBOURS[i] = bits(around([hole]))
        for shape, offsets in enumerate(SHAPES):
            row, column = hole[0] - offsets[1][0], hole[1] - offsets[1][1]
            canoe = [(row + r, column + c) for r, c in offsets]
            if all(place in HOLES for place in canoe):
                CANOE[4 * i + shape] = bits(canoe)
                AROUND[4 * i + shape] = bits(around(canoe))
                PLACES[known] = 4 * i + shape
                known += 1
            else:
                CANOE[4 * i + shape] = NOWHERE


def put_weight(i: cython.int, number: cython.int) -> None:
    """Set number `i` of the weights."""
    WEIGHTS[i] = number


fill_tables()
keep_weights(Path(__file__).with_name("weights.toml"), SIZES, put_weight)


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
    """How many valid canoes there are among the pegs of one colour."""
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
    """Pegs on the board; what is missing from thirteen is in the reserve."""

    own = cython.declare(u64, visibility="readonly")        # pegs of the seat to move
    enemy = cython.declare(u64, visibility="readonly")
    own_reserve = cython.declare(cython.int, visibility="readonly")
    enemy_reserve = cython.declare(cython.int, visibility="readonly")
    won = cython.declare(cython.bint, visibility="readonly")    # the last to act has two canoes

    # The rest is of use during `evaluate` only.
    turns: cython.int           # that the best pair of canoes needs, 6 for all that need more
    ways: cython.int            # how many pairs need no more; of one turn, how many ends there are

    def __init__(self, own: object = 0, enemy: object = 0, turn: cython.int = 0):
        State.__init__(self)
        self.own = own
        self.enemy = enemy
        self.own_reserve = PEGS - int(own).bit_count()
        self.enemy_reserve = PEGS - int(enemy).bit_count()
        self.turn = turn
        self.won = canoes(self.enemy) >= 2
        self.resume(0, 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def key(self) -> u64:
        return mix(mix(self.turn, self.own), self.enemy)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def result(self, shares: cython.p_double) -> cython.int:
        if self.won:
            shares[self.turn] = 0.0
            shares[1 - self.turn] = 1.0
            return CANOES
        shares[0] = shares[1] = 0.5
        return REPETITION if self.occurrences >= 3 else LENGTH

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def generate(self, out: Moves) -> cython.void:
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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play(self, move: u64) -> cython.void:
        own = self.own
        reserve = self.own_reserve
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
        self.record(self.key(), self.recorded)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def evaluate(self) -> cython.int:
        points = self.prospects(self.own, self.enemy)
        turns, ways = self.turns, self.ways
        points -= self.prospects(self.enemy, self.own)
        return (
            points + WEIGHTS[RACE + 6 * (turns - 1) + self.turns - 1]
            + WEIGHTS[WAYS + 4 * (min(turns, 3) - 1) + ways]
            + WEIGHTS[WAYS + 12 + 4 * (min(self.turns, 3) - 1) + self.ways]
            + WEIGHTS[STOCK] * (self.own_reserve - self.enemy_reserve)
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prospects(self, pegs: u64, others: u64) -> cython.int:
        """What single canoes are worth to the pegs of one colour; sets `turns` and `ways`.

        A canoe needs a turn for each peg that is missing and for each that stands too near. One
        that others stand in the way of is not counted.
        """
        found: cython.int[32]
        needs: cython.int[32]
        if not cython.compiled:
            found, needs = [0] * 32, [0] * 32
        count: cython.int = 0
        total: cython.int = 0
        least: cython.int = 6
        ways: cython.int = 0
        wanted: u64 = 0                         # holes that the pairs of one turn are short of
        i: cython.int
        j: cython.int
        for k in range(114):
            i = PLACES[k]
            missing = CANOE[i] & ~pegs
            if missing & others:
                continue
            more = missing & (missing - 1)      # all but the lowest
            if more & (more - 1):
                continue
            near = pegs & AROUND[i]
            turns = (2 if more else 1 if missing else 0) + (ones(near) if near else 0)
            if turns >= FAR or count == MOST:
                continue
            total += WEIGHTS[SINGLE + turns]
            for j in range(count):
                both = turns + needs[j]
                if both <= least and CANOE[i] & (CANOE[found[j]] | AROUND[found[j]]) == 0:
                    ways = ways + 1 if both == least else 1
                    if both <= 1:
                        # A peg that stands too near can leave whatever the enemy does.
                        short = (CANOE[i] | CANOE[found[j]]) & ~pegs
                        wanted = wanted | short if short else BOARD
                        ways = ones(wanted)
                    least = both
            found[count] = i
            needs[count] = turns
            count += 1
        self.turns = max(least, 1)
        self.ways = min(ways, 3)
        return total
