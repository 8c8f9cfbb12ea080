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
OUT_OF_MEMORY = "no room for the moves of a batch of games"


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
    def copy_from(self, other: Begun) -> cython.bint:
        """Become a copy of another, the half-made move included; False as above."""
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
    named: cython.uchar[::1]    # by the call that is being checked

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
        self.named = bytearray(self.size)

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

    def step(
        self, actions: cython.const[cython.longlong][::1], rows: cython.const[cython.longlong][::1]
    ) -> None:
        """One more atom in each of these games; the others stay as they are.

        ValueError, and nothing happens, if one is not legal.
        """
        i: cython.int
        row: cython.int
        if len(actions) != len(rows):
            raise ValueError(f"expected {len(rows)} actions, not {len(actions)}")
        self.check_named_once(rows)
        for i in range(len(rows)):
            if not 0 <= actions[i] < self.actions or not self.masks[rows[i], actions[i]]:
                raise ValueError(f"action {actions[i]} is not legal in game {rows[i]}")
        for i in range(len(rows)):
            row = cython.cast(cython.int, rows[i])
            self.clear(row)
            self.choose(row, self.games[row], cython.cast(cython.int, actions[i]))
        self.moves.check()

    def assign(
        self, rows: cython.const[cython.longlong][::1], source: Batch,
        source_rows: cython.const[cython.longlong][::1],
    ) -> None:
        """These games become copies of others, half-made moves and rows of arrays included.

        ValueError, and nothing happens, if there are no such games, or if one of this batch would
        be both copied and overwritten.
        """
        i: cython.int
        row: cython.int
        other: cython.int
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
        """These games go on from given states; ValueError, and nothing happens, if one is over."""
        i: cython.int
        row: cython.int
        state: State
        if len(states) != len(rows):
            raise ValueError(f"expected {len(rows)} positions, not {len(states)}")
        self.check_named_once(rows)
        for i in range(len(rows)):
            state = states[i]
            self.check_kind(state)
            self.moves.count = 0
            state._legal_moves(self.moves)
            if self.moves.count == 0:
                raise ValueError(f"the position for game {rows[i]} is over")
        self.moves.check()
        for i in range(len(rows)):
            row = cython.cast(cython.int, rows[i])
            game: Begun = self.games[row]
            game.state.assign(states[i])
            self.clear(row)
            self.settle(row, game)
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
            raise MemoryError(OUT_OF_MEMORY)
        # A game copied from a batch of the other kind has what that one needs.
        game.spelled = None if self.spell is None else self.spell(state, moves.as_list())
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
