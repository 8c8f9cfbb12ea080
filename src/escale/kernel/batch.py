# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Many games at once, one atom a step: masks, observations and rewards in arrays of the caller.

A game is played here without Python calls if its rules number their atoms (`State._atom`) and
write observations (`State._observe`); for other games the caller gives functions that do so. The
moves that begin with the atoms chosen so far are kept as a list, from which those with another next
atom are removed: a trie would cost more than it saves.

Steps are made without the GIL, by several threads if wanted. Each game has random numbers of its
own, so that chance depends neither on the threads nor on the other games.

An array is anything with the buffer interface and the right type: NumPy's arrays, for example.
The end of an observation, the same in all games, and rewards are also written here for positions
that are played one at a time (`write_tail`, `add_atom`, `rewards`).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, Random, State, draw, u64
    from cython.cimports.libc.stdlib import calloc, free, realloc
    from cython.cimports.libc.string import memcpy, memset
else:
    from escale.kernel.core import (
        Moves,
        Random,
        State,
        draw,
        u64,
    )

NO_MORE = cython.declare(cython.const[cython.int], -1)
HALF = cython.declare(cython.const[cython.int], 512)        # this number of plies counts a half
GAMES_PER_THREAD = cython.declare(cython.const[cython.int], 512)    # fewer do not justify a thread
OUT_OF_MEMORY = "no room for the moves of a batch of games"


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write_common(
    row: cython.p_float, start: cython.int, state: State, seats: cython.int, viewer: cython.int,
    over: cython.bint,
) -> cython.int:
    """Write plies, occurrences, the end, the turn and the viewer; returns the options' index."""
    row[start] = cython.cast(cython.double, state.plies) / (state.plies + HALF)
    row[start + 1] = cython.cast(cython.double, state.occurrences - 1) / 2
    row[start + 2] = over
    start += 3
    row[start + (seats if state.turn < 0 else state.turn)] = 1.0
    start += seats + 1
    if viewer >= 0:
        row[start + viewer] = 1.0
    return start + seats + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def halve_and_add(
    row: cython.p_float, start: cython.int, count: cython.int, action: cython.int
) -> cython.void:
    """Write one more atom of a half-made move; the `count` possible atoms begin at `start`."""
    j: cython.int
    for j in range(count):
        row[start + j] *= 0.5
    row[start + action] += 0.5


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def reward(share: cython.double, seats: cython.int) -> cython.double:
    """The reward for a share of the win: all rewards add up to 0, and a sole winner has 1."""
    return (seats * share - 1) / (seats - 1)


def write_tail(
    vector: cython.float[::1], start: cython.int, state: State, seats: cython.int,
    viewer: cython.int, over: cython.bint, options: cython.const[cython.float][::1],
) -> None:
    """Write the part common to all games into the zeros from `start`, up to the options.

    `seats` are the most that the game can have; the viewer is a seat, `seats` for a viewer who
    sees everything, and -1 for a spectator.
    """
    j: cython.int
    start = write_common(
        cython.address(vector[0]) if cython.compiled else vector, start, state, seats, viewer, over
    )
    for j in range(len(options)):
        vector[start + j] = options[j]


def add_atom(
    vector: cython.float[::1], start: cython.int, count: cython.int, action: cython.int
) -> None:
    """Write one more atom of the half-made move; the `count` possible atoms begin at `start`."""
    halve_and_add(
        cython.address(vector[0]) if cython.compiled else vector, start, count, action
    )


def rewards(shares: Sequence[float]) -> list[float]:
    """Each seat's reward for its share of the win: they add up to 0, and a sole winner has 1.

    Of two seats the other then has -1; an even result is 0 for all.

    >>> rewards([0.0, 1.0]), rewards([0.5, 0.5]), rewards([1.0, 0.0, 0.0])
    ([-1.0, 1.0], [0.0, 0.0], [1.0, -0.5, -0.5])
    """
    return [reward(share, len(shares)) for share in shares]


