# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The value of a position of Qenj: the moves of each seat, and the sizes of columns after them.

Pieces belong to no seat, so there is nothing else to count. Qenj 1 has two counts of its own:
one for a win, and one for a draw.
"""

from __future__ import annotations

import math

import cython

from escale.games.qenj.geometry import FAMILY
from escale.kernel import weights
from escale.kernel.weights import as_struct

if cython.compiled:
    from cython.cimports.escale.games.qenj.ring import (
        COLOURS,
        FORCES,
        PLAY,
        SIDES,
        nearest,
        occupied,
        onwards,
        proxime,
        tally_of,
        together,
    )
    from cython.cimports.escale.games.qenj.rules import QenjState
    from cython.cimports.escale.kernel.core import State, lowest, u32, u64
    from cython.cimports.escale.kernel.evaluation import UNKNOWN, Evaluation
    from cython.cimports.libc.math import exp
else:
    from escale.games.qenj.ring import (
        COLOURS,
        FORCES,
        PLAY,
        SIDES,
        nearest,
        occupied,
        onwards,
        proxime,
        tally_of,
        together,
    )
    from escale.games.qenj.rules import QenjState
    from escale.kernel.core import State, lowest, u32, u64
    from escale.kernel.evaluation import UNKNOWN, Evaluation
    exp = math.exp

# The weights of the sums: each game's `weights.toml` explains each number.
#: Qenj 1, for a win and for a draw.
Counts = cython.struct(
    win=cython.int,
    threats=cython.int[3],
    mobility=cython.int[81],
    columns=cython.int[9],
    near=cython.int[2],
    landings=cython.int[2],
    shared=cython.int,
)
#: Qenj 2, 3 and 4; a game has 0 for the features that it does not count.
Weights = cython.struct(
    win=cython.int,
    threats=cython.int[3],
    moves=cython.int[3],
    few=cython.int[4],
    tempo=cython.int,
    pure=cython.int,
    out=cython.int[2],
    fills=cython.int[3],
    their_fills=cython.int[3],
)
NOTHING = {"pure": 0, "out": [0] * 2, "fills": [0] * 3, "their_fills": [0] * 3}

ODDS = cython.declare(cython.double, weights.ODDS)
ALL = cython.declare(cython.const[cython.int], 255)         # moves, none left out

# The family's page, for compiled code.
COLUMNS = cython.declare(cython.int[4], list(FAMILY["columns"]))
CELLS = cython.declare(cython.int[4], list(FAMILY["cells"]))
OF_FORCE = cython.declare(cython.int[4], list(FAMILY["forces"]))
TAKEN = cython.declare(cython.int[4], list(FAMILY["taken"]))
BOTH_WAYS = cython.declare(cython.int[4], list(FAMILY["both ways"]))
OUTGROW = cython.declare(cython.int[4], list(FAMILY["outgrow"]))
GOAL = cython.declare(cython.int[4], list(FAMILY["out"]))
ALIKE = cython.declare(u32[4], [0x11110 * (7 - alike) for alike in FAMILY["alike"]])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reach(state: QenjState, north: cython.bint, enough: cython.int) -> cython.int:
    """Count the stacks that the seat in the North, or South, can move, by the columns they reach.

    Stacks that would fill a column count from bit 24, those one short of that from bit 16, two
    short of it from bit 8, and the others from bit 0; no more than `enough`.
    """
    ring: cython.int[12]
    if not cython.compiled:
        ring = [0] * 12
    found: cython.int = 0
    k: cython.int
    i: cython.int
    game = state.game
    cells = CELLS[game]
    alike = ALIKE[game]
    count = occupied(state.tally, COLUMNS[game], ring)
    for i in range(count):
        word = state.columns[ring[i]]
        rows = state.tally[ring[i]] >> 20
        least = cython.cast(cython.int, state.tally[ring[i]] & 15) if OUTGROW[game] else 0
        first: u64 = 0
        load: u32 = 0
        k = 0
        while rows:
            row = nearest(rows, north)
            rows ^= cython.cast(u32, 1) << row
            piece = word >> 5 * row & 31
            if k == 0:
                first = piece & 3
            load += tally_of(piece)
            k += 1
            distance = cython.cast(cython.int, first) if OF_FORCE[game] else k
            east = onwards(i, distance, count)
            for west in range(1 + BOTH_WAYS[game]):
                j = onwards(i, -distance, count) if west else east
                if j == i or (west and j == east):
                    continue
                total = together(state.tally[ring[j]], load, k, cells, alike, least)
                if total:
                    found += 1 << 8 * max(0, total + 3 - cells)
                    enough -= 1
                    if enough == 0:
                        return found
            if k == TAKEN[game]:
                break
    return found


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def can_choose(state: QenjState) -> cython.bint:
    """Whether the seat to move surely has two moves or more."""
    if not state.going_on():
        return False
    found = reach(state, state.turn == state.north, 2)
    # Two stacks of different kinds, or of one.
    return found & found - 1 != 0 or found & 0x02020202 != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def estimated(state: QenjState, value: cython.int, shares: cython.p_double) -> cython.bint:
    """Value the layout of A without the forces, because they can fall in too many ways."""
    if state.turn >= 0 or not COLOURS <= state.phase <= FORCES:
        return False
    shares[0] = 1 / (1 + exp(-value / ODDS))
    shares[1] = 1 - shares[0]
    return True


# ---- Qenj 1 ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def filling_move(state: QenjState, move: cython.pointer[u64]) -> cython.bint:
    """Whether the next move can fill a column, and win; it is written to `move`."""
    ring: cython.int[12]
    if not cython.compiled:
        ring = [0] * 12
    i: cython.int
    steps: cython.int
    if not state.going_on():
        return False
    one_short: cython.bint = False
    for i in range(12):
        one_short |= state.tally[i] & 15 == 3
    if not one_short:
        return False
    north: cython.bint = state.turn == state.north
    count = occupied(state.tally, 12, ring)
    for i in range(count):
        held = state.tally[ring[i]]
        if held & 15 != 3:
            continue
        for steps in range(1, 4):
            j = onwards(i, -steps, count)
            piece = proxime(state.columns[ring[j]], state.tally[ring[j]], north)
            if (
                j != i and cython.cast(cython.int, piece & 3) == steps
                and together(held, tally_of(piece), 1, 4, ALIKE[0], 0) == 4
            ):
                landing = cython.cast(u64, lowest(~held >> 20 & 15))
                move[0] = cython.cast(u64, ring[j]) | landing << 8
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def apart(state: QenjState) -> cython.int:
    """The distance of equal colours from each other's reach, compared with a random layout.

    Pieces go one to three columns on. Of the pairs of pieces this near to each other, two in eleven
    are of one colour when all are dealt; this counts elevenths of a pair.
    """
    i: cython.int
    steps: cython.int
    count: cython.int = 0
    for i in range(12):
        colour = state.tally[i] & 0xFFFF0
        for steps in range(1, 4):
            other = state.tally[onwards(i, steps, 12)] & 0xFFFF0
            if colour and other:
                count += -9 if colour == other else 2
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def counted(state: QenjState, points: cython.pointer[Counts]) -> cython.int:
    """The sum of the given `points` for the moves of each seat and their targets."""
    ring: cython.int[12]
    if not cython.compiled:
        ring = [0] * 12
    i: cython.int
    j: cython.int
    seat: cython.int
    moves: cython.int = 0                       # of a seat
    others: cython.int = 0                      # of the other seat
    fills: cython.int = 0                       # the moves that fill a column
    value: cython.int = 0
    movable: cython.int = 0                     # columns that the other seat could move from
    count = occupied(state.tally, 12, ring)
    for seat in range(2):                       # the other seat, then the one to move
        north: cython.bint = (state.turn == state.north) == (seat == 1)
        others, moves, fills = moves, 0, 0
        for i in range(count):
            piece = proxime(state.columns[ring[i]], state.tally[ring[i]], north)
            j = onwards(i, cython.cast(cython.int, piece & 3), count)
            held = state.tally[ring[j]]
            total = together(held, tally_of(piece), 1, 4, ALIKE[0], 0)
            if i == j or total == 0:
                continue
            moves += 1
            fills += total == 4
            if total == 3:
                value += points[0].near[seat]
            rows = held >> 20
            value += points[0].landings[seat] * ((rows & 1 == 0) + (rows & 8 == 0))
            if seat == 0:
                movable |= 1 << i
            elif movable >> i & 1:
                value += points[0].shared
        if fills and seat == 0:
            value += points[0].threats[min(fills, 3) - 1]
        elif fills:
            value += points[0].win
    return (
        value + points[0].mobility[9 * min(moves, 8) + min(others, 8)]
        + points[0].columns[max(count, 4) - 4]
    )


@cython.final
@cython.cclass
class Qenj1Evaluation(Evaluation):
    """The value of moves in Qenj 1."""

    wins: Counts
    draws: Counts
    apart: cython.int

    def _load(self, numbers: dict) -> None:
        wins = {name: found for name, found in numbers.items() if name not in ("apart", "draws")}
        self.wins = wins if cython.compiled else as_struct(wins)
        self.draws = numbers["draws"] if cython.compiled else as_struct(numbers["draws"])
        self.apart = numbers["apart"]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def layout(self, state: QenjState) -> cython.int:
        """The value of the colours laid out so far for A, who chooses them, before the deal."""
        return 0 if state.phase == SIDES else self.apart * apart(state)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def balance(self, state: QenjState) -> cython.int:
        """The advantage of the seat to move over the other."""
        if state.phase != PLAY:
            layout = self.layout(state)
            return -layout if state.turn == 1 else layout
        return counted(state, cython.address(self.wins))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _evaluate(self, state: State) -> cython.int:
        return self.balance(cython.cast(QenjState, state))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _draw_odds(self, state: State) -> cython.int:
        if cython.cast(QenjState, state).phase != PLAY:
            return UNKNOWN
        return counted(cython.cast(QenjState, state), cython.address(self.draws))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _quiet(self, state: State) -> cython.bint:
        return can_choose(cython.cast(QenjState, state))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _winning_move(self, state: State, move: cython.pointer[u64]) -> cython.bint:
        return filling_move(cython.cast(QenjState, state), move)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _estimate(self, state: State, shares: cython.p_double) -> cython.bint:
        value = self.layout(cython.cast(QenjState, state))
        return estimated(cython.cast(QenjState, state), value, shares)


# ---- Qenj 2, 3 and 4 ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pure(state: QenjState) -> cython.int:
    """The number of pieces that lie just South of one of their colour."""
    row: cython.int
    i: cython.int
    count: cython.int = 0
    for i in range(COLUMNS[state.game]):
        for row in range(CELLS[state.game] - 1):
            pair = state.columns[i] >> 5 * row & 1023
            if pair >> 5 and (pair & 31) >> 2 == pair >> 7:
                count += 1
    return count


@cython.final
@cython.cclass
class QenjEvaluation(Evaluation):
    """The value of moves in the other three games."""

    weights: Weights

    def _load(self, numbers: dict) -> None:
        every = {**NOTHING, **numbers}
        self.weights = every if cython.compiled else as_struct(every)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def layout(self, state: QenjState) -> cython.int:
        """In Qenj 2: the value of the colours laid out so far for A, who chooses them."""
        if state.game > 1 or state.phase == SIDES:
            return 0
        return self.weights.pure * pure(state)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def agility(self, found: cython.int) -> cython.int:
        """The value of these moves for a seat: see `reach`."""
        far = found & 255
        two_short = found >> 8 & 255
        one_short = found >> 16 & 255
        value = (
            self.weights.moves[0] * far + self.weights.moves[1] * two_short
            + self.weights.moves[2] * one_short
        )
        all_moves = far + two_short + one_short + (found >> 24)
        return value + self.weights.few[all_moves] if all_moves < 4 else value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def balance(self, state: QenjState) -> cython.int:
        """The advantage of the seat to move over the other."""
        if state.phase != PLAY:
            layout = self.layout(state)
            return -layout if state.turn == 1 else layout
        goal = GOAL[state.game]
        mine = state.out_a if state.turn == 0 else state.out_b
        theirs = state.out_b if state.turn == 0 else state.out_a
        own = reach(state, state.turn == state.north, ALL)
        other = reach(state, state.turn != state.north, ALL)
        value = self.weights.tempo + self.agility(own) - self.agility(other)
        if own >> 24:
            if mine + 1 >= goal:
                value += self.weights.win
            else:
                value += self.weights.fills[min(own >> 24, 3) - 1]
        if other >> 24:
            if theirs + 1 >= goal:
                value += self.weights.threats[min(other >> 24, 3) - 1]
            else:
                value += self.weights.their_fills[min(other >> 24, 3) - 1]
        if mine:
            value += self.weights.out[mine - 1]
        if theirs:
            value -= self.weights.out[theirs - 1]
        return value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _evaluate(self, state: State) -> cython.int:
        return self.balance(cython.cast(QenjState, state))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _quiet(self, state: State) -> cython.bint:
        return can_choose(cython.cast(QenjState, state))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _estimate(self, state: State, shares: cython.p_double) -> cython.bint:
        if cython.cast(QenjState, state).game > 1:
            return False
        value = self.layout(cython.cast(QenjState, state))
        return estimated(cython.cast(QenjState, state), value, shares)
