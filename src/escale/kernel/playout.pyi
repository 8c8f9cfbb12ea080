"""Random games, as Python sees them: `playout.py` is compiled."""

from typing import NamedTuple

from escale.kernel.core import State

class Playouts(NamedTuple):
    games: int
    plies: int
    shares: list[float]
    endings: list[int]

def playouts(start: State, games: int, seed: object = 0) -> Playouts: ...
