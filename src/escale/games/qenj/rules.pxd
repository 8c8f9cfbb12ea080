# What each helper of the rules takes; the fields of a state are in `numbering.pxd`.

cimport cython
from escale.games.qenj.numbering cimport NumberedState
from escale.kernel.core cimport Moves, u32, u64


@cython.final
cdef class QenjState(NumberedState):
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
