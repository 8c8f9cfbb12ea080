"""What a search returns, no matter which way it searched."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

M = TypeVar("M")
"""A move: a number in the kernel, a `Move` outside."""


class Line(NamedTuple, Generic[M]):
    """A move, how the game is expected to go on, and what that is worth."""

    moves: tuple[M, ...]
    """The move itself first."""
    shares: tuple[float, ...]
    """Each seat's expected share of the win."""
    proven: bool = False
    """Whether the shares are certain: no seat can do better against best play."""
    plies_to_end: int | None = None
    """When proven: the game can be held to at most this many plies."""


class SearchResult(NamedTuple, Generic[M]):
    """What a search found; what it says of `move`, `shares` and so on is its first line's."""

    method: str
    """How it was searched."""
    lines: tuple[Line[M], ...]
    """As many as were asked for, if there are enough moves: the one that is chosen, then the best
    of the others, each with another first move."""
    simulations: int
    """Games played by a tree search; 0 for alpha-beta."""
    nodes: int
    """Of the tree, or positions looked at."""
    depth: int
    """Plies searched in full, or reached by the tree."""
    milliseconds: float

    @property
    def move(self) -> M:
        """The move that is chosen."""
        return self.lines[0].moves[0]

    @property
    def line(self) -> tuple[M, ...]:
        """The continuation expected, `move` first."""
        return self.lines[0].moves

    @property
    def shares(self) -> tuple[float, ...]:
        """Each seat's expected share of the win."""
        return self.lines[0].shares

    @property
    def proven(self) -> bool:
        """Whether the shares are certain."""
        return self.lines[0].proven

    @property
    def plies_to_end(self) -> int | None:
        """When proven: the game can be held to at most this many plies."""
        return self.lines[0].plies_to_end
