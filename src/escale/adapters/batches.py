"""The kernel's questions, asked about many positions at once, with the answers as arrays of NumPy.

```python
>>> import escale
>>> from escale.adapters import batches
>>> start = escale.game("tortuga").start(first="south")
>>> positions = [start, start.play("d2-d3"), start.play("d2-d3").play("d6-d5")]
>>> batches.perft(positions, 2).tolist()
[256, 256, 241]
>>> batches.playouts(positions, 100, seed=1).shape
(3, 2)
>>> batches.evaluate(positions).tolist()
[68, 56, 68]

```

All positions are of one game, and have as many seats. Questions are answered in compiled code; only
the list is walked by Python.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from escale import kernel
from escale.game.position import Position
from escale.kernel import weights


def playouts(positions: Sequence[Position], games: int, *, seed: int = 0) -> NDArray[np.float64]:
    """Each seat's mean share of the win in random games from each position.

    A position has random numbers of its own, which follow from the seed and its place.
    """
    found = [
        kernel.playouts(position.kernel(), games, seed=seed + 1_000_003 * place).shares
        for place, position in enumerate(positions)
    ]
    return np.array(found, np.float64) / games


def evaluate(positions: Sequence[Position]) -> NDArray[np.int64]:
    """The value of each position for the seat to move, in points on the scale of odds.

    The evaluation sees hidden things, too: if the game hides something, imagine positions first.
    """
    if not positions:
        return np.zeros(0, np.int64)
    judge = positions[0].game.evaluation
    return np.array([judge.evaluate(position.kernel()) for position in positions], np.int64)


def features(positions: Sequence[Position], *, draws: bool = False) -> NDArray[np.int64]:
    """The value of each feature in each position; an evaluation is a weighted sum of them."""
    if not positions:
        return np.zeros((0, 0), np.int64)
    states = [position.kernel() for position in positions]
    return np.array(weights.features(positions[0].game.evaluation, states, draws), np.int64)


def perft(positions: Sequence[Position], depth: int) -> NDArray[np.int64]:
    """The number of sequences of `depth` moves from each position."""
    found = [kernel.perft(position.kernel(), depth) for position in positions]
    return np.array(found, np.int64)
