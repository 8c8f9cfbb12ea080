# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=False
"""Alpha-beta over any game of two seats without hidden information.

Iterative deepening with principal variation search, aspiration windows, a transposition table of
bounded memory, killer and history ordering, reductions of late moves and an extension where there
is one legal move only, or where a line would end in a position that says it is `forced`. Nothing is
assumed about whose turn follows: a child's value is negated exactly when another seat is on turn
there. Where a lot is drawn, the outcomes are averaged, unless the game has an `estimate` there.

**Why a claimed proof is true.** Some results depend on the way to a position: a third occurrence, a
limit on plies. A table that forgets the way can therefore be wrong about them, and so can the value
at the root; besides, two positions might share a key. So the search only *suspects*: with each
value it keeps whether all that the value rests on are ends of the game (`solid`) and no evaluation.
When the root's value is solid, `Search.prove` walks the game once more from the root with neither
table values nor evaluations: one reply for the seat whose claim it is, every reply for the other
seat and for chance, each played on the real position with its real history, down to positions that
the rules say are over. Only what that walk confirms is called proven:

* a share of all (a win): its seat's walk reaches nothing less;
* a share of nothing (a loss): the other seat's walk wins;
* anything between (a draw): both seats' walks, each for its own share.

The walk takes from the table only which reply to try first. It may give up, when it becomes longer
than the search was or time is over; then nothing is claimed. If it refutes a claim, the search goes
on with keys that contain the whole way to a position, and so cannot be misled again.

`plies_to_end` is the depth of that walk: within so many plies the result can be forced. It is the
fewest possible unless reductions hid a shorter way.
"""

from __future__ import annotations

import math
import time

import cython

from escale.kernel.thought import Thought
from escale.kernel.weights import ODDS

if cython.compiled:
    from cython.cimports.escale.kernel.core import (
        NEVER,
        Moves,
        Random,
        State,
        fetch,
        in_large_pages,
        mix,
        u64,
    )
    from cython.cimports.libc.math import exp, log
    from cython.cimports.libc.stdlib import calloc, free, malloc
else:
    from escale.kernel.core import NEVER, Moves, Random, State, mix, u64
    exp, log = math.exp, math.log

ONE_WIN = cython.declare(cython.const[cython.int], 1000)    # what a win has over a draw, in points
MOST = cython.declare(cython.const[cython.int], 8000)       # an evaluation, either way
INFINITE = cython.declare(cython.const[cython.int], 32000)
WIN = cython.declare(cython.const[cython.int], 31000)       # less one for each ply until then
DECISIVE = cython.declare(cython.const[cython.int], 30000)  # what only ends of the game reach
DEEPEST = cython.declare(cython.const[cython.int], 96)      # plies from the root
BEYOND = cython.declare(cython.const[cython.int], 16)       # extensions of a line, at most
SORTED = cython.declare(cython.const[cython.int], 48)       # moves that are put in order
LOOK = cython.declare(cython.const[cython.int], 2048)       # nodes between looks at the clock
HABITS = cython.declare(cython.const[cython.int], 16384)    # places of the history heuristic
WINDOW = cython.declare(cython.const[cython.int], 60)       # aspiration, to either side
LEAST = cython.declare(cython.double, 0.002)                # a share, when draws are scorned
WALK = cython.declare(cython.const[cython.int], 20000)      # nodes that any proof may take
SCALE = cython.declare(cython.double, ODDS)                 # the same, for compiled code
MOST_ENTRIES = 1 << 20
PACE = 3_000_000                                            # nodes a second, at best

# What an entry of the table says about its value.
EXACT = cython.declare(cython.const[cython.int], 0)
AT_LEAST = cython.declare(cython.const[cython.int], 1)
AT_MOST = cython.declare(cython.const[cython.int], 2)


@cython.cfunc
@cython.with_gil
@cython.exceptval(check=False)
def clock() -> cython.double:
    """Seconds, from some moment on."""
    return time.perf_counter()


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def viewer(state: State) -> cython.int:
    """The seat from which a position's value is told."""
    return state.turn if state.turn >= 0 else 0


