# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Whether a seat can force a result within a number of plies: exact, even if the answer is no.

Alpha-beta can prove that a result is forced, but not the opposite; here both answers are certain.
The walk looks at one way for the seat, at every reply of all others and of chance, on the real
positions, to the end of the game or of the plies: no table, no evaluation, nothing skipped. It is
faster than `brute_force` because it stops as soon as a position is decided, and because it
first tries the reply that refuted the move before.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, State, u64
else:
    from escale.kernel.core import Moves, State, u64


@cython.final
@cython.cclass
class Frame:
    """One ply of the walk."""

    state: State
    moves: Moves
    deeper: Frame
    refutation: u64
    """The reply that last refuted a move of the seat; it affects only the order of replies."""
    shares: cython.double[8]

    def __init__(self, state: State, plies: cython.int):
        if not cython.compiled:
            self.shares = [0.0] * 8
        self.state = state
        self.moves = Moves(state.capacity)
        self.refutation = 0
        self.deeper = Frame(state.shadow(), plies - 1) if plies > 0 else None

    def check(self) -> None:
        """Raise if any list was too short."""
        self.moves.check()
        if self.deeper is not None:
            self.deeper.check()


@cython.final
@cython.cclass
class Walk:
    """The goal to force, its seat, and the number of positions that may still be visited."""

    seat: cython.int
    least: cython.double
    left: cython.longlong

    def __init__(self, seat: cython.int, least: cython.double, left: cython.longlong):
        self.seat = seat
        self.least = least
        self.left = left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def forces(self, frame: Frame, plies: cython.int) -> cython.bint:
        """Whether the goal is forced from this position; void once `left` is used up."""
        i: cython.int
        first: cython.int
        self.left -= 1
        if self.left < 0:
            return False
        frame.moves.count = 0
        frame.state._legal_moves(frame.moves)
        if frame.moves.count == 0:
            frame.state._result(frame.shares)
            return frame.shares[self.seat] >= self.least
        if plies == 0:
            return False
        if frame.state.turn == self.seat:
            if plies > 2:                       # quick ways first, then the longer ones
                for i in range(frame.moves.count):
                    if self.after(frame, frame.moves.items[i], 0):
                        return True
            for i in range(frame.moves.count):
                if self.after(frame, frame.moves.items[i], plies - 1):
                    return True
            return False
        first = frame.moves.index(frame.refutation)
        if first >= 0 and not self.after(frame, frame.moves.items[first], plies - 1):
            return False
        for i in range(frame.moves.count):
            if i != first and not self.after(frame, frame.moves.items[i], plies - 1):
                frame.refutation = frame.moves.items[i]
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def after(self, frame: Frame, move: u64, plies: cython.int) -> cython.bint:
        """Whether the goal is forced after a move."""
        frame.deeper.state.assign(frame.state)
        frame.deeper.state._play(move)
        return self.forces(frame.deeper, plies)


def forces(
    state: State, seat: cython.int, plies: cython.int, *,
    least: cython.double = 1.0, nodes: object = 1 << 62,
) -> bool | None:
    """Whether `seat` can make sure of a share of `least` or more, in a game over within `plies`.

    None if the answer would take more than `nodes` positions.
    """
    if not 0 <= seat < state.seats:
        raise ValueError(f"there is no seat {seat}")
    if plies < 0:
        raise ValueError(f"plies must be 0 or more, not {plies}")
    top: Frame = Frame(state.copy(), plies)
    walk: Walk = Walk(seat, least, nodes)
    found: cython.bint
    with cython.nogil:
        found = walk.forces(top, plies)
    top.check()
    return None if walk.left < 0 else bool(found)
