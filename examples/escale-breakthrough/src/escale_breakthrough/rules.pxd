# What `rules.py` and `evaluation.py` share at C level: the fields of a state.

cimport cython
from escale.kernel.sides cimport SidesState


@cython.final
cdef class BreakthroughState(SidesState):
    cdef readonly bint won                      # by the last move
