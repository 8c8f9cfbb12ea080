"""Opponents: levels built on the kernel's search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from escale import kernel
from escale.play.errors import BadOption, NotNow
from escale.play.moves import Move
from escale.play.position import Position

#: Simulations that each level may spend on a move, from the weakest to the strongest.
LEVELS = {
    "mousse": 30,
    "matelot": 150,
    "bosco": 700,
    "pilote": 3_000,
    "capitaine": 12_000,
    "amiral": 50_000,
}


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of thinking about a position."""

    move: Move
    shares: tuple[float, ...]
    """Each seat's expected share of the win."""
    line: tuple[str, ...]
    """The continuation expected, the move itself first."""
    proven: bool
    """Whether the shares are certain."""
    nodes: int
    milliseconds: float

    def as_json(self) -> dict[str, Any]:
        """Plain data, as the line protocol gives it."""
        return {
            "move": self.move.text, "score": [round(share, 4) for share in self.shares],
            "pv": list(self.line), "proven": self.proven, "nodes": self.nodes,
            "ms": round(self.milliseconds, 1),
        }


def think(
    position: Position, *, level: str | None = None, simulations: int | None = None,
    seconds: float | None = None, seed: int = 0,
) -> Thought:
    """Choose a move, by a level or within a budget; the same seed and budget, the same move."""
    if position.turn is None or position.turn == kernel.CHANCE:
        raise NotNow("it is no seat's turn to think")
    if level is not None:
        if level not in LEVELS:
            raise BadOption(f"unknown level {level[:40]!r}; known levels: {', '.join(LEVELS)}")
        simulations = LEVELS[level]
    # What the seat cannot know it must not use: it thinks about a table that it can imagine.
    imagined = position.imagine(position.turn, kernel.Random(seed))
    found = kernel.think(imagined.kernel(), simulations, seconds, seed)
    moves = {move.code: move for move in position.moves()}
    line, here = [], imagined
    for code in found.line:
        move = next((move for move in here.moves() if move.code == code), None)
        if move is None:
            break
        line.append(move.text)
        here = here.play(move)
    return Thought(
        moves[found.move], tuple(found.shares), tuple(line), False,
        found.simulations, found.milliseconds,
    )
