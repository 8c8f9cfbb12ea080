# How moves are spelled: for the rules.

from escale.kernel.core cimport u64

cdef int spell(u64 own, u64 enemy, u64 canyon, u64 move, int* atoms) noexcept nogil
