# What compiled modules see of the core at C level.

ctypedef unsigned long long u64
ctypedef unsigned int u32

cdef extern from *:
    """
    #ifdef __linux__
    #include <sys/mman.h>
    #endif
    #define escale_lowest(x) __builtin_ctzll(x)
    #define escale_highest(x) (63 - __builtin_clzll(x))
    #define escale_ones(x) __builtin_popcountll(x)
    #define escale_fetch(x) __builtin_prefetch(x)
    static inline void escale_in_large_pages(void *start, size_t size) {
    #ifdef MADV_HUGEPAGE
        size_t page = 1 << 21, past = (size_t) start % page, skip = past ? page - past : 0;
        if (size > skip + page) madvise((char *) start + skip, size - skip, MADV_HUGEPAGE);
    #endif
    }
    """
    int lowest "escale_lowest" (u64) noexcept nogil     # index of the lowest set bit
    int highest "escale_highest" (u64) noexcept nogil   # and of the highest
    int ones "escale_ones" (u64) noexcept nogil         # how many bits are set
    void fetch "escale_fetch" (void*) noexcept nogil    # into the cache, while something else is done
    void in_large_pages "escale_in_large_pages" (void*, size_t) noexcept nogil  # fewer to look up

cdef class Moves:
    cdef u64* items
    cdef readonly int count
    cdef readonly int capacity
    cdef readonly bint overflowed
    cdef int room                                       # for how many there is memory
    cdef int index(self, u64 move) noexcept nogil

# Inlined into every generator. A move that does not fit is not written; the caller that asked
# for the moves sees `overflowed` and raises.
cdef inline void add(Moves moves, u64 move) noexcept nogil:
    if moves.count < moves.capacity:
        moves.items[moves.count] = move
        moves.count += 1
    else:
        moves.overflowed = True

# The same for many moves at once: `base + factor * b` for every set bit b, lowest first.
cdef inline void add_each(Moves moves, u64 bits, u64 base, u64 factor) noexcept nogil:
    cdef u64* items = moves.items
    cdef int count = moves.count
    cdef int capacity = moves.capacity
    while bits:
        if count == capacity:
            moves.overflowed = True
            break
        items[count] = base + factor * <u64>lowest(bits)
        count += 1
        bits &= bits - 1
    moves.count = count

# Into an observation: 1 for every set bit b, at `start + b`.
cdef inline void mark_each(float* out, int start, u64 bits) noexcept nogil:
    while bits:
        out[start + lowest(bits)] = 1.0
        bits &= bits - 1

cdef inline u64 mix(u64 key, u64 word) noexcept nogil:
    key = (key ^ word) * 0x9E3779B97F4A7C15ULL
    return key ^ (key >> 29)

# All bits of a board of 64, moved by a stride: up where it is more than 0, else down.
cdef inline u64 rotated(u64 bits, int by) noexcept nogil:
    return bits << (by & 63) | bits >> (-by & 63)

cdef class History:
    cdef u64* keys
    cdef int capacity
    cdef u64 met[64]                                    # a bit for every key, several on one bit
    cdef int used                                       # keys that some position relies on
    cpdef History upto(self, int count)
    cdef bint grow(self) noexcept nogil

cdef class Random:
    cdef u64 state
    cdef u64 _next(self) noexcept nogil
    cdef u32 _below(self, u32 n) noexcept nogil

cdef class State:
    cdef History history
    cdef Py_ssize_t offset, size                        # of what follows, to the subclass's end
    cdef readonly int turn
    cdef readonly int plies
    cdef readonly int seats
    cdef readonly int occurrences
    cdef public int capacity
    cdef public bint every_way
    cdef int recorded
    cdef int cycle
    cdef void _legal_moves(self, Moves out) noexcept nogil
    cdef void _play(self, u64 move) noexcept nogil
    cdef int _result(self, double* shares) noexcept nogil
    cdef u64 _key(self) noexcept nogil
    cdef u64 _circumstances(self) noexcept nogil
    cdef u32 _chance_weight(self, u64 move) noexcept nogil
    cdef void _redeal(self, int seat, Random random) noexcept nogil
    cdef int _atom(self, u64 move, int index) noexcept nogil
    cdef int _observed(self) noexcept nogil
    cdef void _observe(self, int seat, float* out) noexcept nogil
    cdef void record(self, u64 key, int before) noexcept nogil
    cdef void assign(self, State other) noexcept nogil
    cdef void take_fields(self, State other) noexcept nogil
    cdef State twin(self, History history)
    cpdef State copy(self)
    cpdef State shadow(self)
    cpdef State child(self, u64 move)

cdef u64 draw(State state, Moves moves, Random random) noexcept nogil
cdef Moves compact_moves(State state)
cdef void rollout(State state, Moves moves, Random random) noexcept nogil
