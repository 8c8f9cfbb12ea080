# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=False
"""Monte-Carlo tree search (UCT) over any game: random games steer a growing tree."""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import cython

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, Position, Random, draw, rollout, u64
    from cython.cimports.libc.math import log, sqrt
    from cython.cimports.libc.stdlib import free, realloc
else:
    from escale.kernel.core import Moves, Position, Random, draw, rollout, u64
    log, sqrt = math.log, math.sqrt

DEEPEST = cython.declare(cython.const[cython.int], 512)     # plies of the tree, then a rollout
CHUNK = 256 if cython.compiled else 4                       # simulations between looks at the clock


class Thought(NamedTuple):
    """What a search found."""

    move: int
    shares: list[float]         # each seat's expected share of the win
    line: list[int]             # the most visited continuation, `move` first
    simulations: int
    milliseconds: float
    nodes: int                  # of the tree


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
    totals: cython.double[8]                # shares of every seat, over all simulations
    moves: Moves
    random: Random

    def __init__(self, capacity: cython.int, moves: Moves, random: Random):
        if not cython.compiled:
            self.move, self.first, self.children, self.visits, self.value = [], [], [], [], []
            self.totals = [0.0] * 8
        self.used = 0
        self.room = 0
        self.capacity = capacity
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
            if (
                move == cython.NULL or first == cython.NULL or children == cython.NULL
                or visits == cython.NULL or value == cython.NULL
            ):
                return False
        else:
            for column in (self.move, self.first, self.children, self.visits, self.value):
                column.extend([0] * (room - self.room))
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
        self.used += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def expand(self, node: cython.int, position: Position) -> cython.bint:
        """Give `node` its children; False when the tree is full."""
        i: cython.int
        self.moves.count = 0
        position.generate(self.moves)
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
    def select(self, node: cython.int) -> cython.int:
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
            bound = self.value[child] / visits + sqrt(spread / visits)
            if bound > best_bound:
                best_bound = bound
                best = child
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def drawn(self, node: cython.int, position: Position) -> cython.int:
        """The child that chance picks."""
        self.moves.count = 0
        position.generate(self.moves)
        move: u64 = draw(position, self.moves, self.random)
        child: cython.int = self.first[node]
        last: cython.int = child + self.children[node] - 1
        while child < last and self.move[child] != move:
            child += 1
        return child

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def simulate(self, position: Position) -> cython.void:
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
        while length < DEEPEST:
            if self.children[node] < 0 and (
                (self.visits[node] == 0 and node != 0) or not self.expand(node, position)
            ):
                break
            if self.children[node] == 0:
                break
            mover[length] = position.turn
            if position.turn >= 0:
                node = self.select(node)
            else:
                node = self.drawn(node, position)
            path[length] = node
            length += 1
            position.play(self.move[node])
        rollout(position, self.moves, self.random)
        position.result(shares)
        for i in range(position.seats):
            self.totals[i] += shares[i]
        for i in range(length):
            self.visits[path[i]] += 1
            if mover[i] >= 0:
                self.value[path[i]] += shares[mover[i]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(self, root: Position, scratch: Position, simulations: cython.int) -> cython.void:
        i: cython.int
        for i in range(simulations):
            scratch.assign(root)
            self.simulate(scratch)

    @cython.cfunc
    def favourite(self, node: cython.int) -> cython.int:
        """The most visited child, or -1."""
        best: cython.int = -1
        child: cython.int
        if self.children[node] <= 0:
            return -1
        for child in range(self.first[node], self.first[node] + self.children[node]):
            if best < 0 or self.visits[child] > self.visits[best]:
                best = child
        return best


def think(
    root: Position,
    simulations: object = None,
    seconds: object = None,
    seed: object = 0,
    capacity: cython.int = 2_000_000,
) -> Thought:
    """Search until `simulations` are done or `seconds` are over, whichever comes first.

    `root` must not be over, and it must be a seat's turn. The tree has at most `capacity` nodes;
    once it is full, the search goes on without growing it.
    """
    if simulations is None and seconds is None:
        raise ValueError("think needs a number of simulations or of seconds")
    if simulations is not None and simulations < 1:
        raise ValueError(f"think needs at least one simulation, not {simulations}")
    if not root.legal():
        raise ValueError("the game is over: there is nothing to think about")
    if root.turn < 0:
        raise ValueError("a lot is to be drawn: there is nothing to think about")
    started = time.perf_counter()
    moves: Moves = Moves(root.capacity)
    tree: Tree = Tree(max(capacity, root.capacity + 1), moves, Random(seed))    # the root must fit
    scratch: Position = root.copy()
    done = 0
    chunk: cython.int
    while True:
        chunk = CHUNK if simulations is None else min(CHUNK, simulations - done)
        if chunk <= 0:
            break
        with cython.nogil:
            tree.run(root, scratch, chunk)
        done += chunk
        if seconds is not None and time.perf_counter() - started >= seconds:
            break
    moves.check()
    line = []
    node: cython.int = tree.favourite(0)
    while node >= 0 and (not line or tree.visits[node] > 0):
        line.append(tree.move[node])
        node = tree.favourite(node)
    return Thought(
        line[0],
        [tree.totals[i] / done for i in range(root.seats)],
        line,
        done,
        (time.perf_counter() - started) * 1000,
        tree.used,
    )
