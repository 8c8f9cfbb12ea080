# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""How good a position of Breakthrough is: pieces, how far they are, and who keeps them company."""

from __future__ import annotations

import cython

from escale.kernel.weights import as_struct

if cython.compiled:
    from cython.cimports.escale.kernel.core import State, ones, u64
    from cython.cimports.escale.kernel.evaluation import Evaluation
    from cython.cimports.escale_breakthrough.rules import BreakthroughState
else:
    from escale.kernel.core import State, ones, u64
    from escale.kernel.evaluation import Evaluation
    from escale_breakthrough.rules import BreakthroughState

Weights = cython.struct(rank=cython.int[8], pair=cython.int, tempo=cython.int)

RANK = cython.declare(cython.const[u64], 0xFF)
NOT_FILE_H = cython.declare(cython.const[u64], 0x7F7F7F7F7F7F7F7F)


@cython.final
@cython.cclass
class BreakthroughEvaluation(Evaluation):
    """What pieces are worth on each rank, and side by side."""

    weights: Weights

    def _load(self, numbers: dict) -> None:
        self.weights = numbers if cython.compiled else as_struct(numbers)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _evaluate(self, state: State) -> cython.int:
        return self.balance(cython.cast(BreakthroughState, state))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def balance(self, state: BreakthroughState) -> cython.int:
        """How much better the seat to move stands than the other."""
        own = self.worth(state.own, state.turn)
        return own - self.worth(state.enemy, 1 - state.turn) + self.weights.tempo

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def worth(self, pieces: u64, seat: cython.int) -> cython.int:
        """What a seat's pieces are worth."""
        total: cython.int = self.weights.pair * ones(pieces & NOT_FILE_H & pieces >> 1)
        rank: cython.int
        for rank in range(8):
            height = rank if seat == 0 else 7 - rank
            total += self.weights.rank[height] * ones(pieces >> (8 * rank) & RANK)
        return total