@cython.final
@cython.cclass
class Begun:
    """One of the games: its state, and the moves that begin with the atoms chosen so far."""

    state: State
    codes: cython.pointer[u64]
    nexts: cython.p_int         # the next atom of each
    count: cython.int
    room: cython.int
    chosen: cython.int          # atoms so far
    random: Random              # for chance in this game
    spelled: list               # the atoms of each move, if the rules do not number them

    def __init__(self, state: State):
        self.state = state
        self.random = Random(0)
        self.count = self.room = self.chosen = 0
        self.spelled = None
        if not cython.compiled:
            self.codes, self.nexts = [], []

    def __dealloc__(self):
        free(self.codes)
        free(self.nexts)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take(self, moves: Moves) -> cython.bint:
        """Begin again with all these moves; False when memory is exhausted."""
        if cython.compiled:
            if self.room < moves.count and not self.grow(moves.count + 16):
                return False
            memcpy(self.codes, moves.items, 8 * cython.cast(cython.size_t, moves.count))
        else:
            self.codes, self.nexts = moves.items[:moves.count], [0] * moves.count
        self.count = moves.count
        self.chosen = 0
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def copy_from(self, other: Begun) -> cython.bint:
        """Become a copy of another, its half-made move included; it keeps its own random numbers.

        False as above.
        """
        if cython.compiled:
            if self.room < other.count and not self.grow(other.count + 16):
                return False
            count: cython.size_t = other.count
            memcpy(self.codes, other.codes, 8 * count)
            memcpy(self.nexts, other.nexts, cython.sizeof(cython.int) * count)
        else:
            self.codes, self.nexts = other.codes[:], other.nexts[:]
        self.state.assign(other.state)
        self.count = other.count
        self.chosen = other.chosen
        self.spelled = None if other.spelled is None else other.spelled[:other.count]
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def grow(self, room: cython.size_t) -> cython.bint:
        """Make room for this number of moves."""
        codes = cython.cast(cython.pointer[u64], realloc(self.codes, 8 * room))
        if codes == cython.NULL:
            return False
        self.codes = codes
        nexts = cython.cast(cython.p_int, realloc(self.nexts, cython.sizeof(cython.int) * room))
        if nexts == cython.NULL:
            return False
        self.nexts = nexts
        self.room = cython.cast(cython.int, room)
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def look_ahead(self, marks: cython.p_char) -> cython.int:
        """Find the next atom of every move, and mark it."""
        j: cython.int
        if self.spelled is not None:
            with cython.gil:
                self.read_spelled()
        else:
            for j in range(self.count):
                self.nexts[j] = self.state._atom(self.codes[j], self.chosen)
        for j in range(self.count):
            marks[self.nexts[j]] = 1
        return 0

    @cython.cfunc
    def read_spelled(self):
        """Find the next atom of every move if Python has spelled them."""
        j: cython.int
        for j in range(self.count):
            atoms: tuple = self.spelled[j]
            self.nexts[j] = atoms[self.chosen]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def keep(self, action: cython.int) -> cython.int:
        """Keep the moves that go on with this atom; returns 1 if one of them is whole, else 0.

        No other move begins with the atoms of a whole move.
        """
        j: cython.int
        kept: cython.int = 0
        if self.spelled is not None:
            with cython.gil:
                self.keep_spelled(action)
        for j in range(self.count):
            self.codes[kept] = self.codes[j]        # written over if it goes on otherwise
            kept += self.nexts[j] == action
        self.count = kept
        self.chosen += 1
        if self.spelled is None:
            return self.state._atom(self.codes[0], self.chosen) == NO_MORE
        with cython.gil:
            return self.chosen == len(self.spelled[0])

    @cython.cfunc
    def keep_spelled(self, action: cython.int):
        """Keep the spelled atoms of the moves that go on with this one."""
        self.spelled = [self.spelled[j] for j in range(self.count) if self.nexts[j] == action]


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def go_on(
    batch: Batch, game: Begun, row: cython.int, action: cython.int, moves: Moves
) -> cython.int:
    """Go on with this atom, and play the move if it is whole."""
    batch.clear(row)
    if game.keep(action):
        game.state._play(game.codes[0])
        return batch.settle(row, game, moves)
    halve_and_add(
        cython.address(batch.observations[row, 0]) if cython.compiled else batch.observations[row],
        batch.atoms_at, batch.actions, action,
    )
    return batch.mask(row, game)


