/* What the yardsticks share: the kernel's part, in plain C. Included first by every game. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;

#define CAPACITY 4096
#define CYCLE 2

struct moves {
    u64 items[CAPACITY];
    int count, overflowed;
};

struct history {
    u64 *keys;
    int capacity;
    u64 met[64];
};

/* The first fields of every `struct position`. */
#define COMMON \
    int turn, plies, occurrences, recorded; \
    struct history *history;

struct position;
static void record(struct position *p, u64 key, int before);

static inline void add(struct moves *moves, u64 move)
{
    if (moves->count < CAPACITY)
        moves->items[moves->count++] = move;
    else
        moves->overflowed = 1;
}

static inline void add_each(struct moves *moves, u64 bits, u64 base, u64 factor)
{
    int count = moves->count;
    for (; bits; bits &= bits - 1) {
        if (count == CAPACITY) {
            moves->overflowed = 1;
            break;
        }
        moves->items[count++] = base + factor * __builtin_ctzll(bits);
    }
    moves->count = count;
}

static inline u64 mix(u64 key, u64 word)
{
    key = (key ^ word) * 0x9E3779B97F4A7C15ULL;
    return key ^ (key >> 29);
}

static inline u64 random_bits(u64 *state)       /* SplitMix64 */
{
    u64 z = *state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static inline uint32_t below(u64 *state, uint32_t n)
{
    return ((random_bits(state) >> 32) * n) >> 32;
}
