# The river as tables, and where canoes may end: for the rules.

cdef char TERRAIN[180]
cdef short STEPS[1440]
cdef short DISTANCE[180]
cdef short DOWNSTREAM[180]

cdef int ends(int* at, int seats, int seat, int points, int* cells, int* steps) noexcept nogil
cdef bint is_shut(int* queue, int head, int tail, int* steps) noexcept nogil
cdef bint exactly(int* steps, int start, int target, int points) noexcept nogil
cdef bint winds(int cell, int left, int target, int* away, int* entered) noexcept nogil
