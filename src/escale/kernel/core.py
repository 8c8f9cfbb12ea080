# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Positions, move lists, keys and random numbers: what every game and every search stands on.

A game is a final subclass of `State` that overrides `generate`, `play`, `result` and `key`.
Positions here are mutable and small; moves are 64-bit integers that only the game understands.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.stdlib import calloc, free, malloc, realloc
    from cython.cimports.libc.string import memcpy
else:
    u32, u64 = cython.uint, cython.ulonglong
    NEVER = -8000

    def lowest(bits):
        """Index of the lowest set bit."""
        return (bits & -bits).bit_length() - 1

    def highest(bits):
        """Index of the highest set bit."""
        return bits.bit_length() - 1

    def ones(bits):
        """How many bits are set."""
        return bits.bit_count()

    def add(moves, move):
        """Append `move`, or mark the list as overflowed."""
        if moves.count < moves.capacity:
            moves.items[moves.count] = move
            moves.count += 1
        else:
            moves.overflowed = True

    def add_each(moves, bits, base, factor):
        """Append `base + factor * b` for every set bit b, lowest first."""
        while bits:
            add(moves, base + factor * lowest(bits))
            bits &= bits - 1

    def mix(key, word):
        """Stir one more word of a position into its key."""
        key = ((key ^ word) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        return key ^ (key >> 29)


ONE = cython.declare(cython.const[u64], 1)
MASK64 = cython.declare(cython.const[u64], 0xFFFFFFFFFFFFFFFF)
GAMMA = cython.declare(cython.const[u64], 0x9E3779B97F4A7C15)
MIX_1 = cython.declare(cython.const[u64], 0xBF58476D1CE4E5B9)
MIX_2 = cython.declare(cython.const[u64], 0x94D049BB133111EB)

#: `State.turn` while a lot is being drawn.
CHANCE = -1


@cython.final
@cython.cclass
class Moves:
    """A list of moves with room for `capacity` of them, which never overflows unseen."""

    def __init__(self, capacity: cython.int):
        if cython.compiled:
            # Not cleared: a game may ask for room that only its strangest positions need.
            room: cython.size_t = capacity
            self.items = cython.cast(cython.pointer[u64], malloc(8 * room))
            if self.items == cython.NULL:
                raise MemoryError(f"no room for {capacity} moves")
        else:
            self.items = [0] * capacity
        self.capacity = capacity
        self.count = 0
        self.overflowed = False

    def __dealloc__(self):
        free(self.items)

    def check(self) -> None:
        """Raise if a move did not fit."""
        if self.overflowed:
            raise OverflowError(f"more than {self.capacity} moves in one position")

    def __len__(self) -> int:
        return self.count

    def as_list(self) -> list[int]:
        """The moves as Python integers."""
        self.check()
        return [self.items[i] for i in range(self.count)]


@cython.final
@cython.cclass
class History:
    """The keys of the positions that led here, oldest first; grows as needed."""

    def __init__(self, capacity: cython.int = 64):
        if cython.compiled:
            self.keys = cython.cast(cython.pointer[u64], calloc(capacity, 8))
            if self.keys == cython.NULL:
                raise MemoryError("no room for the history of a game")
        else:
            self.keys, self.met = [0] * capacity, [0] * 64
        self.capacity = capacity

    def __dealloc__(self):
        free(self.keys)

    def grow(self):
        """Double the room; False when memory is exhausted."""
        if cython.compiled:
            keys = cython.cast(cython.pointer[u64], realloc(self.keys, self.capacity * 16))
            if keys == cython.NULL:
                return False
            self.keys = keys
        else:
            self.keys.extend([0] * self.capacity)
        self.capacity *= 2
        return True


@cython.final
@cython.cclass
class Random:
    """SplitMix64: small, fast, without a lock, and the same sequence compiled or not."""

    def __init__(self, seed: object = 0):
        self.state = int(seed) & 0xFFFFFFFFFFFFFFFF

    def next(self):
        """64 random bits."""
        self.state = (self.state + GAMMA) & MASK64
        z: u64 = self.state
        z = ((z ^ (z >> 30)) * MIX_1) & MASK64
        z = ((z ^ (z >> 27)) * MIX_2) & MASK64
        return z ^ (z >> 31)

    def below(self, n):
        """A number from 0 to n - 1."""
        return ((self.next() >> 32) * n) >> 32

    def integer(self, n: cython.uint) -> int:
        """`below`, for Python."""
        return self.below(n)

    def __reduce__(self):
        return Random, (self.state,)


@cython.cclass
class State:
    """A game in progress, as its rules see it.

    A subclass sets `turn`, `seats`, `capacity` (the most moves one position can have) and
    `cycle` (after how many recorded plies the same seat can be on turn again) when it is made.
    Its own fields are plain C values, so that a copy is one block of memory.
    """

    def __cinit__(self):
        if cython.compiled:
            self.offset = (
                cython.cast(cython.p_char, cython.address(self.turn))
                - cython.cast(cython.p_char, cython.cast(cython.p_void, self))
            )
            self.size = type(self).__basicsize__ - self.offset

    def __init__(self):
        self.turn = 0
        self.plies = 0
        self.seats = 2
        self.occurrences = 1
        self.capacity = 256
        self.every_way = False
        self.recorded = 0
        self.cycle = 2
        self.history = History()

    # What a game overrides.

    def generate(self, out):
        """Write every legal move once; none at all means that the game is over.

        With `every_way` set, ways that lead to the same position are all written.
        """

    def play(self, move):
        """Make a legal move; ends with `record` where positions may come again."""

    def result(self, shares):
        """Fill in each seat's share of the win (they add up to 1) and return the ending's number.

        Asked only when `generate` wrote nothing.
        """
        return 0

    def key(self):
        """A number for what is on the table and whose turn it is."""
        return 0

    def weight(self, move):
        """How likely a move of chance is, relative to the others."""
        return 1

    def evaluate(self):
        """How the seat to move stands: a guess, 0 for even, 1000 for as good as won.

        On the scale of odds (`weights.ODDS`), and a sum of whole features times their weights, so
        that the weights can be learnt. Asked only while the game goes on and a seat has to move.
        """
        return 0

    def calm(self):
        """How likely the game is to be drawn: a guess, on the scale of odds.

        Like `evaluate` a sum of whole features, with weights of its own, and asked where that is,
        but only by who scorns draws. `NEVER` where nothing is known.
        """
        return NEVER

    def redeal(self, seat, random):
        """Draw anew, evenly, whatever `seat` cannot know; nothing where all is open.

        What comes of it must depend on nothing that is hidden from the seat.
        """

    def estimate(self, shares):
        """Whether to stop here when looking ahead; if so, each seat's expected share of the win.

        For games too long to be played to their end: they stop where a round is over.
        """
        return False

    def prefer(self, moves, random):
        """What a seat plausibly chooses of its `moves` when looking ahead; here, any of them."""
        return moves.items[random.below(moves.count)]

    def forced(self):
        """Whether the seat to move must do something that an evaluation cannot foresee.

        Then a search looks further. Asked only when `generate` has just been asked.
        """
        return False

    def lively(self):
        """Whether the seat to move surely has two moves or more, and is not `forced`.

        No is always a safe answer. Where it is yes, a search that only wants an evaluation need
        not list the moves.
        """
        return False

    def wins(self, move):
        """Whether the seat to move can win with its next move, which is then written to `move`.

        No is always a safe answer. Where it is yes, a search need not look at the other moves, and
        sees a ply further than it searches.
        """
        return False

    # What it inherits.

    def record(self, key, before):
        """Remember `key` and count how often it has occurred among the first `before` keys."""
        i: cython.int
        cycle: cython.int = self.cycle
        if self.recorded == self.history.capacity and not self.history.grow():
            return
        keys = self.history.keys
        times: cython.int = 1
        # A key whose bit is not set is new; only others have to be looked for.
        word: cython.int = cython.cast(cython.int, key >> 58)
        bit: u64 = ONE << (key >> 52 & 63)
        met: u64 = self.history.met[word]
        self.history.met[word] = met | bit
        if before > 0 and met & bit:
            i = self.recorded - cycle
            while i >= before:
                i -= cycle
            while i >= 0:
                times += keys[i] == key
                i -= cycle
        keys[self.recorded] = key
        self.recorded += 1
        self.occurrences = times

    def assign(self, other):
        """Become a copy of `other`, a position of the same class."""
        if cython.compiled:
            memcpy(
                cython.cast(cython.p_char, cython.cast(cython.p_void, self)) + self.offset,
                cython.cast(cython.p_char, cython.cast(cython.p_void, other)) + self.offset,
                self.size,
            )
            if self.history is not other.history:
                while self.history.capacity < other.recorded:
                    if not self.history.grow():
                        return
                memcpy(self.history.keys, other.history.keys, other.recorded * 8)
                memcpy(self.history.met, other.history.met, 64 * 8)
        else:
            history = self.history
            for name, value in other.__dict__.items():
                self.__dict__[name] = value[:] if isinstance(value, list) else value
            self.history = history
            if history is not other.history:
                history.keys[:] = other.history.keys
                history.met[:] = other.history.met
                history.capacity = other.history.capacity

    # The Python side.

    def copy(self) -> State:
        """An independent copy."""
        new: State = type(self)()
        new.assign(self)
        return new

    def shadow(self) -> State:
        """A copy that shares this position's history.

        Only for depth-first walks: playing on in one overwrites what the other had beyond the
        position they share.
        """
        new: State = type(self)()
        new.history = self.history
        new.assign(self)
        return new

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: object) -> State:
        return self.copy()

    def __reduce__(self):
        if cython.compiled:
            start = cython.cast(cython.p_char, cython.cast(cython.p_void, self)) + self.offset
            content: object = start[:self.size]
        else:
            content = {name: value for name, value in self.__dict__.items() if name != "history"}
        keys = [self.history.keys[i] for i in range(self.recorded)]
        return restored, (type(self), content, keys, self.key())

    def restore(self, content: object, keys: list[int]) -> None:
        """Become what another position was when it was pickled: its fields, and its history."""
        if cython.compiled:
            if not isinstance(content, bytes) or len(content) != self.size:
                raise ValueError("a position pickled by another build of Escale cannot be read")
            block: bytes = content
            memcpy(
                cython.cast(cython.p_char, cython.cast(cython.p_void, self)) + self.offset,
                cython.cast(cython.p_char, block), self.size,
            )
        elif isinstance(content, dict):
            self.__dict__.update(content)
        else:
            raise ValueError("a position pickled by a compiled Escale cannot be read uncompiled")
        occurrences: cython.int = self.occurrences
        self.recorded = 0
        for key in keys:
            self.record(key, 0)
        self.occurrences = occurrences

    def legal(self) -> list[int]:
        """Every legal move; empty when the game is over."""
        moves: Moves = Moves(self.capacity)
        self.generate(moves)
        return moves.as_list()

    def ways(self) -> list[int]:
        """`legal`, and besides it the other ways that lead to the same positions."""
        moves: Moves = Moves(self.capacity)
        self.every_way = True
        self.generate(moves)
        self.every_way = False
        return moves.as_list()

    def make(self, move: u64) -> None:
        """Play `move`, which must be one of `legal()` or `ways()`: this is not checked."""
        self.play(move)

    def likelihood(self, move: u64) -> int:
        """`weight`, for Python."""
        return self.weight(move)

    def guess(self) -> int:
        """`evaluate`, for Python."""
        return self.evaluate()

    def stillness(self) -> int:
        """`calm`, for Python."""
        return self.calm()

    def redealt(self, seat: cython.int, random: Random) -> State:
        """A copy in which what `seat` cannot know is drawn anew."""
        new: State = self.copy()
        new.redeal(seat, random)
        return new

    def outlook(self) -> list[float] | None:
        """`estimate`, for Python; None where looking ahead goes on."""
        shares: cython.double[8]
        if not cython.compiled:
            shares = [0.0] * 8
        return [shares[i] for i in range(self.seats)] if self.estimate(shares) else None

    def restless(self) -> bool:
        """Whether a search looks further before it evaluates: one move only, or `forced`."""
        moves: Moves = Moves(self.capacity)
        self.generate(moves)
        return moves.count == 1 or bool(self.forced())

    def is_lively(self) -> bool:
        """`lively`, for Python."""
        return self.lively()

    def winning_move(self) -> int | None:
        """What `wins` finds, for Python."""
        move: u64[1]
        if not cython.compiled:
            move = [0]
        return move[0] if self.wins(move) else None

    def preference(self, random: Random) -> int:
        """`prefer`, for Python; only while a seat has to move."""
        moves: Moves = Moves(self.capacity)
        self.generate(moves)
        moves.check()
        return self.prefer(moves, random)

    def hash(self) -> int:
        """`key`, for Python."""
        return self.key()

    def shares(self) -> tuple[int, list[float]]:
        """The ending's number and each seat's share; only when the game is over."""
        i: cython.int
        shares: cython.double[8]
        if not cython.compiled:
            shares = [0.0] * 8
        for i in range(8):
            shares[i] = 0.0
        ending: cython.int = self.result(shares)
        return ending, [shares[i] for i in range(self.seats)]

    def resume(self, plies: cython.int, occurrences: cython.int) -> None:
        """Say how far on the game is; a subclass calls this last when it is made.

        The history begins anew with this position, seen so many times.
        """
        i: cython.int
        self.plies = plies
        self.recorded = 0
        for i in range((occurrences - 1) * self.cycle + 1):
            self.record(self.key() if i % self.cycle == 0 else 0, 0)
        self.occurrences = occurrences


