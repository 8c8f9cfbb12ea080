# What `rules.py` and `evaluation.py` share at C level: the fields of a state.

cimport cython
from escale.kernel.core cimport State, u64


@cython.final
cdef class BreakthroughState(State):
    cdef readonly u64 own                       # pieces of the seat to move
    cdef readonly u64 enemy
    cdef readonly bint won                      # by the last move
