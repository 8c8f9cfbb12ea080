# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Qenj's rules: a ring of columns, pieces that belong to nobody, and four games played with them.

A column is a number: five bits a cell, row 1 (North) lowest, each with a piece or 0. A piece is
its colour (from 1, times 4) and its force (1 to 3; 0 while hidden, and where there are none).
Beside it the column's tally counts its pieces (bits 0-3), those of each colour (four bits each,
colour 1 from bit 4) and marks its occupied rows (from bit 20).

A move on the board is the source column (bits 0-3), how many pieces it takes less one (4-6),
whether it goes West (7), then for each piece, in the order in which they are set down, the row
where it lands (four bits) and which one it is, counted from the mover's end (three bits). The row
of a piece taken out, plus one, stands from bit 29. During the set-up a move is what is chosen or
drawn: a colour, a force, a dot's row, a side.
"""

from __future__ import annotations

import math
from pathlib import Path

import cython

from escale.kernel import weights

if cython.compiled:
    from cython.cimports.escale.kernel.core import (
        NEVER,
        Moves,
        State,
        add,
        highest,
        lowest,
        mix,
        u32,
        u64,
    )
    from cython.cimports.libc.math import exp
else:
    from escale.kernel.core import NEVER, State, add, highest, lowest, mix, u32, u64
    exp = math.exp

#: The four games on one page.
FAMILY = {
    #                            Qenj 1  Qenj 2  Qenj 3  Qenj 4
    "columns":                  (12,     12,     9,      9),
    "cells":                    (4,      9,      6,      6),        # in a column
    "colours":                  (4,      3,      3,      3),
    "pieces":                   (3,      12,     7,      6),        # of each colour
    "forces":                   (1,      4,      0,      0),        # of each colour, each force
    "alike":                    (1,      3,      2,      2),        # of a colour in one column
    "taken":                    (1,      8,      3,      3),        # in one move, at most
    "both ways":                (0,      1,      0,      0),        # round the ring
    "outgrow":                  (0,      1,      0,      0),        # the source, or no move
    "out":                      (0,      0,      3,      2),        # pieces to take out and win
    "chooser":                  (1,      1,      0,      -1),       # of a side: A 0, B 1
    "first":                    (0,      0,      1,      1),        # to move
}
#: The gold cells of Qenj 3, North above.
GOLD = (
    ". . . . . . . . .",
    ". G . . . . . G .",
    "G G G G G G G G G",
    "G G G G G G G G G",
    ". . . . G . . . .",
    ". . . . . . . . .",
)

#: Where the pieces of each game are first put, as (column, row) from 0, in the order of the deal.
#: In Qenj 1 a column's row is that of its dot.
SPOTS = (
    [(column, 0) for column in range(12)],
    [(column, row) for column in range(12) for row in (3, 4, 5)],
    [(column, row) for column in range(9) for row in range(6) if GOLD[row][2 * column] == "G"],
    [(column, row) for column in range(9) for row in (2, 3)],
)

OVER = cython.declare(cython.const[u32], 0x88880)           # a colour's count beyond its limit
MAX_PLIES = cython.declare(cython.const[cython.int], 300)
ODDS = cython.declare(cython.double, weights.ODDS)

#: What is being done: the set-up, then play.
PHASES = ("shuffle", "colours", "forces", "sides", "play")
SHUFFLE = cython.declare(cython.const[cython.int], 0)       # the columns of Qenj 1
COLOURS = cython.declare(cython.const[cython.int], 1)       # chosen by A, or dealt
FORCES = cython.declare(cython.const[cython.int], 2)        # dealt
SIDES = cython.declare(cython.const[cython.int], 3)
PLAY = cython.declare(cython.const[cython.int], 4)

# Moves that are no piece's, and their names.
WORDS = {5: "fill", 6: "repeat", 7: "redraw", 15: "pass"}
FILL = cython.declare(cython.const[u64], 5)                 # let chance choose the other colours
REPEAT = cython.declare(cython.const[u64], 6)               # the last column's colours once more
REDRAW = cython.declare(cython.const[u64], 7)               # deal again
PASS = cython.declare(cython.const[u64], 15)

# How a game ends, in the order of the facts' lists; AHEAD is added where one has taken out more.
WON = cython.declare(cython.const[cython.int], 0)
STUCK = cython.declare(cython.const[cython.int], 1)
REPETITION = cython.declare(cython.const[cython.int], 2)
LENGTH = cython.declare(cython.const[cython.int], 3)
AHEAD = cython.declare(cython.const[cython.int], 3)

# What an evaluation adds up, on the scale of odds: each game's `weights.toml` says what for.
SIZES = {"win": 1, "threats": 3, "moves": 3, "few": 4, "tempo": 1}
PURE_SIZES = {**SIZES, "pure": 1}                           # the set-up of Qenj 2
OUT_SIZES = {**SIZES, "out": 2, "fills": 3, "their_fills": 3}
WIN = cython.declare(cython.const[cython.int], 0)
THREATS = cython.declare(cython.const[cython.int], 1)
MOVES = cython.declare(cython.const[cython.int], 4)
FEW = cython.declare(cython.const[cython.int], 7)
TEMPO = cython.declare(cython.const[cython.int], 11)
PURE = cython.declare(cython.const[cython.int], 12)
OUT = cython.declare(cython.const[cython.int], 12)
FILLS = cython.declare(cython.const[cython.int], 14)
THEIR_FILLS = cython.declare(cython.const[cython.int], 17)
ROOM = cython.declare(cython.const[cython.int], 20)         # numbers of one game
# Qenj 1 counts other things, twice: for a win, and for a draw.
ONE_SIZES = {
    "win": 1, "threats": 3, "mobility": 81, "columns": 9, "near": 2, "landings": 2, "shared": 1,
}
APART_SIZES = {
    **ONE_SIZES, "apart": 1, **{f"draws.{name}": size for name, size in ONE_SIZES.items()}
}
MOBILITY = cython.declare(cython.const[cython.int], 4)      # WIN and THREATS stand before it
LEFT = cython.declare(cython.const[cython.int], 85)
NEAR = cython.declare(cython.const[cython.int], 94)
LANDINGS = cython.declare(cython.const[cython.int], 96)
SHARED = cython.declare(cython.const[cython.int], 98)
APART = cython.declare(cython.const[cython.int], 99)        # the set-up
DRAWS = cython.declare(cython.const[cython.int], 100)
ONE = cython.declare(cython.const[cython.int], 80)          # where these begin
WEIGHTS = cython.declare(cython.int[279])
ALL = cython.declare(cython.const[cython.int], 255)         # moves, none left out

# FAMILY, SPOTS, and where pieces can land, for compiled code. For a game, the occupied rows of a
# column and a number of pieces, `slot` finds the rows on which they can be set down one by one:
# in every order in WAYS, in one order for each set of rows in SETS; four bits a row.
COLUMNS = cython.declare(cython.int[4])
CELLS = cython.declare(cython.int[4])
KINDS = cython.declare(cython.int[4])
EACH = cython.declare(cython.int[4])
OF_FORCE = cython.declare(cython.int[4])
ALIKE = cython.declare(u32[4])
TAKEN = cython.declare(cython.int[4])
WAYS_ROUND = cython.declare(cython.int[4])
OUTGROW = cython.declare(cython.bint[4])
GOAL = cython.declare(cython.int[4])
CHOOSER = cython.declare(cython.int[4])
FIRST = cython.declare(cython.int[4])
SPOT_COUNT = cython.declare(cython.int[4])
SPOT_COLUMN = cython.declare(cython.int[144])
SPOT_ROW = cython.declare(cython.int[144])
OFFSET = cython.declare(cython.int[4])
FIRST_WAY = cython.declare(cython.int[4737])
FIRST_SET = cython.declare(cython.int[4737])
WAYS = cython.declare(u32[4096])
SETS = cython.declare(u32[1024])
if not cython.compiled:
    COLUMNS, CELLS, KINDS, EACH, OF_FORCE, ALIKE, TAKEN, WAYS_ROUND = ([0] * 4 for _ in range(8))
    OUTGROW, GOAL, CHOOSER, FIRST, SPOT_COUNT, OFFSET = ([0] * 4 for _ in range(6))
    SPOT_COLUMN, SPOT_ROW, WEIGHTS = [0] * 144, [0] * 144, [0] * 279
    FIRST_WAY, FIRST_SET, WAYS, SETS = [0] * 4737, [0] * 4737, [0] * 4096, [0] * 1024


def landings(occupied: int, pieces: int, cells: int) -> list:
    """Every order of rows in which pieces can land, each next to an occupied cell.

    Each comes with how often there was a choice, since the choices are what a move's text names.
    """
    if pieces == 0:
        return [(0, ())]
    free = [
        row for row in range(cells)
        if not occupied >> row & 1 and (occupied << 1 | occupied >> 1) >> row & 1
    ]
    return sorted(
        (choices + (len(free) > 1), (row, *rows))
        for row in free
        for choices, rows in landings(occupied | 1 << row, pieces - 1, cells)
    )


def fill_tables() -> None:
    """Work the tables out from the page above."""
    slot, ways, sets = 0, 0, 0
    for game in range(4):
        (
            COLUMNS[game], CELLS[game], KINDS[game], EACH[game], OF_FORCE[game], alike,
            TAKEN[game], both, OUTGROW[game], GOAL[game], CHOOSER[game], FIRST[game],
        ) = (values[game] for values in FAMILY.values())
        ALIKE[game] = 0x11110 * (7 - alike)
        WAYS_ROUND[game] = 1 + both
        SPOT_COUNT[game] = len(SPOTS[game])
        for i, (column, row) in enumerate(SPOTS[game]):
            SPOT_COLUMN[36 * game + i], SPOT_ROW[36 * game + i] = column, row
        cells, taken = CELLS[game], TAKEN[game]
        if game == 3:                           # its columns are those of Qenj 3
            OFFSET[game] = OFFSET[game - 1]
            break
        OFFSET[game] = slot
        for occupied in range(1 << cells):
            block = f"{occupied:b}".strip("0")
            for pieces in range(1, 9):
                FIRST_WAY[slot], FIRST_SET[slot] = ways, sets
                slot += 1
                if occupied == 0 or pieces > taken or ("0" in block and GOAL[game] == 0):
                    continue
                met = set()
                for _, rows in landings(occupied, pieces, cells):
                    code = sum(row << 4 * i for i, row in enumerate(rows))
                    WAYS[ways] = code
                    ways += 1
                    if frozenset(rows) not in met:
                        met.add(frozenset(rows))
                        SETS[sets] = code
                        sets += 1
    FIRST_WAY[slot], FIRST_SET[slot] = ways, sets


def weigher(game: int) -> object:
    """What puts a number into the evaluation of one of the four games."""

    def put(i: int, number: int) -> None:
        WEIGHTS[(ROOM * game if game else ONE) + i] = number

    return put


fill_tables()
for game, sizes in enumerate((APART_SIZES, PURE_SIZES, OUT_SIZES, OUT_SIZES)):
    weights.keep_weights(
        Path(__file__).with_name(f"qenj{game + 1}") / "weights.toml", sizes, weigher(game)
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def tally_of(piece: u64) -> u32:
    """What a piece adds to a column's tally, its row apart."""
    return 1 + (cython.cast(u32, 1) << cython.cast(u32, piece & 28))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def onwards(place: cython.int, steps: cython.int, count: cython.int) -> cython.int:
    """The place so many steps East, or West when less than none, round a ring of `count`."""
    place += steps
    while place >= count:                       # divisions take longer
        place -= count
    while place < 0:
        place += count
    return place


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def nearest(rows: u32, north: cython.bint) -> cython.int:
    """The row nearest to a seat, of some that are marked."""
    return lowest(rows) if north else highest(rows)


