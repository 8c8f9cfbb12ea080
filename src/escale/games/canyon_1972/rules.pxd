# What `rules.py` and `evaluation.py` share at C level: what is on the table, and the rules' helpers.

cimport cython
from escale.kernel.core cimport Moves, State, u64


@cython.final
cdef class CanyonState(State):
    cdef readonly u64 own                       # pawns of the seat to move
    cdef readonly u64 enemy
    cdef readonly u64 canyon
    cdef readonly int own_sum
    cdef readonly int enemy_sum
    cdef readonly int own_best                  # highest sum since the last capture
    cdef readonly int enemy_best
    cdef readonly int quiet                     # plies without progress
    cdef readonly int passed                    # passes in a row
    cdef bint finished                          # the seat that has just moved could not stand better

    cdef bint enemy_at_best(self) noexcept nogil
    cdef int ending(self) noexcept nogil
    cdef void chains(self, int start, u64 free, u64* rounds, Moves out) noexcept nogil
