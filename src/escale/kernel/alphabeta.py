# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=False
"""Alpha-beta over any game of two seats without hidden information, deeper and deeper.

`alphabeta_tree.py` walks the tree; this module starts its searches and proves its claims.

**Why a claimed proof is true.** Some results depend on the way to a position: a third occurrence, a
limit on plies. A table that forgets the way can therefore be wrong about them, and so can the value
at the root; also, two positions might share a key. So the search only *suspects*: with each
value it keeps whether all that the value rests on are ends of the game (`solid`) and no evaluation.
When the root's value is solid, `proves` walks the game once more from the root with neither
table values nor evaluations: one reply for the seat whose claim it is, every reply for the other
seat and for chance, each played on the real position with its real history, down to positions that
the rules say are over. Only results that this walk confirms are called proven:

* a share of all (a win): its seat's walk reaches nothing less;
* a share of nothing (a loss): the other seat's walk wins;
* anything between (a draw): both seats' walks, each for its own share.

The walk takes from the table only the reply to try first. It may give up when time is over or,
if nodes are limited, when it becomes longer than the search was; then nothing is claimed. If it
refutes a claim, the search goes on with keys that contain the whole way to a position, which do not
mislead; a claim that is refuted even so is not proven, and the search goes deeper.

`plies_to_end` is the depth of that walk: the result can be forced within this many plies. It is the
fewest possible unless reductions hid a shorter way.
"""

from __future__ import annotations

import math
import time

import cython

from escale.kernel.limit import Limit
from escale.kernel.result import Line, SearchResult
from escale.kernel.weights import ODDS

if cython.compiled:
    from cython.cimports.escale.kernel.alphabeta_tree import (
        DECISIVE,
        DEEPEST,
        INFINITE,
        MOST,
        ONE_WIN,
        WIN,
        Frame,
        Tree,
    )
    from cython.cimports.escale.kernel.core import Moves, Random, State, mix, u64
    from cython.cimports.escale.kernel.evaluation import Evaluation
else:
    from escale.kernel.alphabeta_tree import (
        DECISIVE,
        DEEPEST,
        INFINITE,
        MOST,
        ONE_WIN,
        WIN,
        Frame,
        Tree,
    )
    from escale.kernel.core import Moves, Random, State, mix, u64
    from escale.kernel.evaluation import Evaluation

BEYOND = cython.declare(cython.const[cython.int], 16)       # extensions of a line, at most
WALK = cython.declare(cython.const[cython.int], 20000)      # nodes that any proof may take
MOST_ENTRIES = 1 << 20
PACE = 3_000_000                                            # nodes a second, at best


# ---- proofs ----


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def holds(
    tree: Tree, frame: Frame, depth: cython.int, height: cython.int, seat: cython.int,
    least: cython.int,
) -> cython.bint:
    """Whether `seat` can make sure of `least` points within `depth` plies: the proof's walk."""
    i: cython.int
    tree.count()
    if tree.stopped:
        return False
    tree.walked = max(tree.walked, height)
    if height > 0:                              # the root's moves are chosen already
        frame.moves.count = 0
        frame.state._legal_moves(frame.moves)
    if frame.moves.count == 0:
        return tree.points(frame.state, seat) >= least
    if depth <= 0 or height >= tree.frames:
        return False
    if frame.state.turn != seat:
        for i in range(frame.moves.count):
            tree.play(frame, frame.moves.items[i])
            if not holds(tree, frame.deeper, depth - 1, height + 1, seat, least):
                return False
        return True
    data: u64 = tree.table.find(tree.key(frame))
    i = tree.recall(frame, data >> 35) if data else -1
    if i >= 0:
        tree.play(frame, frame.moves.items[i])
        if holds(tree, frame.deeper, depth - 1, height + 1, seat, least):
            return True
    if depth > 2:                               # quick wins first, then the longer ones
        for i in range(frame.moves.count):
            tree.play(frame, frame.moves.items[i])
            if holds(tree, frame.deeper, 0, height + 1, seat, least):
                return True
    for i in range(frame.moves.count):
        tree.play(frame, frame.moves.items[i])
        if holds(tree, frame.deeper, depth - 1, height + 1, seat, least):
            return True
        if tree.stopped:
            return False
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def plain(tree: Tree, value: cython.int) -> cython.int:
    """A solid value of the root in points, as `Tree.points` would return them."""
    if value == -tree.contempt:
        return 0
    return ONE_WIN if value > DECISIVE else -ONE_WIN if value < -DECISIVE else value


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def proves(
    tree: Tree, frame: Frame, height: cython.int, value: cython.int, depth: cython.int
) -> cython.bint:
    """Whether a value is certain: that of the root, or of a move in the frame below it."""
    seat: cython.int = tree.top.state.turn
    tree.walked = 0
    points: cython.int = plain(tree, value)
    return (
        (points == -ONE_WIN or holds(tree, frame, depth - height, height, seat, points))
        and (points == ONE_WIN or holds(tree, frame, depth - height, height, 1 - seat, -points))
    )


