"""Who can be sent into the arena, named by a word: `bosco`, `random`, `alphabeta:nodes=1000`."""

from __future__ import annotations

from dataclasses import dataclass

from escale.kernel import Random
from escale.opponents import LEVELS, think
from escale.play.errors import BadOption
from escale.play.moves import Move
from escale.play.position import Position

EXPECTED = (
    f"a level ({', '.join(LEVELS)}), random, mcts:simulations=N, alphabeta:nodes=N or "
    "plain:simulations=N (tree search that proves nothing); or ms=N, with any of the three"
)
UNITS = {
    "mcts": ("simulations", "ms"), "plain": ("simulations", "ms"), "alphabeta": ("nodes", "ms"),
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

    @classmethod
    def parse(cls, name: str) -> Contender:
        """The contender of that name; BadOption says which names there are."""
        if name in LEVELS:
            return cls(name, level=name)
        if name == "random":
            return cls(name)
        kind, _, budget = name.partition(":")
        unit, _, amount = budget.partition("=")
        if unit in UNITS.get(kind, ()) and amount.isdecimal() and int(amount):
            number = int(amount)
            return cls(
                name, method="mcts" if kind == "plain" else kind, solve=kind != "plain",
                simulations=number if unit == "simulations" else None,
                nodes=number if unit == "nodes" else None,
                milliseconds=number if unit == "ms" else None,
            )
        raise BadOption(f"unknown contender {name[:60]!r}; expected {EXPECTED}")

    def choose(self, position: Position, seed: int) -> Move:
        """A move for the seat on turn; the same seed, the same move, unless time is the budget."""
        if self.level is None and self.method is None:
            moves = position.moves()
            return moves[Random(seed).integer(len(moves))]
        seconds = None if self.milliseconds is None else self.milliseconds / 1000
        return think(
            position, level=self.level, method=self.method, simulations=self.simulations,
            nodes=self.nodes, seconds=seconds, seed=seed, solve=self.solve,
        ).move
