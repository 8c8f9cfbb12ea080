# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Random games, played to their end."""

from __future__ import annotations

from typing import NamedTuple

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, Random, State, rollout
else:
    from escale.kernel.core import Moves, Random, State, rollout


class Playouts(NamedTuple):
    """The results of a number of random games."""

    games: int
    plies: int
    shares: list[float]         # each seat's share of the wins, added up
    endings: list[int]          # the number of games with ending 0, 1, 2, …


ENDINGS = cython.declare(cython.const[cython.int], 16)


def playouts(start: State, games: cython.int, seed: object = 0) -> Playouts:
    """Play random games from `start`, which does not change."""
    state: State = start.copy()
    moves: Moves = Moves(start.capacity)
    random: Random = Random(seed)
    plies: cython.longlong = 0
    shares: cython.double[8]
    totals: cython.double[8]
    endings: cython.longlong[16]
    i: cython.int
    j: cython.int
    ending: cython.int
    if not cython.compiled:
        shares, totals, endings = [0.0] * 8, [0.0] * 8, [0] * 16
    for i in range(8):
        totals[i] = 0.0
    for i in range(ENDINGS):
        endings[i] = 0
    with cython.nogil:
        for i in range(games):
            state.assign(start)
            rollout(state, moves, random)
            plies += state.plies - start.plies
            ending = state._result(shares)
            if 0 <= ending < ENDINGS:
                endings[ending] += 1
            for j in range(state.seats):
                totals[j] += shares[j]
    moves.check()
    return Playouts(
        games, plies,
        [totals[i] for i in range(start.seats)],
        [endings[i] for i in range(ENDINGS)],
    )