@cython.cfunc
def continued(tree: Tree, line: list, plies: cython.int) -> list:
    """A proven line, as far as the table has its continuation."""
    here: State = tree.top.state.copy()
    frame: Frame = Frame(here)
    for move in line:
        here._play(move)
        frame.trail = mix(frame.trail, cython.cast(u64, move) + 1)
    while len(line) < plies:
        frame.moves.count = 0
        here._legal_moves(frame.moves)
        data: u64 = tree.table.find(tree.key(frame))
        i: cython.int = tree.recall(frame, data >> 35) if data else -1
        if i < 0:
            break
        move = frame.moves.items[i]
        line.append(move)
        here._play(move)
        frame.trail = mix(frame.trail, cython.cast(u64, move) + 1)
    return line


# ---- the search ----


def search(
    root: State,
    limit: Limit,
    evaluation: Evaluation,
    seed: object = 0,
    lines: cython.int = 1,
    capacity: object = None,
    among: object = None,
    noise: cython.int = 0,
    sure: cython.int = 0,
    slip: cython.int = 0,
    contempt: cython.int = 0,
) -> SearchResult:
    """Search one ply deeper after the other, to the limit.

    With `noise` every evaluation has an error of at most that many points, by the seed; ends of
    the game have no error. `sure` plies are searched in full even when that takes more
    nodes: with one, no win in one move is missed; with two, no such win of the other seat. Of
    a hundred searches, chosen by the seed, `slip` have one such ply less. With `contempt` a draw
    is worse than an even game by that many points: a player who expects to be better goes on
    playing, and keeps away from positions that are likely to be drawn (`Evaluation.draw_odds`).

    The table has at most `capacity` entries, a million by default, and fewer for few nodes or
    little time: fresh memory is slow.

    The seed decides between moves that are equally good. With several `lines` each depth is
    searched for the best move, then for the best of the others, and so on; a move whose value is
    proven is set aside, and the search ends when nothing is left to find.
    """
    if root.seats != 2:
        raise ValueError(f"alpha-beta is for two seats, not {root.seats}")
    started = time.perf_counter()
    nodes, seconds = limit.nodes, limit.seconds
    tree: Tree = Tree(root, evaluation, entries_for(nodes, seconds, capacity))
    dice: Random = Random(seed)
    tree.noise = noise
    tree.contempt = contempt
    tree.regret = 0.5 - 1 / (1 + math.exp(contempt / ODDS))
    tree.salt = dice._next()
    if slip > 0 and dice.below(100) < slip:
        sure -= 1
    tree.until = 0 if seconds is None else started + seconds
    deepest: cython.int = DEEPEST if limit.depth is None else min(limit.depth, DEEPEST)
    list_moves(tree, seed, among)
    moves: Moves = tree.top.moves
    lines = min(lines, moves.count)

    place: cython.int
    latest: cython.int
    plies: cython.int
    step: cython.int = 1
    done: cython.int = 0
    proven: cython.bint
    walked: cython.longlong = 0             # nodes of proofs
    # Value, line and, if proven, plies: of the last result, and of moves set aside.
    found: list = [(0, [moves.items[i]], None) for i in range(lines)]
    settled: list = []
    while step <= deepest and moves.count > 0:
        tree.make_room(step + BEYOND)
        tree.iteration += 1
        before, found = found, []
        misled = False
        place = 0
        while place < min(lines, moves.count):
            value: cython.int = before[place][0] if place < len(before) else 0
            tree.most = 1 << 62 if nodes is None or step <= sure else nodes + walked
            with cython.nogil:
                latest = tree.deepen(place, step, value)
            if not tree.stopped or (place == 0 and latest > -INFINITE):
                found.append((latest, [tree.top.line[i] for i in range(tree.top.length)], None))
            if tree.stopped:
                break
            if place == 0:
                done = step
            if not tree.solid:
                place += 1
                continue
            plies = WIN - abs(latest) if abs(latest) > DECISIVE else tree.frames
            searched = tree.nodes
            tree.most = 1 << 62 if nodes is None else tree.nodes + max(WALK, tree.nodes)
            if lines > 1:
                tree.play(tree.top, moves.items[place])
            with cython.nogil:
                if lines == 1:
                    proven = proves(tree, tree.top, 0, latest, plies)
                else:
                    proven = proves(tree, tree.top.deeper, 1, latest, plies)
            walked += tree.nodes - searched
            if proven:
                _, line, _ = found.pop()
                settled.append((latest, continued(tree, line, tree.walked), tree.walked))
                if lines == 1:
                    moves.count = 0         # nothing is left to find
                else:
                    set_aside(moves, place)
            elif tree.stopped:
                break
            elif tree.wary:
                place += 1
            else:
                misled = True               # the table has misled the search: see above
                break
        if tree.stopped or misled:          # unsearched moves keep their last values
            firsts = [line[0] for _, line, _ in found]
            found += [other for other in before if other[1][0] not in firsts]
        if tree.stopped:
            break
        wins = sum([value > DECISIVE for value, _, _ in settled])
        if wins >= lines:
            break
        step += 1
        if misled:
            tree.wary = True
            step = 1
    tree.top.check()
    known = [line[0] for _, line, _ in settled]
    every = settled + [one for one in found if one[1][0] not in known]
    if lines > 1:
        every = sorted(every, key=lambda one: -one[0])
    return SearchResult(
        "alphabeta",
        tuple([line_of(tree, value, line, within) for value, line, within in every[:lines]]),
        0, tree.nodes, done, (time.perf_counter() - started) * 1000,
    )


