# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=False
"""The tree of alpha-beta: the table of positions, the plies of a walk, and the walk itself.

Principal variation search with a transposition table of bounded memory, killer and history
ordering, reductions of late moves and an extension if there is only one legal move, or if a
line would end in a state whose seat is `forced`. When a line ends, the search follows `captures`
until an exchange is over (quiescence search); that value is as uncertain as an evaluation, and
never `solid`. The search does not assume which seat has the next turn: a child's value is negated
exactly when another seat is to move there. When chance decides, the search averages the outcomes,
unless the evaluation has an `estimate` there.

Each value has a flag, `solid`: true if it rests only on ends of the game, and on no evaluation.
`alphabeta.py` explains the purpose of this flag.
"""

from __future__ import annotations

import math
import time

import cython

from escale.kernel.weights import ODDS

if cython.compiled:
    from cython.cimports.escale.kernel.core import (
        Moves,
        State,
        fetch,
        in_large_pages,
        mix,
        u64,
    )
    from cython.cimports.escale.kernel.evaluation import UNKNOWN, Evaluation
    from cython.cimports.libc.math import exp, log
    from cython.cimports.libc.stdlib import calloc, free, malloc
else:
    from escale.kernel.core import Moves, State, mix, u64
    from escale.kernel.evaluation import UNKNOWN, Evaluation
    exp, log = math.exp, math.log
    ONE_WIN, MOST, INFINITE, WIN, DECISIVE, DEEPEST = 1000, 8000, 32000, 31000, 30000, 96

SORTED = cython.declare(cython.const[cython.int], 48)       # moves that are put in order
LOOK = cython.declare(cython.const[cython.int], 2048)       # nodes between looks at the clock
HABITS = cython.declare(cython.const[cython.int], 16384)    # places of the history heuristic
WINDOW = cython.declare(cython.const[cython.int], 60)       # aspiration, to either side
LEAST = cython.declare(cython.double, 0.002)                # a share, with contempt for draws
SCALE = cython.declare(cython.double, ODDS)                 # the same, for compiled code

# The meaning of the value in an entry of the table.
EXACT = cython.declare(cython.const[cython.int], 0)
AT_LEAST = cython.declare(cython.const[cython.int], 1)
AT_MOST = cython.declare(cython.const[cython.int], 2)


@cython.cfunc
@cython.with_gil
@cython.exceptval(check=False)
def clock() -> cython.double:
    """Seconds since a fixed moment."""
    return time.perf_counter()


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def value_seat(state: State) -> cython.int:
    """The seat from whose side a position's value is given."""
    return state.turn if state.turn >= 0 else 0


