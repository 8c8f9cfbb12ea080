# What `rules.py` and `evaluation.py` share at C level: the fields of a state, and its helpers.

cimport cython
from escale.kernel.core cimport Moves, State, u64


@cython.final
cdef class TortugaState(State):
    cdef readonly u64 own                       # turtles of the seat to move
    cdef readonly u64 enemy
    cdef readonly u64 neutral
    cdef readonly bint start_only               # obligation=start
    cdef readonly int longest                   # MOST_JUMPS, MOST_ENEMIES, or 0
    # The rest is of use during `_legal_moves` only.
    cdef u64 hops[9]            # [3 * whose + k]: from where a hop goes over such a turtle
    cdef u64 onward[3]          # [jumped]: where a chain that has jumped such turtles must go on
    cdef int duty               # enemies that a legal move has to jump
    cdef int least              # the bit from which a chain that is long enough has its last hop
    cdef u64 landed             # where chains over friends have ended
    cdef u64 ours, theirs       # see `walk`

    cdef inline bint base_reached(self) noexcept nogil
    cdef bint stuck(self) noexcept nogil
    cdef inline void first_hops(self, int whose, int k, Moves out) noexcept nogil
    cdef void chain(
        self, int at, int jumped, int enemies, u64 move, int bit, Moves out
    ) noexcept nogil
    cdef int furthest(self, int at, int jumped) noexcept nogil
    cdef inline void write(
        self, int at, int jumped, int enemies, u64 move, Moves out
    ) noexcept nogil
    cdef bint known(self, u64 move, Moves out) noexcept nogil
    cdef inline int walk(self, u64 move, int index) noexcept nogil
