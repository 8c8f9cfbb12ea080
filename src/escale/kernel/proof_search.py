# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=False
"""Proof-number search (df-pn): whether a seat is sure of a share against all play of the others.

Alpha-beta searches all lines to one depth; this search prefers the line that leaves the others the
fewest replies, at any depth. It keeps two numbers for each position: the least number of open
positions in a proof (`pn`), and in a refutation (`dn`). Memory is bounded: a table of
fixed size, where more work replaces less, and one frame for each ply of a line.

**Goals.** `least` is the share to be sure of: 1 for a win, a half for "does not lose". That a seat
cannot win is proven by the other seat's goal of a half. Chance, and every other seat,
plays against the seat, so that a proof holds in all cases.

**Why a proof is true.** The table forgets the way to a position, and a third occurrence depends on
it; also, two positions might share a key. So a search only suspects, until `confirm` has walked
through its result: one move for the seat, every move for the others, each on the real
position with its real history, to ends of the game that the rules name. A confirmed position is not
walked through again when another line reaches it, under one of two conditions:

* The game records no occurrences, so nothing depends on the way.
* The goal is the whole win. Suppose that repetitions ended nothing: then a proof is a tree in which
  the others must lose within some plies, and the seat may always take the move that makes
  them fewest. They are fewer after each of its moves, so no position repeats in such a line, and
  the rules of repetition change nothing. Occurrences before the root count.

In the search for a win, the search abandons a line that repeats a position at once. So "not found"
proves nothing: the search may miss a win that needs a third occurrence.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import cython

from escale.kernel.limit import Limit

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, State, in_large_pages, mix, u32, u64
    from cython.cimports.libc.stdlib import calloc, free, malloc
else:
    from escale.kernel.core import Moves, State, mix, u32, u64

DEEPEST = cython.declare(cython.const[cython.int], 160)         # plies of a line
OPEN = cython.declare(cython.const[u32], 0x3FFFFFFF)            # as a threshold: no limit
LOWER = cython.declare(cython.const[u64], 0xFFFFFFFF)
LOOK = cython.declare(cython.const[cython.int], 1024)           # nodes between looks at the clock
WORDS = cython.declare(cython.const[cython.int], 4)             # of an entry
BUCKET = cython.declare(cython.const[cython.int], 4)            # the possible entries of a key
MEMORY = 1 << 24
"""Bytes of the table, unless a search asks for more or needs less."""
ENTRY_BYTES = 32


class Proof(NamedTuple):
    """A certain result: the seat can be sure of its goal."""

    moves: tuple[int, ...]
    """A line of the proof, with the longest defence of the others."""
    plies: int
    """The number of plies within which the game is over."""


@cython.cfunc
@cython.with_gil
@cython.exceptval(check=False)
def clock() -> cython.double:
    """Seconds since a fixed moment."""
    return time.perf_counter()


@cython.final
@cython.cclass
class Frame:
    """One ply of a line: a position, its moves, and the numbers of each."""

    state: State
    moves: Moves
    deeper: Frame
    pns: cython.pointer[u32]
    dns: cython.pointer[u32]
    pn: u32
    dn: u32
    """The result of `expand` or `confirm`."""

    def __init__(self, state: State):
        self.state = state
        self.moves = Moves(state.capacity)
        if cython.compiled:
            room: cython.size_t = state.capacity         # not cleared: see `Moves`
            self.pns = cython.cast(cython.pointer[u32], malloc(4 * room))
            self.dns = cython.cast(cython.pointer[u32], malloc(4 * room))
            if self.pns == cython.NULL or self.dns == cython.NULL:
                raise MemoryError("no room for a search")
        else:
            self.pns, self.dns = [0] * state.capacity, [0] * state.capacity
        self.pn = self.dn = 1
        self.deeper = None

    def __dealloc__(self):
        free(self.pns)
        free(self.dns)

    def check(self) -> None:
        """Raise if any list of moves was too short."""
        self.moves.check()
        if self.deeper is not None:
            self.deeper.check()


@cython.final
@cython.cclass
class ProofSearch:
    """A search for a seat's goal in a game, for any position of that game.

    It keeps its results, as far as its memory allows, so it can continue with more time.
    """

    words: cython.pointer[u64]
    mask: u64
    top: Frame
    seat: cython.int
    least: cython.double
    winning: cython.bint
    """The goal is the whole win."""
    lasting: cython.bint
    """A confirmed result holds for all lines to its position: see above."""
    nodes: cython.longlong
    deadline: cython.int
    """The ply at which the goal must be reached."""
    most: cython.longlong
    look_at: cython.longlong
    until: cython.double
    stopped: cython.bint
    shares: cython.double[8]

    def __init__(self, root: State, seat: cython.int, least: cython.double = 1.0,
                 memory: object = MEMORY, plies: object = None):
        if not 0 <= seat < root.seats:
            raise ValueError(f"there is no seat {seat}")
        if not 0 < least <= 1:
            raise ValueError(f"a goal is a share above 0, and not {least}")
        entries = BUCKET
        while 2 * entries * ENTRY_BYTES <= memory:
            entries *= 2
        if cython.compiled:
            room: cython.size_t = entries
            self.words = cython.cast(cython.pointer[u64], calloc(WORDS * room, 8))
            if self.words == cython.NULL:
                raise MemoryError(f"no room for a table of {memory} bytes")
            in_large_pages(self.words, 8 * WORDS * room)
        else:
            self.words, self.shares = [0] * (WORDS * entries), [0.0] * 8
        self.mask = entries - 1
        self.seat = seat
        self.least = least
        self.winning = least >= 1.0
        self.lasting = self.winning
        self.deadline = 1 << 30 if plies is None else root.plies + plies
        self.nodes = 0
        self.stopped = False
        self.top = Frame(root.copy())
        frame: Frame = self.top
        i: cython.int
        for i in range(DEEPEST):
            frame.deeper = Frame(self.top.state.shadow())
            frame = frame.deeper
        self.list_moves(self.top)
        if self.top.moves.count:
            before: cython.int = self.top.state.recorded
            self.play(self.top, self.top.moves.items[0])
            if self.top.deeper.state.recorded == before:
                self.lasting = True

    def __dealloc__(self):
        free(self.words)

    # ---- the table ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def key(self, state: State) -> u64:
        """The key of a position: all that decides the rest of the game, without the line."""
        key: u64 = mix(mix(state._key(), state.plies), state._circumstances())
        return mix(key, state.occurrences) if state.occurrences > 1 else key

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self, key: u64) -> cython.longlong:
        """The index of an entry, or -1."""
        i: cython.int
        place: cython.longlong = cython.cast(
            cython.longlong, (key & self.mask & ~cython.cast(u64, BUCKET - 1)) * WORDS)
        for i in range(BUCKET):
            if self.words[place] == key and self.words[place + 1] != 0:
                return place
            place += WORDS
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def keep(self, key: u64, pn: u32, dn: u32, mark: u64, work: u64) -> cython.longlong:
        """Replace the entry of the same key, or the one with the least work."""
        i: cython.int
        place: cython.longlong = cython.cast(
            cython.longlong, (key & self.mask & ~cython.cast(u64, BUCKET - 1)) * WORDS)
        chosen: cython.longlong = place
        for i in range(BUCKET):
            if self.words[place] == key:
                chosen = place
                break
            if self.words[place + 2] < self.words[chosen + 2]:
                chosen = place
            place += WORDS
        self.words[chosen] = key
        self.words[chosen + 1] = cython.cast(u64, pn) | cython.cast(u64, dn) << 32
        self.words[chosen + 2] = work + 1
        self.words[chosen + 3] = mark
        return chosen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def mark(self, move: u64) -> u64:
        """The mark that identifies a move in the table: its upper half is free for `confirm`."""
        return mix(move, 1) >> 32

    # ---- the search ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def list_moves(self, frame: Frame) -> cython.void:
        frame.moves.count = 0
        frame.state._legal_moves(frame.moves)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def play(self, frame: Frame, move: u64) -> cython.void:
        """Set the deeper frame to the position after a move."""
        frame.deeper.state.assign(frame.state)
        frame.deeper.state._play(move)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reached(self, state: State) -> cython.bint:
        """Whether the end of the game reaches the goal."""
        state._result(self.shares)
        return self.shares[self.seat] >= self.least

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count(self) -> cython.void:
        """Count one more node; stop when the budget is spent."""
        self.nodes += 1
        if self.nodes >= self.most:
            self.stopped = True
        elif self.nodes >= self.look_at:
            self.look_at = self.nodes + LOOK
            if self.until > 0 and clock() >= self.until:
                self.stopped = True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def estimate(self, frame: Frame) -> cython.void:
        """Set a position's numbers before it is expanded: by its result, else by its moves."""
        place: cython.longlong
        if self.winning and frame.state.occurrences == 2:
            frame.pn, frame.dn = OPEN, 0
            return
        place = self.find(self.key(frame.state))
        if place >= 0:
            frame.pn = cython.cast(u32, self.words[place + 1] & LOWER)
            frame.dn = cython.cast(u32, self.words[place + 1] >> 32)
            return
        self.list_moves(frame)
        if frame.moves.count == 0:
            if self.reached(frame.state):
                frame.pn, frame.dn = 0, OPEN
            else:
                frame.pn, frame.dn = OPEN, 0
        elif frame.state.plies >= self.deadline:
            frame.pn, frame.dn = OPEN, 0
        elif frame.state.turn == self.seat:
            frame.pn, frame.dn = 1, frame.moves.count
        else:
            frame.pn, frame.dn = frame.moves.count, 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand(
        self, frame: Frame, height: cython.int, most_pn: u32, most_dn: u32
    ) -> cython.void:
        """Search deeper until one of a position's numbers reaches its threshold."""
        i: cython.int
        best: cython.int
        closed: cython.int
        own: cython.bint = frame.state.turn == self.seat
        first: u32
        second: u32
        largest: u32
        number: u32
        other: u32
        narrow: u32
        wide: u32
        began: cython.longlong = self.nodes
        key: u64 = self.key(frame.state)
        self.count()
        if self.stopped:
            return
        self.list_moves(frame)
        if frame.moves.count == 0:
            if self.reached(frame.state):
                frame.pn, frame.dn = 0, OPEN
            else:
                frame.pn, frame.dn = OPEN, 0
            return
        if height >= DEEPEST - 1:                # too long: the line is abandoned, and not kept
            frame.pn, frame.dn = OPEN, 0
            return
        for i in range(frame.moves.count):
            self.play(frame, frame.moves.items[i])
            self.estimate(frame.deeper)
            frame.pns[i] = frame.deeper.pn
            frame.dns[i] = frame.deeper.dn
            if (own and frame.deeper.pn == 0) or (not own and frame.deeper.dn == 0):
                frame.pns[0], frame.dns[0] = frame.deeper.pn, frame.deeper.dn
                frame.moves.items[0] = frame.moves.items[i]
                frame.moves.count = 1            # this move alone decides
                break
        while True:
            # A proof needs one move of the seat, and all of the others; a refutation, the reverse.
            # Proofs share positions, so the sum is the largest number, plus one for each other.
            best = -1
            first = second = OPEN
            largest = 0
            closed = 0
            for i in range(frame.moves.count):
                number = frame.pns[i] if own else frame.dns[i]
                other = frame.dns[i] if own else frame.pns[i]
                if other == 0:
                    closed += 1
                elif other > largest:
                    largest = other
                if number < first or best < 0:
                    second = first
                    first = number
                    best = i
                elif number < second:
                    second = number
            closed = frame.moves.count - closed
            largest = min(largest + (closed - 1 if closed > 1 else 0), OPEN)
            if first == 0:
                largest = OPEN
            if own:
                frame.pn, frame.dn = first, largest
            else:
                frame.pn, frame.dn = largest, first
            if self.stopped or frame.pn >= most_pn or frame.dn >= most_dn:
                break
            narrow = min(most_pn if own else most_dn, min(second, OPEN - 1) + second // 4 + 1)
            narrow = min(narrow, OPEN)
            wide = most_dn if own else most_pn
            if wide < OPEN:
                wide -= closed - 1 if closed > 1 else 0
            self.play(frame, frame.moves.items[best])
            if own:
                self.expand(frame.deeper, height + 1, narrow, wide)
            else:
                self.expand(frame.deeper, height + 1, wide, narrow)
            frame.pns[best], frame.dns[best] = frame.deeper.pn, frame.deeper.dn
        self.keep(
            key, frame.pn, frame.dn, self.mark(frame.moves.items[best]),
            cython.cast(u64, self.nodes - began))

    # ---- certain results ----

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def chosen(self, frame: Frame, height: cython.int) -> cython.int:
        """The number of the seat's move that proves its goal, its moves listed anew; or -1."""
        i: cython.int
        mark: u64
        place: cython.longlong = self.find(self.key(frame.state))
        if place < 0 or self.words[place + 1] & LOWER != 0:
            self.expand(frame, height, OPEN, OPEN)      # another entry has replaced it
            if self.stopped or frame.pn != 0:
                return -1
            place = self.find(self.key(frame.state))
            if place < 0:
                return -1
        self.list_moves(frame)
        mark = self.words[place + 3] & LOWER
        for i in range(frame.moves.count):
            if self.mark(frame.moves.items[i]) == mark:
                return i
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def confirm(self, frame: Frame, height: cython.int) -> cython.int:
        """The number of plies within which the goal is certain; -1 if it is not proven."""
        i: cython.int
        plies: cython.int
        longest: cython.int = -1
        key: u64
        place: cython.longlong
        self.count()
        if self.stopped or height >= DEEPEST - 1:
            return -1
        self.list_moves(frame)
        if frame.moves.count == 0:
            return 0 if self.reached(frame.state) else -1
        key = self.key(frame.state)
        place = self.find(key)
        if self.lasting and place >= 0 and self.words[place + 3] >> 32:
            return cython.cast(cython.int, self.words[place + 3] >> 32)
        if frame.state.turn == self.seat:
            i = self.chosen(frame, height)
            if i < 0:
                return -1
            self.play(frame, frame.moves.items[i])
            longest = self.confirm(frame.deeper, height + 1)
            if longest < 0:
                return -1
        else:
            for i in range(frame.moves.count):
                self.play(frame, frame.moves.items[i])
                plies = self.confirm(frame.deeper, height + 1)
                if plies < 0:
                    return -1
                longest = max(longest, plies)
        place = self.find(key)
        if place < 0:
            place = self.keep(key, 0, OPEN, 0, 0)
        self.words[place + 3] = self.words[place + 3] & LOWER | (
            cython.cast(u64, longest + 1) << 32)
        return longest + 1

    @cython.cfunc
    def allow(self, limit: object) -> object:
        """Give the search more nodes and time."""
        self.stopped = False
        self.most = 1 << 62 if limit.nodes is None else self.nodes + limit.nodes
        self.look_at = self.nodes + LOOK
        self.until = 0 if limit.seconds is None else time.perf_counter() + limit.seconds

    @property
    def searched(self) -> int:
        """The number of positions searched so far."""
        return self.nodes

    def prove(self, state: State, limit: Limit) -> Proof | None:
        """The proof of the goal from a position on; None if there is none, or none was found."""
        plies: cython.int = -1
        self.top.state.assign(state)
        self.allow(limit)
        with cython.nogil:
            self.expand(self.top, 0, OPEN, OPEN)
            if self.top.pn == 0:
                self.most += self.nodes
                self.stopped = False
                plies = self.confirm(self.top, 0)
        self.top.check()
        if plies < 0:
            return None
        return Proof(tuple(self.line(state.copy())), plies)

    @property
    def refuted(self) -> bool:
        """Whether the last search believes that the goal cannot be reached: it is not certain."""
        return self.top.pn != 0 and self.top.dn == 0

    def reply(self, state: State, limit: Limit) -> int | None:
        """The seat's move from a position of the proof on; None if it is not known to be one."""
        i: cython.int
        self.top.state.assign(state)
        self.allow(limit)
        with cython.nogil:
            self.list_moves(self.top)
            i = self.chosen(self.top, 0)
        self.top.check()
        return None if i < 0 else self.top.moves.items[i]

    @cython.cfunc
    def line(self, here: State) -> list:
        """The proof's moves, against the longest defence, as far as the search knows them."""
        line: list = []
        plies: cython.int
        while here.legal_moves():
            if here.turn == self.seat:
                move: object = self.reply(here, Limit(nodes=LOOK))
                if move is None:
                    break
            else:
                longest: object = None
                move = here.legal_moves()[0]
                for other in here.legal_moves():
                    self.top.state.assign(here)
                    self.play(self.top, other)
                    place: cython.longlong = self.find(self.key(self.top.deeper.state))
                    plies = 0 if place < 0 else cython.cast(
                        cython.int, self.words[place + 3] >> 32)
                    if longest is None or plies > longest:
                        longest, move = plies, other
            line.append(move)
            here.play(move)
        return line


def prove(
    state: State, seat: cython.int, limit: Limit, *, least: cython.double = 1.0,
    memory: object = MEMORY,
) -> Proof | None:
    """The proof that a seat is sure of a share of `least` or more; None if none was found.

    The game must have no hidden information. The limit counts nodes or seconds.
    """
    if limit.nodes is None and limit.seconds is None:
        raise ValueError("a search for a proof needs a number of nodes or of seconds")
    if limit.nodes is not None:
        memory = min(memory, limit.nodes * ENTRY_BYTES)
    return ProofSearch(state, seat, least, memory).prove(state, limit)
