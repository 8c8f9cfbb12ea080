# What a move and a list of moves hold, and how compiled modules make them.

cimport cython
from escale.kernel.core cimport Moves, u64


@cython.final
cdef class Move:
    cdef readonly object position
    cdef readonly u64 code
    cdef object _atoms                          # None until asked for
    cdef object _changes

@cython.locals(move=Move)
cdef Move move_of(object position, u64 code)


@cython.final
cdef class LegalMoves:
    cdef readonly object position
    cdef readonly Moves codes
