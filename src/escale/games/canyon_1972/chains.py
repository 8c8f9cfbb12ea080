# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The steps of a chain of jumps: the rules only state its end and its captures.

A *way* is the cells on which a pawn lands, beginning with its own. It never returns to the same
cell with the same captures: that would only be longer. If it could still go on, to a cell on
which it has not yet been with these captures, a player who ends it there adds `stop`; if it
could not, no atom is added. So no way begins with another, and each prefix of a way is a move.

The notation of a move is its shortest way, the first found in the order of the eight directions. A
chain that ends on its start is the move of the pawn with the shortest way. Input accepts the
other ways too, shortest first, as long as there are no more than `MOST_WAYS`: crowded boards made
on purpose have millions, positions of real games a few dozen.

A jump goes two cells on, so that a pawn lands on sixteen cells only. Its cell and its captures
are a *stage*: the landing (bits 0-3), and a set of enemies (from bit 4) that numbers
only those which may be captured, the one on the lowest bit first.
"""

from __future__ import annotations

from collections.abc import Collection

import cython

from escale.games.canyon_1972 import geometry
from escale.kernel import each_bit

if cython.compiled:
    from cython.cimports.escale.kernel.core import lowest, ones, u64
    from cython.cimports.libc.stdlib import calloc, free
else:
    from escale.kernel.core import lowest, ones, u64

STOP, PASS = "stop", "pass"
MOST_WAYS = 2000

ATOMS = (*[geometry.NAMES[cell] for cell in range(64)], STOP, PASS)
"""The names of the atoms, by their numbers."""

A_STOP = cython.declare(cython.const[cython.int], 64)
A_PASS = cython.declare(cython.const[cython.int], 65)
NONE = cython.declare(cython.const[cython.int], -1)
ONE = cython.declare(cython.const[u64], 1)
ALL = cython.declare(cython.const[u64], 0xFFFFFFFFFFFFFFFF)
PARITY = cython.declare(cython.const[cython.int], 9)        # of a cell's file and rank
ROOM = cython.declare(cython.const[cython.int], 2016)       # ways, and fifteen pawns before them

# For each cell and direction, the cell next to it as a bit (0 if the one behind it is not on
# the board), and the one behind it.
OVER = cython.declare(u64[512])
BEHIND = cython.declare(cython.int[512])
if not cython.compiled:
    OVER, BEHIND = [0] * 512, [0] * 512


def lay_out() -> None:
    """Fill in the tables."""
    for cell in range(64):
        for k, (east, north) in enumerate(geometry.DIRECTIONS):
            behind = geometry.reach(cell, 2 * east, 2 * north)
            OVER[8 * cell + k] = 0 if behind is None else 1 << cell + east + 8 * north
            BEHIND[8 * cell + k] = cell if behind is None else behind


lay_out()


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def landing(cell: cython.int) -> cython.int:
    """The number of a cell among the sixteen on which a pawn can land."""
    return cell >> 4 << 2 | (cell & 7) >> 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def cell_of(stage: cython.int, start: cython.int) -> cython.int:
    """The cell of a pawn that began on `start`."""
    return (stage & 12) << 2 | (stage & 3) << 1 | (start & PARITY)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def members(captured: u64, enemies: u64) -> u64:
    """The enemies in a set."""
    found: u64 = 0
    while captured:
        if captured & 1:
            found |= enemies & -enemies & ALL
        enemies &= enemies - 1
        captured >>= 1
    return found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def landings(own: u64, enemy: u64, canyon: u64, start: cython.int) -> u64:
    """The cells that are free for the pawn on `start`; captures do not add to them."""
    return ~(own & ~(ONE << start) | enemy | canyon) & ALL


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def hop(
    own: u64, prey: u64, empty: u64, start: cython.int, stage: cython.int, k: cython.int
) -> cython.int:
    """The stage after a jump in direction k over a friend or one of `prey`; NONE if illegal.

    The jumped cell is never the pawn's start: one of them is a landing.
    """
    at: cython.int = 8 * cell_of(stage, start) + k
    to: cython.int = BEHIND[at]
    over: u64 = OVER[at]
    if over & (own | prey) == 0 or empty >> to & 1 == 0:
        return NONE
    if over & prey:
        taken: cython.int = 16 << ones(prey & (over - 1))
        if stage & taken:
            return NONE
        stage |= taken
    return stage & ~15 | landing(to)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def explore(
    own: u64, enemy: u64, canyon: u64, start: cython.int, prey: u64, goal: cython.int,
    before: cython.p_int, queue: cython.p_int,
) -> cython.void:
    """Write, for each stage in reach, the one before it plus 1; not beyond a goal, if there is one.

    There is room for `16 << ones(prey)` stages, in `before` filled with 0.
    """
    k: cython.int
    empty: u64 = landings(own, enemy, canyon, start)
    stage: cython.int = landing(start)
    head: cython.int = 0
    tail: cython.int = 1
    queue[0] = stage
    before[stage] = stage + 1
    while head < tail and (goal == NONE or before[goal] == 0):
        stage = queue[head]
        head += 1
        for k in range(8):
            after: cython.int = hop(own, prey, empty, start, stage, k)
            if after != NONE and before[after] == 0:
                before[after] = stage + 1
                queue[tail] = after
                tail += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def retrace(
    before: cython.p_int, goal: cython.int, start: cython.int, cells: cython.p_int
) -> cython.int:
    """Write the way to a stage; return its number of cells, 0 if the stage is not in reach.

    There are never more than 256: sixteen for each set of captures on the way, of which each is
    larger than the one before.
    """
    k: cython.int
    if before[goal] == 0:
        return 0
    count: cython.int = 1
    stage: cython.int = goal
    while before[stage] != stage + 1:           # only the first stage precedes itself
        stage = before[stage] - 1
        count += 1
    for k in range(count - 1, -1, -1):
        cells[k] = cell_of(goal, start)
        goal = before[goal] - 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def way(
    own: u64, enemy: u64, canyon: u64, start: cython.int, end: cython.int, prey: u64,
    cells: cython.p_int,
) -> cython.int:
    """The shortest way that captures all of `prey`, as in `retrace`."""
    before: cython.p_int
    size: cython.int = 16 << ones(prey)
    goal: cython.int = size - 16 | landing(end)
    if not cython.compiled:
        before = [0] * size
        explore(own, enemy, canyon, start, prey, goal, before, [0] * size)
        return retrace(before, goal, start, cells)
    before = cython.cast(cython.p_int, calloc(2 * size, cython.sizeof(cython.int)))
    if before == cython.NULL:
        return 0
    explore(own, enemy, canyon, start, prey, goal, before, before + size)
    count: cython.int = retrace(before, goal, start, cells)
    free(before)
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def could_go_on(
    own: u64, enemy: u64, canyon: u64, cells: cython.p_int, count: cython.int, captured: cython.int
) -> cython.bint:
    """Whether a way could have another jump: one that captures, or to a new cell since then."""
    i: cython.int
    k: cython.int
    start: cython.int = cells[0]
    stage: cython.int = captured << 4 | landing(cells[count - 1])
    empty: u64 = landings(own, enemy, canyon, start)
    for k in range(8):
        after: cython.int = hop(own, enemy, empty, start, stage, k)
        if after == NONE:
            continue
        if after >> 4 != captured:
            return True
        i = count - 1
        while cells[i] != cell_of(after, start):
            if i == 0 or enemy >> ((cells[i - 1] + cells[i]) >> 1) & 1:
                return True
            i -= 1
    return False


def spell(own, enemy, canyon, move, atoms):
    """Write the numbers of a move's atoms; return their count, at most 257."""
    start: cython.int = cython.cast(cython.int, move & 63)
    end: cython.int = cython.cast(cython.int, move >> 6 & 63)
    captured: cython.int = cython.cast(cython.int, move >> 12)
    if move == 0:
        atoms[0] = A_PASS
        return 1
    count: cython.int = 0
    if (start ^ end) & PARITY == 0:
        prey: u64 = members(captured, enemy)
        if start == end:
            start = first_round(own, enemy, canyon, prey, atoms)
            end = start
        count = way(own, enemy, canyon, start, end, prey, atoms)
    if count > 0:
        return ended(own, enemy, canyon, captured, atoms, count)
    atoms[0] = start                    # a step; or no memory for the search of a way
    atoms[1] = end
    return 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def ended(
    own: u64, enemy: u64, canyon: u64, captured: cython.int, atoms: cython.p_int, count: cython.int
) -> cython.int:
    """Add `stop` to a way that could go on; return its number of atoms."""
    if could_go_on(own, enemy, canyon, atoms, count, captured):
        atoms[count] = A_STOP
        return count + 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def first_round(
    own: u64, enemy: u64, canyon: u64, prey: u64, cells: cython.p_int
) -> cython.int:
    """The pawn that captures all of `prey` and returns to its cell with the fewest jumps."""
    best: cython.int = 0
    least: cython.int = 257
    pawns: u64 = own
    while pawns:
        pawn: cython.int = lowest(pawns)
        pawns &= pawns - 1
        count: cython.int = way(own, enemy, canyon, pawn, pawn, prey, cells)
        if 0 < count < least:
            least = count
            best = pawn
    return best