@cython.final
@cython.cclass
class TranspositionTable:
    """The results found for positions: two entries for each key, side by side in memory.

    The first keeps the deeper search of the current iteration, the second the latest. An entry is
    two words: its key, and data, which is never 0: value + 32768 (16 bits), depth (8), bound (2),
    solid (1), iteration (8) and the mark of its best move (29). A place is the index of the first.
    """

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

    def expect(self, key):
        """Prefetch the entries of `key`, because memory is slow."""
        if cython.compiled:
            fetch(cython.address(self.words[2 * (key & self.mask)]))

    def find(self, key):
        """The data stored for `key`, or 0."""
        place: u64 = 2 * (key & self.mask)
        if self.words[place] == key:
            return self.words[place + 1]
        return self.words[place + 3] if self.words[place + 2] == key else 0

    def keep(self, key, mark, value, depth, bound, solid, iteration):
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
class Frame:
    """One ply of the walk, with a position and a move list of its own: nothing is allocated."""

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
class Tree:
    """One search from one state."""

    def __init__(self, root: State, evaluation: Evaluation, entries: object):
        self.evaluation = evaluation
        self.table = TranspositionTable(entries)
        self.top = self.bottom = Frame(root.copy())
        self.frames = 0
        if cython.compiled:
            self.habits = cython.cast(cython.pointer[cython.int], calloc(HABITS, 4))
            if self.habits == cython.NULL:
                raise MemoryError("no room for a search")
        else:
            self.habits, self.shares = [0] * HABITS, [0.0] * 8
        self.nodes = 0
        self.look_at = LOOK
        self.stopped = self.solid = self.wary = False
        self.deepest = self.walked = self.iteration = self.noise = self.contempt = 0
        self.salt = 0
        self.regret = 0

    def __dealloc__(self):
        free(self.habits)

    def make_room(self, frames):
        """Have `frames` frames below the root, or as many as there may be."""
        while self.frames < min(frames, DEEPEST):
            self.bottom.deeper = Frame(self.top.state.shadow())
            self.bottom = self.bottom.deeper
            self.frames += 1

    def count(self):
        """Count one more node; stop when the budget is spent."""
        if self.nodes >= self.most:
            self.stopped = True
            return
        self.nodes += 1
        if self.nodes >= self.look_at:
            self.look_at = self.nodes + LOOK
            if self.until > 0 and clock() >= self.until:
                self.stopped = True

    def points(self, state, seat):
        """The value of the game's end for a seat, from -1000 to 1000."""
        state._result(self.shares)
        gain: cython.double = self.shares[seat] - self.shares[1 - seat]
        return cython.cast(cython.int, (gain + 1) * ONE_WIN + 0.5) - ONE_WIN

    def evaluate(self, state):
        """The evaluation, with some noise that is constant for a position during a search."""
        value: cython.int = self.evaluation._evaluate(state)
        self.solid = False
        if self.contempt > 0:
            value = self.with_contempt(state, value)
        if self.noise > 0:
            chance: u64 = mix(mix(state._key(), self.salt), self.salt)
            size: u64 = (chance >> 20 & 0xFFFF) + (chance >> 40 & 0xFFFF)       # of two dice
            value += cython.cast(cython.int, size * self.noise >> 16) - self.noise
        return MOST if value > MOST else -MOST if value < -MOST else value

    def with_contempt(self, state, value):
        """An evaluation, if draws are worth less to the root's seat than half a win."""
        draw_odds: cython.int = self.evaluation._draw_odds(state)
        if draw_odds <= UNKNOWN:
            return value
        share: cython.double = 1 / (1 + exp(-value / SCALE))
        lost: cython.double = self.regret / (1 + exp(-draw_odds / SCALE))
        share += -lost if state.turn == self.top.state.turn else lost
        share = min(max(share, LEAST), 1 - LEAST)
        return cython.cast(cython.int, SCALE * log(share / (1 - share)))

    def key(self, frame):
        """The table's key, from the position, the plies played and its number of occurrences."""
        key: u64 = mix(frame.state._key(), frame.state.plies)
        if frame.state.occurrences > 1:
            key = mix(key, frame.state.occurrences)
        return mix(key, frame.trail) if self.wary else key

    def mark(self, move, turn):
        """The mark that identifies a move in the table; its high bits are its place in `habits`."""
        return mix(move, turn + 1) >> 35

    def recall(self, frame, mark):
        """The number of the move with this mark, or -1: two positions may share a key."""
        i: cython.int
        for i in range(frame.moves.count):
            if self.mark(frame.moves.items[i], frame.state.turn) == mark:
                return i
        return -1

    def arrange(self, frame, known, best):
        """Rate each move for the order of trial; `best` is the mark of the first, if `known`."""
        i: cython.int
        move: u64
        mark: u64
        for i in range(frame.moves.count):
            move = frame.moves.items[i]
            mark = self.mark(move, frame.state.turn)
            if known and mark == best:
                frame.order[i] = 1 << 40
            elif move == frame.killer:
                frame.order[i] = 1 << 39
            elif move == frame.second_killer:
                frame.order[i] = 1 << 38
            else:
                frame.order[i] = self.habits[mark >> 15]

    def pick(self, frame, i):
        """Bring the best of the moves from number `i` on to place `i`; late ones stay in order."""
        j: cython.int
        best: cython.int = i
        if i >= SORTED:
            return frame.moves.items[i]
        for j in range(i + 1, frame.moves.count):
            if frame.order[j] > frame.order[best]:
                best = j
        move: u64 = frame.moves.items[best]
        rank: cython.longlong = frame.order[best]
        while best > i:                         # the others keep their order
            frame.moves.items[best] = frame.moves.items[best - 1]
            frame.order[best] = frame.order[best - 1]
            best -= 1
        frame.moves.items[i] = move
        frame.order[i] = rank
        return move

    def refuted(self, frame, move, depth):
        """Remember a move that caused a cutoff."""
        i: cython.int
        if move != frame.killer:
            frame.second_killer = frame.killer
            frame.killer = move
        place: u64 = self.mark(move, frame.state.turn) >> 15
        self.habits[place] += depth * depth
        if self.habits[place] > 1 << 24:
            for i in range(HABITS):
                self.habits[i] >>= 1

    def play(self, frame, move):
        """Set the deeper frame to the position after `move`."""
        frame.deeper.state.assign(frame.state)
        frame.deeper.state._play(move)
        frame.deeper.trail = mix(frame.trail, move + 1)

    def after(self, frame, turn, depth, height, alpha, beta):
        """The value of the deeper frame's position for the seat `turn`."""
        if value_seat(frame.deeper.state) == turn:
            return self.search(frame.deeper, depth, height, alpha, beta)
        return -self.search(frame.deeper, depth, height, -beta, -alpha)

    def follow(self, frame, move):
        """Set the best line from here to `move`, then the deeper frame's line."""
        i: cython.int
        frame.line[0] = move
        for i in range(frame.deeper.length):
            frame.line[i + 1] = frame.deeper.line[i]
        frame.length = frame.deeper.length + 1

    def settle(self, frame, height, alpha, beta):
        """The value at the end of a line, its moves listed: without or with captures that pay."""
        i: cython.int
        value: cython.int
        captures: cython.int = 0
        best: cython.int = self.evaluate(frame.state)
        if best < beta and height < self.frames:
            captures = self.evaluation._captures(frame.state, frame.moves)
        for i in range(captures):
            alpha = max(alpha, best)
            self.play(frame, frame.moves.items[i])
            value = self.after(frame, frame.state.turn, 0, height + 1, alpha, beta)
            if self.stopped:
                return 0
            if value > best:
                best = value
                if best > alpha:
                    self.follow(frame, frame.moves.items[i])
                if best >= beta:
                    break
        self.solid = False
        return best

    def search(self, frame, depth, height, alpha, beta):
        """The value for the seat to move, exact if it lies between `alpha` and `beta`."""
        i: cython.int
        value: cython.int
        reduced: cython.int
        frame.length = 0
        self.count()
        if self.stopped:
            return 0
        if height > self.deepest:
            self.deepest = height
        if height < self.frames and self.evaluation._winning_move(frame.state, frame.line):
            frame.length = 1
            self.solid = True
            return WIN - height - 1
        if (depth <= 0 or height >= self.frames) and self.evaluation._quiet(frame.state):
            return self.evaluate(frame.state)
        key: u64 = self.key(frame)
        self.table.expect(key)
        frame.moves.count = 0
        frame.state._legal_moves(frame.moves)
        turn: cython.int = frame.state.turn
        if frame.moves.count == 0:
            self.solid = True
            value = self.points(frame.state, value_seat(frame.state))
            if value == ONE_WIN:
                return WIN - height
            if value == -ONE_WIN:
                return height - WIN
            if value == 0 and value_seat(frame.state) == self.top.state.turn:
                return -self.contempt
            return self.contempt if value == 0 else value
        if turn < 0:
            return self.average(frame, depth, height)
        if frame.moves.count == 1 or (depth <= 0 and self.evaluation._forced(frame.state)):
            depth += 1
        if depth <= 0 or height >= self.frames:
            return self.settle(frame, height, alpha, beta)

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
                    i = self.recall(frame, data >> 35)
                    if i >= 0:
                        frame.line[0] = frame.moves.items[i]
                        frame.length = 1
                    return value
        self.arrange(frame, data != 0, data >> 35)

        floor: cython.int = alpha
        best: cython.int = -INFINITE
        best_move: u64 = 0
        best_solid: cython.bint = False
        all_solid: cython.bint = True
        for i in range(frame.moves.count):
            move: u64 = self.pick(frame, i)
            self.play(frame, move)
            if i == 0:
                value = self.after(frame, turn, depth - 1, height + 1, alpha, beta)
            else:
                reduced = 0
                if depth >= 3 and i >= 4:
                    reduced = 2 if i >= 16 and depth >= 4 else 1
                value = self.after(
                    frame, turn, depth - 1 - reduced, height + 1, alpha, alpha + 1
                )
                if value > alpha and reduced:
                    value = self.after(frame, turn, depth - 1, height + 1, alpha, alpha + 1)
                if alpha < value < beta:
                    value = self.after(frame, turn, depth - 1, height + 1, alpha, beta)
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
                    self.follow(frame, move)
                    if alpha >= beta:
                        self.refuted(frame, move, depth)
                        break
        # One good reply proves a lower bound; an upper bound needs all replies.
        self.solid = best_solid if best >= beta or best > DECISIVE else all_solid
        value = best + height if best > DECISIVE else best - height if best < -DECISIVE else best
        self.table.keep(
            key, self.mark(best_move, turn), value, depth if depth < 255 else 255,
            AT_LEAST if best >= beta else EXACT if best > floor else AT_MOST,
            self.solid, self.iteration & 255,
        )
        return best

    def average(self, frame, depth, height):
        """The value of a turn of chance for seat 0."""
        i: cython.int
        value: cython.int
        lowest: cython.int = INFINITE
        highest: cython.int = -INFINITE
        total: cython.longlong = 0
        weights: cython.longlong = 0
        solid: cython.bint = True
        if self.evaluation._estimate(frame.state, self.shares):
            self.solid = False
            if self.shares[0] <= 0 or self.shares[1] <= 0:
                return MOST if self.shares[0] > 0 else -MOST
            odds: cython.double = SCALE * log(self.shares[0] / self.shares[1])
            return cython.cast(cython.int, min(max(odds, -MOST), MOST))
        if depth <= 0 or height >= self.frames:
            self.solid = False
            return 0
        for i in range(frame.moves.count):
            weight: cython.longlong = frame.state._chance_weight(frame.moves.items[i])
            self.play(frame, frame.moves.items[i])
            value = self.after(frame, 0, depth - 1, height + 1, -INFINITE, INFINITE)
            if self.stopped:
                return 0
            solid = solid and self.solid
            lowest = min(lowest, value)
            highest = max(highest, value)
            value = ONE_WIN if value > ONE_WIN else -ONE_WIN if value < -ONE_WIN else value
            total += weight * value
            weights += weight
        frame.length = 0
        if solid and (lowest > DECISIVE or highest < -DECISIVE):
            self.solid = True                   # won or lost by any outcome: the slowest way
            return lowest if lowest > 0 else highest
        self.solid = solid and lowest == highest
        return cython.cast(cython.int, total // weights)

    def search_root(self, frame, first, depth, alpha, beta):
        """`search` for the root's moves from number `first` on; it moves the best to that place.

        They are in order. If the search stops early, the value is that of the best move so far.
        """
        i: cython.int
        j: cython.int
        value: cython.int
        turn: cython.int = frame.state.turn
        best: cython.int = -INFINITE
        best_solid: cython.bint = False
        all_solid: cython.bint = True
        for i in range(first, frame.moves.count):
            move: u64 = frame.moves.items[i]
            self.play(frame, move)
            if i == first:
                value = self.after(frame, turn, depth - 1, 1, alpha, beta)
            else:
                value = self.after(frame, turn, depth - 1, 1, alpha, alpha + 1)
                if alpha < value < beta:
                    value = self.after(frame, turn, depth - 1, 1, alpha, beta)
            if self.stopped:
                return best
            if not self.solid:
                all_solid = False
            if value > best:
                best = value
                best_solid = self.solid
                if value > alpha or i == first:
                    self.follow(frame, move)
                    for j in range(i, first, -1):
                        frame.moves.items[j] = frame.moves.items[j - 1]
                    frame.moves.items[first] = move
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        self.solid = best_solid if best >= beta or best > DECISIVE else all_solid
        return best

    def deepen(self, first, depth, value):
        """One iteration for the moves from number `first` on, in a window around the last value."""
        alpha: cython.int = -INFINITE
        beta: cython.int = INFINITE
        if depth >= 4 and -MOST <= value <= MOST:
            alpha = value - WINDOW
            beta = value + WINDOW
        while True:
            value = self.search_root(self.top, first, depth, alpha, beta)
            if self.stopped or alpha < value < beta:
                return value
            if value <= alpha:
                alpha = -INFINITE
            else:
                beta = INFINITE
