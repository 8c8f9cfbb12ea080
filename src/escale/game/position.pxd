# What a position holds, and what is asked of it at every ply.

cimport cython
from escale.game.moves cimport LegalMoves, Move, move_of
from escale.kernel.core cimport Moves, State, compact_moves


@cython.final
cdef class Position:
    cdef readonly object game
    cdef readonly object options
    cdef readonly State _state
    cdef readonly Position _parent
    cdef readonly Move _last
    cdef readonly object _line                           # see `alone`
    cdef readonly object fair_random
    cdef readonly int chance_count
    # What is worked out when it is asked for.
    cdef readonly Moves _legal
    cdef readonly object _choices
    cdef readonly object _cells
    cdef readonly object _outcome
    @cython.locals(legal=Moves)
    cdef Moves _codes(self)
    @cython.locals(chosen=Move, after=Position)
    cpdef Position play(self, object move)
    @cython.locals(position=Position)
    cpdef Position settled(self)
    @cython.locals(after=Position)
    cdef Position _next(self, Move move)
