/* Tortuga in plain C: a yardstick for the benchmark, not part of the product.
 *
 * The same rules, the same algorithm, the same order of moves and the same random numbers as
 * src/escale/games/tortuga/rules.py and the kernel, so that equal seeds give equal games. The
 * bits of the board are drawn there.
 *
 * start: own enemy neutral turn start_only longest
 */
#include "kernel.h"

#define BOARD 0x000F1F3F7F7E7C78ULL
#define BASE_SOUTH (1ULL << 24)
#define BASE_NORTH (1ULL << 30)
#define ENDS 0xFFFULL
#define STEP 7ULL
#define MAX_PLIES 300

enum { NEUTRALS, FRIENDS, ENEMIES };            /* whose turtles are jumped */
enum { BASE, STUCK, LENGTH };                   /* how a game ends */
enum { ALL, MOST_JUMPS, MOST_ENEMIES };         /* which chains are long enough */

struct position {
    COMMON
    u64 own, enemy, neutral;
    int start_only, longest;
};

struct search {                                 /* what one call of generate remembers */
    const struct position *p;
    struct moves *out;
    u64 hops[3][3], onward[3], landed;
    int duty, least;
};

static const int FORWARD[2][3] = { { 1, -7, 8 }, { -1, -8, 7 } };

static inline u64 shifted(u64 cells, int by)
{
    return cells << (by & 63) | cells >> (-by & 63);
}

static u64 key(const struct position *p)
{
    return mix(mix(mix(p->turn + 2, p->own), p->enemy), p->neutral);
}

static inline int base_reached(const struct position *p)
{
    return (p->enemy & (p->turn == 0 ? BASE_SOUTH : BASE_NORTH)) != 0;
}

static int stuck(const struct position *p)
{
    u64 taken = p->own | p->enemy | p->neutral, empty = BOARD & ~taken;
    for (int k = 0; k < 3; k++) {
        int by = FORWARD[p->turn][k];
        u64 reach = shifted(p->own, by);
        if ((reach | shifted(reach & taken, by)) & empty)
            return 0;
    }
    return 1;
}

static int result(const struct position *p, double *shares)
{
    int ending;
    if (base_reached(p))
        ending = BASE;
    else if (stuck(p))
        ending = STUCK;
    else {
        shares[0] = shares[1] = 0.5;
        return LENGTH;
    }
    shares[p->turn] = 0.0;
    shares[1 - p->turn] = 1.0;
    return ending;
}

static u64 turned(const struct position *p, u64 move, int theirs)
{
    u64 turtles = 0, cell = 1ULL << (move & 63);
    for (move >>= 12; move; move >>= 3) {
        int code = (int)(move & 7) - 1, by = FORWARD[p->turn][code < 3 ? code : code - 3];
        u64 over = shifted(cell, by);
        cell = shifted(over, by);
        if (!(over & p->own) && theirs == (code >= 3))
            turtles |= over;
    }
    return turtles;
}

static int shorter(u64 move, u64 other)
{
    for (move >>= 12, other >>= 12; move && other; move >>= 3)
        other >>= 3;
    return other != 0;
}

static int known(const struct search *s, u64 move)
{
    struct moves *out = s->out;
    for (int i = 0; i < out->count; i++) {
        u64 other = out->items[i];
        if (((other ^ move) & ENDS) == 0
            && turned(s->p, other, 1) == turned(s->p, move, 1)
            && turned(s->p, other, 0) == turned(s->p, move, 0)) {
            if (shorter(move, other))
                out->items[i] = move;
            return 1;
        }
    }
    return 0;
}

static inline void write(struct search *s, int at, int jumped, int enemies, u64 move)
{
    if (move >> s->least == 0)
        return;
    int duty = s->p->longest == MOST_ENEMIES ? enemies : enemies > 0;
    if (duty < s->duty)
        return;
    if (duty > s->duty) {
        s->duty = duty;
        s->out->count = 0;
    }
    if (jumped == FRIENDS) {
        if (s->landed & 1ULL << at && known(s, move))
            return;
        s->landed |= 1ULL << at;
    }
    add(s->out, move);
}

static int furthest(const struct search *s, int at, int jumped)
{
    int most = 0;
    u64 cell = 1ULL << at;
    for (int k = 0; k < 3; k++) {
        int after = jumped, hops;
        if (cell & s->hops[ENEMIES][k] && jumped != FRIENDS)
            after = ENEMIES;
        else if (cell & s->hops[FRIENDS][k] && jumped != ENEMIES)
            after = FRIENDS;
        else if (!(cell & s->hops[NEUTRALS][k]))
            continue;
        hops = 1 + furthest(s, at + 2 * FORWARD[s->p->turn][k], after);
        if (hops > most)
            most = hops;
    }
    return most;
}

