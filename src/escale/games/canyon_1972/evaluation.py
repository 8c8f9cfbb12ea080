# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""How good a position of Canyon (1972) is: pawns and points, and what can be jumped next."""

from __future__ import annotations

import cython

from escale.games.canyon_1972 import geometry
from escale.kernel.weights import as_struct

if cython.compiled:
    from cython.cimports.escale.games.canyon_1972.rules import CanyonState
    from cython.cimports.escale.kernel.core import Moves, State, lowest, ones, rotated, u64
    from cython.cimports.escale.kernel.evaluation import Evaluation
else:
    from escale.games.canyon_1972.rules import CanyonState
    from escale.kernel.core import Moves, State, lowest, ones, rotated, u64
    from escale.kernel.evaluation import Evaluation

#: What is added up: `weights.toml` says what each is for.
Weights = cython.struct(
    pawns=cython.int,
    points=cython.int,
    way=cython.int,
    leaps=cython.int,
    steps=cython.int,
    danger=cython.int[4],
    patience=cython.int,
    tempo=cython.int,
)

ALL = cython.declare(cython.const[u64], 0xFFFFFFFFFFFFFFFF)
B6 = cython.declare(cython.const[u64], 0x0000020000000000)
B7 = cython.declare(cython.const[u64], 0x0002000000000000)
TAKES = cython.declare(cython.const[cython.int], 6)         # captures followed in one position
STRIDE = cython.declare(cython.int[8], geometry.STRIDES)
INSIDE = cython.declare(u64[8], geometry.INSIDE)

# For each canyon, short, wide passes, narrow; Red's then Yellow's view of each cell: steps to go.
WAY = cython.declare(cython.int[384])
if not cython.compiled:
    WAY = [0] * 384


def fill_tables() -> None:
    """Work out the ways round each canyon."""
    for number, width in enumerate(("short", "wide-passes", "narrow")):
        for cell, steps in enumerate(geometry.steps_to_go(geometry.CANYON[width])):
            WAY[128 * number + cell] = WAY[128 * number + 64 + 63 - cell] = steps


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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def takes(turn: cython.int, moves: Moves) -> cython.int:
    """Bring the best captures to the front: most pawns first, then most points."""
    ranks: cython.int[6]
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
        canyon = 2 if state.canyon & B7 else 1 if state.canyon & B6 else 0
        lead = state.own_sum - state.enemy_sum
        return (
            self.prospects(state.own, free, 128 * canyon + 64 * state.turn)
            - self.prospects(state.enemy, free, 128 * canyon + 64 * (1 - state.turn))
            + self.weights.pawns * (ones(state.own) - ones(state.enemy))
            + self.weights.points * lead
            + self.weights.danger[min(3, exposed(state.own, state.enemy, free))]
            + self.weights.patience * (lead * (state.quiet // 16))
            + self.weights.tempo
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prospects(self, pawns: u64, free: u64, view: cython.int) -> cython.int:
        """What a seat's pawns are worth to come: how far they have to go, and how freely."""
        points: cython.int = 0
        for k in range(8):
            near = ahead(pawns, k)
            points += self.weights.steps * ones(near & free)
            points += self.weights.leaps * ones(ahead(near & pawns, k) & free)
        to_go: cython.int = 0
        while pawns:
            to_go += WAY[view + lowest(pawns)]
            pawns &= pawns - 1
        return points - self.weights.way * to_go

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _captures(self, state: State, moves: Moves) -> cython.int:
        return takes(cython.cast(CanyonState, state).turn, moves)
