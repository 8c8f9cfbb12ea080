# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The questions of a search that are no rules: how good a state is, and where to look further.

Rules say what is legal; an evaluation is an opinion. A game that is to be played well has a final
subclass of `Evaluation` beside its rules, which overrides the hooks for its opinions. Rules know
nothing of it, and a search may be given another one: to compare, and to learn.

A state comes as the base class. A hook hands it on to a function of the game's own, as the class
that it is: `cython.cast(TortugaState, state)`. Several threads may ask at once, so a hook writes to
nothing but its own variables.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, Random, State, u64
else:
    from escale.kernel.core import Moves, Random, State, u64
    UNKNOWN = -8000


@cython.cclass
class Evaluation:
    """An opinion without any: all states are even, no move is better than another."""

    def __init__(self, numbers: dict | None = None):
        self.numbers = {}
        if numbers is not None:
            self.load(numbers)

    def load(self, numbers: dict) -> None:
        """Evaluate by these numbers from now on: names as in `weights.toml`, each with its own."""
        self._load(numbers)
        self.numbers = numbers

    # The hooks that a game overrides.

    def _load(self, numbers):
        """Put the numbers where the compiled code finds them: most often into a C struct."""

    def prepare(self, state: State) -> None:
        """A search calls this once before it starts from `state`; it may compute tables."""

    def _evaluate(self, state):
        """The value for the seat to move: 0 for even, 1000 for as good as won.

        It is on the scale of odds (`weights.ODDS`), a sum of whole features times their weights, so
        that the weights can be learnt. Called only while the game goes on and a seat has to move.
        """
        return 0

    def _draw_odds(self, state):
        """The probability of a draw, on the scale of odds.

        Like `_evaluate`, it is a sum of whole features, with weights of its own. It is called in
        the same states, but only with contempt for draws. `UNKNOWN` if nothing is known.
        """
        return UNKNOWN

    def _forced(self, state):
        """Whether the seat to move must do something that an evaluation cannot foresee.

        Then a search looks further. Called only when the legal moves have just been listed.
        """
        return False

    def _quiet(self, state):
        """Whether the seat to move surely has two moves or more, and is not `forced`.

        No is always a safe answer. If it is yes, a search that only wants an evaluation need
        not list the moves.
        """
        return False

    def _captures(self, state, moves):
        """The number of legal `moves` that a search follows before it believes an evaluation.

        The hook moves them to the front of the list, the most promising first. It need not keep
        the others. When a search stops, it follows these, captures most often, until an exchange
        has ended. The seat may also ignore them, so this is for moves that are free, as
        `_forced` is for those that are not. A few are enough: all of them, and theirs in turn, are
        searched.
        """
        return 0

    def _winning_move(self, state, move):
        """Whether the seat to move can win with its next move, which is then written to `move`.

        No is always a safe answer. If it is yes, a search need not look at the other moves, and
        sees a ply further than it searches.
        """
        return False

    def _estimate(self, state, shares):
        """Whether to stop here when looking ahead; if so, each seat's expected share of the win.

        For games too long to be played to their end: they stop when a round is over.
        """
        return False

    def _suppose(self, state, seat, random):
        """Replace the secret choices of others by plausible ones.

        `seat` thinks; all facts that it cannot know were just drawn evenly. Here, they stay so.
        """

    def _prefer(self, state, moves, random):
        """The one of its `moves` that a seat plausibly chooses in a search; here, any of them."""
        return moves.items[random._below(moves.count)]

    # The Python side.

    def evaluate(self, state: State) -> int:
        """The value for the seat to move, in points on the scale of odds."""
        return self._evaluate(state)

    def draw_odds(self, state: State) -> int:
        """The odds of a draw, in points on the scale of odds; `UNKNOWN` without an opinion."""
        return self._draw_odds(state)

    def forced(self, state: State) -> bool:
        """Whether a search must look further before it evaluates."""
        moves: Moves = Moves(state.capacity)
        state._legal_moves(moves)
        return self._forced(state)

    def quiet(self, state: State) -> bool:
        """Whether a search may evaluate without listing the moves."""
        return self._quiet(state)

    def captures(self, state: State) -> list[int]:
        """The moves that a search follows before it evaluates."""
        moves: Moves = Moves(state.capacity)
        state._legal_moves(moves)
        moves.check()
        return [moves.items[i] for i in range(self._captures(state, moves))]

    def winning_move(self, state: State) -> int | None:
        """A move that wins at once, if one is seen without a search."""
        move: u64[1]
        if not cython.compiled:
            move = [0]
        return move[0] if self._winning_move(state, move) else None

    def estimate(self, state: State) -> list[float] | None:
        """Each seat's expected share of the win; None if the game should be played further."""
        shares: cython.double[8]
        if not cython.compiled:
            shares = [0.0] * 8
        self.prepare(state)
        return [shares[i] for i in range(state.seats)] if self._estimate(state, shares) else None

    def suppose(self, state: State, seat: cython.int, random: Random) -> None:
        """Replace the secret choices of others by plausible ones."""
        self.prepare(state)
        self._suppose(state, seat, random)

    def prefer(self, state: State, random: Random) -> int:
        """A plausible move; only while a seat has to move."""
        moves: Moves = Moves(state.capacity)
        state._legal_moves(moves)
        moves.check()
        self.prepare(state)
        return self._prefer(state, moves, random)
