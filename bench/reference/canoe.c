/* Canoë in plain C: a yardstick for the benchmark, not part of the product.
 *
 * The same rules, the same algorithm, the same order of moves and the same random numbers as
 * src/escale/games/canoe/rules.py and the kernel, so that equal seeds give equal games. The bits
 * of the board are drawn there.
 *
 * start: own enemy turn swaps
 */
#include "kernel.h"

#define BOARD 0x1FFFFFFFFFFFFFFFULL
#define RESERVE 63ULL
#define SWAP 0xFFFULL
#define PEGS 13
#define MAX_PLIES 200

enum { CANOES, REPETITION, LENGTH };            /* how a game ends */

struct position {
    COMMON
    u64 own, enemy;
    int own_reserve, enemy_reserve, won, swaps;
};

static u64 neighbours[61], canoe[244], around[244];

static inline int valid(u64 pegs, int i)
{
    return (pegs & canoe[i]) == canoe[i] && !(pegs & around[i]);
}

static int canoes(u64 pegs)
{
    int count = 0;
    for (u64 level = pegs & pegs >> 1; level; level &= level - 1) {
        int i = 4 * __builtin_ctzll(level);
        count += valid(pegs, i) + valid(pegs, i + 1);
    }
    for (u64 upright = pegs & (pegs >> 12 | pegs >> 13); upright; upright &= upright - 1) {
        int i = 4 * __builtin_ctzll(upright);
        count += valid(pegs, i + 2) + valid(pegs, i + 3);
    }
    return count;
}

static u64 key(const struct position *p)
{
    return mix(mix(p->turn, p->own), p->enemy);
}

static int result(const struct position *p, double *shares)
{
    if (p->won) {
        shares[p->turn] = 0.0;
        shares[1 - p->turn] = 1.0;
        return CANOES;
    }
    shares[0] = shares[1] = 0.5;
    return p->occurrences >= 3 ? REPETITION : LENGTH;
}

static void generate(const struct position *p, struct moves *out)
{
    out->count = 0;
    if (p->won || p->plies >= MAX_PLIES || p->occurrences >= 3)
        return;
    u64 empty = BOARD & ~(p->own | p->enemy);
    if (p->own_reserve)
        add_each(out, empty, RESERVE, 64);
    for (u64 pegs = p->own; pegs; pegs &= pegs - 1) {
        int hole = __builtin_ctzll(pegs);
        add(out, hole | RESERVE << 6);
        add_each(out, neighbours[hole] & empty, hole, 64);
    }
    if (p->plies == 1 && p->swaps && p->turn == 1 && p->own_reserve == PEGS
        && p->enemy_reserve == PEGS - 1)
        add(out, SWAP);
}

static void play(struct position *p, u64 move)
{
    u64 own = p->own;
    int reserve = p->own_reserve;
    if (move == SWAP) {
        own = p->enemy;
        p->enemy = 0;
        reserve = p->enemy_reserve;
        p->enemy_reserve = PEGS;
    } else {
        if ((move & 63) == RESERVE)
            reserve--;
        else
            own ^= 1ULL << (move & 63);
        if (move >> 6 == RESERVE)
            reserve++;
        else
            own |= 1ULL << (move >> 6);
    }
    p->own = p->enemy;
    p->own_reserve = p->enemy_reserve;
    p->enemy = own;
    p->enemy_reserve = reserve;
    p->turn ^= 1;
    p->plies++;
    p->won = reserve <= PEGS - 8 && canoes(own) >= 2;
    record(p, key(p), p->recorded);
}

/* ---- the tables ---- */

static int hole_at(int row, int column)         /* its bit, or -1 */
{
    static const int left[] = { 3, 1, 0, 0, 0 }, width[] = { 7, 11, 13, 13, 13 };
    int bit = 0;
    if (row == 5)
        return column == 1 || column == 2 ? 56 + column
            : column == 10 || column == 11 ? 49 + column : -1;
    if (row < 0 || row > 5 || column < left[row] || column >= left[row] + width[row])
        return -1;
    for (int below = 0; below < row; below++)
        bit += width[below];
    return bit + column - left[row];
}

static u64 bit_at(int row, int column)
{
    int hole = hole_at(row, column);
    return hole < 0 ? 0 : 1ULL << hole;
}

static void fill_tables(void)
{
    static const int shapes[4][4][2] = {
        { { 0, 0 }, { 1, 1 }, { 1, 2 }, { 0, 3 } }, { { 1, 0 }, { 0, 1 }, { 0, 2 }, { 1, 3 } },
        { { 0, 1 }, { 1, 0 }, { 2, 0 }, { 3, 1 } }, { { 0, 0 }, { 1, 1 }, { 2, 1 }, { 3, 0 } },
    };
    for (int row = 0; row < 6; row++)
        for (int column = 0; column < 13; column++)
            if (hole_at(row, column) >= 0)
                for (int i = -1; i <= 1; i++)
                    for (int j = -1; j <= 1; j++)
                        if (i || j)
                            neighbours[hole_at(row, column)] |= bit_at(row + i, column + j);
    for (int i = 0; i < 244; i++)
        canoe[i] = ~0ULL;
    for (int row = 0; row < 6; row++)
        for (int column = 0; column < 13; column++)
            for (int shape = 0; shape < 4; shape++) {
                u64 pegs = 0, rim = 0;
                int i, at, middle = 0;
                for (i = 0; i < 4; i++) {
                    at = hole_at(row + shapes[shape][i][0], column + shapes[shape][i][1]);
                    if (at < 0)
                        break;
                    if (i == 1)
                        middle = at;
                    pegs |= 1ULL << at;
                    rim |= neighbours[at];
                }
                if (i == 4) {
                    canoe[4 * middle + shape] = pegs;
                    around[4 * middle + shape] = rim & ~pegs;
                }
            }
}

static void set_up(struct position *p, const u64 *start)
{
    if (canoe[0] == 0)
        fill_tables();
    p->own = start[0];
    p->enemy = start[1];
    p->turn = (int)start[2];
    p->swaps = (int)start[3];
    p->own_reserve = PEGS - __builtin_popcountll(p->own);
    p->enemy_reserve = PEGS - __builtin_popcountll(p->enemy);
    p->won = canoes(p->enemy) >= 2;
}

#include "measure.h"