@cython.final
@cython.cclass
class Table:
    """What has been found about positions: two entries for each key, side by side in memory.

    The first keeps the deeper search of the current iteration, the second the latest. An entry is
    two words: its key, and data, which is never 0: value + 32768 (16 bits), depth (8), bound (2),
    solid (1), iteration (8) and the mark of its best move (29). A place is where the first stands.
    """

    words: cython.pointer[u64]
    mask: u64

    def __init__(self, entries: object):
        if entries < 2 or entries & (entries - 1):
            raise ValueError(f"a table has a power of two entries, not {entries}")
        if cython.compiled:
            self.words = cython.cast(cython.pointer[u64], calloc(2 * entries, 8))
            if self.words == cython.NULL:
                raise MemoryError(f"no room for a table of {entries} entries")
            in_large_pages(self.words, 16 * entries)
        else:
            self.words = [0] * (2 * entries)
        self.mask = entries - 2

    def __dealloc__(self):
        free(self.words)

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def expect(self, key: u64) -> cython.void:
        """Say that `key` will be looked for: memory is slow."""
        if cython.compiled:
            fetch(cython.address(self.words[2 * (key & self.mask)]))

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self, key: u64) -> u64:
        """What is known about `key`, or 0."""
        place: u64 = 2 * (key & self.mask)
        if self.words[place] == key:
            return self.words[place + 1]
        return self.words[place + 3] if self.words[place + 2] == key else 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep(
        self, key: u64, mark: u64, value: cython.int, depth: cython.int, bound: cython.int,
        solid: cython.bint, iteration: cython.int,
    ) -> cython.void:
        place: u64 = 2 * (key & self.mask)
        old: u64 = self.words[place + 1]
        if (
            old != 0 and self.words[place] != key
            and cython.cast(cython.int, old >> 27 & 255) == iteration
            and cython.cast(cython.int, old >> 16 & 255) > depth
        ):
            place += 2
        self.words[place] = key
        self.words[place + 1] = (
            cython.cast(u64, value + 32768) | cython.cast(u64, depth) << 16
            | cython.cast(u64, bound) << 24 | cython.cast(u64, 1 if solid else 0) << 26
            | cython.cast(u64, iteration) << 27 | mark << 35
        )


@cython.final
@cython.cclass
class Level:
    """One ply of the walk, with a position and a move list of its own: nothing is allocated."""

    state: State
    moves: Moves
    order: cython.pointer[cython.longlong]  # how soon each move is to be tried
    line: cython.pointer[u64]               # the best continuation found from here
    length: cython.int
    killer: u64                             # the moves that refuted others at this ply
    second_killer: u64
    trail: u64                              # a key for the whole way from the root
    deeper: Level

    def __init__(self, state: State):
        self.state = state
        self.moves = Moves(state.capacity)
        if cython.compiled:
            room: cython.size_t = state.capacity         # not cleared: see `Moves`
            self.order = cython.cast(cython.pointer[cython.longlong], malloc(8 * room))
            self.line = cython.cast(cython.pointer[u64], calloc(DEEPEST + 1, 8))
            if self.order == cython.NULL or self.line == cython.NULL:
                raise MemoryError("no room for a search")
        else:
            self.order, self.line = [0] * state.capacity, [0] * (DEEPEST + 1)
        self.length = 0
        self.killer = self.second_killer = 0xFFFFFFFFFFFFFFFF
        self.trail = 0
        self.deeper = None

    def __dealloc__(self):
        free(self.order)
        free(self.line)

    def check(self) -> None:
        """Raise if any list of moves was too short."""
        self.moves.check()
        if self.deeper is not None:
            self.deeper.check()


