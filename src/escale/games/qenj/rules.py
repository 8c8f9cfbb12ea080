# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Qenj's rules: a ring of columns, pieces that belong to no seat, and four games played with them.

A column and its tally are numbers: `ring.pxd` explains their bits.

A move on the board is the source column (bits 0-3), the number of pieces taken, less one (4-6),
1 for a move to the West (7), then for each piece, in the order in which they are set down, the row
where it lands (four bits) and its place in the stack from the mover's end (three bits). The row
of a piece taken out, plus one, stands from bit 29. During the set-up a move is the thing chosen or
drawn: a colour, a force, a dot's row, a side.

The fields of a state are declared in `numbering.pxd`, the arguments of the helpers in `rules.pxd`.
"""

from __future__ import annotations

import cython

from escale.games.qenj.geometry import FAMILY, LANDINGS, SPOTS

if cython.compiled:
    from cython.cimports.escale.games.qenj.numbering import NumberedState
    from cython.cimports.escale.games.qenj.ring import (
        COLOURS,
        FILL,
        FORCES,
        OVER,
        PASS,
        PLAY,
        REDRAW,
        REPEAT,
        SHUFFLE,
        SIDES,
        nearest,
        occupied,
        onwards,
        tally_of,
        target_of,
        together,
    )
    from cython.cimports.escale.kernel.core import Moves, State, add, mix, u32, u64
else:
    from escale.games.qenj.numbering import NumberedState
    from escale.games.qenj.ring import (
        COLOURS,
        FILL,
        FORCES,
        OVER,
        PASS,
        PLAY,
        REDRAW,
        REPEAT,
        SHUFFLE,
        SIDES,
        nearest,
        occupied,
        onwards,
        tally_of,
        target_of,
        together,
    )
    from escale.kernel.core import State, add, mix, u32, u64

MAX_PLIES = cython.declare(cython.const[cython.int], 300)

# The endings, in the order of the facts' lists; AHEAD is added if one seat has taken out more.
WON = cython.declare(cython.const[cython.int], 0)
STUCK = cython.declare(cython.const[cython.int], 1)
REPETITION = cython.declare(cython.const[cython.int], 2)
LENGTH = cython.declare(cython.const[cython.int], 3)
AHEAD = cython.declare(cython.const[cython.int], 3)

# FAMILY, SPOTS and LANDINGS, for compiled code.
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
    SPOT_COLUMN, SPOT_ROW = [0] * 144, [0] * 144
    FIRST_WAY, FIRST_SET, WAYS, SETS = [0] * 4737, [0] * 4737, [0] * 4096, [0] * 1024


def fill_tables() -> None:
    """Put the family's page where compiled code finds it."""
    for game in range(4):
        (
            COLUMNS[game], CELLS[game], KINDS[game], EACH[game], OF_FORCE[game], alike,
            TAKEN[game], both, OUTGROW[game], GOAL[game], CHOOSER[game], FIRST[game],
        ) = (values[game] for values in FAMILY.values())
        ALIKE[game] = 0x11110 * (7 - alike)     # carries too many of a colour into OVER
        WAYS_ROUND[game] = 1 + both
        OFFSET[game] = LANDINGS.offsets[game]
        SPOT_COUNT[game] = len(SPOTS[game])
        for i, (column, row) in enumerate(SPOTS[game]):
            SPOT_COLUMN[36 * game + i], SPOT_ROW[36 * game + i] = column, row
    for i, (way, rows) in enumerate(zip(LANDINGS.first_way, LANDINGS.first_set, strict=True)):
        FIRST_WAY[i], FIRST_SET[i] = way, rows
    for i, code in enumerate(LANDINGS.ways):
        WAYS[i] = code
    for i, code in enumerate(LANDINGS.sets):
        SETS[i] = code


fill_tables()