# ---- the Python side ----


@cython.final
@cython.cclass
class Explored:
    """All stages that a pawn can reach while it captures enemies of one set only."""

    start: cython.int
    prey: cython.int                    # numbered as in a move
    before: cython.p_int

    def __init__(
        self, own: u64, enemy: u64, canyon: u64, start: cython.int, prey: cython.int
    ):
        self.start, self.prey = start, prey
        size: cython.int = 16 << ones(prey)
        if cython.compiled:
            self.before = cython.cast(
                cython.p_int, calloc(2 * size, cython.sizeof(cython.int))
            )
            if self.before == cython.NULL:
                raise MemoryError(f"no room for {size} stages of a chain")
            queue = self.before + size
        else:
            self.before, queue = [0] * size, [0] * size
        explore(own, enemy, canyon, start, members(prey, enemy), NONE, self.before, queue)

    def __dealloc__(self):
        free(self.before)

    @cython.cfunc
    @cython.exceptval(check=False)
    def way(self, end: cython.int, captured: cython.int, cells: cython.p_int) -> cython.int:
        """The shortest way to `end` with these captures, as in `retrace`."""
        goal: cython.int = landing(end)
        member: cython.int = 16
        rest: cython.int = self.prey
        while rest:
            if captured & rest & -rest:
                goal |= member
            member <<= 1
            rest &= rest - 1
        return retrace(self.before, goal, self.start, cells)


