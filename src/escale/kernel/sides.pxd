# What rules share with `sides.py` at C level.

from escale.kernel.core cimport State, u64

cdef class SidesState(State):
    cdef readonly u64 own                               # pieces of the seat to move
    cdef readonly u64 enemy
    cdef public bint numbered                           # a cell's bit is its number
    cdef void turned(self, u64 own, u64 enemy, int before) noexcept nogil
    cdef u64 _key(self) noexcept nogil
    cdef int _atom(self, u64 move, int index) noexcept nogil
    cdef int _observed(self) noexcept nogil
    cdef void _observe(self, int seat, float* out) noexcept nogil
