# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=False
"""Monte-Carlo tree search (UCT) over any game: random games steer a growing tree.

**Proven results.** A node at which the game is over is settled: its shares are certain. So is a
node whose mover has a settled child with the whole win, and a node with only settled
children (the mover takes the best share; chance must make no difference). Settled nodes are not
searched again: a visit adds its exact shares. When the root is settled, the search ends and
its result is called proven.

It is sound even if results depend on the way to a position (a third occurrence, a limit on plies),
because the tree is a tree: each node stands for one way from the root, is reached by playing just
these moves on a copy of the root with its history, and is never shared with another way. With more
than two seats a settled value supposes that each seat takes the most for itself; if such a
seat's best children give different shares to the others, the node is not settled.

The idea is from M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo Tree Search Solver" (2008),
here with shares instead of wins and losses.
"""

from __future__ import annotations

import math
import time

import cython

from escale.kernel.limit import Limit
from escale.kernel.result import Line, SearchResult
from escale.kernel.visit_sampling import sample_visits

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, Random, State, draw, rollout, u64
    from cython.cimports.escale.kernel.evaluation import Evaluation
    from cython.cimports.libc.math import log, sqrt
    from cython.cimports.libc.stdlib import calloc, free, realloc
else:
    from escale.kernel.core import Moves, Random, State, draw, rollout, u64
    from escale.kernel.evaluation import Evaluation
    log, sqrt = math.log, math.sqrt

DEEPEST = cython.declare(cython.const[cython.int], 512)     # plies of the tree, then a rollout
CHUNK = 256 if cython.compiled else 4                       # simulations between looks at the clock