@cython.final
@cython.cclass
class QenjState(State):
    """The columns, who sits where, and how far the set-up is."""

    columns: u64[12]
    tally: u32[12]
    game = cython.declare(cython.int, visibility="readonly")        # 0 to 3
    phase = cython.declare(cython.int, visibility="readonly")
    step = cython.declare(cython.int, visibility="readonly")        # within the phase
    north = cython.declare(cython.int, visibility="readonly")       # the seat there, or -1
    out_a = cython.declare(cython.int, visibility="readonly")       # pieces A has taken out
    out_b = cython.declare(cython.int, visibility="readonly")
    won = cython.declare(cython.int, visibility="readonly")         # the winner, or -1
    dots = cython.declare(u64, visibility="readonly")       # a row from 1, three bits a column
    latest: u64                                             # the key, if known, else 0
    quick = cython.declare(cython.bint, visibility="readonly")      # setup=quick
    free = cython.declare(cython.bint, visibility="readonly")       # pieces land in any order

    def __init__(
        self, game: cython.int = 0, columns: object = (), turn: cython.int = -1,
        phase: cython.int = 0, step: cython.int = 0, north: cython.int = -1, out: object = (0, 0),
        dots: object = 0, quick: cython.bint = False, free: cython.bint = False,
    ):
        i: cython.int
        row: cython.int
        State.__init__(self)
        if not cython.compiled:
            self.columns, self.tally = [0] * 12, [0] * 12
        self.game = game
        self.turn = turn
        self.phase = phase
        self.step = step
        self.north = north if CHOOSER[game] >= 0 else 1
        self.out_a, self.out_b = out
        self.dots = dots
        self.quick = quick
        self.free = free or TAKEN[game] == 3
        self.won = -1
        self.latest = 0
        for i in range(12):
            self.columns[i] = 0
            self.tally[i] = 0
        for i, word in enumerate(columns):
            for row in range(CELLS[game]):
                if word >> 5 * row & 31:
                    self.put(i, row, word >> 5 * row & 31)
            if phase == PLAY and self.tally[i] & 15 == CELLS[game]:
                self.won = 1 - turn
        if GOAL[game] and self.out_a >= GOAL[game]:
            self.won = 0
        if GOAL[game] and self.out_b >= GOAL[game]:
            self.won = 1
        # The most ways of moving there can be. Qenj 1: two landings for each column. Qenj 2: four
        # columns of eight, each way round, 510 ways of setting down; or, if free, 8! for each. Qenj
        # 3 and 4: for each column no more than 6 ways with one piece, 40 with two, 360 with three.
        self.capacity = 64 if game == 0 else 4096 if game > 1 else 330_000 if self.free else 4608
        self.resume(0, 1)

    def words(self) -> list[int]:
        """The columns as numbers."""
        return [self.columns[i] for i in range(COLUMNS[self.game])]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def put(self, column: cython.int, row: cython.int, piece: u64) -> cython.void:
        self.columns[column] |= piece << 5 * row
        self.tally[column] += tally_of(piece) + (cython.cast(u32, 1) << (20 + row))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def lift(self, column: cython.int, row: cython.int) -> u64:
        """Take the piece from an occupied cell."""
        piece = self.columns[column] >> 5 * row & 31
        self.columns[column] ^= piece << 5 * row
        self.tally[column] -= tally_of(piece) + (cython.cast(u32, 1) << (20 + row))
        return piece

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def key(self) -> u64:
        return self.latest if self.latest else self.stirred()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def stirred(self) -> u64:
        """The key, worked out."""
        state = self.turn + 1 | self.phase << 2 | self.step << 5 | (self.north + 1) << 11
        key = mix(cython.cast(u64, state | self.out_a << 13 | self.out_b << 15), self.dots)
        for i in range(COLUMNS[self.game]):
            key = mix(key, self.columns[i])
        return key

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def result(self, shares: cython.p_double) -> cython.int:
        best = self.won
        ending = WON
        if best < 0:
            ending = STUCK
            if self.occurrences >= 3:
                ending = REPETITION
            elif self.plies >= MAX_PLIES and not OUTGROW[self.game]:
                ending = LENGTH
            if self.out_a == self.out_b:
                shares[0] = shares[1] = 0.5
                return ending
            best = 0 if self.out_a > self.out_b else 1
            ending += AHEAD
        shares[best] = 1.0
        shares[1 - best] = 0.0
        return ending

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def evaluate(self) -> cython.int:
        at = ROOM * self.game
        if self.phase != PLAY:
            layout = self.layout()
            return -layout if self.turn == 1 else layout
        if self.game == 0:
            return self.counted(ONE)
        goal = GOAL[self.game]
        mine = self.out_a if self.turn == 0 else self.out_b
        theirs = self.out_b if self.turn == 0 else self.out_a
        own = self.reach(self.turn == self.north, ALL)
        other = self.reach(self.turn != self.north, ALL)
        value = WEIGHTS[at + TEMPO] + self.agility(own) - self.agility(other)
        if own >> 24:
            if mine + 1 >= goal:
                value += WEIGHTS[at + WIN]
            else:
                value += WEIGHTS[at + FILLS + min(own >> 24, 3) - 1]
        if other >> 24:
            if theirs + 1 >= goal:
                value += WEIGHTS[at + THREATS + min(other >> 24, 3) - 1]
            else:
                value += WEIGHTS[at + THEIR_FILLS + min(other >> 24, 3) - 1]
        if mine:
            value += WEIGHTS[at + OUT + mine - 1]
        if theirs:
            value -= WEIGHTS[at + OUT + theirs - 1]
        return value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def calm(self) -> cython.int:
        return self.counted(ONE + DRAWS) if self.game == 0 and self.phase == PLAY else NEVER

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def counted(self, at: cython.int) -> cython.int:
        """Qenj 1: what each seat could move, and where to, by the numbers from `at` on."""
        ring: cython.int[12]
        if not cython.compiled:
            ring = [0] * 12
        i: cython.int
        j: cython.int
        seat: cython.int
        moves: cython.int = 0                   # that a seat has
        others: cython.int = 0                  # that the other one has
        fills: cython.int = 0                   # of them
        value: cython.int = 0
        movable: cython.int = 0                 # columns that the other seat could move from
        count = self.occupied(ring)
        for seat in range(2):                   # the other seat, then the one on turn
            north: cython.bint = (self.turn == self.north) == (seat == 1)
            others, moves, fills = moves, 0, 0
            for i in range(count):
                piece = self.proxime(ring[i], north)
                j = onwards(i, cython.cast(cython.int, piece & 3), count)
                held = self.tally[ring[j]]
                total = self.together(held, tally_of(piece), 1, 0)
                if i == j or total == 0:
                    continue
                moves += 1
                fills += total == 4
                if total == 3:
                    value += WEIGHTS[at + NEAR + seat]
                rows = held >> 20
                value += WEIGHTS[at + LANDINGS + seat] * ((rows & 1 == 0) + (rows & 8 == 0))
                if seat == 0:
                    movable |= 1 << i
                elif movable >> i & 1:
                    value += WEIGHTS[at + SHARED]
            if fills and seat == 0:
                value += WEIGHTS[at + THREATS + min(fills, 3) - 1]
            elif fills:
                value += WEIGHTS[at + WIN]
        return value + WEIGHTS[at + MOBILITY + 9 * min(moves, 8) + min(others, 8)] + (
            WEIGHTS[at + LEFT + max(count, 4) - 4]
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def lively(self) -> cython.bint:
        if not self.going_on():
            return False
        found = self.reach(self.turn == self.north, 2)
        # Two stacks of different kinds, or of one.
        return found & found - 1 != 0 or found & 0x02020202 != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def wins(self, move: cython.pointer[u64]) -> cython.bint:
        # In Qenj 1 only, where one piece fills a column or none does.
        ring: cython.int[12]
        if not cython.compiled:
            ring = [0] * 12
        i: cython.int
        steps: cython.int
        if self.game != 0 or not self.going_on():
            return False
        one_short: cython.bint = False
        for i in range(12):
            one_short |= self.tally[i] & 15 == 3
        if not one_short:
            return False
        north: cython.bint = self.turn == self.north
        count = self.occupied(ring)
        for i in range(count):
            held = self.tally[ring[i]]
            if held & 15 != 3:
                continue
            for steps in range(1, 4):
                j = onwards(i, -steps, count)
                piece = self.proxime(ring[j], north)
                if (
                    j != i and cython.cast(cython.int, piece & 3) == steps
                    and self.together(held, tally_of(piece), 1, 0) == 4
                ):
                    slot = OFFSET[0] + cython.cast(cython.int, held >> 20) * 8
                    move[0] = (
                        cython.cast(u64, ring[j]) | cython.cast(u64, WAYS[FIRST_WAY[slot]]) << 8
                    )
                    return True
        return False

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def proxime(self, column: cython.int, north: cython.bint) -> u64:
        """The piece of a column, which has some, that is nearest to a seat."""
        return self.columns[column] >> 5 * nearest(self.tally[column] >> 20, north) & 31

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def going_on(self) -> cython.bint:
        """Whether the game is being played, and nothing has ended it but want of moves."""
        return self.phase == PLAY and self.won < 0 and self.occurrences < 3 and (
            self.plies < MAX_PLIES or OUTGROW[self.game]
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def estimate(self, shares: cython.p_double) -> cython.bint:
        # What A has laid out is valued as it stands: forces can fall in too many ways.
        if self.game > 1 or self.turn >= 0 or not COLOURS <= self.phase <= FORCES:
            return False
        shares[0] = 1 / (1 + exp(-self.layout() / ODDS))
        shares[1] = 1 - shares[0]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def layout(self) -> cython.int:
        """What the colours laid out so far are worth to A, who chooses them, before the deal."""
        if self.game > 1 or self.phase == SIDES:
            return 0
        if self.game == 0:
            return WEIGHTS[ONE + APART] * self.apart()
        return WEIGHTS[ROOM * self.game + PURE] * self.pure()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def apart(self) -> cython.int:
        """How far like colours are from each other's reach, next to a layout drawn by lot.

        Pieces go one to three columns on. Of the pairs of pieces so near to each other, two in
        eleven are of one colour when all are dealt; this counts elevenths of a pair.
        """
        i: cython.int
        steps: cython.int
        count: cython.int = 0
        for i in range(12):
            colour = self.tally[i] & 0xFFFF0
            for steps in range(1, 4):
                other = self.tally[onwards(i, steps, 12)] & 0xFFFF0
                if colour and other:
                    count += -9 if colour == other else 2
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pure(self) -> cython.int:
        """How many pieces lie just South of one of their colour."""
        row: cython.int
        i: cython.int
        count: cython.int = 0
        for i in range(COLUMNS[self.game]):
            for row in range(CELLS[self.game] - 1):
                pair = self.columns[i] >> 5 * row & 1023
                if pair >> 5 and (pair & 31) >> 2 == pair >> 7:
                    count += 1
        return count

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def agility(self, found: cython.int) -> cython.int:
        """What it is worth to a seat to have these moves."""
        at = ROOM * self.game
        far = found & 255
        two_short = found >> 8 & 255
        one_short = found >> 16 & 255
        value = (
            WEIGHTS[at + MOVES] * far + WEIGHTS[at + MOVES + 1] * two_short
            + WEIGHTS[at + MOVES + 2] * one_short
        )
        all_moves = far + two_short + one_short + (found >> 24)
        return value + WEIGHTS[at + FEW + all_moves] if all_moves < 4 else value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reach(self, north: cython.bint, enough: cython.int) -> cython.int:
        """How many stacks the seat that sits North, or South, could move, and where they would go.

        Those whose column would then be full are counted from bit 24, one short of it from bit
        16, two short of it from bit 8, and the others from bit 0; no more than `enough`.
        """
        ring: cython.int[12]
        if not cython.compiled:
            ring = [0] * 12
        found: cython.int = 0
        k: cython.int
        i: cython.int
        cells = CELLS[self.game]
        count = self.occupied(ring)
        for i in range(count):
            word = self.columns[ring[i]]
            size = self.tally[ring[i]] & 15
            rows = self.tally[ring[i]] >> 20
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
                distance = cython.cast(cython.int, first) if OF_FORCE[self.game] else k
                east = onwards(i, distance, count)
                for west in range(WAYS_ROUND[self.game]):
                    j = onwards(i, -distance, count) if west else east
                    if j == i or (west and j == east):
                        continue
                    total = self.together(self.tally[ring[j]], load, k, size)
                    if total:
                        found += 1 << 8 * max(0, total + 3 - cells)
                        enough -= 1
                        if enough == 0:
                            return found
                if k == TAKEN[self.game]:
                    break
        return found

    # ---- moves on the board ----

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def occupied(self, ring: cython.p_int) -> cython.int:
        """How many columns have pieces; which, round the ring, is written to `ring`."""
        i: cython.int
        count: cython.int = 0
        for i in range(COLUMNS[self.game]):
            ring[count] = i                     # written over if there are none
            count += self.tally[i] != 0
        return count

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def together(self, held: u32, load: u32, k: cython.int, size: cython.int) -> cython.int:
        """How many a column holds when k pieces from one of `size` come to it; 0 if they may not.

        The tallies say which there are: `held` in the column, `load` in the pieces that come.
        """
        total = cython.cast(cython.int, held & 15) + k
        if total > CELLS[self.game] or (OUTGROW[self.game] and total <= size):
            return 0
        return 0 if (held + load + ALIKE[self.game]) & OVER else total

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def generate(self, out: Moves) -> cython.void:
        if self.phase != PLAY:
            self.prepare(out)
            return
        if not self.going_on():
            return
        self.transfers(self.turn == self.north, out)
        if out.count == 0:
            self.transfers(self.turn != self.north, out)
            if out.count:                       # the other seat is not stuck
                out.count = 0
                add(out, PASS)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def transfers(self, north: cython.bint, out: Moves) -> cython.void:
        """Every move of the seat that sits North, or South."""
        ring: cython.int[12]
        if not cython.compiled:
            ring = [0] * 12
        k: cython.int
        i: cython.int
        count = self.occupied(ring)
        for i in range(count):
            word = self.columns[ring[i]]
            size = self.tally[ring[i]] & 15
            rows = self.tally[ring[i]] >> 20
            stack: u64 = 0                      # the pieces taken, nearest lowest
            load: u32 = 0
            k = 0
            while rows:
                row = nearest(rows, north)
                rows ^= cython.cast(u32, 1) << row
                piece = word >> 5 * row & 31
                stack |= piece << 5 * k
                load += tally_of(piece)
                k += 1
                distance = cython.cast(cython.int, stack & 3) if OF_FORCE[self.game] else k
                east = onwards(i, distance, count)
                for west in range(WAYS_ROUND[self.game]):
                    j = onwards(i, -distance, count) if west else east
                    if j == i or (west and j == east):
                        continue
                    held = self.tally[ring[j]]
                    if self.together(held, load, k, size) == 0:
                        continue
                    move = cython.cast(u64, ring[i] | (k - 1) << 4 | west << 7)
                    if self.free:
                        self.any_order(held, k, stack, move, out)
                    else:
                        self.deepest_first(held, k, stack, move, out)
                if k == TAKEN[self.game]:
                    break

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def deepest_first(
        self, held: u32, k: cython.int, stack: u64, move: u64, out: Moves
    ) -> cython.void:
        """Set a stack down from its bottom; a result that was met before is the same move."""
        met: u64[128]
        if not cython.compiled:
            met = [0] * 128
        known: cython.int = 0
        i: cython.int
        j: cython.int
        slot = OFFSET[self.game] + cython.cast(cython.int, held >> 20) * 8 + k - 1
        for i in range(FIRST_WAY[slot], FIRST_WAY[slot + 1]):
            rows = cython.cast(u64, WAYS[i])
            result: u64 = 0
            code = move
            for j in range(k):
                row = rows >> 4 * j & 15
                result |= (stack >> 5 * (k - 1 - j) & 31) << (5 * row)
                code |= (row | cython.cast(u64, k - 1 - j) << 4) << (8 + 7 * j)
            j = 0
            if not self.every_way:
                while j < known and met[j] != result:
                    j += 1
                if j < known:
                    continue
                met[known] = result
                known += 1
            add(out, code)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def any_order(
        self, held: u32, k: cython.int, stack: u64, move: u64, out: Moves
    ) -> cython.void:
        """Set pieces down in every order, or once for each result.

        A stack of more than five is set down in one order only for each result: nobody looks for
        the others, and they would be millions.
        """
        i: cython.int
        slot = OFFSET[self.game] + cython.cast(cython.int, held >> 20) * 8 + k - 1
        fills: cython.bint = GOAL[self.game] and (held & 15) + k == CELLS[self.game]
        if self.every_way and k <= 5:
            for i in range(FIRST_WAY[slot], FIRST_WAY[slot + 1]):
                self.arrange(WAYS[i], 0, 0, k, stack, move, fills, True, out)
        else:
            for i in range(FIRST_SET[slot], FIRST_SET[slot + 1]):
                self.arrange(SETS[i], 0, 0, k, stack, move, fills, False, out)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def arrange(
        self, rows: u32, used: cython.int, done: cython.int, k: cython.int, stack: u64, move: u64,
        fills: cython.bint, every: cython.bint, out: Moves,
    ) -> cython.void:
        """Give the rows that are left to the pieces that are left, in every way that differs.

        A column just filled gives a piece away: each is a move of its own.
        """
        j: cython.int
        first: cython.int
        if done == k:
            if not fills:
                add(out, move)
                return
            for j in range(CELLS[self.game]):
                add(out, move | cython.cast(u64, j + 1) << 29)
            return
        for j in range(k):
            if used >> j & 1:
                continue
            first = 0                           # the first piece left that is like this one
            while used >> first & 1 or (stack >> 5 * first ^ stack >> 5 * j) & 31:
                first += 1
            if first < j and not every:
                continue
            landing = cython.cast(u64, rows & 15) | cython.cast(u64, j) << 4
            self.arrange(
                rows >> 4, used | 1 << j, done + 1, k, stack,
                move | landing << (8 + 7 * done), fills, every, out,
            )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play(self, move: u64) -> cython.void:
        if self.phase != PLAY:
            self.set_out(move)
            return
        if move != PASS:
            self.transfer(move)
        self.turn ^= 1
        self.plies += 1
        self.latest = self.stirred()
        # In Qenj 2 the squares of the columns' sizes add up to more with every move.
        self.record(self.latest, 0 if OUTGROW[self.game] else self.recorded)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def transfer(self, move: u64) -> cython.void:
        """Take the nearest pieces of a column round the ring, and set them down."""
        row: cython.int
        i: cython.int
        source = cython.cast(cython.int, move & 15)
        count = cython.cast(cython.int, (move >> 4 & 7) + 1)
        towards = -1 if move >> 7 & 1 else 1
        cells = CELLS[self.game]
        columns = COLUMNS[self.game]
        north: cython.bint = self.turn == self.north
        row = 0 if north else cells - 1
        distance = count
        if OF_FORCE[self.game]:
            distance = cython.cast(cython.int, self.proxime(source, north) & 3)
        target = source
        for i in range(distance):
            target = onwards(target, towards, columns)
            while self.tally[target] == 0:
                target = onwards(target, towards, columns)
        stack: u64 = 0
        for i in range(count):
            while self.columns[source] >> 5 * row & 31 == 0:
                row += 1 if north else -1
            stack |= self.lift(source, row) << 5 * i
        for i in range(count):
            landing = move >> (8 + 7 * i) & 127
            self.put(
                target, cython.cast(cython.int, landing & 15), stack >> 5 * (landing >> 4) & 31
            )
        if self.tally[source] == 0:             # the column leaves, with its dot
            self.dots &= ~(cython.cast(u64, 7) << 3 * source)
        if self.tally[target] & 15 < cells:
            return
        if GOAL[self.game] == 0:
            self.won = self.turn
            return
        self.lift(target, cython.cast(cython.int, (move >> 29 & 15) - 1))
        if self.turn == 0:
            self.out_a += 1
        else:
            self.out_b += 1
        if self.out_a == GOAL[self.game] or self.out_b == GOAL[self.game]:
            self.won = self.turn

    # ---- the set-up ----

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def column(self, step: cython.int) -> cython.int:
        return SPOT_COLUMN[36 * self.game + step]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def row(self, step: cython.int) -> cython.int:
        if self.game == 0:
            return cython.cast(cython.int, self.dots >> 3 * step & 7) - 1
        return SPOT_ROW[36 * self.game + step]

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def piece(self, step: cython.int) -> u64:
        """What lies where the set-up puts its piece of that number."""
        return self.columns[self.column(step)] >> 5 * self.row(step) & 31

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def left(self, what: u64) -> cython.int:
        """How many dots of a row, pieces of a colour or forces are still to be dealt."""
        i: cython.int
        count: cython.int
        if self.phase == SHUFFLE:
            count = 3
            for i in range(self.step):
                if self.dots >> 3 * i & 7 == what + 1:
                    count -= 1
        elif self.phase == COLOURS:
            count = EACH[self.game]
            for i in range(self.step):
                if self.piece(i) >> 2 == what:
                    count -= 1
        else:
            count = OF_FORCE[self.game]
            what |= self.piece(self.step) & 28
            for i in range(self.step):
                if self.piece(i) == what:
                    count -= 1
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def weight(self, move: u64) -> u32:
        if self.phase == COLOURS and move == REDRAW:
            return 1
        return self.left(move)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prepare(self, out: Moves) -> cython.void:
        """What can be chosen or drawn during the set-up."""
        what: u64
        if self.phase == SIDES:                 # the chooser sits North, or South
            add(out, 0)
            add(out, 1)
        elif self.phase == SHUFFLE:
            for what in range(4):
                if self.left(what):
                    add(out, what)
        elif self.phase == FORCES:
            for what in range(1, 4):
                if self.left(what):
                    add(out, what)
        elif self.crowded():
            add(out, REDRAW)
        else:
            for what in range(1, KINDS[self.game] + 1):
                if self.left(what):
                    add(out, what)
            if self.turn >= 0:
                add(out, FILL)
                if self.repeats():
                    add(out, REPEAT)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def crowded(self) -> cython.bint:
        """The deal has put too many of a colour in one column."""
        if self.step == 0:
            return False
        held = self.tally[self.column(self.step - 1)]
        return (held + ALIKE[self.game]) & OVER != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def repeats(self) -> cython.bint:
        """In Qenj 2, at the top of a column: there are pieces for the last one's colours again."""
        what: u64
        if self.game != 1 or self.step == 0 or self.step % 3:
            return False
        last = self.tally[self.column(self.step - 1)]
        for what in range(1, KINDS[1] + 1):
            if cython.cast(cython.int, last >> 4 * what & 15) > self.left(what):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def set_out(self, move: u64) -> cython.void:
        """Make a move of the set-up, and go on to what follows."""
        i: cython.int
        if self.phase == SIDES:
            self.north = self.turn ^ cython.cast(cython.int, move)
            self.begin_play()
        elif self.phase == SHUFFLE:
            self.dots |= (move + 1) << 3 * self.step
            self.step += 1
            if self.step == COLUMNS[self.game]:
                self.phase, self.step = COLOURS, 0
                if not self.quick:
                    self.turn = 0
        elif self.phase == FORCES:
            self.columns[self.column(self.step)] |= move << 5 * self.row(self.step)
            self.step += 1
            if self.step == SPOT_COUNT[self.game]:
                self.phase, self.step = SIDES, 0
                self.turn = CHOOSER[self.game]
        elif move == FILL:
            self.turn = -1
        elif move == REDRAW:
            self.step = 0
            for i in range(COLUMNS[self.game]):
                self.columns[i] = 0
                self.tally[i] = 0
        else:
            for i in range(3 if move == REPEAT else 1):
                colour = self.piece(self.step - 3) if move == REPEAT else move << 2
                self.put(self.column(self.step), self.row(self.step), colour)
                self.step += 1
            if self.step == SPOT_COUNT[self.game] and not self.crowded():
                self.step = 0
                if OF_FORCE[self.game]:
                    self.phase = FORCES
                    self.turn = -1
                elif CHOOSER[self.game] >= 0:
                    self.phase = SIDES
                    self.turn = CHOOSER[self.game]
                else:
                    self.begin_play()

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def begin_play(self) -> cython.void:
        self.phase, self.step = PLAY, 0
        self.turn = FIRST[self.game]
        self.recorded = 0
        self.record(self.key(), 0)
