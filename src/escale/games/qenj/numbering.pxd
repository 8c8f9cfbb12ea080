# The fields of a state, for `rules.py`, which moves them on, and `evaluation.py`.

from escale.kernel.core cimport State, u32, u64


cdef class NumberedState(State):
    cdef u64 columns[12]
    cdef u32 tally[12]
    cdef readonly int game                      # 0 to 3
    cdef readonly int phase
    cdef readonly int step                      # within the phase
    cdef readonly int north                     # the seat there, or -1
    cdef readonly int out_a                     # pieces A has taken out
    cdef readonly int out_b
    cdef readonly int won                       # the winner, or -1
    cdef readonly u64 dots                      # a row from 1, three bits a column
    cdef u64 latest                             # the key, if known, else 0
    cdef readonly bint quick                    # setup=quick
    cdef readonly bint free                     # pieces land in any order

    cdef inline int pointed(self, u64 move, int index) noexcept nogil
    cdef inline int stacked(self, u64 move, int index) noexcept nogil
    cdef inline int taken(self, u64 move, int which) noexcept nogil
    cdef inline int target(self, u64 move) noexcept nogil
