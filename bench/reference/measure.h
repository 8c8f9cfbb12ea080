/* What is measured: random games and perft. Included last by every game. */

static void record(struct position *p, u64 key, int before)
{
    struct history *history = p->history;
    if (p->recorded == history->capacity) {
        u64 *keys = realloc(history->keys, history->capacity * 16);
        if (keys == NULL)
            abort();
        history->keys = keys;
        history->capacity *= 2;
    }
    int times = 1;
    u64 *met = &history->met[key >> 58], bit = 1ULL << (key >> 52 & 63), old = *met;
    *met = old | bit;
    if (before > 0 && old & bit) {
        int i = p->recorded - CYCLE;
        while (i >= before)
            i -= CYCLE;
        for (; i >= 0; i -= CYCLE)
            times += history->keys[i] == key;
    }
    history->keys[p->recorded++] = key;
    p->occurrences = times;
}

static void assign(struct position *to, const struct position *from)
{
    struct history *history = to->history;
    *to = *from;
    to->history = history;
    if (history != from->history) {
        while (history->capacity < from->recorded) {
            history->keys = realloc(history->keys, history->capacity * 16);
            history->capacity *= 2;
        }
        memcpy(history->keys, from->history->keys, from->recorded * sizeof(u64));
        memcpy(history->met, from->history->met, sizeof history->met);
    }
}

static void begin(struct position *p, struct history *history, const u64 *start)
{
    memset(p, 0, sizeof *p);
    memset(history, 0, sizeof *history);
    history->capacity = 64;
    history->keys = calloc(64, sizeof(u64));
    if (history->keys == NULL)
        abort();
    p->history = history;
    set_up(p, start);
    record(p, key(p), 0);
}

int playouts(const u64 *start, int games, u64 seed, int64_t *plies, double *shares, int64_t *endings)
{
    struct history first, second;
    struct position root, position;
    struct moves moves;
    moves.overflowed = 0;
    begin(&root, &first, start);
    begin(&position, &second, start);
    for (int i = 0; i < games; i++) {
        double share[2];
        assign(&position, &root);
        for (;;) {
            generate(&position, &moves);
            if (moves.count == 0)
                break;
            play(&position, moves.items[below(&seed, moves.count)]);
        }
        *plies += position.plies - root.plies;
        endings[result(&position, share)]++;
        shares[0] += share[0];
        shares[1] += share[1];
    }
    free(first.keys);
    free(second.keys);
    return moves.overflowed;
}

static int64_t nodes(const struct position *p, int depth)
{
    struct moves moves;
    moves.overflowed = 0;
    generate(p, &moves);
    if (moves.overflowed)
        abort();
    if (depth == 1)
        return moves.count;
    int64_t total = 0;
    for (int i = 0; i < moves.count; i++) {
        struct position next = *p;              /* with the same history */
        play(&next, moves.items[i]);
        total += nodes(&next, depth - 1);
    }
    return total;
}

int64_t perft(const u64 *start, int depth)
{
    struct history history;
    struct position root;
    begin(&root, &history, start);
    int64_t total = nodes(&root, depth);
    free(history.keys);
    return total;
}
