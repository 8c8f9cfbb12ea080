# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""How good a position of Canyon (1972) is: pawns and points, and what can be jumped next."""

from __future__ import annotations

import cython

from escale.games.canyon_1972 import geometry
from escale.kernel.weights import as_struct

if cython.compiled:
    from cython.cimports.escale.games.canyon_1972.rules import CanyonState
    from cython.cimports.escale.kernel.core import State, lowest, ones, rotated, u64
    from cython.cimports.escale.kernel.evaluation import Evaluation
else:
    from escale.games.canyon_1972.rules import CanyonState
    from escale.kernel.core import State, lowest, ones, rotated, u64
    from escale.kernel.evaluation import Evaluation

#: What is added up: `weights.toml` says what each is for.
Weights = cython.struct(
    pawns=cython.int,
    points=cython.int,
    cells=cython.int[36],
    prey=cython.int[4],
    danger=cython.int[4],
    leaps=cython.int,
    steps=cython.int,
    tempo=cython.int,
)

ALL = cython.declare(cython.const[u64], 0xFFFFFFFFFFFFFFFF)
STRIDE = cython.declare(cython.int[8], geometry.STRIDES)
INSIDE = cython.declare(u64[8], geometry.INSIDE)

# For each cell, Red's then Yellow's view: which of the weights. The board's two halves, on either
# side of the line from corner to corner, are alike, so that 36 numbers are enough for 64 cells.
ALIKE = cython.declare(cython.int[128])
if not cython.compiled:
    ALIKE = [0] * 128


def fill_tables() -> None:
    """Number the cells of one half, the nearest rank first."""
    half = [(rank, file) for rank in range(8) for file in range(rank + 1)]
    for cell in range(64):
        rank, file = max(cell >> 3, cell & 7), min(cell >> 3, cell & 7)
        ALIKE[cell] = ALIKE[64 + 63 - cell] = half.index((rank, file))


fill_tables()


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def ahead(cells: u64, k: cython.int) -> u64:
    """`cells` one step on in direction k, of which k ^ 1 is the opposite."""
    return rotated(cells & INSIDE[k], STRIDE[k])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exposed(pawns: u64, hunters: u64, free: u64) -> cython.int:
    """How many of the pawns a hunter could jump at once."""
    found: u64 = 0
    for k in range(8):
        found |= ahead(hunters, k) & pawns & ahead(free, k ^ 1)
    return ones(found)


@cython.final
@cython.cclass
class CanyonEvaluation(Evaluation):
    """What pawns are worth."""

    weights: Weights

    def _load(self, numbers: dict) -> None:
        self.weights = numbers if cython.compiled else as_struct(numbers)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _evaluate(self, state: State) -> cython.int:
        return self.balance(cython.cast(CanyonState, state))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def balance(self, state: CanyonState) -> cython.int:
        """How much better the seat to move stands than the other."""
        free = ~(state.own | state.enemy | state.canyon) & ALL
        return (
            self.prospects(state.own, free, state.turn)
            - self.prospects(state.enemy, free, 1 - state.turn)
            + self.weights.pawns * (ones(state.own) - ones(state.enemy))
            + self.weights.points * (state.own_sum - state.enemy_sum)
            + self.weights.prey[min(3, exposed(state.enemy, state.own, free))]
            + self.weights.danger[min(3, exposed(state.own, state.enemy, free))]
            + self.weights.tempo
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prospects(self, pawns: u64, free: u64, seat: cython.int) -> cython.int:
        """What a seat's pawns are worth to come: where they stand, and how freely they move."""
        points: cython.int = 0
        for k in range(8):
            near = ahead(pawns, k)
            points += self.weights.steps * ones(near & free)
            points += self.weights.leaps * ones(ahead(near & pawns, k) & free)
        while pawns:
            points += self.weights.cells[ALIKE[64 * seat + lowest(pawns)]]
            pawns &= pawns - 1
        return points
