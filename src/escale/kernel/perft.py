# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Counting sequences of moves: the classic check that a generator is exact."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, State
else:
    from escale.kernel.core import Moves, State


@cython.final
@cython.cclass
class Frame:
    """One depth of the walk, with a position and a move list of its own: nothing is allocated."""

    state: State
    moves: Moves
    deeper: Frame

    def __init__(self, state: State, depth: cython.int):
        self.state = state
        self.moves = Moves(state.capacity)
        self.deeper = Frame(state.shadow(), depth - 1) if depth > 1 else None

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def nodes(self, depth: cython.int) -> cython.longlong:
        """The number of sequences of `depth` moves; the last moves are counted, not played."""
        self.moves.count = 0
        self.state._legal_moves(self.moves)
        if depth == 1:
            return self.moves.count
        i: cython.int
        total: cython.longlong = 0
        for i in range(self.moves.count):
            self.deeper.state.assign(self.state)
            self.deeper.state._play(self.moves.items[i])
            total += self.deeper.nodes(depth - 1)
        return total

    def check(self) -> None:
        """Raise if any list was too short."""
        self.moves.check()
        if self.deeper is not None:
            self.deeper.check()


def perft(state: State, depth: cython.int) -> int:
    """The number of sequences of `depth` moves (moves of chance count too)."""
    if depth < 0:
        raise ValueError(f"depth must be 0 or more, not {depth}")
    if depth == 0:
        return 1
    walk: Frame = Frame(state.copy(), depth)
    total: cython.longlong
    with cython.nogil:
        total = walk.nodes(depth)
    walk.check()
    return total