def spelled(own: u64, enemy: u64, canyon: u64, moves: Collection[int]) -> list[tuple[int, ...]]:
    """The numbers of each move's atoms; one search finds all ways of a pawn."""
    atoms: cython.int[257]
    prey: cython.int[64]                # of each pawn
    explored: list = [None] * 64
    i: cython.int
    move: u64
    if not cython.compiled:
        atoms, prey = [0] * 257, [0] * 64
    for i in range(64):
        prey[i] = 0
    rounds: cython.int = 0              # the captures of chains that end on their start
    for move in moves:
        if move & 63 == move >> 6 & 63:
            rounds |= cython.cast(cython.int, move >> 12)
        else:
            prey[move & 63] |= cython.cast(cython.int, move >> 12)
    found = []
    for move in moves:
        start: cython.int = cython.cast(cython.int, move & 63)
        end: cython.int = cython.cast(cython.int, move >> 6 & 63)
        captured: cython.int = cython.cast(cython.int, move >> 12)
        count: cython.int
        if move == 0 or (start ^ end) & PARITY:
            count = spell(own, enemy, canyon, move, atoms)
        else:
            count = 0
            returns: cython.bint = start == end
            pawns: u64 = own if returns else ONE << start
            while pawns:
                i = lowest(pawns)
                pawns &= pawns - 1
                if explored[i] is None:
                    explored[i] = Explored(own, enemy, canyon, i, prey[i] | rounds)
                pawn: Explored = explored[i]
                length: cython.int = pawn.way(i if returns else end, captured, atoms)
                if length > 0 and (count == 0 or length < count):
                    count, start = length, i
            pawn = explored[start]
            pawn.way(start if returns else end, captured, atoms)
            count = ended(own, enemy, canyon, captured, atoms, count)
        found.append(tuple([atoms[i] for i in range(count)]))
    return found


def other_ways(
    own: u64, enemy: u64, canyon: u64, moves: Collection[int]
) -> list[tuple[tuple[int, ...], int]]:
    """The first ways of all pawns, those with fewer jumps first, that are no move's notation.

    The first way with the effect of a move is its notation.
    """
    starts: cython.int[2016]
    stages: cython.int[2016]
    parents: cython.int[2016]           # the way that is one jump shorter
    cells: cython.int[257]
    i: cython.int
    k: cython.int
    count: cython.int = 0
    if not cython.compiled:
        starts, stages, parents, cells = [0] * ROOM, [0] * ROOM, [0] * ROOM, [0] * 257
    for pawn in each_bit(own):
        starts[count], stages[count], parents[count] = pawn, landing(pawn), NONE
        count += 1
    pawns: cython.int = count
    last: cython.int = pawns + MOST_WAYS
    head: cython.int = 0
    while head < count < last:
        start: cython.int = starts[head]
        empty: u64 = landings(own, enemy, canyon, start)
        for k in range(8):
            after: cython.int = hop(own, enemy, empty, start, stages[head], k)
            if after == NONE or count == last:
                continue
            i = head
            while i != NONE and stages[i] != after and stages[i] >> 4 == after >> 4:
                i = parents[i]
            if i != NONE and stages[i] == after:
                continue
            starts[count], stages[count], parents[count] = start, after, head
            count += 1
        head += 1
    rounds = {move >> 12: move for move in moves if move & 63 == move >> 6 & 63}
    met = set()
    found = []
    for head in range(pawns, count):
        start = starts[head]
        end: cython.int = cell_of(stages[head], start)
        captured: cython.int = stages[head] >> 4
        move = rounds[captured] if start == end else start | end << 6 | captured << 12
        if move not in met:
            met.add(move)
            continue
        length: cython.int = 0
        i = head
        while i != NONE:
            length += 1
            i = parents[i]
        i = head
        for k in range(length - 1, -1, -1):
            cells[k] = cell_of(stages[i], start)
            i = parents[i]
        atoms = [cells[k] for k in range(length)]
        if could_go_on(own, enemy, canyon, cells, length, captured):
            atoms.append(A_STOP)
        found.append((tuple(atoms), move))
    return found


def captures(enemies: int, left: int) -> int:
    """The enemies that are missing, numbered as in a move."""
    return sum(1 << i for i, bit in enumerate(each_bit(enemies)) if not left >> bit & 1)
