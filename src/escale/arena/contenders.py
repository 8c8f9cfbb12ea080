"""Contenders of the arena, each named by a word: `bosco`, `random`, `alphabeta:nodes=1000`.

`engine:COMMAND` is any other program (`programs.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from escale.arena.programs import KIND, Program
from escale.game.errors import BadOption, BadSetting
from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import SETTINGS, Evaluation, Limit, Random
from escale.kernel.weights import read_weights
from escale.opponents import LEVELS, Way, think

EXPECTED = (
    f"a level ({', '.join(LEVELS)}), random, "
    + ", ".join(f"{method}:{settings[0]}=N" for method, settings in SETTINGS.items())
    + " or plain:simulations=N (tree search that proves nothing); ms=N is a budget of time, and"
    " more settings follow after commas: "
    + "; ".join(
        f"{', '.join(settings[1:])} ({method})" for method, settings in SETTINGS.items()
        if settings[1:]
    )
    + "; at the end, weights=FILE for an evaluation by other numbers (alphabeta);"
    " or engine:COMMAND, a program that speaks the line protocol, with ms=N, nodes=N, simulations=N"
    " and memory=N (megabytes), each with a comma after it, before the command"
)


class Choice(NamedTuple):
    """The decision of a contender."""

    move: Move
    shares: tuple[float, ...] | None = None
    """Each seat's expected share of the win; None if the contender has no expectation."""


@dataclass(frozen=True, slots=True)
class Contender:
    """One way of choosing moves: by a level, at random, or by a search with a budget."""

    name: str
    player: str | Way | None = None
    """A level or a way of thinking; None chooses at random."""
    milliseconds: int | None = None
    weights: Path | None = None
    """A file of weights for the evaluation, instead of the game's own."""
    program: Program | None = None
    """A program that is not part of the library."""

    @classmethod
    def parse(cls, name: str) -> Contender:
        """The contender with this name; BadOption lists the possible names."""
        if name in LEVELS:
            return cls(name, name)
        if name == "random":
            return cls(name)
        if name.startswith(f"{KIND}:"):
            return cls(name, program=Program.parse(name.removeprefix(f"{KIND}:")))
        search, _, weights = name.partition(",weights=")
        kind, _, words = search.partition(":")
        timed = [word for word in words.split(",") if word.startswith("ms=")]
        others = [word for word in words.split(",") if word and word not in timed]
        try:
            if kind == "plain":
                kind, others = "mcts", [*others, "plain=1"]
            way = Way.parse(f"{kind}:{','.join(others)}")
            milliseconds = int(timed[0].removeprefix("ms=")) if timed else None
            if len(timed) > 1 or not (milliseconds or way.budgeted) or (milliseconds or 1) < 1:
                raise BadSetting("budget")
            if weights and way.method != "alphabeta":
                raise BadSetting("weights")
        except (BadOption, ValueError) as error:
            raise BadSetting("contender", name=name[:60], why=error) from None
        return cls(name, way, milliseconds, Path(weights) if weights else None)

    @contextmanager
    def seated(self) -> Iterator[Callable[[Position, int], Choice]]:
        """A function that chooses moves at one table; an engine runs for as long as it is used."""
        if self.program is None:
            yield self.decide
            return
        with self.program.seated() as chooser:
            yield lambda position, seed: Choice(chooser(position, seed))

    def choose(self, position: Position, seed: int) -> Move:
        """A move for the seat to move; repeatable by the seed, unless time is the budget."""
        return self.decide(position, seed).move

    def decide(self, position: Position, seed: int) -> Choice:
        """The chosen move, and the expected shares."""
        if self.player is None:
            moves = position.moves()
            return Choice(moves[Random(seed).below(len(moves))])
        limit = Limit(seconds=None if self.milliseconds is None else self.milliseconds / 1000)
        found = think(
            position, self.player, limit, seed=seed, evaluation=self._evaluation(position)
        )
        return Choice(found.move, found.shares)

    def _evaluation(self, position: Position) -> Evaluation:
        """The evaluation by which this contender judges positions."""
        usual = position.game.evaluation
        if self.weights is None:
            return usual
        if not usual.numbers:
            raise BadOption(f"{position.game.slug} has no evaluation with weights")
        return type(usual)(read_weights(self.weights, like=usual.numbers))
