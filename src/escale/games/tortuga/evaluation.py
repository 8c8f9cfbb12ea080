# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The value of a position of Tortuga: the turtles' places, their freedom and their abilities."""

from __future__ import annotations

import cython

from escale.games.tortuga import geometry
from escale.kernel.weights import as_struct

if cython.compiled:
    from cython.cimports.escale.games.tortuga.rules import TortugaState
    from cython.cimports.escale.kernel.core import State, lowest, ones, rotated, u64
    from cython.cimports.escale.kernel.evaluation import Evaluation
else:
    from escale.games.tortuga.rules import TortugaState
    from escale.kernel.core import State, lowest, ones, rotated, u64
    from escale.kernel.evaluation import Evaluation

#: The weights of the sum: `weights.toml` explains each.
Weights = cython.struct(
    turtle=cython.int,
    cells=cython.int[22],
    front=cython.int[8],
    free=cython.int[8],
    steps=cython.int,
    few=cython.int[4],
    neutral=cython.int,
    danger=cython.int[4],
    tempo=cython.int,
)

BOARD = cython.declare(u64, geometry.BOARD)
FORWARD = cython.declare(cython.int[6], [*geometry.FORWARD[0], *geometry.FORWARD[1]])

# For each cell, South's then North's view: plies to the enemy base on an empty board (7 if it is
# out of reach); the number of its weight, the same for left and right; and the cells from which
# an enemy still comes towards it.
TO_BASE = cython.declare(cython.int[128])
ALIKE = cython.declare(cython.int[128])
BEYOND = cython.declare(u64[128])
if not cython.compiled:
    TO_BASE, ALIKE, BEYOND = [0] * 128, [0] * 128, [0] * 128


def fill_tables() -> None:
    """Compute the tables from the board."""
    heights, aside = geometry.HEIGHTS, geometry.ASIDE
    places = sorted({(heights[cell], aside[cell]) for cell in heights})
    top = max(heights.values())
    for cell, height in heights.items():
        ahead, other = top - height, 64 + geometry.turned_round(cell)
        ALIKE[cell] = ALIKE[other] = places.index((height, aside[cell]))
        TO_BASE[cell] = 7 if aside[cell] > ahead else (aside[cell] + ahead) // 2
        TO_BASE[other] = TO_BASE[cell]
        BEYOND[cell] = sum(1 << far for far in heights if heights[far] > height)
        BEYOND[64 + cell] = sum(1 << far for far in heights if heights[far] < height)


fill_tables()


@cython.final
@cython.cclass
class TortugaEvaluation(Evaluation):
    """The value of turtles."""

    weights: Weights

    def _load(self, numbers: dict) -> None:
        self.weights = numbers if cython.compiled else as_struct(numbers)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _forced(self, state: State) -> cython.bint:
        return cython.cast(TortugaState, state).duty > 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _evaluate(self, state: State) -> cython.int:
        return self.balance(cython.cast(TortugaState, state))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def balance(self, state: TortugaState) -> cython.int:
        """The advantage of the seat to move over the other."""
        empty = BOARD & ~(state.own | state.enemy | state.neutral)
        threats = 0
        for k in range(3):
            by = FORWARD[3 * (1 - state.turn) + k]
            threats += ones(rotated(state.enemy, by) & state.own & rotated(empty, -by))
        return (
            self.prospects(state.own, state.enemy, state.neutral, empty, state.turn)
            - self.prospects(state.enemy, state.own, state.neutral, empty, 1 - state.turn)
            + self.weights.danger[min(3, threats)] + self.weights.tempo
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prospects(
        self, turtles: u64, others: u64, neutral: u64, empty: u64, seat: cython.int
    ) -> cython.int:
        """The value of a seat's turtles: their places, their freedom and their abilities."""
        total: cython.int = self.weights.turtle * ones(turtles)
        front: cython.int = 7                   # the turtle nearest to the base
        free: cython.int = 7                    # the nearest that no enemy comes towards
        steps: cython.int = 0
        rest = turtles
        while rest:
            cell = 64 * seat + lowest(rest)
            rest &= rest - 1
            distance = TO_BASE[cell]
            total += self.weights.cells[ALIKE[cell]]
            front = min(front, distance)
            if others & BEYOND[cell] == 0:
                free = min(free, distance)
        total += self.weights.front[front] + self.weights.free[free]
        for k in range(3):
            by = FORWARD[3 * seat + k]
            reach = rotated(turtles, by)
            steps += ones(reach & empty)
            total += self.weights.neutral * ones(reach & neutral & rotated(empty, -by))
        return total + self.weights.steps * steps + self.weights.few[min(steps, 3)]
