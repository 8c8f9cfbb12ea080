# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Many games at once, one atom a step: masks, observations and rewards in arrays that others own.

A game is played here without a call of Python if its rules number their atoms (`State._atom`) and
write what a seat sees (`State._observe`); for others, functions that do so are given. Which moves
begin with the atoms chosen so far is kept as a list of moves, from which those with another next
atom are removed: a trie would cost more than it saves.

An array is anything with the buffer interface and the right type: NumPy's arrays, for example.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, Random, State, draw, u64
    from cython.cimports.libc.stdlib import free, realloc
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
HALF = cython.declare(cython.const[cython.int], 512)        # so many plies count a half


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
    spelled: list               # the atoms of each move, where the rules do not number them

    def __init__(self, state: State):
        self.state = state
        self.count = self.room = self.chosen = 0
        self.spelled = None
        if not cython.compiled:
            self.codes, self.nexts = [], []

    def __dealloc__(self):
        free(self.codes)
        free(self.nexts)

    @cython.cfunc
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
    def grow(self, room: cython.size_t) -> cython.bint:
        """Make room for so many moves."""
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
    def look_ahead(self, marks: cython.p_char):
        """Find the next atom of every move, and mark it."""
        j: cython.int
        if self.spelled is None:
            for j in range(self.count):
                self.nexts[j] = self.state._atom(self.codes[j], self.chosen)
                marks[self.nexts[j]] = 1
            return
        for j in range(self.count):
            atoms: tuple = self.spelled[j]
            self.nexts[j] = atoms[self.chosen]
            marks[self.nexts[j]] = 1

    @cython.cfunc
    def keep(self, action: cython.int):
        """Keep the moves that go on with this atom."""
        j: cython.int
        kept: cython.int = 0
        if self.spelled is not None:
            self.spelled = [self.spelled[j] for j in range(self.count) if self.nexts[j] == action]
        for j in range(self.count):
            self.codes[kept] = self.codes[j]        # written over if it goes on otherwise
            kept += self.nexts[j] == action
        self.count = kept
        self.chosen += 1

    @cython.cfunc
    def whole(self) -> cython.bint:
        """Whether a move has been made: no other begins with its atoms."""
        if self.spelled is None:
            return self.state._atom(self.codes[0], self.chosen) == NO_MORE
        atoms: tuple = self.spelled[0]
        return self.chosen == len(atoms)


