# What a seat sees, as numbers: for the rules.

from escale.kernel.core cimport u64

cdef int numbers() noexcept nogil
cdef void write_table(
    float* out, int marker, int laps, int drawing, int dealer, int first, int lost, int trump,
    u64 played
) noexcept nogil
cdef void write_seat(
    float* out, int i, bint other, bint unshown, int cell, u64 hand, int card, int void,
    int bid, int won, int left
) noexcept nogil
