# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""A plain search, without a table, an evaluation or an order, to check the other searches.

A game that is not over after a number of plies may still have any result, so a position's value
lies between two bounds, which are equal if the result can be forced in time.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, State
else:
    from escale.kernel.core import Moves, State


@cython.final
@cython.cclass
class Frame:
    """One ply of the walk; `low` and `high` are its result: the share of seat 0."""

    state: State
    moves: Moves
    deeper: Frame
    low: cython.double
    high: cython.double
    shares: cython.double[8]

    def __init__(self, state: State, depth: cython.int):
        if not cython.compiled:
            self.shares = [0.0] * 8
        self.state = state
        self.moves = Moves(state.capacity)
        self.deeper = Frame(state.shadow(), depth - 1) if depth > 0 else None

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def visit(self, depth: cython.int, left: cython.longlong) -> cython.longlong:
        """Find the bounds; return the rest of the `left` nodes, less than 0 for too few."""
        i: cython.int
        weight: cython.double
        weights: cython.double = 0
        left -= 1
        if left < 0:
            return left
        self.moves.count = 0
        self.state._legal_moves(self.moves)
        if self.moves.count == 0:
            self.state._result(self.shares)
            self.low = self.high = self.shares[0]
            return left
        self.low = 0
        self.high = 1
        if depth == 0:
            return left
        turn: cython.int = self.state.turn
        if turn < 0:
            self.high = 0
        elif turn == 0:
            self.high = 0
        else:
            self.low = 1
        for i in range(self.moves.count):
            self.deeper.state.assign(self.state)
            self.deeper.state._play(self.moves.items[i])
            left = self.deeper.visit(depth - 1, left)
            if left < 0:
                return left
            if turn < 0:
                weight = self.state._chance_weight(self.moves.items[i])
                weights += weight
                self.low += weight * self.deeper.low
                self.high += weight * self.deeper.high
            elif turn == 0:
                self.low = max(self.low, self.deeper.low)
                self.high = max(self.high, self.deeper.high)
            else:
                self.low = min(self.low, self.deeper.low)
                self.high = min(self.high, self.deeper.high)
        if turn < 0:
            self.low /= weights
            self.high /= weights
        return left

    def check(self) -> None:
        """Raise if any list was too short."""
        self.moves.check()
        if self.deeper is not None:
            self.deeper.check()


def brute_force(state: State, depth: cython.int, nodes: object = 1 << 62) -> tuple | None:
    """The least and the greatest share of the win that seat 0 gets, if `depth` plies are looked at.

    None if that would take more than `nodes` nodes.
    """
    if state.seats != 2:
        raise ValueError(f"bounds are for two seats, not {state.seats}")
    if depth < 0:
        raise ValueError(f"depth must be 0 or more, not {depth}")
    walk: Frame = Frame(state.copy(), depth)
    left: cython.longlong = nodes
    with cython.nogil:
        left = walk.visit(depth, left)
    walk.check()
    return None if left < 0 else (walk.low, walk.high)
