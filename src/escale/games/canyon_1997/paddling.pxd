# The river as tables, where canoes may end, and where they drift: for the rules.

cdef char TERRAIN[180]
cdef short STEPS[1440]
cdef short DISTANCE[180]
cdef short DOWNSTREAM[180]

cdef int canoe_on(int* at, int seats, int cell) noexcept nogil
cdef int drift(int* at, int seats, int seat) noexcept nogil
cdef int ends(int* at, int seats, int seat, int points, int* cells, int* steps) noexcept nogil
cdef bint is_shut(int* queue, int head, int tail, int* steps) noexcept nogil
cdef bint exactly(int* steps, int start, int target, int points) noexcept nogil
cdef bint winds(int cell, int left, int target, int* away, int* entered) noexcept nogil
