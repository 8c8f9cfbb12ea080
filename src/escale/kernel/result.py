"""The result of a search, whichever search it was."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

M = TypeVar("M")
"""A move: a number in the kernel, a `Move` outside."""


class Line(NamedTuple, Generic[M]):
    """A move, the expected continuation, and its value."""

    moves: tuple[M, ...]
    """The move itself first."""
    shares: tuple[float, ...]
    """Each seat's expected share of the win."""
    proven: bool = False
    """Whether the shares are certain: no seat can do better against best play."""
    plies_to_end: int | None = None
    """When proven: the game can be held to at most this many plies."""


class SearchResult(NamedTuple, Generic[M]):
    """The result of a search; `move`, `shares` and so on are those of its first line."""

    method: str
    """The method of the search."""
    lines: tuple[Line[M], ...]
    """As many as requested, if there are enough moves: the chosen one, then the best of the others,
    each with another first move.
    """
    simulations: int
    """Games played by a tree search; 0 for alpha-beta."""
    nodes: int
    """Nodes of the tree, or positions examined."""
    depth: int
    """Plies searched in full, or reached by the tree."""
    milliseconds: float

    @property
    def move(self) -> M:
        """The chosen move."""
        return self.lines[0].moves[0]

    @property
    def line(self) -> tuple[M, ...]:
        """The expected continuation, `move` first."""
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
