# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The value of a position of Canoë: the turns that each side needs for two separate canoes."""

from __future__ import annotations

import cython

from escale.games.canoe import geometry
from escale.kernel.weights import as_struct

if cython.compiled:
    from cython.cimports.escale.games.canoe.rules import CanoeState
    from cython.cimports.escale.kernel.core import State, ones, u64
    from cython.cimports.escale.kernel.evaluation import Evaluation
else:
    from escale.games.canoe.rules import CanoeState
    from escale.kernel.core import State, ones, u64
    from escale.kernel.evaluation import Evaluation

#: The weights of the sum: `weights.toml` explains each.
Weights = cython.struct(
    race=cython.int[36],
    ways=cython.int[12],
    their_ways=cython.int[12],
    single=cython.int[4],
    stock=cython.int,
)

FAR = cython.declare(cython.const[cython.int], 4)       # a canoe that needs more is ignored
MOST = cython.declare(cython.const[cython.int], 32)     # canoes of one colour that are paired
BOARD = cython.declare(u64, geometry.BOARD)

# Every canoe that can lie on the board: its pegs, and the holes around it.
COUNT = cython.declare(cython.const[cython.int], 114)
CANOE = cython.declare(u64[114], [canoe.pegs for canoe in geometry.CANOES])
AROUND = cython.declare(u64[114], [canoe.around for canoe in geometry.CANOES])


@cython.final
@cython.cclass
class CanoeEvaluation(Evaluation):
    """The value of pegs."""

    weights: Weights

    def _load(self, numbers: dict) -> None:
        self.weights = numbers if cython.compiled else as_struct(numbers)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _evaluate(self, state: State) -> cython.int:
        points = self.balance(cython.cast(CanoeState, state))
        # A seat that may swap takes the better side, because the other seat moves next.
        return abs(points) if cython.cast(CanoeState, state).may_swap() else points

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def balance(self, state: CanoeState) -> cython.int:
        """The advantage of the seat to move over the other."""
        mine: cython.int[2]                     # turns and ways: see `prospects`
        theirs: cython.int[2]
        if not cython.compiled:
            mine, theirs = [0] * 2, [0] * 2
        points = self.prospects(state.own, state.enemy, mine)
        points -= self.prospects(state.enemy, state.own, theirs)
        return (
            points + self.weights.race[6 * (mine[0] - 1) + theirs[0] - 1]
            + self.weights.ways[4 * (min(mine[0], 3) - 1) + mine[1]]
            + self.weights.their_ways[4 * (min(theirs[0], 3) - 1) + theirs[1]]
            + self.weights.stock * (state.own_reserve - state.enemy_reserve)
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def prospects(self, pegs: u64, others: u64, best: cython.p_int) -> cython.int:
        """The value of single canoes for the pegs of one colour, and the turns to two of them.

        A canoe needs a turn for each peg that is missing and for each that stands too near. A canoe
        that other pegs block is not counted. `best` receives the number of turns that the best pair
        needs, 6 for all pairs that need more; then the number of pairs that need no more turns, or,
        if one turn is enough, the number of holes in which it can be made.
        """
        found: cython.int[32]
        needs: cython.int[32]
        if not cython.compiled:
            found, needs = [0] * 32, [0] * 32
        count: cython.int = 0
        total: cython.int = 0
        least: cython.int = 6
        ways: cython.int = 0
        wanted: u64 = 0                         # holes that are missing in pairs of one turn
        i: cython.int
        j: cython.int
        for i in range(COUNT):
            missing = CANOE[i] & ~pegs
            if missing & others:
                continue
            more = missing & (missing - 1)      # all but the lowest
            if more & (more - 1):
                continue
            near = pegs & AROUND[i]
            turns = (2 if more else 1 if missing else 0) + (ones(near) if near else 0)
            if turns >= FAR or count == MOST:
                continue
            total += self.weights.single[turns]
            for j in range(count):
                both = turns + needs[j]
                if both <= least and CANOE[i] & (CANOE[found[j]] | AROUND[found[j]]) == 0:
                    ways = ways + 1 if both == least else 1
                    if both <= 1:
                        # A peg that stands too near can leave; the enemy cannot prevent it.
                        short = (CANOE[i] | CANOE[found[j]]) & ~pegs
                        wanted = wanted | short if short else BOARD
                        ways = ones(wanted)
                    least = both
            found[count] = i
            needs[count] = turns
            count += 1
        best[0] = max(least, 1)
        best[1] = min(ways, 3)
        return total
