"""Many games at once, as arrays of NumPy: for learning programs, when Python is too slow.

```python
>>> import numpy as np
>>> from escale.adapters.vector import VectorEnvironment
>>> env = VectorEnvironment("tortuga", 1000, seed=1)
>>> observations, info = env.reset()
>>> observations.shape, info["action_mask"].shape
((1000, 169), (1000, 39))
>>> for _ in range(200):
...     observations, rewards, terminated, truncated, info = env.step(env.sample())
>>> set(rewards[terminated].ravel().tolist()) <= {-1.0, 0.0, 1.0}
True

```

Escale's own games are played in compiled code from end to end; a game whose rules lack the hooks
for that calls Python for the atoms of moves and for what a seat sees, which is slower
(docs/performance.md).

A game that ends is begun again in the same step: its row of `rewards` (one for each seat) and of
`terminated` are about the game that is over, its observation about the new one. Arrays are the same
ones in every step: copy what is to be kept.

A step of many games can be shared among `threads`, which is faster from a thousand games on. Only
one thread of the program may use an environment at a time (RuntimeError).

For searches, `step` may be about some rows only, and `assign` copies games from row to row, of this
environment or another, with the atoms of a half-made move:

```python
>>> tree = VectorEnvironment("tortuga", 3)
>>> tree.assign([0, 1], env, [7, 7])                    # twice the same game …
>>> observations, *_ = tree.step(tree.sample()[:2], rows=[0, 1])    # … goes on in two ways

```

`place` puts positions of the library into rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from escale.adapters.actions import actions_of
from escale.adapters.observations import layout_of
from escale.game.position import Position
from escale.game.viewer import Seat
from escale.games import game as game_named
from escale.kernel import State
from escale.kernel.batch import Batch

Step = tuple[
    NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]
"""Observations, rewards, terminated games, truncated games, and further information."""


class VectorEnvironment:
    """`count` games of one kind, in the manner of Gymnasium's vectorised environments."""

    def __init__(
        self, game: str, count: int, *, seats: int | None = None, seed: int = 0,
        hooks: bool = True, threads: int = 1, **options: str,
    ) -> None:
        """With `hooks=False` Python computes everything, even if the compiled rules have hooks: so
        authors of a game can check the hooks. Results do not depend on the number of `threads`.
        """
        self.start = game_named(game).start_with(options, seats=seats)
        """The position before the first move."""
        self.count = count
        self.layout = layout_of(self.start.game, self.start.options)
        """The layout of an observation."""
        self.actions = actions_of(self.start.game, self.start.options)
        """The meaning of each action."""
        self.observations = np.zeros((count, self.layout.size), np.float32)
        self.masks = np.zeros((count, len(self.actions)), np.int8)
        self.rewards = np.zeros((count, self.start.seats), np.float32)
        self.terminated = np.zeros(count, np.bool_)
        self.truncated = np.zeros(count, np.bool_)
        self.turns = np.zeros(count, np.intc)
        self._sampled = np.zeros(count, np.int64)
        self._all = np.arange(count)
        start = self.start.kernel()
        if hooks and start.observed() not in (0, self.layout.own):
            raise ValueError(f"{game}: the compiled rules tell {start.observed()} numbers of what "
                             f"a seat sees, but {self.layout.own} are declared")
        self.compiled = hooks and start.observed() > 0
        """Whether the games are played without calls of Python code."""
        self._batch = Batch(
            start, self.layout.own, self.start.game.seats[1],
            self.layout.option_values, self.observations, self.masks, self.rewards,
            self.terminated.view(np.int8), self.turns,
            None if self.compiled else self._spell, None if self.compiled else self._observe,
            threads,
        )
        self._batch.reset(seed)
        self._first_seed: int | None = seed
        """The seed of the environment, until its first step."""

    def _spell(self, state: State, codes: list[int]) -> list[tuple[int, ...]]:
        """The actions of moves, if the compiled rules do not number them."""
        numbers = self.actions.numbers
        spelled = self.start.game.spelled(state, codes)
        return [tuple(numbers[atom] for atom in atoms) for atoms in spelled]

    def _observe(self, state: State, row: NDArray[np.float32]) -> None:
        """The observation of the seat to move, if the compiled rules do not write it."""
        self.layout.write_own(row, state, Seat(state.turn))

    @property
    def info(self) -> dict[str, Any]:
        """The legal actions, and the seats to move."""
        return {"action_mask": self.masks, "turn": self.turns}

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin all games; with a seed, all later chance outcomes are the same.

        The first reset without a seed uses that of the environment, if it comes before any step.
        """
        self._batch.reset(self._first_seed if seed is None else seed)
        self._first_seed = None
        return self.observations, self.info

    def step(self, actions: ArrayLike, rows: ArrayLike | None = None) -> Step:
        """Choose one more atom in every game, or in those of some rows; the others stay as they
        are.

        ValueError, and nothing happens, if an action is not legal or a row is named twice.
        """
        self._first_seed = None
        self._batch.step(_numbers(actions), self._all if rows is None else _numbers(rows))
        return self.observations, self.rewards, self.terminated, self.truncated, self.info

    def assign(self, rows: ArrayLike, source: VectorEnvironment, source_rows: ArrayLike) -> None:
        """The games of some rows become copies of others: `rows[i]` of `source_rows[i]`.

        All that the source's arrays say of a game, and its half-made move, is copied. The source
        may be this environment, if no row is both copied and overwritten (ValueError).
        """
        self._check_options(source.start)
        self._batch.assign(_numbers(rows), source._batch, _numbers(source_rows))

    def place(self, rows: ArrayLike, positions: Sequence[Position]) -> None:
        """Continue the games of some rows from these positions; chance outcomes that are due are
        drawn.

        ValueError, and nothing happens, if a position is over or of another game.
        """
        for position in positions:
            self._check_options(position)
        self._batch.place(_numbers(rows), [position.kernel() for position in positions])

    def _check_options(self, position: Position) -> None:
        """ValueError if a position is of another game, or has other options."""
        if (position.game, position.options) != (self.start.game, self.start.options):
            raise ValueError("expected the same game, with the same options")

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for every game, so that all moves are equally likely."""
        self._batch.sample(self._sampled)
        return self._sampled

    def states(self) -> list[State]:
        """A copy of each game's state."""
        return self._batch.states()


def _numbers(numbers: ArrayLike) -> NDArray[np.int64]:
    return np.ascontiguousarray(numbers, np.int64)
