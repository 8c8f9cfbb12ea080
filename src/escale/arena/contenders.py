"""Who can be sent into the arena, named by a word: `bosco`, `random`, `alphabeta:nodes=1000`."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from escale.kernel import Random
from escale.kernel.weights import weights_in
from escale.opponents import LEVELS, think
from escale.play.errors import BadOption
from escale.play.moves import Move
from escale.play.position import Position

EXPECTED = (
    f"a level ({', '.join(LEVELS)}), random, mcts:simulations=N, ismcts:simulations=N, "
    "alphabeta:nodes=N or plain:simulations=N (tree search that proves nothing); or ms=N, with any "
    "of the four; after alphabeta:…, ,weights=FILE for an evaluation by other numbers"
)
UNITS = {
    "mcts": ("simulations", "ms"), "ismcts": ("simulations", "ms"),
    "plain": ("simulations", "ms"), "alphabeta": ("nodes", "ms"),
}
"""What each search counts."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One way of choosing moves: by a level, at random, or by a search with a budget."""

    name: str
    level: str | None = None
    method: str | None = None
    solve: bool = True
    simulations: int | None = None
    nodes: int | None = None
    milliseconds: int | None = None
    weights: Path | None = None
    """A file to evaluate by, instead of the game's own."""

    @classmethod
    def parse(cls, name: str) -> Contender:
        """The contender of that name; BadOption says which names there are."""
        if name in LEVELS:
            return cls(name, level=name)
        if name == "random":
            return cls(name)
        search, _, weights = name.partition(",weights=")
        kind, _, budget = search.partition(":")
        unit, _, amount = budget.partition("=")
        if (
            unit in UNITS.get(kind, ()) and amount.isdecimal() and int(amount)
            and (kind == "alphabeta" or not weights)
        ):
            number = int(amount)
            return cls(
                name, method="mcts" if kind == "plain" else kind, solve=kind != "plain",
                simulations=number if unit == "simulations" else None,
                nodes=number if unit == "nodes" else None,
                milliseconds=number if unit == "ms" else None,
                weights=Path(weights) if weights else None,
            )
        raise BadOption(f"unknown contender {name[:60]!r}; expected {EXPECTED}")

    def choose(self, position: Position, seed: int) -> Move:
        """A move for the seat on turn; the same seed, the same move, unless time is the budget."""
        if self.level is None and self.method is None:
            moves = position.moves()
            return moves[Random(seed).integer(len(moves))]
        seconds = None if self.milliseconds is None else self.milliseconds / 1000
        with self._evaluation(position):
            return think(
                position, level=self.level, method=self.method, simulations=self.simulations,
                nodes=self.nodes, seconds=seconds, seed=seed, solve=self.solve,
            ).move

    def _evaluation(self, position: Position) -> AbstractContextManager[None]:
        """What to think in, so that positions are evaluated by this contender's numbers."""
        if self.weights is None:
            return nullcontext()
        known = weights_in(position.game.folder)
        if known is None:
            raise BadOption(f"{position.game.slug} has no evaluation with weights")
        return known.using(known.read(self.weights))
