# What `rules.py` and `evaluation.py` share at C level: the fields of a state, and its helpers.

cimport cython
from escale.kernel.core cimport Moves, State, u32, u64


@cython.final
cdef class QenjState(State):
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

    cdef inline void put(self, int column, int row, u64 piece) noexcept nogil
    cdef inline u64 lift(self, int column, int row) noexcept nogil
    cdef u64 stirred(self) noexcept nogil
    cdef inline bint going_on(self) noexcept nogil
    cdef void transfers(self, bint north, Moves out) noexcept nogil
    cdef void deepest_first(self, u32 held, int k, u64 stack, u64 move, Moves out) noexcept nogil
    cdef void any_order(self, u32 held, int k, u64 stack, u64 move, Moves out) noexcept nogil
    cdef void arrange(
        self, u32 rows, int used, int done, int k, u64 stack, u64 move, bint fills, bint every,
        Moves out
    ) noexcept nogil
    cdef void transfer(self, u64 move) noexcept nogil
    cdef inline int column(self, int step) noexcept nogil
    cdef inline int row(self, int step) noexcept nogil
    cdef inline u64 piece(self, int step) noexcept nogil
    cdef int left(self, u64 what) noexcept nogil
    cdef void prepare(self, Moves out) noexcept nogil
    cdef bint crowded(self) noexcept nogil
    cdef bint repeats(self) noexcept nogil
    cdef void set_out(self, u64 move) noexcept nogil
    cdef inline void begin_play(self) noexcept nogil
