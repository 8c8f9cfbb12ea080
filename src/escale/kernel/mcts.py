# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=False
"""Monte-Carlo tree search (UCT) over any game: random games steer a growing tree.

**Proven results.** A node at which the game is over is settled: its shares are certain. So is a
node whose mover has a settled child with the whole win, and a node all of whose children are
settled (the mover takes the best share; a lot must make no difference). Settled nodes are not
searched again: visiting one adds its exact shares. When the root is settled, the search ends and
its result is called proven.

This is sound where results depend on the way to a position (a third occurrence, a limit on plies),
because the tree is a tree: each node stands for one way from the root, is reached by playing just
these moves on a copy of the root with its history, and is never shared with another way. With more
than two seats a settled value supposes that each seat takes the most for itself; where such a
seat's best children differ in what they leave to the others, the node is not settled.

The idea is from M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo Tree Search Solver" (2008),
here with shares instead of wins and losses.
"""

from __future__ import annotations

import math
import time

import cython

from escale.kernel.temper import tempered
from escale.kernel.thought import Thought

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, Random, State, draw, rollout, u64
    from cython.cimports.libc.math import log, sqrt
    from cython.cimports.libc.stdlib import free, realloc
else:
    from escale.kernel.core import Moves, Random, State, draw, rollout, u64
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
    value: cython.pointer[cython.double]    # shares of the seat that moved here, added up
    used: cython.int
    room: cython.int                        # nodes there is memory for
    capacity: cython.int                    # nodes there may be
    ahead: cython.pointer[cython.int]       # settled: plies to the end, and 1; otherwise 0
    settled: cython.pointer[cython.double]  # settled: each seat's share, one seat after another
    seats: cython.int
    solve: cython.bint                      # whether anything is to be settled
    deepest: cython.int
    totals: cython.double[8]                # shares of every seat, over all simulations
    moves: Moves
    random: Random

    def __init__(
        self, capacity: cython.int, seats: cython.int, solve: cython.bint, moves: Moves,
        random: Random,
    ):
        if not cython.compiled:
            self.move, self.first, self.children, self.visits, self.value = [], [], [], [], []
            self.ahead, self.settled = [], []
            self.totals = [0.0] * 8
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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def grow(self, wanted: cython.longlong) -> cython.bint:
        """Make room for so many nodes; False when there may not be as many, or no memory is left.

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
        """One more node, for which there must be room."""
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
        state.generate(self.moves)
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
        state.generate(self.moves)
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
            return self.settle_lot(node)
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
    def settle_lot(self, node: cython.int) -> cython.bint:
        """The same where a lot is drawn, if it makes no difference what is drawn."""
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
        """One walk down the tree, one random game, and the result carried back up."""
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
            state.play(self.move[node])
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
            state.result(shares)
        for i in range(self.seats):
            self.totals[i] += shares[i]
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
        state.generate(self.moves)
        if self.moves.count or self.moves.overflowed:
            return False
        state.result(shares)
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
        """So many simulations, or fewer if the root is settled; how many there were."""
        i: cython.int
        for i in range(simulations):
            if self.ahead[0]:
                return i
            scratch.assign(root)
            self.simulate(scratch)
        return simulations

    @cython.cfunc
    def favourite(self, node: cython.int, turn: cython.int) -> cython.int:
        """The child to choose, or -1: the most visited, unless a settled one is as good.

        Between settled children as good as each other, a win is taken the short way and anything
        else the long way.
        """
        open_best: cython.int = -1
        best: cython.int = -1
        child: cython.int
        share: cython.double
        best_share: cython.double = -1
        if self.children[node] <= 0:
            return -1
        for child in range(self.first[node], self.first[node] + self.children[node]):
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


def search(
    root: State,
    simulations: object = None,
    seconds: object = None,
    seed: object = 0,
    without: object = (),
    capacity: object = None,
    solve: cython.bint = True,
    temperature: object = 0,
) -> Thought:
    """Search until `simulations` are done, `seconds` are over or the result is proven.

    The best move found is chosen; with a `temperature`, one is drawn, unless a proven one is best:
    see `tempered`.

    The tree has at most `capacity` nodes; once it is full, the search goes on without growing it.
    Without `solve` nothing is proven: plain UCT, to compare with. Moves in `without` are not
    considered: what is found, and what is proven, is then the best of the others.
    """
    started = time.perf_counter()
    moves: Moves = Moves(root.capacity)
    most = max(2_000_000 if capacity is None else capacity, root.capacity + 1)   # the root must fit
    tree: Tree = Tree(most, root.seats, solve, moves, Random(seed))
    scratch: State = root.copy()
    i: cython.int
    tree.expand(0, scratch)
    moves.check()
    left = [tree.move[i] for i in range(1, tree.used) if tree.move[i] not in without]
    for i in range(len(left)):
        tree.move[i + 1] = left[i]
    tree.children[0] = len(left)
    tree.used = len(left) + 1
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
    proven = tree.ahead[0] != 0
    line = []
    scratch.assign(root)
    node: cython.int = tree.favourite(0, root.turn)
    if temperature and not tree.ahead[node]:
        node = 1 + tempered([
            0 if tree.ahead[i] and tree.settled[i * root.seats + root.turn] <= 0 else tree.visits[i]
            for i in range(1, len(left) + 1)
        ], temperature, ~seed)
    while node >= 0 and (not line or tree.visits[node] > 0):
        line.append(tree.move[node])
        scratch.play(tree.move[node])
        node = tree.favourite(node, scratch.turn)
    return Thought(
        line[0],
        [tree.settled[i] if proven else tree.totals[i] / done for i in range(root.seats)],
        line,
        done,
        tree.used,
        tree.deepest,
        proven,
        tree.ahead[0] - 1 if proven else None,
        (time.perf_counter() - started) * 1000,
    )