@cython.cfunc
def entries_for(nodes: object, seconds: object, capacity: object) -> object:
    """The number of entries of the table: a power of two."""
    most = MOST_ENTRIES if capacity is None else max(2, capacity)
    if seconds is not None:
        most = min(most, max(2, seconds * PACE))
    entries = 2
    while 2 * entries <= most and (nodes is None or entries < nodes):
        entries *= 2
    return entries


@cython.cfunc
def list_moves(tree: Tree, seed: object, among: object) -> object:
    """Write the root's moves, shuffled by the seed; only those in `among`, if it is given."""
    i: cython.int
    moves: Moves = tree.top.moves
    moves.count = 0
    tree.top.state._legal_moves(moves)
    moves.check()
    left = [moves.items[i] for i in range(moves.count)] if among is None else list(among)
    moves.count = len(left)
    random: Random = Random(seed)
    for i in range(len(left) - 1, 0, -1):
        j = random.below(i + 1)
        left[i], left[j] = left[j], left[i]
    for i in range(len(left)):
        moves.items[i] = left[i]


@cython.cfunc
def set_aside(moves: Moves, place: cython.int) -> object:
    """Stop the search of the root's move at that place."""
    i: cython.int
    moves.count -= 1
    for i in range(place, moves.count):
        moves.items[i] = moves.items[i + 1]


@cython.cfunc
def line_of(tree: Tree, value: cython.int, line: list, plies: object) -> object:
    """A line with each seat's share; `plies` if it is proven."""
    if plies is not None:
        mine = (1 + plain(tree, value) / ONE_WIN) / 2
    else:
        mine = 1 / (1 + math.exp(-max(-MOST, min(MOST, value)) / ODDS))
        mine = max(0.0005, min(0.9995, mine))
    shares = (mine, 1 - mine) if tree.top.state.turn == 0 else (1 - mine, mine)
    return Line(tuple(line), shares, plies is not None, plies)
