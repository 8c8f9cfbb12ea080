# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Two sides of pieces on 64 cells: what many games have in common, written once.

A state has `own`, the pieces of the seat to move, and `enemy`, each a word with a bit for every
cell. A move begins with the cell that a piece leaves (bits 0-5) and the cell that it comes to
(6-11); one that leaves and comes to the same cell only points at it. A game writes `_legal_moves`,
`_play` and `_result`; `turned` ends its `_play`. Key, atoms and observations are here.

Atoms and observations are for a square board with eight cells to a side, on which the bit of a cell
is its number, too. A game on another board sets `numbered` to False, or has hooks of its own.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import State, mark_each, mix
else:
    from escale.kernel.core import State, mark_each, mix

NO_MORE = cython.declare(cython.const[cython.int], -1)      # atoms


@cython.cclass
class SidesState(State):
    """The pieces of two seats."""

    def __init__(self, own: object, enemy: object, turn: cython.int = 0):
        State.__init__(self)
        self.own = own
        self.enemy = enemy
        self.turn = turn
        self.numbered = True
        self.resume(0, 1)

    def turned(self, own, enemy, before):
        """Give the turn to the other seat, after a move that has left these pieces.

        `before` is how much of the history could hold the same position, as for `record`.
        """
        self.own, self.enemy = enemy, own
        self.turn ^= 1
        self.plies += 1
        self.record(self._key(), before)

    def _key(self):
        return mix(mix(mix(1, self.turn), self.own), self.enemy)

    def _atom(self, move, index):
        leaves: cython.int = cython.cast(cython.int, move & 63)
        comes: cython.int = cython.cast(cython.int, move >> 6 & 63)
        if not self.numbered or index > 1 or (index == 1 and leaves == comes):
            return NO_MORE
        return leaves if index == 0 else comes

    def _observed(self):
        return 2 * 64 if self.numbered else 0

    def _observe(self, seat, out):
        side: cython.int
        for side in range(2):
            mark_each(out, 64 * side, self.own if side == self.turn else self.enemy)
