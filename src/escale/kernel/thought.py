"""What a search hands back, whichever way it searched."""

from __future__ import annotations

from typing import NamedTuple


class Thought(NamedTuple):
    """What a search found."""

    move: int
    shares: list[float]         # each seat's expected share of the win
    line: list[int]             # the continuation expected, `move` first
    simulations: int            # random games; 0 for alpha-beta
    nodes: int                  # of the tree, or positions looked at
    depth: int                  # plies searched in full, or reached by the tree
    proven: bool                # the shares are certain: nobody can do better against best play
    plies_to_end: int | None    # when proven: the game can be held to at most so many plies
    milliseconds: float
