# Dealing again what a seat cannot know: for the rules.

from escale.kernel.core cimport Random, u64

cdef void deal_anew(
    u64* hands, int* void, int seats, int seat, u64 unseen, Random random
) noexcept nogil
