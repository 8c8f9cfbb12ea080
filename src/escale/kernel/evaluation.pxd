# What compiled modules see of evaluations at C level.

from escale.kernel.core cimport Moves, Random, State, u64

cdef enum:
    UNKNOWN = -8000                 # what `Evaluation.draw_odds` says where it knows nothing of draws

cdef class Evaluation:
    cdef readonly dict numbers
    cdef int _evaluate(self, State state) noexcept nogil
    cdef int _draw_odds(self, State state) noexcept nogil
    cdef bint _forced(self, State state) noexcept nogil
    cdef bint _quiet(self, State state) noexcept nogil
    cdef bint _winning_move(self, State state, u64* move) noexcept nogil
    cdef bint _estimate(self, State state, double* shares) noexcept nogil
    cdef void _suppose(self, State state, int seat, Random random) noexcept nogil
    cdef u64 _prefer(self, State state, Moves moves, Random random) noexcept nogil
