# What `rules.py` and `evaluation.py` share at C level: the fields of a state.

cimport cython
from escale.kernel.core cimport State, u64


@cython.final
cdef class CanoeState(State):
    cdef readonly u64 own                       # pegs of the seat to move
    cdef readonly u64 enemy
    cdef readonly int own_reserve
    cdef readonly int enemy_reserve
    cdef readonly bint won                      # the last to act has two canoes
    cdef readonly bint swaps                    # swap=on

    cdef inline bint may_swap(self) noexcept nogil
