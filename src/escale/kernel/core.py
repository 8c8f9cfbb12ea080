# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""States, move lists, keys and random numbers: the base of every game and every search.

A game's rules are a final subclass of `State` that overrides `_legal_moves`, `_play`, `_result` and
`_key`. States are mutable and small; moves are 64-bit integers that only the game understands.
Opinions about a state are no part of it: see `evaluation.py`.

**Hooks and faces.** A method that an author overrides begins with an underscore and is compiled:
searches call `_play` without the GIL, with C arguments. The method for Python has the same name
without the underscore and is written once, here: `play`. All pairs in `State`, `Random` and
`Evaluation` follow this pattern.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import cython

if cython.compiled:
    from cython.cimports.libc.stdlib import calloc, free, malloc, realloc
    from cython.cimports.libc.string import memcpy
else:
    u32, u64 = cython.uint, cython.ulonglong

    def lowest(bits):
        """Index of the lowest set bit."""
        return (bits & -bits).bit_length() - 1

    def highest(bits):
        """Index of the highest set bit."""
        return bits.bit_length() - 1

    def ones(bits):
        """The number of bits that are set."""
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

    def mark_each(out, start, bits):
        """Write 1 into an observation for every set bit b, at `start + b`."""
        while bits:
            out[start + lowest(bits)] = 1.0
            bits &= bits - 1

    def rotated(bits, by):
        """All bits of a board of 64, moved by a stride."""
        return (bits << (by & 63) | bits >> (-by & 63)) & 0xFFFFFFFFFFFFFFFF

    def mix(key, word):
        """Mix one more word of a position into its key."""
        key = ((key ^ word) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        return key ^ (key >> 29)


ONE = cython.declare(cython.const[u64], 1)
MASK64 = cython.declare(cython.const[u64], 0xFFFFFFFFFFFFFFFF)
GAMMA = cython.declare(cython.const[u64], 0x9E3779B97F4A7C15)
MIX_1 = cython.declare(cython.const[u64], 0xBF58476D1CE4E5B9)
MIX_2 = cython.declare(cython.const[u64], 0x94D049BB133111EB)

#: `State.turn` while chance has to decide.
CHANCE = -1

#: The answer of `State.atom` if a move has no more atoms.
NO_MORE = -1


@cython.final
@cython.cclass
class Moves:
    """A list of moves with room for `capacity` of them, which reports every overflow."""

    def __init__(self, capacity: cython.int):
        if cython.compiled:
            # Not cleared: a game may ask for room that only its strangest positions need.
            room: cython.size_t = capacity
            self.items = cython.cast(cython.pointer[u64], malloc(8 * room))
            if self.items == cython.NULL:
                raise MemoryError(f"no room for {capacity} moves")
        else:
            self.items = [0] * capacity
        self.room = self.capacity = capacity
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

    def __getitem__(self, index: cython.int) -> int:
        if not 0 <= index < self.count:
            raise IndexError(f"there are {self.count} moves, and no number {index}")
        return self.items[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self.as_list())

    def __contains__(self, move: u64) -> bool:
        return self.index(move) >= 0

    def index(self, move: u64) -> cython.int:
        """The index of a move in the list, or -1."""
        i: cython.int
        for i in range(self.count):
            if self.items[i] == move:
                return i
        return -1

    def as_list(self) -> list[int]:
        """The moves as Python integers."""
        self.check()
        return [self.items[i] for i in range(self.count)]


#: The buffer of `compact_moves`: most games ask for far more room than they need.
ROOM = cython.declare(Moves, None)


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
        self.used = 0

    def __dealloc__(self):
        free(self.keys)

    def upto(self, count: cython.int) -> History:
        """An independent history that begins with the first `count` keys."""
        new: History = History(max(count, 64))
        if cython.compiled:
            memcpy(new.keys, self.keys, count * 8)
            memcpy(new.met, self.met, 64 * 8)
        else:
            new.keys[:count], new.met[:] = self.keys[:count], self.met
        new.used = count
        return new

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

    def _next(self):
        """64 random bits."""
        self.state = (self.state + GAMMA) & MASK64
        z: u64 = self.state
        z = ((z ^ (z >> 30)) * MIX_1) & MASK64
        z = ((z ^ (z >> 27)) * MIX_2) & MASK64
        return z ^ (z >> 31)

    def _below(self, n):
        return ((self._next() >> 32) * n) >> 32

    def below(self, n: cython.uint) -> int:
        """A number from 0 to n - 1."""
        return self._below(n)

    def __reduce__(self):
        return Random, (self.state,)


@cython.cclass
class State:
    """A game in progress, as its rules know it.

    A subclass sets `turn`, `seats`, `capacity` (the most moves one position can have) and
    `cycle` (the recorded plies after which the same seat can have its turn again) when it is made.
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

    # The hooks that a game overrides.

    def _legal_moves(self, out):
        """Write every legal move once; none at all means that the game is over.

        With `every_way` set, all ways that lead to the same position are written.
        """

    def _play(self, move):
        """Make a legal move; it calls `record` last if positions can repeat."""

    def _result(self, shares):
        """Fill in each seat's share of the win (they add up to 1) and return the ending's number.

        Called only when there is no legal move.
        """
        return 0

    def _key(self):
        """A number for the content of the table and the seat to move."""
        return 0

    def _circumstances(self):
        """A number for other facts that decide the rest of the game, beside key, plies and repeats.

        One is the count of moves without progress. Counts over the whole line are no part of it.
        """
        return 0

    def _chance_weight(self, move):
        """The weight of an outcome of chance, relative to the others."""
        return 1

    def _redeal(self, seat, random):
        """Draw again, evenly, all that `seat` cannot know; nothing in open games.

        The result must depend on nothing that is hidden from the seat.
        """

    # The hooks that a game overrides to be played in batches (`batch.py`), without Python calls.

    def _atom(self, move, index):
        """The number of a move's atom, counted from 0; NO_MORE after the last.

        Atoms are numbered as in docs/adapters.md. Called only on a seat's turn.
        """
        return -1                           # NO_MORE

    def _observed(self):
        """The most numbers that `_observe` may write; 0 if a game does not have these three."""
        return 0

    def _observe(self, seat, out):
        """Write the cells and slots as a seat sees them, in the order of docs/adapters.md.

        All numbers of `out` are 0 before.
        """

    # The methods that a game inherits.

    def record(self, key, before):
        """Remember `key` and count its occurrences among the first `before` keys."""
        i: cython.int
        cycle: cython.int = self.cycle
        if self.recorded == self.history.capacity and not self.history.grow():
            return
        keys = self.history.keys
        times: cython.int = 1
        # A key whose bit is not set is new; the search is only for the others.
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
        self.history.used = self.recorded
        self.occurrences = times

    def assign(self, other):
        """Become a copy of `other`, a position of the same class."""
        self.take_fields(other)
        if self.history is other.history:
            return
        if cython.compiled:
            while self.history.capacity < other.recorded:
                if not self.history.grow():
                    return
            memcpy(self.history.keys, other.history.keys, other.recorded * 8)
            memcpy(self.history.met, other.history.met, 64 * 8)
        else:
            self.history.keys[:] = other.history.keys
            self.history.met[:] = other.history.met
            self.history.capacity = other.history.capacity
        self.history.used = other.recorded

    def take_fields(self, other):
        """Copy everything but the history."""
        if cython.compiled:
            memcpy(
                cython.cast(cython.p_char, cython.cast(cython.p_void, self)) + self.offset,
                cython.cast(cython.p_char, cython.cast(cython.p_void, other)) + self.offset,
                self.size,
            )
        else:
            history = self.history
            for name, value in other.__dict__.items():
                self.__dict__[name] = value[:] if isinstance(value, list) else value
            self.history = history

    def twin(self, history):
        """A copy with a history that is given, made without the rules' `__init__`."""
        kind: type = type(self)
        new: State = kind.__new__(kind)
        new.history = history
        new.take_fields(self)
        return new

    # The Python side.

    def copy(self) -> State:
        """An independent copy."""
        return self.twin(self.history.upto(self.recorded))

    def shadow(self) -> State:
        """A copy that shares this position's history.

        It is only for depth-first walks: moves of one overwrite the other's keys beyond the
        position that they share.
        """
        return self.twin(self.history)

    def child(self, move: u64) -> State:
        """The position after `move`, which must be legal: this is not checked.

        A child continues its parent's history instead of copying it, as long as no other position
        has continued it: a line of play takes eight bytes a ply, and a branch a copy.
        """
        alone: cython.bint = self.history.used == self.recorded
        new: State = self.twin(self.history if alone else self.history.upto(self.recorded))
        new._play(move)
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
        """Take the fields and the history of a position that was pickled."""
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

    def legal_moves(self) -> list[int]:
        """Every legal move; empty when the game is over."""
        return compact_moves(self).as_list()

    def ways(self) -> list[int]:
        """`legal_moves`, and in addition the other ways that lead to the same positions."""
        moves: Moves = Moves(self.capacity)
        self.every_way = True
        self._legal_moves(moves)
        self.every_way = False
        return moves.as_list()

    def play(self, move: u64) -> None:
        """Make `move`, which must be one of `legal_moves()` or `ways()`: this is not checked."""
        if self.history.used > self.recorded:       # a child has continued it
            self.history = self.history.upto(self.recorded)
        self._play(move)

    def result(self) -> tuple[int, list[float]]:
        """The ending's number and each seat's share; only when the game is over."""
        i: cython.int
        shares: cython.double[8]
        if not cython.compiled:
            shares = [0.0] * 8
        for i in range(8):
            shares[i] = 0.0
        ending: cython.int = self._result(shares)
        return ending, [shares[i] for i in range(self.seats)]

    def key(self) -> int:
        """The same number for the same table and turn; two that differ hardly ever share it."""
        return self._key()

    def keys_after(self, moves: list[int]) -> list[int]:
        """The keys of the positions that these legal moves lead to."""
        after: State = self.copy()
        keys = []
        for move in moves:
            after.assign(self)
            after._play(move)
            keys.append(after._key())
        return keys

    def chance_weight(self, move: u64) -> int:
        """The weight of an outcome of chance, relative to the others."""
        return self._chance_weight(move)

    def atom(self, move: u64, index: cython.int) -> int:
        """The number of a move's atom; NO_MORE after the last, or if none are numbered."""
        return self._atom(move, index)

    def observed(self) -> int:
        """The length of `observe`; 0 if the rules neither write observations nor number atoms."""
        return self._observed()

    def observe(self, seat: cython.int) -> list[float]:
        """The cells and slots as a seat sees them."""
        size: cython.int = self._observed()
        if not cython.compiled:
            numbers = array("f", bytes(4 * size))       # as exact as compiled
            self._observe(seat, numbers)
            return numbers.tolist()
        out = cython.cast(cython.p_float, calloc(max(size, 1), cython.sizeof(cython.float)))
        if out == cython.NULL:
            raise MemoryError(f"no room for {size} numbers")
        self._observe(seat, out)
        seen = [out[i] for i in range(size)]
        free(out)
        return seen

    def redeal(self, seat: cython.int, random: Random) -> None:
        """Draw again, evenly, everything that `seat` cannot know."""
        self._redeal(seat, random)

    def resume(self, plies: cython.int, occurrences: cython.int) -> None:
        """Set the number of plies played; a subclass calls this last in its `__init__`.

        The history begins again with this position, seen `occurrences` times.
        """
        i: cython.int
        self.plies = plies
        self.recorded = 0
        if self.history.used:
            self.history = History()
        for i in range((occurrences - 1) * self.cycle + 1):
            self.record(self._key() if i % self.cycle == 0 else 0, 0)
        self.occurrences = occurrences


def compact_moves(state: State) -> Moves:
    """Every legal move, in a list with room for just these."""
    global ROOM
    if ROOM is None or ROOM.room < state.capacity:
        ROOM = Moves(state.capacity)
    room: Moves = ROOM                  # no other thread writes to it: the GIL is held
    room.capacity = state.capacity
    room.count = 0
    room.overflowed = False
    state._legal_moves(room)
    room.check()
    moves: Moves = Moves.__new__(Moves)
    if cython.compiled:
        size: cython.size_t = 8 * cython.cast(cython.size_t, max(room.count, 1))
        moves.items = cython.cast(cython.pointer[u64], malloc(size))
        if moves.items == cython.NULL:
            raise MemoryError(f"no room for {room.count} moves")
        memcpy(moves.items, room.items, size)
    else:
        moves.items = room.items[:room.count]
        moves.overflowed = False
    moves.room = moves.capacity = moves.count = room.count
    return moves


def restored(kind: type, content: object, keys: list[int], key: object) -> State:
    """A position out of a pickle, as `State.__reduce__` wrote it."""
    new: State = kind()
    new.restore(content, keys)
    if new.key() != key:            # other fields of the same total size, or in another order
        raise ValueError("a position pickled by another build of Escale cannot be read")
    return new


def draw(state, moves, random):
    """One of the outcomes of chance, drawn by weight."""
    i: cython.int
    total: u64 = 0
    for i in range(moves.count):
        total += state._chance_weight(moves.items[i])
    rest: u64 = random._below(cython.cast(u32, total))
    for i in range(moves.count):
        weight: u64 = state._chance_weight(moves.items[i])
        if rest < weight:
            return moves.items[i]
        rest -= weight
    return moves.items[moves.count - 1]


def rollout(state, moves, random):
    """Play `state` to its end at random."""
    while True:
        moves.count = 0
        state._legal_moves(moves)
        if moves.count == 0:
            return
        if state.turn >= 0:
            state._play(moves.items[random._below(moves.count)])
        else:
            state._play(draw(state, moves, random))


def draw_chance(state: State, random: Random) -> int:
    """An outcome of chance for `state`, drawn by weight from `random`."""
    moves: Moves = Moves(state.capacity)
    state._legal_moves(moves)
    moves.check()
    return draw(state, moves, random)


def each_bit(bits: object) -> Iterator[int]:
    """The indices of the set bits, lowest first."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