static void chain(struct search *s, int at, int jumped, int enemies, u64 move, int bit)
{
    u64 cell = 1ULL << at;
    if (!(cell & s->onward[jumped])) {
        write(s, at, jumped, enemies, move | (u64)at << 6);
        return;
    }
    for (int k = 0; k < 3; k++) {
        int end = at + 2 * FORWARD[s->p->turn][k];
        u64 longer = move | (u64)(k + 1) << bit;
        if (cell & s->hops[NEUTRALS][k]) {
            chain(s, end, jumped, enemies, longer, bit + 3);
            chain(s, end, jumped, enemies, longer + (3ULL << bit), bit + 3);
        } else if (cell & s->hops[ENEMIES][k] && jumped != FRIENDS) {
            int more = !(s->p->start_only && enemies == 0);
            chain(s, end, ENEMIES, enemies + more, longer, bit + 3);
        } else if (cell & s->hops[FRIENDS][k] && jumped != ENEMIES && s->duty == 0)
            chain(s, end, FRIENDS, 0, longer, bit + 3);
    }
}

static inline void first_hops(struct search *s, int whose, int k)
{
    for (u64 starts = s->p->own & s->hops[whose][k]; starts; starts &= starts - 1) {
        int start = __builtin_ctzll(starts), end = start + 2 * FORWARD[s->p->turn][k];
        u64 move = start | (u64)(k + 1) << 12;
        if (s->p->longest == MOST_JUMPS)
            s->least = 12 + 3 * furthest(s, end, whose);
        chain(s, end, whose, whose == ENEMIES, move, 15);
        if (whose == NEUTRALS)
            chain(s, end, whose, 0, move + (3ULL << 12), 15);
    }
}

static void generate(const struct position *p, struct moves *out)
{
    out->count = 0;
    if (base_reached(p) || p->plies >= MAX_PLIES)
        return;
    u64 empty = BOARD & ~(p->own | p->enemy | p->neutral);
    u64 over_neutrals = 0, over_friends = 0, over_enemies = 0;
    struct search s;
    s.p = p;
    s.out = out;
    for (int k = 0; k < 3; k++) {
        int by = FORWARD[p->turn][k];
        u64 clear = shifted(empty, -by);
        over_neutrals |= s.hops[NEUTRALS][k] = shifted(clear & p->neutral, -by);
        over_friends |= s.hops[FRIENDS][k] = shifted(clear & p->own, -by);
        over_enemies |= s.hops[ENEMIES][k] = shifted(clear & p->enemy, -by);
    }
    s.onward[NEUTRALS] = over_neutrals | over_friends | over_enemies;
    s.onward[FRIENDS] = over_neutrals | over_friends;
    s.onward[ENEMIES] = over_neutrals | over_enemies;
    s.landed = 0;
    s.least = 0;
    s.duty = (p->own & over_enemies) != 0;
    if (s.duty) {
        for (int k = 0; k < 3; k++)
            first_hops(&s, ENEMIES, k);
        if (p->start_only)
            return;
    }
    if (p->neutral)
        for (int k = 0; k < 3; k++)
            first_hops(&s, NEUTRALS, k);
    if (s.duty)
        return;
    for (int k = 0; k < 3; k++) {
        int by = FORWARD[p->turn][k];
        u64 step = (STEP | (u64)(k + 1) << 3) << 12;
        add_each(out, shifted(p->own, by) & empty, step - by, 65);
        first_hops(&s, FRIENDS, k);
    }
}

static void play(struct position *p, u64 move)
{
    u64 cell = 1ULL << (move & 63), enemy = p->enemy;
    u64 own = (p->own ^ cell) | 1ULL << (move >> 6 & 63);
    move >>= 12;
    if ((move & 7) != STEP)
        for (; move; move >>= 3) {
            int code = (int)(move & 7) - 1, by = FORWARD[p->turn][code < 3 ? code : code - 3];
            u64 over = shifted(cell, by);
            cell = shifted(over, by);
            if (over & enemy) {
                enemy ^= over;
                p->neutral |= over;
            } else if (over & p->neutral) {
                p->neutral ^= over;
                if (code < 3)
                    own |= over;
                else
                    enemy |= over;
            }
        }
    p->own = enemy;
    p->enemy = own;
    p->turn ^= 1;
    p->plies++;
}

static void set_up(struct position *p, const u64 *start)
{
    p->own = start[0];
    p->enemy = start[1];
    p->neutral = start[2];
    p->turn = (int)start[3];
    p->start_only = (int)start[4];
    p->longest = (int)start[5];
}

#include "measure.h"