@cython.final
@cython.cclass
class Batch:
    """A number of games from the same start, each begun again as soon as it is over.

    Arrays have a row for each game: `observations` as `Layout` has them, with `own` numbers of the
    game's own, `options` and the half-made move at the end; `masks`; `rewards` and `ended` of the
    last step; `turns`. Where the rules do not number atoms, `spell` is given a state and a list of
    moves, and tells the numbers of each; `observe` is given a state and a row of observations.
    """

    start: State
    games: list
    moves: Moves
    random: Random
    size: cython.int            # games
    actions: cython.int
    own: cython.int
    seats: cython.int           # the most that the game can have
    options: cython.float[::1]
    observations: cython.float[:, ::1]
    masks: cython.char[:, ::1]
    rewards: cython.float[:, ::1]
    ended: cython.char[::1]
    turns: cython.int[::1]
    spell: object
    observe: object
    rows: object                # the observations, for `observe`

    def __init__(
        self, start: State, own: cython.int, seats: cython.int, options: object,
        observations: object, masks: object, rewards: object, ended: object, turns: object,
        spell: object = None, observe: object = None,
    ):
        self.start = start.copy()
        self.moves = Moves(start.capacity)
        self.random = Random(0)
        self.own, self.seats = own, seats
        self.options, self.observations, self.masks = options, observations, masks
        self.rewards, self.ended, self.turns = rewards, ended, turns
        self.rows, self.spell, self.observe = observations, spell, observe
        self.size = len(masks)
        self.actions = len(masks[0])
        self.games = [Begun(start.copy()) for _ in range(self.size)]

    def reset(self, seed: object = None) -> None:
        """Begin all games; with a seed, chance decides alike in all that follows."""
        i: cython.int
        if seed is not None:
            self.random = Random(seed)
        for i in range(self.size):
            self.clear(i)
            game: Begun = self.games[i]
            game.state.assign(self.start)
            self.settle(i, game)
        self.moves.check()

    def step(self, actions: cython.longlong[::1]) -> None:
        """One more atom in each game; ValueError, and nothing happens, if one is not legal."""
        i: cython.int
        if len(actions) != self.size:
            raise ValueError(f"expected {self.size} actions, not {len(actions)}")
        for i in range(self.size):
            if not 0 <= actions[i] < self.actions or not self.masks[i, actions[i]]:
                raise ValueError(f"action {actions[i]} is not legal in game {i}")
        for i in range(self.size):
            self.clear(i)
            self.choose(i, self.games[i], cython.cast(cython.int, actions[i]))
        self.moves.check()

    def sample(self, actions: cython.longlong[::1]) -> None:
        """A legal action for each game, such that every move is equally likely."""
        i: cython.int
        for i in range(self.size):
            game: Begun = self.games[i]
            actions[i] = game.nexts[self.random._below(game.count)]

    def states(self) -> list[State]:
        """A copy of the state of each game."""
        i: cython.int
        states = []
        for i in range(self.size):
            game: Begun = self.games[i]
            states.append(game.state.copy())
        return states

    @cython.cfunc
    @cython.exceptval(check=False)
    def clear(self, i: cython.int) -> cython.void:
        """No game has ended in this step yet."""
        j: cython.int
        self.ended[i] = 0
        for j in range(self.start.seats):
            self.rewards[i, j] = 0.0

    @cython.cfunc
    def choose(self, i: cython.int, game: Begun, action: cython.int):
        """Go on with this atom, and play the move that ends with it."""
        j: cython.int
        game.keep(action)
        if game.whole():
            game.state._play(game.codes[0])
            self.settle(i, game)
            return
        first: cython.int = self.tail() + len(self.options)
        for j in range(self.actions):
            self.observations[i, first + j] *= 0.5
        self.observations[i, first + action] += 0.5
        self.mask(i, game)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def tail(self) -> cython.int:
        """Where the options are: after plies, occurrences, the end, the turn and the viewer."""
        return self.own + 3 + 2 * (self.seats + 1)

    @cython.cfunc
    def settle(self, i: cython.int, game: Begun):
        """Let chance decide, and begin again where a game is over, until it is a seat's turn."""
        state: State = game.state
        moves: Moves = self.moves
        while True:
            moves.count = 0
            state._legal_moves(moves)
            if moves.count == 0:
                self.reward(i, state)
                state.assign(self.start)
            elif state.turn < 0:
                state._play(draw(state, moves, self.random))
            else:
                break
        if not game.take(moves):
            raise MemoryError("no room for the moves of a batch of games")
        if self.spell is not None:
            game.spelled = self.spell(state, moves.as_list())
        self.turns[i] = state.turn
        self.look(i, state)
        self.mask(i, game)

    @cython.cfunc
    @cython.exceptval(check=False)
    def reward(self, i: cython.int, state: State) -> cython.void:
        """What the end is worth for each seat: together 0, and 1 for a sole winner."""
        j: cython.int
        shares: cython.double[8]
        if not cython.compiled:
            shares = [0.0] * 8
        seats: cython.int = state.seats
        state._result(shares)
        self.ended[i] = 1
        for j in range(seats):
            self.rewards[i, j] = (seats * shares[j] - 1) / (seats - 1)

    @cython.cfunc
    def mask(self, i: cython.int, game: Begun):
        """Mark the next atoms of all moves that are left."""
        marks: cython.p_char
        if cython.compiled:
            marks = cython.address(self.masks[i, 0])
            memset(marks, 0, self.actions)
        else:
            marks = self.masks[i]
            marks[:] = 0
        game.look_ahead(marks)

    @cython.cfunc
    def look(self, i: cython.int, state: State):
        """What the seat to move sees."""
        j: cython.int
        width: cython.int = self.tail() + len(self.options) + self.actions
        row: cython.p_float
        if cython.compiled:
            row = cython.address(self.observations[i, 0])
            memset(row, 0, cython.cast(cython.size_t, width) * 4)
        else:
            row = self.observations[i]
            row[:] = 0
        if self.observe is None:
            state._observe(state.turn, row)
        else:
            self.observe(state, self.rows[i])
        j = self.own
        row[j] = cython.cast(cython.double, state.plies) / (state.plies + HALF)
        row[j + 1] = cython.cast(cython.double, state.occurrences - 1) / 2
        row[j + 3 + state.turn] = 1.0
        row[j + 3 + self.seats + 1 + state.turn] = 1.0
        first: cython.int = self.tail()
        for j in range(len(self.options)):
            row[first + j] = self.options[j]
