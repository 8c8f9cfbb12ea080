# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The value of a position of Canyon (1972): pawns, points, and the seat that can afford to wait.

The places of pawns are worth the values of their rows, and no more: a player with a reason to stay
in one place stays there, and no game ends. The search finds the next captures.
"""

from __future__ import annotations

import cython

from escale.games.canyon_1972 import geometry
from escale.kernel.weights import as_struct

if cython.compiled:
    from cython.cimports.escale.games.canyon_1972.rules import CanyonState
    from cython.cimports.escale.kernel.core import Moves, State, ones, u64
    from cython.cimports.escale.kernel.evaluation import Evaluation
else:
    from escale.games.canyon_1972.rules import CanyonState
    from escale.kernel.core import Moves, State, ones, u64
    from escale.kernel.evaluation import Evaluation

#: The weights of the sum: `weights.toml` explains each.
Weights = cython.struct(
    pawns=cython.int,
    points=cython.int,
    patience=cython.int,
    gates=cython.int,
)

TAKES = cython.declare(cython.const[cython.int], 6)         # captures followed in one position
B7 = cython.declare(cython.const[u64], 0x0002000000000000)
# Passes one cell wide, which a seat can hold: their middle, and the cell behind it.
GATES = cython.declare(u64[2], [
    sum(1 << geometry.BITS[cell] for cell in ("a8", "b8", "h1", "h2")),
    sum(1 << geometry.BITS[cell] for cell in ("a8", "a7", "h1", "g1")),
])
SPELL = cython.declare(cython.const[cython.int], 16)        # the quiet plies that count as one


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def takes(turn: cython.int, moves: Moves) -> cython.int:
    """Bring the best captures to the front: most pawns first, then most points."""
    ranks: cython.int[6]                # of length `TAKES`
    if not cython.compiled:
        ranks = [0] * TAKES
    found: cython.int = 0
    for i in range(moves.count):
        move: u64 = moves.items[i]
        if move >> 12 == 0:
            continue
        start = cython.cast(cython.int, move & 63)
        end = cython.cast(cython.int, move >> 6 & 63)
        gain: cython.int = (end & 7) + (end >> 3) - (start & 7) - (start >> 3)
        rank: cython.int = 32 * ones(move >> 12) + (gain if turn == 0 else -gain)
        if found < TAKES:
            found += 1
        elif rank <= ranks[TAKES - 1]:
            continue
        place: cython.int = found - 1
        while place > 0 and ranks[place - 1] < rank:
            ranks[place] = ranks[place - 1]
            moves.items[place] = moves.items[place - 1]
            place -= 1
        ranks[place] = rank
        moves.items[place] = move
    return found


@cython.final
@cython.cclass
class CanyonEvaluation(Evaluation):
    """The value of pawns, and the captures that a search follows."""

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
        """The advantage of the seat to move over the other."""
        lead = state.own_sum - state.enemy_sum
        gates: cython.int = 0
        if state.canyon & B7:
            gates = (
                ones(state.own & GATES[state.turn]) - ones(state.enemy & GATES[1 - state.turn])
            )
        return (
            self.weights.pawns * (ones(state.own) - ones(state.enemy))
            + self.weights.points * lead
            + self.weights.patience * lead * (state.quiet // SPELL)
            + self.weights.gates * gates
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _captures(self, state: State, moves: Moves) -> cython.int:
        return takes(cython.cast(CanyonState, state).turn, moves)