@cython.final
@cython.cclass
class QenjState(NumberedState):
    """The columns, the sides of the seats, and the phase of the set-up."""

    def __init__(
        self, game: cython.int = 0, columns: object = (), turn: cython.int = -1,
        phase: cython.int = 0, step: cython.int = 0, north: cython.int = -1, out: object = (0, 0),
        dots: int = 0, quick: cython.bint = False, free: cython.bint = False,
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
        self.out_a = out[0]
        self.out_b = out[1]
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
        # The greatest number of moves. Qenj 1: two landings for each column. Qenj 2: four
        # columns of eight, each way round, 510 ways of setting down; or, if free, 8! for each. Qenj
        # 3 and 4: for each column no more than 6 ways with one piece, 40 with two, 360 with three.
        self.capacity = 64 if game == 0 else 4096 if game > 1 else 330_000 if self.free else 4608
        self.resume(0, 1)

    def words(self) -> list[int]:
        """The columns as numbers."""
        return [self.columns[i] for i in range(COLUMNS[self.game])]

    def plies_left(self) -> int:
        """The number of further plies after which the game ends in any case; not in Qenj 2."""
        return MAX_PLIES - self.plies

    def put(self, column, row, piece):
        self.columns[column] |= piece << 5 * row
        self.tally[column] += tally_of(piece) + (cython.cast(u32, 1) << (20 + row))

    def lift(self, column, row):
        """Take the piece from an occupied cell."""
        piece = self.columns[column] >> 5 * row & 31
        self.columns[column] ^= piece << 5 * row
        self.tally[column] -= tally_of(piece) + (cython.cast(u32, 1) << (20 + row))
        return piece

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self) -> u64:
        return self.latest if self.latest else self.stirred()

    def stirred(self):
        """The key, computed anew."""
        state = self.turn + 1 | self.phase << 2 | self.step << 5 | (self.north + 1) << 11
        key = mix(cython.cast(u64, state | self.out_a << 13 | self.out_b << 15), self.dots)
        for i in range(COLUMNS[self.game]):
            key = mix(key, self.columns[i])
        return key

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _result(self, shares: cython.p_double) -> cython.int:
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

    def going_on(self):
        """Whether the set-up is over and no rule has ended the game, except the lack of moves."""
        return self.phase == PLAY and self.won < 0 and self.occurrences < 3 and (
            self.plies < MAX_PLIES or OUTGROW[self.game]
        )

    # ---- moves on the board ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _legal_moves(self, out: Moves) -> cython.void:
        if self.phase != PLAY:
            self.prepare(out)
            return
        if not self.going_on():
            return
        self.transfers(self.turn == self.north, out)
        if out.count == 0:
            self.transfers(self.turn != self.north, out)
            if out.count:                       # the other seat has a move
                out.count = 0
                add(out, PASS)

    def transfers(self, north, out):
        """Write every move of the seat in the North, or South."""
        ring: cython.int[12]
        if not cython.compiled:
            ring = [0] * 12
        k: cython.int
        i: cython.int
        cells = CELLS[self.game]
        alike = ALIKE[self.game]
        outgrow = 15 if OUTGROW[self.game] else 0
        count = occupied(self.tally, COLUMNS[self.game], ring)
        for i in range(count):
            word = self.columns[ring[i]]
            rows = self.tally[ring[i]] >> 20
            least = cython.cast(cython.int, self.tally[ring[i]] & outgrow)
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
                    if together(held, load, k, cells, alike, least) == 0:
                        continue
                    move = cython.cast(u64, ring[i] | (k - 1) << 4 | west << 7)
                    if self.free:
                        self.any_order(held, k, stack, move, out)
                    else:
                        self.deepest_first(held, k, stack, move, out)
                if k == TAKEN[self.game]:
                    break

    def deepest_first(self, held, k, stack, move, out):
        """Set a stack down from its bottom; a result that was found before is the same move."""
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

    def any_order(self, held, k, stack, move, out):
        """Set pieces down in every order, or once for each result.

        A stack of more than five is set down in one order only for each result: no player needs
        the others, and there would be millions of them.
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

    def arrange(self, rows, used, done, k, stack, move, fills, every, out):
        """Give the rows that are left to the pieces that are left, in every distinct way.

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
    def _play(self, move: u64) -> cython.void:
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

    def transfer(self, move):
        """Take the nearest pieces of a column round the ring, and set them down."""
        row: cython.int
        i: cython.int
        source = cython.cast(cython.int, move & 15)
        count = cython.cast(cython.int, (move >> 4 & 7) + 1)
        cells = CELLS[self.game]
        north: cython.bint = self.turn == self.north
        row = 0 if north else cells - 1
        target = target_of(
            move, self.columns, self.tally, COLUMNS[self.game], OF_FORCE[self.game], north
        )
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

    def column(self, step):
        return SPOT_COLUMN[36 * self.game + step]

    def row(self, step):
        if self.game == 0:
            return cython.cast(cython.int, self.dots >> 3 * step & 7) - 1
        return SPOT_ROW[36 * self.game + step]

    def piece(self, step):
        """The content of the cell where the set-up puts its piece of that number."""
        return self.columns[self.column(step)] >> 5 * self.row(step) & 31

    def left(self, what):
        """The number of dots of a row, pieces of a colour or forces that are still to be dealt."""
        i: cython.int
        count: cython.int
        if self.phase == SHUFFLE:
            count = 3
            for i in range(self.step):
                if self.dots >> 3 * i & 7 == what + 1:
                    count -= 1
        elif self.phase == COLOURS:
            count = EACH[self.game]
            for i in range(COLUMNS[self.game]):
                count -= cython.cast(cython.int, self.tally[i] >> 4 * what & 15)
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
    def _chance_weight(self, move: u64) -> u32:
        if self.phase == COLOURS and move == REDRAW:
            return 1
        return self.left(move)

    def prepare(self, out):
        """Write the choices or the outcomes of chance during the set-up."""
        what: u64
        if self.phase == SIDES:                 # the chooser takes North, or South
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

    def crowded(self):
        """Whether the deal has put too many of a colour in one column."""
        if self.step == 0:
            return False
        held = self.tally[self.column(self.step - 1)]
        return (held + ALIKE[self.game]) & OVER != 0

    def repeats(self):
        """In Qenj 2, at the top of a column: whether the last one's colours can come again."""
        what: u64
        if self.game != 1 or self.step == 0 or self.step % 3:
            return False
        last = self.tally[self.column(self.step - 1)]
        for what in range(1, KINDS[1] + 1):
            if cython.cast(cython.int, last >> 4 * what & 15) > self.left(what):
                return False
        return True

    def set_out(self, move):
        """Make a move of the set-up, and go on to the next phase."""
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

    def begin_play(self):
        self.phase, self.step = PLAY, 0
        self.turn = FIRST[self.game]
        self.recorded = 0
        self.record(self._key(), 0)
