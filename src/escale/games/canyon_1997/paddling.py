# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The river as tables, the cells where a canoe may end its move, and its drift.

A cell is six times its row plus its column. The tables are filled in by `lay_out` from the map.

A canoe goes exactly as many steps as it has points, enters no cell twice, and ends as near to a
landing as such a way can lead it. Unless the river is blocked, such a way exists: if a landing is
more steps away than the points, the beginning of a shortest way to it has the required
length. So points are lost only at a landing, or if no landing can be reached at all.
"""

from __future__ import annotations

import cython

from escale.games.canyon_1997.river import RIVER

NONE = cython.declare(cython.const[cython.int], -1)
TAKEN = cython.declare(cython.const[cython.int], 999)       # in place of steps: no canoe passes
CELLS = cython.declare(cython.const[cython.int], 180)

# The kind of a cell, its neighbours (up to eight, then -1), its distance from a landing, and the
# target of its arrow; that of the waterfall leads through the cave.
if not cython.compiled:
    TERRAIN, STEPS, DISTANCE, DOWNSTREAM = [0] * 180, [0] * 1440, [0] * 180, [0] * 180

T_LANDING = cython.declare(cython.const[cython.int], 2)
T_WATERFALL = cython.declare(cython.const[cython.int], 3)
T_CURRENT = cython.declare(cython.const[cython.int], 4)


def lay_out(
    terrain: str, steps: list[list[int]], distance: list[int], downstream: list[int],
    footbridge: cython.int,
) -> None:
    """Fill in the tables: all rules use this river from now on."""
    i: cython.int
    j: cython.int
    kinds = {"S": 1, "L": 2, "W": 3, ">": 4, "<": 4, "^": 4, "v": 4}
    for i in range(CELLS):
        TERRAIN[i] = kinds.get(terrain[i], 0)
        DISTANCE[i] = distance[i]
        DOWNSTREAM[i] = footbridge if terrain[i] == "W" else downstream[i]
        near = [*steps[i], -1, -1, -1, -1, -1, -1, -1, -1]
        for j in range(8):
            STEPS[8 * i + j] = near[j]


lay_out(RIVER.terrain, RIVER.steps, RIVER.distance, RIVER.downstream, RIVER.footbridge)


def canoe_on(at, seats, cell):
    """The seat whose canoe is on a cell, or NONE."""
    i: cython.int
    for i in range(seats):
        if at[i] == cell:
            return i
    return NONE


def drift(at, seats, seat):
    """A canoe and all those in its way move on by one arrow; a rock stops them all.

    It returns the seats whose canoes fell down the waterfall, as bits.
    """
    row: cython.int[6]
    length: cython.int = 0
    fallen: cython.int = 0
    cell: cython.int
    pushed: cython.int = seat
    if not cython.compiled:
        row = [0] * 6
    while pushed != NONE:
        row[length] = pushed
        length += 1
        cell = DOWNSTREAM[at[pushed]]
        if cell < 0 or (TERRAIN[cell] != T_CURRENT and TERRAIN[cell] != T_WATERFALL):
            return 0
        pushed = canoe_on(at, seats, cell)
    while length > 0:
        length -= 1
        pushed = row[length]
        cell = DOWNSTREAM[at[pushed]]
        if TERRAIN[cell] == T_WATERFALL:
            cell = DOWNSTREAM[cell]
            fallen |= 1 << pushed
        at[pushed] = cell
    return fallen


def ends(at, seats, seat, points, cells, steps):
    """The cells on which a canoe may end its move, by number; none if it has to stay.

    `steps` gives the distance of each cell over free water, NONE if more than `points`.
    """
    i: cython.int
    j: cython.int
    queue: cython.int[180]
    if not cython.compiled:
        queue = [0] * 180
    for i in range(CELLS):
        steps[i] = NONE
    for i in range(seats):
        if at[i] != NONE:
            steps[at[i]] = TAKEN
    start: cython.int = at[seat]
    best: cython.int = DISTANCE[start]
    head: cython.int = 0
    tail: cython.int = 1
    cell: cython.int
    near: cython.int
    count: cython.int = 0
    queue[0] = start
    steps[start] = 0
    while head < tail and steps[queue[head]] < points:
        cell = queue[head]
        head += 1
        if TERRAIN[cell] == T_LANDING:
            continue
        for j in range(8):
            near = STEPS[8 * cell + j]
            if near < 0:
                break
            if steps[near] == NONE:
                steps[near] = steps[cell] + 1
                queue[tail] = near
                tail += 1
                if DISTANCE[near] < best:
                    best = DISTANCE[near]
    if points == 0:
        return 0
    # The nearest cells that the points can reach: each takes all of them.
    if best == 0 or best == DISTANCE[start] - points or is_shut(queue, head, tail, steps):
        if best < DISTANCE[start]:
            for i in range(CELLS):
                if DISTANCE[i] == best and 0 <= steps[i] <= points:
                    cells[count] = i
                    count += 1
        return count
    while count == 0:
        for i in range(CELLS):
            if DISTANCE[i] == best and 0 < steps[i] <= points and (
                steps[i] == points or exactly(steps, start, i, points)
            ):
                cells[count] = i
                count += 1
        best += 1
    return count


def is_shut(queue, head, tail, steps):
    """Whether no landing can be reached at all: it completes the search of `ends`."""
    j: cython.int
    cell: cython.int
    near: cython.int
    while head < tail:
        cell = queue[head]
        head += 1
        if TERRAIN[cell] == T_LANDING:
            return False
        for j in range(8):
            near = STEPS[8 * cell + j]
            if near < 0:
                break
            if steps[near] == NONE:
                steps[near] = steps[cell] + 1
                queue[tail] = near
                tail += 1
    return True


def exactly(steps, start, target, points):
    """Whether a way of exactly `points` steps leads to `target`, which is fewer steps away."""
    i: cython.int
    j: cython.int
    cell: cython.int
    near: cython.int
    head: cython.int = 0
    tail: cython.int = 1
    queue: cython.int[180]
    away: cython.int[180]
    entered: cython.int[180]
    if not cython.compiled:
        queue, away, entered = [0] * 180, [0] * 180, [0] * 180
    for i in range(CELLS):
        away[i] = TAKEN
        entered[i] = 1
    queue[0] = target
    away[target] = 0
    while head < tail:
        cell = queue[head]
        head += 1
        entered[cell] = 0
        for j in range(8):
            near = STEPS[8 * cell + j]
            if near < 0:
                break
            if (
                away[near] == TAKEN and steps[near] > 0
                and steps[near] + away[cell] + 1 <= points and TERRAIN[near] != T_LANDING
            ):
                away[near] = away[cell] + 1
                queue[tail] = near
                tail += 1
    if tail < points:
        return False
    return winds(start, points, target, away, entered)


def winds(cell, left, target, away, entered):
    """Whether a way of exactly `left` steps leads from `cell` to `target`, over no entered cell."""
    j: cython.int
    near: cython.int
    for j in range(8):
        near = STEPS[8 * cell + j]
        if near < 0:
            break
        if near == target:
            if left == 1:
                return True
            continue
        if entered[near] or away[near] >= left:
            continue
        entered[near] = 1
        if winds(near, left - 1, target, away, entered):
            return True
        entered[near] = 0
    return False