@cython.final
@cython.cclass
class Batch:
    """A number of games from the same start, each begun again as soon as it is over.

    Arrays have a row for each game: `observations` as in `Layout`, with `own` numbers of the
    game's own, `options` and the half-made move at the end; `masks`; `rewards` and `ended` of the
    last step; `turns`. If the rules do not number atoms, `spell` is given a state and a list of
    moves, and returns the numbers of each; `observe` is given a state and a row of observations.

    Large steps are shared among `threads`, unless there is a `spell`, which needs the GIL. Results
    do not depend on their number. Only one thread of Python may use a batch at a time: RuntimeError
    is raised otherwise, since a step does not hold the GIL.
    """

    start: State
    games: list
    pointers: cython.pointer[cython.p_void]     # to the same games, for threads without the GIL
    moves: list                 # a list of moves for each thread
    threads: object             # besides the calling thread
    random: Random              # for samples
    stepping: cython.bint       # in a step, without the GIL
    size: cython.int            # games
    actions: cython.int
    own: cython.int
    seats: cython.int           # the most that the game can have
    options: cython.const[cython.float][::1]
    atoms_at: cython.int        # the index of the half-made move in an observation
    observations: cython.float[:, ::1]
    masks: cython.char[:, ::1]
    rewards: cython.float[:, ::1]
    ended: cython.char[::1]
    turns: cython.int[::1]
    spell: object
    observe: object
    rows: object                # the observations, for `observe`
    named: cython.uchar[::1]    # the games named by the call that is being checked

    def __init__(
        self, start: State, own: cython.int, seats: cython.int, options: object,
        observations: object, masks: object, rewards: object, ended: object, turns: object,
        spell: object = None, observe: object = None, threads: cython.int = 1,
    ):
        i: cython.int
        if threads < 1:
            raise ValueError(f"there is at least 1 thread, not {threads}")
        self.start = start.copy()
        if spell is not None:
            threads = 1
        self.moves = [Moves(start.capacity) for _ in range(threads)]
        self.threads = ThreadPoolExecutor(threads - 1, "escale-batch") if threads > 1 else None
        self.random = Random(0)
        self.stepping = False
        self.own, self.seats = own, seats
        self.options, self.observations, self.masks = options, observations, masks
        self.rewards, self.ended, self.turns = rewards, ended, turns
        self.rows, self.spell, self.observe = observations, spell, observe
        self.size = len(masks)
        self.actions = len(masks[0])
        self.games = [Begun(start.copy()) for _ in range(self.size)]
        self.named = bytearray(self.size)
        self.atoms_at = own + 3 + 2 * (seats + 1) + len(options)
        if cython.compiled:
            self.pointers = cython.cast(
                cython.pointer[cython.p_void],
                calloc(max(self.size, 1), cython.sizeof(cython.p_void)),
            )
            if self.pointers == cython.NULL:
                raise MemoryError(OUT_OF_MEMORY)
            for i in range(self.size):
                self.pointers[i] = cython.cast(cython.p_void, self.games[i])

    def __dealloc__(self):
        free(self.pointers)

    def reset(self, seed: object = None) -> None:
        """Begin all games; with a seed, all following outcomes of chance can be repeated."""
        i: cython.int
        self.check_idle()
        if seed is not None:
            self.random = Random(seed)
        moves: Moves = self.moves[0]
        for i in range(self.size):
            self.clear(i)
            game: Begun = self.games[i]
            if seed is not None:
                game.random = Random(self.random._next())
            game.state.assign(self.start)
            self.settle(i, game, moves)
        moves.check()

    def step(
        self, actions: cython.const[cython.longlong][::1], rows: cython.const[cython.longlong][::1]
    ) -> None:
        """Choose one more atom in each of these games; the others stay unchanged.

        ValueError, and nothing happens, if one is not legal.
        """
        i: cython.int
        self.check_idle()
        if len(actions) != len(rows):
            raise ValueError(f"expected {len(rows)} actions, not {len(actions)}")
        self.check_named_once(rows)
        for i in range(len(rows)):
            if not 0 <= actions[i] < self.actions or not self.masks[rows[i], actions[i]]:
                raise ValueError(f"action {actions[i]} is not legal in game {rows[i]}")
        self.stepping = True
        count: cython.int = len(rows)
        shares: cython.int = max(1, min(len(self.moves), count // GAMES_PER_THREAD))
        others = [
            self.threads.submit(
                self.step_share, actions, rows, count * i // shares, count * (i + 1) // shares,
                self.moves[i],
            ) for i in range(1, shares)
        ]
        try:
            self.step_share(actions, rows, 0, count // shares, self.moves[0])
        finally:
            faults = [other.exception() for other in others]    # waits until all have finished
            self.stepping = False
        for fault in faults:
            if fault is not None:
                raise fault

    def step_share(
        self, actions: cython.const[cython.longlong][::1],
        rows: cython.const[cython.longlong][::1],
        first: cython.int, end: cython.int, moves: Moves,
    ) -> None:
        """One thread's part of a step: some of the rows, with a list of moves of its own."""
        i: cython.int
        row: cython.int
        if cython.compiled:
            go: Go = cython.cast(Go, go_on)         # noqa: F821 - from batch.pxd
        with cython.nogil:
            for i in range(first, end):
                row = cython.cast(cython.int, rows[i])
                if cython.compiled:
                    go(
                        cython.cast(cython.p_void, self), self.pointers[row], row,
                        cython.cast(cython.int, actions[i]), moves,
                    )
                else:
                    go_on(self, self.games[row], row, actions[i], moves)
        moves.check()

    def assign(
        self, rows: cython.const[cython.longlong][::1], source: Batch,
        source_rows: cython.const[cython.longlong][::1],
    ) -> None:
        """Make these games copies of others, half-made moves and rows of arrays included.

        ValueError, and nothing happens, if there are no such games, or if one of this batch would
        be both copied and overwritten.
        """
        i: cython.int
        row: cython.int
        other: cython.int
        self.check_idle()
        source.check_idle()
        self.check_kind(source.start)
        if len(source_rows) != len(rows):
            raise ValueError(f"expected {len(rows)} games to copy, not {len(source_rows)}")
        self.check_named_once(rows)
        for i in range(len(rows)):
            source.check_row(source_rows[i])
            if source is self and self.named[source_rows[i]]:
                raise ValueError(f"game {source_rows[i]} would be both copied and overwritten")
        for i in range(len(rows)):
            row, other = cython.cast(cython.int, rows[i]), cython.cast(cython.int, source_rows[i])
            game: Begun = self.games[row]
            if not game.copy_from(source.games[other]):
                raise MemoryError(OUT_OF_MEMORY)
            self.observations[row, :] = source.observations[other, :]
            self.masks[row, :] = source.masks[other, :]
            self.rewards[row, :] = source.rewards[other, :]
            self.ended[row] = source.ended[other]
            self.turns[row] = source.turns[other]

    def place(self, rows: cython.const[cython.longlong][::1], states: list) -> None:
        """Let these games go on from states; ValueError, and nothing happens, if one is over."""
        i: cython.int
        row: cython.int
        state: State
        moves: Moves = self.moves[0]
        self.check_idle()
        if len(states) != len(rows):
            raise ValueError(f"expected {len(rows)} positions, not {len(states)}")
        self.check_named_once(rows)
        for i in range(len(rows)):
            state = states[i]
            self.check_kind(state)
            moves.count = 0
            state._legal_moves(moves)
            if moves.count == 0:
                raise ValueError(f"the position for game {rows[i]} is over")
        moves.check()
        for i in range(len(rows)):
            row = cython.cast(cython.int, rows[i])
            game: Begun = self.games[row]
            game.state.assign(states[i])
            self.clear(row)
            self.settle(row, game, moves)
        moves.check()

    def sample(self, actions: cython.longlong[::1]) -> None:
        """A legal action for each game, such that every move is equally likely."""
        i: cython.int
        self.check_idle()
        for i in range(self.size):
            game: Begun = self.games[i]
            actions[i] = game.nexts[self.random._below(game.count)]

    def states(self) -> list[State]:
        """A copy of the state of each game."""
        i: cython.int
        self.check_idle()
        states = []
        for i in range(self.size):
            game: Begun = self.games[i]
            states.append(game.state.copy())
        return states

    @cython.cfunc
    def check_idle(self):
        """RuntimeError while another thread is in a step of these games."""
        if self.stepping:
            raise RuntimeError("another thread is in a step of these games")

    @cython.cfunc
    def check_kind(self, state: State):
        """ValueError if a state is of another game, or of a table with more seats or fewer."""
        if type(state) is not type(self.start) or state.seats != self.start.seats:
            raise ValueError("expected the same game, for as many seats")

    @cython.cfunc
    def check_row(self, row: cython.longlong):
        """ValueError if there is no such game."""
        if not 0 <= row < self.size:
            raise ValueError(f"there are {self.size} games, and no number {row}")

    @cython.cfunc
    def check_named_once(self, rows: cython.const[cython.longlong][::1]):
        """ValueError if one of these games does not exist or is named twice; `named` has them."""
        i: cython.int
        for i in range(self.size):
            self.named[i] = 0
        for i in range(len(rows)):
            self.check_row(rows[i])
            if self.named[rows[i]]:
                raise ValueError(f"game {rows[i]} is named twice")
            self.named[rows[i]] = 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def clear(self, i: cython.int) -> cython.void:
        """No game has ended in this step yet."""
        j: cython.int
        self.ended[i] = 0
        for j in range(self.start.seats):
            self.rewards[i, j] = 0.0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def settle(self, i: cython.int, game: Begun, moves: Moves) -> cython.int:
        """Let chance decide, and begin again if a game is over, until it is a seat's turn."""
        while True:
            moves.count = 0
            game.state._legal_moves(moves)
            if moves.count == 0:
                self.reward(i, game.state)
                game.state.assign(self.start)
            elif game.state.turn < 0:
                game.state._play(draw(game.state, moves, game.random))
            else:
                break
        if not game.take(moves):
            with cython.gil:
                raise MemoryError(OUT_OF_MEMORY)
        # A game copied from a batch of the other kind has the data that the other kind needs.
        if self.spell is not None or game.spelled is not None:
            with cython.gil:
                self.spell_moves(game, moves)
        self.turns[i] = game.state.turn
        self.write_observation(i, game.state)
        return self.mask(i, game)

    @cython.cfunc
    def spell_moves(self, game: Begun, moves: Moves):
        """Let Python spell the moves of a game, if the rules do not number their atoms."""
        game.spelled = None if self.spell is None else self.spell(game.state, moves.as_list())

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def reward(self, i: cython.int, state: State) -> cython.void:
        """Write the reward of each seat for the end of the game."""
        j: cython.int
        shares: cython.double[8]
        if not cython.compiled:
            shares = [0.0] * 8
        state._result(shares)
        self.ended[i] = 1
        for j in range(state.seats):
            self.rewards[i, j] = reward(shares[j], state.seats)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def mask(self, i: cython.int, game: Begun) -> cython.int:
        """Mark the next atoms of all moves that are left."""
        marks: cython.p_char
        if cython.compiled:
            marks = cython.address(self.masks[i, 0])
            memset(marks, 0, self.actions)
        else:
            marks = self.masks[i]
            marks[:] = 0
        return game.look_ahead(marks)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def write_observation(self, i: cython.int, state: State) -> cython.int:
        """Write the observation of the seat to move."""
        j: cython.int
        row: cython.p_float
        if cython.compiled:
            row = cython.address(self.observations[i, 0])
            memset(row, 0, cython.cast(cython.size_t, self.atoms_at + self.actions) * 4)
        else:
            row = self.observations[i]
            row[:] = 0
        if self.observe is None:
            state._observe(state.turn, row)
        else:
            with cython.gil:
                self.observe(state, self.rows[i])
        start: cython.int = write_common(row, self.own, state, self.seats, state.turn, False)
        for j in range(self.atoms_at - start):
            row[start + j] = self.options[j]
        return 0