@cython.final
@cython.cclass
class Tree:
    """The tree as parallel arrays; the children of a node stand in a row."""

    move: cython.pointer[u64]
    first: cython.pointer[cython.int]
    children: cython.pointer[cython.int]    # -1 until expanded
    visits: cython.pointer[cython.int]
    value: cython.pointer[cython.double]    # the sum of the shares of the seat that moved here
    used: cython.int
    room: cython.int                        # the nodes for which there is memory
    capacity: cython.int                    # the most nodes that are allowed
    ahead: cython.pointer[cython.int]       # settled: plies to the end, and 1; otherwise 0
    settled: cython.pointer[cython.double]  # settled: each seat's share, one seat after another
    seats: cython.int
    solve: cython.bint                      # whether to settle nodes
    deepest: cython.int
    totals: cython.double[8]                # shares of every seat, over all simulations
    of_moves: cython.pointer[cython.double]     # the same for each of the root's moves, in a row
    moves: Moves
    random: Random

    def __init__(
        self, capacity: cython.int, seats: cython.int, solve: cython.bint, moves: Moves,
        random: Random,
    ):
        if not cython.compiled:
            self.move, self.first, self.children, self.visits, self.value = [], [], [], [], []
            self.ahead, self.settled = [], []
            self.totals, self.of_moves = [0.0] * 8, []
        self.used = 0
        self.room = 0
        self.capacity = capacity
        self.seats = seats
        self.solve = solve
        self.deepest = 0
        self.moves = moves
        self.random = random
        if not self.grow(1):
            raise MemoryError("no room for a tree")
        self.put(0)

    def __dealloc__(self):
        free(self.move)
        free(self.first)
        free(self.children)
        free(self.visits)
        free(self.value)
        free(self.ahead)
        free(self.settled)
        free(self.of_moves)

    @cython.cfunc
    def begin(self, root: State, among: object) -> object:
        """Give the root its children; only those in `among`, if it is given."""
        self.expand(0, root)
        self.moves.check()
        if among is not None:
            self.used = self.first[0]
            self.children[0] = len(among)
            for move in among:
                self.put(move)
        if cython.compiled:
            room: cython.size_t = (self.children[0] + 1) * self.seats
            self.of_moves = cython.cast(cython.p_double, calloc(room, 8))
            if self.of_moves == cython.NULL:
                raise MemoryError("no room for a tree")
        else:
            self.of_moves = [0.0] * ((self.children[0] + 1) * self.seats)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def grow(self, wanted: cython.longlong) -> cython.bint:
        """Make room for `wanted` nodes; False when that is more than allowed, or no memory is left.

        Memory is taken as the tree grows: small searches are many, and need little.
        """
        if wanted <= self.room:
            return True
        if wanted > self.capacity:
            return False
        room: cython.longlong = min(max(2 * wanted, 1024), self.capacity)
        if cython.compiled:
            move = realloc(self.move, room * 8)
            if move != cython.NULL:
                self.move = cython.cast(cython.pointer[u64], move)
            first = realloc(self.first, room * 4)
            if first != cython.NULL:
                self.first = cython.cast(cython.pointer[cython.int], first)
            children = realloc(self.children, room * 4)
            if children != cython.NULL:
                self.children = cython.cast(cython.pointer[cython.int], children)
            visits = realloc(self.visits, room * 4)
            if visits != cython.NULL:
                self.visits = cython.cast(cython.pointer[cython.int], visits)
            value = realloc(self.value, room * 8)
            if value != cython.NULL:
                self.value = cython.cast(cython.pointer[cython.double], value)
            ahead = realloc(self.ahead, room * 4)
            if ahead != cython.NULL:
                self.ahead = cython.cast(cython.pointer[cython.int], ahead)
            settled = realloc(self.settled, room * 8 * self.seats)
            if settled != cython.NULL:
                self.settled = cython.cast(cython.pointer[cython.double], settled)
            if (
                move == cython.NULL or first == cython.NULL or children == cython.NULL
                or visits == cython.NULL or value == cython.NULL or ahead == cython.NULL
                or settled == cython.NULL
            ):
                return False
        else:
            for column in (
                self.move, self.first, self.children, self.visits, self.value, self.ahead,
            ):
                column.extend([0] * (room - self.room))
            self.settled.extend([0.0] * ((room - self.room) * self.seats))
        self.room = cython.cast(cython.int, room)
        return True

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def put(self, move: u64) -> cython.void:
        """Add a node, for which there must be room."""
        self.move[self.used] = move
        self.first[self.used] = 0
        self.children[self.used] = -1
        self.visits[self.used] = 0
        self.value[self.used] = 0.0
        self.ahead[self.used] = 0
        self.used += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand(self, node: cython.int, state: State) -> cython.bint:
        """Give `node` its children; False when the tree is full."""
        i: cython.int
        self.moves.count = 0
        state._legal_moves(self.moves)
        if not self.grow(cython.cast(cython.longlong, self.used) + self.moves.count):
            return False
        self.first[node] = self.used
        self.children[node] = self.moves.count
        for i in range(self.moves.count):
            self.put(self.moves.items[i])
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def select(self, node: cython.int, turn: cython.int) -> cython.int:
        """The child with the greatest upper confidence bound; unvisited ones first."""
        first: cython.int = self.first[node]
        best: cython.int = first
        best_bound: cython.double = -1.0
        bound: cython.double
        spread: cython.double = 0.5 * log(self.visits[node] + 1.0)
        child: cython.int
        visits: cython.int
        for child in range(first, first + self.children[node]):
            visits = self.visits[child]
            if visits == 0:
                return child
            if self.ahead[child]:
                bound = self.settled[child * self.seats + turn]
            else:
                bound = self.value[child] / visits + sqrt(spread / visits)
            if bound > best_bound:
                best_bound = bound
                best = child
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drawn(self, node: cython.int, state: State) -> cython.int:
        """The child that chance picks."""
        self.moves.count = 0
        state._legal_moves(self.moves)
        move: u64 = draw(state, self.moves, self.random)
        child: cython.int = self.first[node]
        last: cython.int = child + self.children[node] - 1
        while child < last and self.move[child] != move:
            child += 1
        return child

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self, node: cython.int, turn: cython.int) -> cython.bint:
        """Settle `node`, where it is the turn of `turn`, if its children allow it."""
        first: cython.int = self.first[node]
        last: cython.int = first + self.children[node]
        seats: cython.int = self.seats
        best: cython.int = -1
        longest: cython.int = 0
        child: cython.int
        seat: cython.int
        gain: cython.double
        if turn < 0:
            return self.settle_chance(node)
        for child in range(first, last):
            if self.ahead[child] and self.settled[child * seats + turn] >= 1.0 and (
                best < 0 or self.ahead[child] < self.ahead[best]
            ):
                best = child
        if best >= 0:
            longest = self.ahead[best]
        else:
            for child in range(first, last):
                if self.ahead[child] == 0:
                    return False
                longest = max(longest, self.ahead[child])
                gain = 1.0 if best < 0 else (
                    self.settled[child * seats + turn] - self.settled[best * seats + turn]
                )
                if gain > 0:
                    best = child
            for child in range(first, last):
                if self.settled[child * seats + turn] == self.settled[best * seats + turn]:
                    for seat in range(seats):
                        if (
                            self.settled[child * seats + seat]
                            != self.settled[best * seats + seat]
                        ):
                            return False
        for seat in range(seats):
            self.settled[node * seats + seat] = self.settled[best * seats + seat]
        self.ahead[node] = longest + 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle_chance(self, node: cython.int) -> cython.bint:
        """Settle a node of chance, if all its outcomes give the same shares."""
        seats: cython.int = self.seats
        first: cython.int = self.first[node]
        longest: cython.int = 0
        child: cython.int
        seat: cython.int
        for child in range(first, first + self.children[node]):
            if self.ahead[child] == 0:
                return False
            longest = max(longest, self.ahead[child])
            for seat in range(seats):
                if self.settled[child * seats + seat] != self.settled[first * seats + seat]:
                    return False
        for seat in range(seats):
            self.settled[node * seats + seat] = self.settled[first * seats + seat]
        self.ahead[node] = longest + 1
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def simulate(self, state: State) -> cython.void:
        """Walk down the tree, play one random game, and carry the result back up."""
        path: cython.int[512]
        mover: cython.int[512]
        shares: cython.double[8]
        if not cython.compiled:
            path, mover, shares = [0] * 512, [0] * 512, [0.0] * 8
        node: cython.int = 0
        length: cython.int = 1
        i: cython.int
        path[0] = 0
        mover[0] = -1
        while length < DEEPEST and self.ahead[node] == 0:
            if self.children[node] < 0 and (
                (self.visits[node] == 0 and node != 0) or not self.expand(node, state)
            ):
                break
            if self.children[node] == 0:
                break
            mover[length] = state.turn
            if state.turn >= 0:
                node = self.select(node, state.turn)
            else:
                node = self.drawn(node, state)
            path[length] = node
            length += 1
            state._play(self.move[node])
        self.deepest = max(self.deepest, length - 1)
        if self.ahead[node]:
            for i in range(self.seats):
                shares[i] = self.settled[node * self.seats + i]
        else:
            if self.solve and self.is_over(node, state):
                i = length - 1
                while i > 0 and self.settle(path[i - 1], mover[i]):
                    i -= 1
            else:
                rollout(state, self.moves, self.random)
            state._result(shares)
        for i in range(self.seats):
            self.totals[i] += shares[i]
            if length > 1:
                self.of_moves[path[1] * self.seats + i] += shares[i]
        for i in range(length):
            self.visits[path[i]] += 1
            if mover[i] >= 0:
                self.value[path[i]] += shares[mover[i]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_over(self, node: cython.int, state: State) -> cython.bint:
        """Whether the game is over at a node, which is then settled."""
        shares: cython.double[8]
        i: cython.int
        if not cython.compiled:
            shares = [0.0] * 8
        self.moves.count = 0
        state._legal_moves(self.moves)
        if self.moves.count or self.moves.overflowed:
            return False
        state._result(shares)
        for i in range(self.seats):
            self.settled[node * self.seats + i] = shares[i]
        self.ahead[node] = 1
        self.children[node] = 0
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(
        self, root: State, scratch: State, simulations: cython.int
    ) -> cython.int:
        """Run this number of simulations, or fewer if the root is settled; return their number."""
        i: cython.int
        for i in range(simulations):
            if self.ahead[0]:
                return i
            scratch.assign(root)
            self.simulate(scratch)
        return simulations

    @cython.cfunc
    def favourite(self, node: cython.int, turn: cython.int, without: object = ()) -> cython.int:
        """The child to choose, or -1: the most visited, unless a settled one is as good.

        Of equally good settled children, it is the shortest for a win and the longest for any
        other result. Those in `without` are left out.
        """
        open_best: cython.int = -1
        best: cython.int = -1
        child: cython.int
        share: cython.double
        best_share: cython.double = -1
        if self.children[node] <= 0:
            return -1
        for child in range(self.first[node], self.first[node] + self.children[node]):
            if child in without:
                continue
            if self.ahead[child] == 0 or turn < 0:
                if open_best < 0 or self.visits[child] > self.visits[open_best]:
                    open_best = child
                continue
            share = self.settled[child * self.seats + turn]
            if share > best_share or (share == best_share and (
                self.ahead[child] < self.ahead[best] if share >= 1
                else self.ahead[child] > self.ahead[best]
            )):
                best = child
                best_share = share
        if best < 0 or open_best < 0:
            return max(best, open_best)
        if self.visits[open_best] == 0:
            return best if best_share > 0 else open_best
        return best if best_share >= self.value[open_best] / self.visits[open_best] else open_best

    @cython.cfunc
    def sampled(self, root: State, temperature: object, seed: object) -> cython.int:
        """One of the root's children, drawn by their numbers of visits."""
        return 1 + sample_visits([
            0 if self.ahead[i] and self.settled[i * self.seats + root.turn] <= 0 else self.visits[i]
            for i in range(1, self.children[0] + 1)
        ], temperature, seed)

    @cython.cfunc
    def line_of(self, root: State, node: cython.int, simulations: object) -> object:
        """The expected line after one of the root's moves; given all simulations, from the root."""
        first: cython.int = node
        line = []
        here: State = root.copy()
        while node >= 0 and (not line or self.visits[node] > 0):
            line.append(self.move[node])
            here._play(self.move[node])
            node = self.favourite(node, here.turn)
        settled: cython.int = 0 if simulations else first
        if self.ahead[settled]:
            shares = [self.settled[settled * self.seats + i] for i in range(self.seats)]
            # A move of the root has one ply more to its end than its child.
            plies = self.ahead[settled] - (0 if settled else 1)
            return Line(tuple(line), tuple(shares), True, plies)
        if simulations:
            shares = [self.totals[i] / simulations for i in range(self.seats)]
        elif self.visits[first]:
            shares = [
                self.of_moves[first * self.seats + i] / self.visits[first]
                for i in range(self.seats)
            ]
        else:
            shares = [1 / self.seats] * self.seats
        return Line(tuple(line), tuple(shares))


def search(
    root: State,
    limit: Limit,
    evaluation: Evaluation,
    seed: object = 0,
    lines: cython.int = 1,
    capacity: object = None,
    among: object = None,
    temperature: object = 0,
    plain: cython.bint = False,
) -> SearchResult:
    """Search until the limit is reached or the result is proven; it does not use evaluations.

    The best move found is chosen; with a `temperature`, one is drawn, unless a proven one is best:
    see `sample_visits`. The shares of a single line are those of the whole search, those of several
    the results of the simulations that began with their move.

    The tree has at most `capacity` nodes; once it is full, the search goes on without growing it.
    A `plain` search proves nothing: it is the original UCT, for comparison.
    """
    started = time.perf_counter()
    simulations, seconds = limit.simulations, limit.seconds
    moves: Moves = Moves(root.capacity)
    most = max(2_000_000 if capacity is None else capacity, root.capacity + 1)   # the root must fit
    tree: Tree = Tree(most, root.seats, not plain, moves, Random(seed))
    scratch: State = root.copy()
    tree.begin(scratch, among)
    done = 0
    chunk: cython.int
    made: cython.int
    while True:
        chunk = CHUNK if simulations is None else min(CHUNK, simulations - done)
        if chunk <= 0:
            break
        with cython.nogil:
            made = tree.run(root, scratch, chunk)
        done += made
        if made < chunk or (seconds is not None and time.perf_counter() - started >= seconds):
            break
    moves.check()
    node: cython.int = tree.favourite(0, root.turn)
    if temperature and not tree.ahead[node]:
        node = tree.sampled(root, temperature, ~seed)
    chosen = [node]
    while len(chosen) < min(lines, tree.children[0]):
        chosen.append(tree.favourite(0, root.turn, chosen))
    found = [tree.line_of(root, node, done if lines == 1 else 0) for node in chosen]
    return SearchResult(
        "mcts", tuple(found), done, tree.used, tree.deepest,
        (time.perf_counter() - started) * 1000,
    )
