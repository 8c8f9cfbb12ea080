"""Thinking about a position: by a level, or within a budget."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from escale import kernel
from escale.game.errors import BadOption, NotNow
from escale.game.moves import Move
from escale.game.position import Position
from escale.opponents.levels import CEILINGS, Way, way_of


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
    plies_to_end: int | None
    """When proven: the result can be forced within so many moves."""
    depth: int
    nodes: int
    """Simulations, or positions looked at."""
    milliseconds: float

    def as_json(self) -> dict[str, Any]:
        """Plain data, as the line protocol gives it."""
        return {
            "move": self.move.text, "score": [round(share, 4) for share in self.shares],
            "pv": list(self.line), "proven": self.proven, "plies": self.plies_to_end,
            "depth": self.depth, "nodes": self.nodes, "ms": round(self.milliseconds, 1),
        }


def think(
    position: Position, *, level: str | None = None, way: Way | None = None,
    method: str | None = None, simulations: int | None = None, nodes: int | None = None,
    seconds: float | None = None, seed: int = 0, without: Collection[Move] = (),
    solve: bool = True,
) -> Thought:
    """Choose a move, by a level or within a budget; the same seed and budget, the same move.

    A level has a ceiling of time, which `seconds` may lower. Without a level or a `way`, a number
    of simulations asks for Monte-Carlo tree search, over information sets where the game hides
    something, a number of nodes for alpha-beta; with time alone the game's own method is used.
    Moves in `without` are not considered. Without `solve`, tree search proves nothing: to compare
    with.
    """
    if position.turn is None or position.turn == kernel.CHANCE:
        raise NotNow("it is no seat's turn to think")
    if (level is not None) + (way is not None) + bool(method or simulations or nodes) > 1:
        raise BadOption("a level or a way of thinking has a method and a budget of its own")
    if level is not None:
        way = way_of(position.game, level)
        seconds = min(CEILINGS[level], seconds or CEILINGS[level])
    if way is None:
        if method is None:
            method = tree_search(position) if simulations else "alphabeta" if nodes else (
                method_for(position)
            )
        if method == "alphabeta" and position.seats != 2:
            method = "mcts"
        effort = simulations or nodes
        unit = kernel.SETTINGS.get(method, ("nodes",))[0]
        way = Way.of(method, {unit: effort} if effort else {})
    if not way.budgeted and seconds is None:
        raise BadOption("thinking needs a budget: simulations, nodes or seconds")
    more = {} if solve or way.method != "mcts" else {"solve": False}
    # What the seat cannot know it must not use: it thinks about a table that it can imagine.
    imagined = position.imagine(position.turn, kernel.Random(seed))
    found = kernel.think(
        imagined.kernel(), way.method, seconds=seconds, seed=seed,
        without=[move.code for move in without], **dict(way.settings), **more,
    )
    certain = found.proven and imagined is position
    moves = {move.code: move for move in position.moves()}
    return Thought(
        moves[found.move], tuple(found.shares), tuple(_told(imagined, found.line)),
        certain, found.plies_to_end if certain else None, found.depth,
        found.simulations or found.nodes, found.milliseconds,
    )


def method_for(position: Position) -> str:
    """The search that a game is played best with; docs/strength.md says how that was found."""
    return position.game.search if position.seats == 2 else tree_search(position)


def tree_search(position: Position) -> str:
    """The tree search for a game: one that minds what a seat cannot know, where there is such."""
    return "ismcts" if position.game.search == "ismcts" else "mcts"


def _told(position: Position, line: list[int]) -> Iterator[str]:
    """A line of the kernel's moves in notation."""
    here = position
    for code in line:
        move = next((move for move in here.moves() if move.code == code), None)
        if move is None:
            return
        yield move.text
        here = here.play(move)
