# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Tortuga's rules: turtles that cross a hexagon, jumping forward only.

A cell is a bit: eight bits a column, a to g, so that the three forward steps are three shifts and
a step off the board falls on a bit that no cell uses (`geometry.py` draws them).

A move is the start cell (bits 0-5), the end cell (6-11) and a code of three bits for each hop
(from bit 12): 1 to 3 its direction, 4 to 6 the same when the turtle put back on its feet is given
to the enemy. A plain step has code 7, then its direction.

**No position is repeated**, so no history is kept and no rule is about repetition. Suppose that
one is. Play the moves between over and over, until every turtle, and not only some turtle, stands
on its first cell. Turns alternate, so South has moved; take the highest cell on which a move of
South's ended. The turtle there must come down again, and only North's turtles go down: one of
North's must have jumped it, from higher still. That one went down, and must get up there again,
which only a move of South's can do: it ends higher than the highest.

The fields of a state and the arguments of the helpers are declared in `rules.pxd`.
"""

from __future__ import annotations

import cython

from escale.games.tortuga import geometry

if cython.compiled:
    from cython.cimports.escale.kernel.core import (
        Moves,
        State,
        add,
        add_each,
        lowest,
        mix,
        rotated,
        u64,
    )
else:
    from escale.kernel.core import State, add, add_each, lowest, mix, rotated, u64

BOARD = cython.declare(u64, geometry.BOARD)
BASE_SOUTH = cython.declare(u64, 1 << geometry.BITS[geometry.BASES[0]])
BASE_NORTH = cython.declare(u64, 1 << geometry.BITS[geometry.BASES[1]])
ONE = cython.declare(cython.const[u64], 1)
ENDS = cython.declare(cython.const[u64], 0xFFF)             # start and end of a move
STEP = cython.declare(cython.const[u64], 7)
THEIRS = cython.declare(cython.const[u64], 3)               # makes a hop's code one for the enemy
MAX_PLIES = cython.declare(cython.const[cython.int], 300)
NO_MORE = cython.declare(cython.const[cython.int], -1)      # atoms

# The kinds of turtles that a chain jumps. For the chain so far, neutral turtles do not count.
NEUTRALS = cython.declare(cython.const[cython.int], 0)
FRIENDS = cython.declare(cython.const[cython.int], 1)
ENEMIES = cython.declare(cython.const[cython.int], 2)

# The endings, in the order of the facts' list.
BASE = cython.declare(cython.const[cython.int], 0)
STUCK = cython.declare(cython.const[cython.int], 1)
LENGTH = cython.declare(cython.const[cython.int], 2)

# The chains that are long enough, in the order of the option's values; 0 for all.
MOST_JUMPS = cython.declare(cython.const[cython.int], 1)
MOST_ENEMIES = cython.declare(cython.const[cython.int], 2)

# The strides of steps: straight on, left, right, as South sees them, for South, then for North.
FORWARD = cython.declare(cython.int[6], [*geometry.FORWARD[0], *geometry.FORWARD[1]])


# Each cell by its number among the atoms, which are the cells, then the seats.
NUMBER = cython.declare(cython.int[64])
CELLS = cython.declare(cython.int, len(geometry.BITS))
if not cython.compiled:
    NUMBER = [0] * 64


def fill_numbers() -> None:
    """Put the order of the cells where compiled code finds it."""
    for number, bit in enumerate(geometry.BITS.values()):
        NUMBER[bit] = number


fill_numbers()


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def show(turtles: u64, out: cython.p_float, start: cython.int) -> cython.void:
    """Write 1 for each cell on which such a turtle stands."""
    while turtles:
        out[start + NUMBER[lowest(turtles)]] = 1.0
        turtles &= turtles - 1


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
    """Turtles on the board, and the options that change which chains may or must be played."""

    def __init__(
        self,
        own: int = 0,
        enemy: int = 0,
        neutral: int = 0,
        turn: cython.int = 0,
        start_only: cython.bint = False,
        longest: cython.int = 0,
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
    def _key(self) -> u64:
        return mix(mix(mix(self.turn + 2, self.own), self.enemy), self.neutral)

    def plies_left(self) -> int:
        """The number of further plies after which the game ends in any case."""
        return MAX_PLIES - self.plies

    def base_reached(self):
        """Whether the seat that has just moved stands on the base of the seat to move."""
        return (self.enemy & (BASE_SOUTH if self.turn == 0 else BASE_NORTH)) != 0

    def stuck(self):
        """Whether the seat to move has no step and no first hop."""
        taken = self.own | self.enemy | self.neutral
        empty = BOARD & ~taken
        for k in range(3):
            by = FORWARD[3 * self.turn + k]
            reach = rotated(self.own, by)
            if (reach | rotated(reach & taken, by)) & empty:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _result(self, shares: cython.p_double) -> cython.int:
        loser = self.turn
        if self.base_reached():
            ending = BASE
        elif self.stuck():
            ending = STUCK
        else:
            shares[0] = shares[1] = 0.5
            return LENGTH
        shares[loser] = 0.0
        shares[1 - loser] = 1.0
        return ending

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _legal_moves(self, out: Moves) -> cython.void:
        if self.turn < 0:                       # chance decides: South or North starts
            add(out, 0)
            add(out, 1)
            return
        if self.base_reached() or self.plies >= MAX_PLIES:
            return
        empty = BOARD & ~(self.own | self.enemy | self.neutral)
        over_neutrals: u64 = 0
        over_friends: u64 = 0
        over_enemies: u64 = 0
        for k in range(3):
            by = FORWARD[3 * self.turn + k]
            clear = rotated(empty, -by)         # a turtle here can be jumped
            self.hops[k] = rotated(clear & self.neutral, -by)
            self.hops[3 + k] = rotated(clear & self.own, -by)
            self.hops[6 + k] = rotated(clear & self.enemy, -by)
            over_neutrals |= self.hops[k]
            over_friends |= self.hops[3 + k]
            over_enemies |= self.hops[6 + k]
        self.onward[NEUTRALS] = over_neutrals | over_friends | over_enemies
        self.onward[FRIENDS] = over_neutrals | over_friends
        self.onward[ENEMIES] = over_neutrals | over_enemies
        self.landed = self.least = 0
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
            add_each(out, rotated(self.own, by) & empty, step - by, 65)
            self.first_hops(FRIENDS, k, out)

    def first_hops(self, whose, k, out):
        """Every chain whose first hop goes over such a turtle in direction k."""
        starts = self.own & self.hops[3 * whose + k]
        while starts:
            start = lowest(starts)
            starts &= starts - 1
            end = start + 2 * FORWARD[3 * self.turn + k]
            move = start | cython.cast(u64, k + 1) << 12
            if self.longest == MOST_JUMPS:
                self.least = 12 + 3 * self.furthest(end, whose)
            self.chain(end, whose, 1 if whose == ENEMIES else 0, move, 15, out)
            if whose == NEUTRALS:
                self.chain(end, whose, 0, move + (THEIRS << 12), 15, out)

    def chain(self, at, jumped, enemies, move, bit, out):
        """Go on jumping from cell `at` while any jump is legal, then write the move.

        Nothing that a hop changes matters to the next, as a turtle never comes back: the tables
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

    def furthest(self, at, jumped):
        """The number of hops that a chain at cell `at` can still make.

        The compulsory jumps do not matter here: a chain that is too short obliges no player.
        """
        most = 0
        cell = ONE << at
        for k in range(3):
            after = jumped
            if cell & self.hops[6 + k] and jumped != FRIENDS:
                after = ENEMIES
            elif cell & self.hops[3 + k] and jumped != ENEMIES:
                after = FRIENDS
            elif not cell & self.hops[k]:
                continue
            end = at + 2 * FORWARD[3 * self.turn + k]
            most = max(most, 1 + self.furthest(end, after))
        return most

    def write(self, at, jumped, enemies, move, out):
        """Keep a finished chain, unless a longer or compulsory one forbids it or it is known."""
        if move >> self.least == 0:
            return
        duty = enemies if self.longest == MOST_ENEMIES else 1 if enemies else 0
        if duty < self.duty:
            return
        if duty > self.duty:                    # the chains found so far are no longer legal
            self.duty = duty
            out.count = 0
        if jumped == FRIENDS and not self.every_way:
            if self.landed & (ONE << at) and self.known(move, out):
                return
            self.landed |= ONE << at
        add(out, move)

    def known(self, move, out):
        """Whether a chain to the same effect was found before; the shorter of the two is kept.

        Friends jumped stay as they are, so only chains over friends can share an effect. They do
        if they start and end on the same cells and turn the same turtles the same way.
        """
        self.walk(move, -1)
        ours, theirs = self.ours, self.theirs
        for i in range(out.count):
            other = out.items[i]
            if (other ^ move) & ENDS == 0:
                self.walk(other, -1)
                if self.ours == ours and self.theirs == theirs:
                    if shorter(move, other):
                        out.items[i] = move
                    return True
        return False

    def walk(self, move, index):
        """Go through a move: `ours` and `theirs` are then the turtles that it turns over.

        Those put on their feet for the enemy are `theirs`. The walk ends early with the number of
        the atom of an `index` from 0, which it returns; then it leaves the fields unchanged.
        """
        at: cython.int = cython.cast(cython.int, move & 63)
        if index == 0:
            return NUMBER[at]
        ours: u64 = 0
        theirs: u64 = 0
        move >>= 12
        if move & 7 == STEP:
            if index == 1:
                return NUMBER[at + FORWARD[3 * self.turn + cython.cast(cython.int, move >> 3) - 1]]
            move = 0
        while move:
            code = cython.cast(cython.int, (move & 7) - 1)
            move >>= 3
            by = FORWARD[3 * self.turn + (code if code < 3 else code - 3)]
            over = ONE << (at + by)
            at += 2 * by
            index -= 1
            if index == 0:
                return NUMBER[at]
            if over & self.neutral:
                index -= 1
                if index == 0:
                    return CELLS + (self.turn if code < 3 else 1 - self.turn)
            if code < 3:
                ours |= over & ~self.own
            else:
                theirs |= over
        self.ours = ours
        self.theirs = theirs
        return NO_MORE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _play(self, move: u64) -> cython.void:
        if self.turn < 0:
            if move == 1:
                self.own, self.enemy = self.enemy, self.own
            self.turn = cython.cast(cython.int, move)
            return
        self.walk(move, -1)
        own = self.own ^ (ONE << (move & 63)) | (ONE << (move >> 6 & 63)) | self.ours & self.neutral
        stunned = self.ours & self.enemy
        self.own = self.enemy ^ stunned | self.theirs
        self.enemy = own
        self.neutral = self.neutral & ~(self.ours | self.theirs) | stunned
        self.turn ^= 1
        self.plies += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _atom(self, move: u64, index: cython.int) -> cython.int:
        """The turtle, each landing, and after a hop over a neutral turtle the side it joins."""
        return self.walk(move, index)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observed(self) -> cython.int:
        return 3 * CELLS

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _observe(self, seat: cython.int, out: cython.p_float) -> cython.void:
        south: cython.bint = self.turn != 1
        show(self.own if south else self.enemy, out, 0)
        show(self.enemy if south else self.own, out, CELLS)
        show(self.neutral, out, 2 * CELLS)