def restored(kind: type, content: object, keys: list[int], key: object) -> State:
    """A position out of a pickle, as `State.__reduce__` wrote it."""
    new: State = kind()
    new.restore(content, keys)
    if new.key() != key:            # other fields, or in another order, that are as large together
        raise ValueError("a position pickled by another build of Escale cannot be read")
    return new


def draw(state, moves, random):
    """One of the moves of chance, by weight."""
    i: cython.int
    total: u64 = 0
    for i in range(moves.count):
        total += state.weight(moves.items[i])
    rest: u64 = random.below(cython.cast(u32, total))
    for i in range(moves.count):
        weight: u64 = state.weight(moves.items[i])
        if rest < weight:
            return moves.items[i]
        rest -= weight
    return moves.items[moves.count - 1]


def rollout(state, moves, random):
    """Play `state` to its end at random."""
    while True:
        moves.count = 0
        state.generate(moves)
        if moves.count == 0:
            return
        if state.turn >= 0:
            state.play(moves.items[random.below(moves.count)])
        else:
            state.play(draw(state, moves, random))


def draw_chance(state: State, random: Random) -> int:
    """A move of chance for `state`, drawn by weight from `random`."""
    moves: Moves = Moves(state.capacity)
    state.generate(moves)
    moves.check()
    return draw(state, moves, random)