@cython.final
@cython.cclass
class Search:
    """One search from one position."""

    table: Table
    top: Level
    bottom: Level
    levels: cython.int                      # plies from the root that there is room for
    habits: cython.pointer[cython.int]      # how often moves were good, wherever they were played
    nodes: cython.longlong
    most: cython.longlong                   # nodes at most
    look_at: cython.longlong                # when to look at the clock next
    until: cython.double                    # when to stop; 0 for never
    stopped: cython.bint
    solid: cython.bint                      # whether the value returned last rests on ends only
    wary: cython.bint                       # keys contain the whole way to a position
    deepest: cython.int                     # plies from the root that were reached
    walked: cython.int                      # the same, of a proof
    iteration: cython.int
    noise: cython.int                       # evaluations are off by at most so many points
    salt: u64                               # decides by how much
    scorn: cython.int                       # points by which a draw is worse to the root's seat
    regret: cython.double                   # the same as a share
    shares: cython.double[8]

    def __init__(self, root: State, entries: object):
        self.table = Table(entries)
        self.top = self.bottom = Level(root.copy())
        self.levels = 0
        if cython.compiled:
            self.habits = cython.cast(cython.pointer[cython.int], calloc(HABITS, 4))
            if self.habits == cython.NULL:
                raise MemoryError("no room for a search")
        else:
            self.habits, self.shares = [0] * HABITS, [0.0] * 8
        self.nodes = 0
        self.look_at = LOOK
        self.stopped = self.solid = self.wary = False
        self.deepest = self.walked = self.iteration = self.noise = self.scorn = 0
        self.salt = 0
        self.regret = 0

    def __dealloc__(self):
        free(self.habits)

    @cython.cfunc
    def make_room(self, levels: cython.int) -> cython.void:
        """Have so many levels below the root, or as many as there may be."""
        while self.levels < min(levels, DEEPEST):
            self.bottom.deeper = Level(self.top.state.shadow())
            self.bottom = self.bottom.deeper
            self.levels += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count(self) -> cython.void:
        """One more node; stop when the budget is spent."""
        if self.nodes >= self.most:
            self.stopped = True
            return
        self.nodes += 1
        if self.nodes >= self.look_at:
            self.look_at = self.nodes + LOOK
            if self.until > 0 and clock() >= self.until:
                self.stopped = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def points(self, state: State, seat: cython.int) -> cython.int:
        """What the end of the game is worth to a seat, from -1000 to 1000."""
        state.result(self.shares)
        gain: cython.double = self.shares[seat] - self.shares[1 - seat]
        return cython.cast(cython.int, (gain + 1) * ONE_WIN + 0.5) - ONE_WIN

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def guess(self, state: State) -> cython.int:
        """The evaluation, off by some noise that a position keeps throughout a search."""
        value: cython.int = state.evaluate()
        self.solid = False
        if self.scorn > 0:
            value = self.scorned(state, value)
        if self.noise > 0:
            chance: u64 = mix(mix(state.key(), self.salt), self.salt)
            size: u64 = (chance >> 20 & 0xFFFF) + (chance >> 40 & 0xFFFF)       # of two dice
            value += cython.cast(cython.int, size * self.noise >> 16) - self.noise
        return MOST if value > MOST else -MOST if value < -MOST else value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def scorned(self, state: State, value: cython.int) -> cython.int:
        """An evaluation, if draws are worth less to the root's seat than half a win."""
        calm: cython.int = state.calm()
        if calm <= NEVER:
            return value
        share: cython.double = 1 / (1 + exp(-value / SCALE))
        lost: cython.double = self.regret / (1 + exp(-calm / SCALE))
        share += -lost if state.turn == self.top.state.turn else lost
        share = min(max(share, LEAST), 1 - LEAST)
        return cython.cast(cython.int, SCALE * log(share / (1 - share)))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def key(self, level: Level) -> u64:
        """The table's key: the position, how far on the game is, and how often it has been."""
        key: u64 = mix(level.state.key(), level.state.plies)
        if level.state.occurrences > 1:
            key = mix(key, level.state.occurrences)
        return mix(key, level.trail) if self.wary else key

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def mark(self, move: u64, turn: cython.int) -> u64:
        """What tells a move from others in the table; its high bits are its place in `habits`."""
        return mix(move, turn + 1) >> 35

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def recall(self, level: Level, mark: u64) -> cython.int:
        """The number of the move with this mark, or -1: two positions may share a key."""
        i: cython.int
        for i in range(level.moves.count):
            if self.mark(level.moves.items[i], level.state.turn) == mark:
                return i
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def arrange(self, level: Level, known: cython.bint, best: u64) -> cython.void:
        """Say how soon each move is to be tried; `best` is the mark of the first, if `known`."""
        i: cython.int
        move: u64
        mark: u64
        for i in range(level.moves.count):
            move = level.moves.items[i]
            mark = self.mark(move, level.state.turn)
            if known and mark == best:
                level.order[i] = 1 << 40
            elif move == level.killer:
                level.order[i] = 1 << 39
            elif move == level.second_killer:
                level.order[i] = 1 << 38
            else:
                level.order[i] = self.habits[mark >> 15]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def pick(self, level: Level, i: cython.int) -> u64:
        """Bring the best of the moves from number `i` on to place `i`; late ones stay in order."""
        j: cython.int
        best: cython.int = i
        if i >= SORTED:
            return level.moves.items[i]
        for j in range(i + 1, level.moves.count):
            if level.order[j] > level.order[best]:
                best = j
        move: u64 = level.moves.items[best]
        rank: cython.longlong = level.order[best]
        while best > i:                         # the others keep their order
            level.moves.items[best] = level.moves.items[best - 1]
            level.order[best] = level.order[best - 1]
            best -= 1
        level.moves.items[i] = move
        level.order[i] = rank
        return move

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def refuted(self, level: Level, move: u64, depth: cython.int) -> cython.void:
        """Remember a move that was too good."""
        i: cython.int
        if move != level.killer:
            level.second_killer = level.killer
            level.killer = move
        place: u64 = self.mark(move, level.state.turn) >> 15
        self.habits[place] += depth * depth
        if self.habits[place] > 1 << 24:
            for i in range(HABITS):
                self.habits[i] >>= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play(self, level: Level, move: u64) -> cython.void:
        """Set the deeper level to the position after `move`."""
        level.deeper.state.assign(level.state)
        level.deeper.state.play(move)
        level.deeper.trail = mix(level.trail, move + 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def after(
        self, level: Level, turn: cython.int, depth: cython.int, height: cython.int,
        alpha: cython.int, beta: cython.int,
    ) -> cython.int:
        """The value of the deeper level's position, as the seat `turn` sees it."""
        if viewer(level.deeper.state) == turn:
            return self.search(level.deeper, depth, height, alpha, beta)
        return -self.search(level.deeper, depth, height, -beta, -alpha)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def follow(self, level: Level, move: u64) -> cython.void:
        """The best line from here is `move`, then the deeper level's."""
        i: cython.int
        level.line[0] = move
        for i in range(level.deeper.length):
            level.line[i + 1] = level.deeper.line[i]
        level.length = level.deeper.length + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search(
        self, level: Level, depth: cython.int, height: cython.int, alpha: cython.int,
        beta: cython.int,
    ) -> cython.int:
        """The value for the seat on turn, so far as it lies between `alpha` and `beta`."""
        i: cython.int
        value: cython.int
        reduced: cython.int
        level.length = 0
        self.count()
        if self.stopped:
            return 0
        if height > self.deepest:
            self.deepest = height
        if height < self.levels and level.state.wins(level.line):
            level.length = 1
            self.solid = True
            return WIN - height - 1
        if (depth <= 0 or height >= self.levels) and level.state.lively():
            return self.guess(level.state)
        key: u64 = self.key(level)
        self.table.expect(key)
        level.moves.count = 0
        level.state.generate(level.moves)
        turn: cython.int = level.state.turn
        if level.moves.count == 0:
            self.solid = True
            value = self.points(level.state, viewer(level.state))
            if value == ONE_WIN:
                return WIN - height
            if value == -ONE_WIN:
                return height - WIN
            if value == 0 and viewer(level.state) == self.top.state.turn:
                return -self.scorn
            return self.scorn if value == 0 else value
        if turn < 0:
            return self.average(level, depth, height)
        if level.moves.count == 1 or (depth <= 0 and level.state.forced()):
            depth += 1
        if depth <= 0 or height >= self.levels:
            return self.guess(level.state)

        data: u64 = self.table.find(key)
        if data:
            solid: cython.bint = data >> 26 & 1 != 0
            if (
                (solid or cython.cast(cython.int, data >> 16 & 255) >= depth)
                and (solid or beta - alpha == 1)
            ):
                value = cython.cast(cython.int, data & 65535) - 32768
                value = value - height if value > DECISIVE else value
                value = value + height if value < -DECISIVE else value
                bound: cython.int = cython.cast(cython.int, data >> 24 & 3)
                if (
                    bound == EXACT or (bound == AT_LEAST and value >= beta)
                    or (bound == AT_MOST and value <= alpha)
                ):
                    self.solid = solid
                    i = self.recall(level, data >> 35)
                    if i >= 0:
                        level.line[0] = level.moves.items[i]
                        level.length = 1
                    return value
        self.arrange(level, data != 0, data >> 35)

        floor: cython.int = alpha
        best: cython.int = -INFINITE
        best_move: u64 = 0
        best_solid: cython.bint = False
        all_solid: cython.bint = True
        for i in range(level.moves.count):
            move: u64 = self.pick(level, i)
            self.play(level, move)
            if i == 0:
                value = self.after(level, turn, depth - 1, height + 1, alpha, beta)
            else:
                reduced = 0
                if depth >= 3 and i >= 4:
                    reduced = 2 if i >= 16 and depth >= 4 else 1
                value = self.after(
                    level, turn, depth - 1 - reduced, height + 1, alpha, alpha + 1
                )
                if value > alpha and reduced:
                    value = self.after(level, turn, depth - 1, height + 1, alpha, alpha + 1)
                if alpha < value < beta:
                    value = self.after(level, turn, depth - 1, height + 1, alpha, beta)
            if self.stopped:
                return 0
            if not self.solid:
                all_solid = False
            if value > best:
                best = value
                best_move = move
                best_solid = self.solid
                if value > alpha:
                    alpha = value
                    self.follow(level, move)
                    if alpha >= beta:
                        self.refuted(level, move, depth)
                        break
        # One good reply is enough; that there is none better takes all of them.
        self.solid = best_solid if best >= beta or best > DECISIVE else all_solid
        value = best + height if best > DECISIVE else best - height if best < -DECISIVE else best
        self.table.keep(
            key, self.mark(best_move, turn), value, depth if depth < 255 else 255,
            AT_LEAST if best >= beta else EXACT if best > floor else AT_MOST,
            self.solid, self.iteration & 255,
        )
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def average(self, level: Level, depth: cython.int, height: cython.int) -> cython.int:
        """The value of a lot to be drawn, as seat 0 sees it."""
        i: cython.int
        value: cython.int
        lowest: cython.int = INFINITE
        highest: cython.int = -INFINITE
        total: cython.longlong = 0
        weights: cython.longlong = 0
        solid: cython.bint = True
        if level.state.estimate(self.shares):
            self.solid = False
            if self.shares[0] <= 0 or self.shares[1] <= 0:
                return MOST if self.shares[0] > 0 else -MOST
            odds: cython.double = SCALE * log(self.shares[0] / self.shares[1])
            return cython.cast(cython.int, min(max(odds, -MOST), MOST))
        if depth <= 0 or height >= self.levels:
            self.solid = False
            return 0
        for i in range(level.moves.count):
            weight: cython.longlong = level.state.weight(level.moves.items[i])
            self.play(level, level.moves.items[i])
            value = self.after(level, 0, depth - 1, height + 1, -INFINITE, INFINITE)
            if self.stopped:
                return 0
            solid = solid and self.solid
            lowest = min(lowest, value)
            highest = max(highest, value)
            value = ONE_WIN if value > ONE_WIN else -ONE_WIN if value < -ONE_WIN else value
            total += weight * value
            weights += weight
        level.length = 0
        if solid and (lowest > DECISIVE or highest < -DECISIVE):
            self.solid = True                   # won or lost whatever is drawn: by the slowest way
            return lowest if lowest > 0 else highest
        self.solid = solid and lowest == highest
        return cython.cast(cython.int, total // weights)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def search_root(
        self, level: Level, depth: cython.int, alpha: cython.int, beta: cython.int
    ) -> cython.int:
        """`search` for the root, whose moves stand in order; a better one comes to the front.

        When it is stopped, the value is that of the best move searched so far.
        """
        i: cython.int
        j: cython.int
        value: cython.int
        turn: cython.int = level.state.turn
        best: cython.int = -INFINITE
        best_solid: cython.bint = False
        all_solid: cython.bint = True
        for i in range(level.moves.count):
            move: u64 = level.moves.items[i]
            self.play(level, move)
            if i == 0:
                value = self.after(level, turn, depth - 1, 1, alpha, beta)
            else:
                value = self.after(level, turn, depth - 1, 1, alpha, alpha + 1)
                if alpha < value < beta:
                    value = self.after(level, turn, depth - 1, 1, alpha, beta)
            if self.stopped:
                return best
            if not self.solid:
                all_solid = False
            if value > best:
                best = value
                best_solid = self.solid
                if value > alpha or i == 0:
                    self.follow(level, move)
                    for j in range(i, 0, -1):
                        level.moves.items[j] = level.moves.items[j - 1]
                    level.moves.items[0] = move
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        self.solid = best_solid if best >= beta or best > DECISIVE else all_solid
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def deepen(self, depth: cython.int, value: cython.int) -> cython.int:
        """One iteration, in a window around the value of the last one."""
        alpha: cython.int = -INFINITE
        beta: cython.int = INFINITE
        self.iteration += 1
        if depth >= 4 and -MOST <= value <= MOST:
            alpha = value - WINDOW
            beta = value + WINDOW
        while True:
            value = self.search_root(self.top, depth, alpha, beta)
            if self.stopped or alpha < value < beta:
                return value
            if value <= alpha:
                alpha = -INFINITE
            else:
                beta = INFINITE

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def holds(
        self, level: Level, depth: cython.int, height: cython.int, seat: cython.int,
        least: cython.int,
    ) -> cython.bint:
        """Whether `seat` can make sure of `least` points within `depth` plies: the proof's walk."""
        i: cython.int
        self.count()
        if self.stopped:
            return False
        self.walked = max(self.walked, height)
        if height > 0:                          # the root's moves are chosen already
            level.moves.count = 0
            level.state.generate(level.moves)
        if level.moves.count == 0:
            return self.points(level.state, seat) >= least
        if depth <= 0 or height >= self.levels:
            return False
        if level.state.turn != seat:
            for i in range(level.moves.count):
                self.play(level, level.moves.items[i])
                if not self.holds(level.deeper, depth - 1, height + 1, seat, least):
                    return False
            return True
        data: u64 = self.table.find(self.key(level))
        i = self.recall(level, data >> 35) if data else -1
        if i >= 0:
            self.play(level, level.moves.items[i])
            if self.holds(level.deeper, depth - 1, height + 1, seat, least):
                return True
        if depth > 2:                           # a quick way before the long ones
            for i in range(level.moves.count):
                self.play(level, level.moves.items[i])
                if self.holds(level.deeper, 0, height + 1, seat, least):
                    return True
        for i in range(level.moves.count):
            self.play(level, level.moves.items[i])
            if self.holds(level.deeper, depth - 1, height + 1, seat, least):
                return True
            if self.stopped:
                return False
        return False

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def plain(self, value: cython.int) -> cython.int:
        """A solid value of the root in points, as `points` would tell them."""
        if value == -self.scorn:
            return 0
        return ONE_WIN if value > DECISIVE else -ONE_WIN if value < -DECISIVE else value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prove(self, value: cython.int, depth: cython.int) -> cython.bint:
        """Whether the root's value is certain: see the module's text."""
        seat: cython.int = self.top.state.turn
        self.walked = 0
        points: cython.int = self.plain(value)
        return (
            (points == -ONE_WIN or self.holds(self.top, depth, 0, seat, points))
            and (points == ONE_WIN or self.holds(self.top, depth, 0, 1 - seat, -points))
        )

    @cython.cfunc
    def continued(self, line: list, plies: cython.int) -> list:
        """A proven line, as far as the table knows how it goes on."""
        here: State = self.top.state.copy()
        level: Level = Level(here)
        for move in line:
            here.play(move)
            level.trail = mix(level.trail, cython.cast(u64, move) + 1)
        while len(line) < plies:
            level.moves.count = 0
            here.generate(level.moves)
            data: u64 = self.table.find(self.key(level))
            i: cython.int = self.recall(level, data >> 35) if data else -1
            if i < 0:
                break
            move = level.moves.items[i]
            line.append(move)
            here.play(move)
            level.trail = mix(level.trail, cython.cast(u64, move) + 1)
        return line


def search(
    root: State,
    nodes: object = None,
    seconds: object = None,
    seed: object = 0,
    without: object = (),
    capacity: object = None,
    depth: object = None,
    noise: cython.int = 0,
    sure: cython.int = 0,
    slip: cython.int = 0,
    scorn: cython.int = 0,
) -> Thought:
    """Search until `nodes` are visited, `seconds` are over or `depth` is reached.

    With `noise` every evaluation is off by at most so many points, as the seed decides;
    ends of the game are seen as they are. `sure` plies are searched in full even when that
    takes more nodes: with one a win in one move is never missed, with two nor is the other's. Of a
    hundred searches, as the seed decides, `slip` have one such ply less. To who has `scorn`, a draw
    is worse than an even game by so many points: who thinks they are better goes on playing, and
    keeps away from positions that are likely to be drawn (`State.calm`).

    The table has at most `capacity` entries, a million by default, and fewer for few nodes or
    little time: fresh memory is slow.

    The seed decides between moves that are equally good. Moves in `without` are not considered:
    what is found, and what is proven, is then the best of the others.
    """
    if root.seats != 2:
        raise ValueError(f"alpha-beta is for two seats, not {root.seats}")
    started = time.perf_counter()
    most = MOST_ENTRIES if capacity is None else max(2, capacity)
    if seconds is not None:
        most = min(most, max(2, seconds * PACE))
    entries = 2
    while 2 * entries <= most and (nodes is None or entries < nodes):
        entries *= 2
    mind: Search = Search(root, entries)
    dice: Random = Random(seed)
    mind.noise = noise
    mind.scorn = scorn
    mind.regret = 0.5 - 1 / (1 + math.exp(scorn / ODDS))
    mind.salt = dice.next()
    if slip > 0 and dice.below(100) < slip:
        sure -= 1
    mind.until = 0 if seconds is None else started + seconds
    limit: cython.int = DEEPEST if depth is None else min(depth, DEEPEST)
    moves: Moves = mind.top.moves
    i: cython.int
    moves.count = 0
    mind.top.state.generate(moves)
    moves.check()
    left = [moves.items[i] for i in range(moves.count)]
    random: Random = Random(seed)
    for i in range(len(left) - 1, 0, -1):
        j = random.integer(i + 1)
        left[i], left[j] = left[j], left[i]
    left = [move for move in left if move not in without]
    for i in range(len(left)):
        moves.items[i] = left[i]
    moves.count = len(left)

    value: cython.int = 0
    latest: cython.int
    plies: cython.int = 0
    done: cython.int = 0
    proven: cython.bint = False
    line = [left[0]]
    step: cython.int = 1
    walked: cython.longlong = 0             # nodes of proofs
    while step <= limit:
        mind.make_room(step + BEYOND)
        mind.most = 1 << 62 if nodes is None or step <= sure else nodes + walked
        with cython.nogil:
            latest = mind.deepen(step, value)
        if not mind.stopped or latest > -INFINITE:
            value = latest
            line = [mind.top.line[i] for i in range(mind.top.length)]
        if mind.stopped:
            break
        done = step
        if not mind.solid:
            step += 1
            continue
        plies = WIN - abs(value) if abs(value) > DECISIVE else mind.levels
        searched = mind.nodes
        mind.most = mind.nodes + max(WALK, mind.nodes)
        with cython.nogil:
            proven = mind.prove(value, plies)
        plies = mind.walked
        if proven or mind.stopped or mind.wary:
            break
        mind.wary = True                        # the table has misled the search: see above
        walked = mind.nodes - searched
        step = 1
    mind.top.check()
    if proven:
        line = mind.continued(line, plies)
    if proven:
        mine = (1 + mind.plain(value) / ONE_WIN) / 2
    else:
        mine = 1 / (1 + math.exp(-max(-MOST, min(MOST, value)) / ODDS))
        mine = max(0.0005, min(0.9995, mine))
    turn = root.turn
    shares = [1 - mine, 1 - mine]
    shares[turn] = mine
    return Thought(
        line[0], shares, line, 0, mind.nodes, done, bool(proven), plies if proven else None,
        (time.perf_counter() - started) * 1000,
    )
