# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=False
"""Information-set Monte-Carlo tree search: for games with hidden information.

Every simulation deals everything again that the seat to move cannot know (`State.redeal`), and all
walk down one tree. A node therefore stands for all tables that look alike to that seat. Not every
child is possible at every table: a child's bound counts how often it *could* have been chosen, not
how often its parent was visited.

The others' moves are chosen by the game's own common sense (`Evaluation.prefer`), which knows the
hand that it plays. A tree that does not know this hand would choose the moves as
if all seats held the cards of all tables at once. Beyond the tree all seats play by common sense,
until the game can estimate the shares (`Evaluation.estimate`), or to its end.

The secret choices of others are drawn with the rest, then chosen again by their common sense
(`Evaluation.suppose`). They are in no branch, even if they are shown before the tree
reaches that node: a node stands for all their possible choices.

Nothing is ever proven: the best move at every table drawn need not be the best at the real one.

The idea is from P. I. Cowling, E. J. Powley and D. Whitehouse, "Information Set Monte Carlo Tree
Search" (2012), with a single observer.
"""

from __future__ import annotations

import math
import time

import cython

from escale.kernel.limit import Limit
from escale.kernel.result import Line, SearchResult
from escale.kernel.visit_sampling import sample_visits

if cython.compiled:
    from cython.cimports.escale.kernel.core import Moves, Random, State, draw, u64
    from cython.cimports.escale.kernel.evaluation import Evaluation
    from cython.cimports.libc.math import log, sqrt
    from cython.cimports.libc.stdlib import calloc, free, realloc
else:
    from escale.kernel.core import Moves, Random, State, draw, u64
    from escale.kernel.evaluation import Evaluation
    log, sqrt = math.log, math.sqrt

DEEPEST = cython.declare(cython.const[cython.int], 512)     # plies of the tree, then a playout
CHUNK = 256 if cython.compiled else 4                       # simulations between looks at the clock
LOOK = 256                                                  # and between looks at the leading move
ALONE = 64                                                  # simulations for the only move

EXPLORE = 0.3                           # measured: see docs/strength.md


Branch = cython.struct(
    move=u64,
    child=cython.int,           # the first of its children, 0 if it has none yet
    sibling=cython.int,         # the next child of the same parent, 0 after the last
    visits=cython.int,
    possible=cython.int,        # the times that it could have been chosen
    value=cython.double,        # the sum of the shares of the seat that moved here
)


@cython.final
@cython.cclass
class Tree:
    """Every node with the move that leads to it; the root is number 0."""

    nodes: cython.pointer[Branch]
    used: cython.int
    room: cython.int                        # the nodes for which there is memory
    capacity: cython.int                    # the most nodes that are allowed
    seats: cython.int
    explore: cython.double                  # the weight of exploration
    deepest: cython.int
    seat: cython.int                        # the one that thinks
    open_cards: cython.bint                 # whether it sees the real table
    totals: cython.double[8]                # shares of every seat, over all simulations
    of_moves: cython.pointer[cython.double]     # the same for each of the root's moves, in a row
    evaluation: Evaluation
    moves: Moves
    random: Random

    def __init__(
        self, root: State, evaluation: Evaluation, capacity: cython.int, explore: cython.double,
        moves: Moves, random: Random,
    ):
        if not cython.compiled:
            self.nodes = []
            self.totals, self.of_moves = [0.0] * 8, []
        self.used = 0
        self.room = 0
        self.capacity = capacity
        self.seats = root.seats
        self.seat = root.turn
        self.evaluation = evaluation
        self.explore = explore
        self.deepest = 0
        self.open_cards = False
        self.moves = moves
        self.random = random
        self.put(0)

    def __dealloc__(self):
        free(self.nodes)
        free(self.of_moves)

    @cython.cfunc
    def begin(self, choice: list) -> object:
        """Give the root its children."""
        i: cython.int
        if cython.compiled:
            room: cython.size_t = (len(choice) + 1) * self.seats
            self.of_moves = cython.cast(cython.p_double, calloc(room, 8))
            if self.of_moves == cython.NULL:
                raise MemoryError("no room for a tree")
        else:
            self.of_moves = [0.0] * ((len(choice) + 1) * self.seats)
        for i in range(len(choice)):
            self.add_child(0, choice[i])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def put(self, move: u64) -> cython.int:
        """Add a node; its number, or -1 if no more are allowed or no memory is left."""
        room: cython.int
        number: cython.int = self.used
        if number == self.capacity:
            return -1
        if number == self.room:
            room = min(max(2 * self.room, 1024), self.capacity)
            if cython.compiled:
                size: cython.size_t = room
                nodes = realloc(self.nodes, size * cython.sizeof(Branch))
                if nodes == cython.NULL:
                    return -1
                self.nodes = cython.cast(cython.pointer[Branch], nodes)
            else:
                self.nodes.extend(Branch() for _ in range(room - self.room))
            self.room = room
        self.nodes[number].move = move
        self.nodes[number].child = 0
        self.nodes[number].sibling = 0
        self.nodes[number].visits = 0
        self.nodes[number].possible = 0
        self.nodes[number].value = 0.0
        self.used += 1
        return number

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def find(self, node: cython.int, move: u64) -> cython.int:
        """The child to which a move leads, or 0 if it has not been tried."""
        child: cython.int = self.nodes[node].child
        while child and self.nodes[child].move != move:
            child = self.nodes[child].sibling
        return child

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def add_child(self, node: cython.int, move: u64) -> cython.int:
        """Add a child; its number, or -1 when the tree is full."""
        child: cython.int = self.put(move)
        if child > 0:
            self.nodes[child].sibling = self.nodes[node].child
            self.nodes[node].child = child
        return child

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def select(self, node: cython.int) -> cython.int:
        """The child to walk to: a possible move that was not tried yet, else by its bound.

        -1 when the tree is full.
        """
        i: cython.int
        child: cython.int
        best: cython.int = 0
        untried: cython.int = 0
        new: u64 = 0
        bound: cython.double
        best_bound: cython.double = -1.0
        for i in range(self.moves.count):
            child = self.find(node, self.moves.items[i])
            if child == 0:
                if node:                    # the root already has all its children
                    untried += 1
                    if self.random._below(untried) == 0:
                        new = self.moves.items[i]
                continue
            self.nodes[child].possible += 1
            if self.nodes[child].visits == 0:
                return child
            bound = self.nodes[child].value / self.nodes[child].visits + self.explore * sqrt(
                log(self.nodes[child].possible + 0.0) / self.nodes[child].visits
            )
            if bound > best_bound:
                best_bound = bound
                best = child
        if untried:
            best = self.add_child(node, new)
            if best > 0:
                self.nodes[best].possible = 1
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def simulate(self, state: State) -> cython.void:
        """Walk down the tree, play a playout, and carry the result back up."""
        path: cython.int[512]
        mover: cython.int[512]
        shares: cython.double[8]
        if not cython.compiled:
            path, mover, shares = [0] * 512, [0] * 512, [0.0] * 8
        node: cython.int = 0
        length: cython.int = 1
        i: cython.int
        move: u64
        path[0] = 0
        mover[0] = -1
        while length < DEEPEST and (node == 0 or self.nodes[node].visits):
            if self.evaluation._estimate(state, shares):
                break
            self.moves.count = 0
            state._legal_moves(self.moves)
            if self.moves.count == 0:
                break
            mover[length] = state.turn
            if state.turn == self.seat and (node == 0 or not self.open_cards):
                node = self.select(node)
            else:
                if state.turn >= 0:
                    move = self.evaluation._prefer(state, self.moves, self.random)
                else:
                    move = draw(state, self.moves, self.random)
                i = self.find(node, move)
                node = i if i else self.add_child(node, move)
            if node < 0:
                break
            path[length] = node
            length += 1
            state._play(self.nodes[node].move)
        self.deepest = max(self.deepest, length - 1)
        self.look_ahead(state, shares)
        for i in range(self.seats):
            self.totals[i] += shares[i]
            if length > 1:
                self.of_moves[path[1] * self.seats + i] += shares[i]
        for i in range(length):
            self.nodes[path[i]].visits += 1
            if mover[i] >= 0:
                self.nodes[path[i]].value += shares[mover[i]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_ahead(self, state: State, shares: cython.p_double) -> cython.void:
        """Play on until the game can be estimated, or to its end."""
        while not self.evaluation._estimate(state, shares):
            self.moves.count = 0
            state._legal_moves(self.moves)
            if self.moves.count == 0:
                state._result(shares)
                return
            if state.turn >= 0:
                state._play(self.evaluation._prefer(state, self.moves, self.random))
            else:
                state._play(draw(state, self.moves, self.random))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def run(
        self, root: State, scratch: State, simulations: cython.int
    ) -> cython.void:
        """Run the given number of simulations, each at a table of its own."""
        i: cython.int
        for i in range(simulations):
            scratch.assign(root)
            if not self.open_cards:
                scratch._redeal(root.turn, self.random)
                self.evaluation._suppose(scratch, root.turn, self.random)
            self.simulate(scratch)

    @cython.cfunc
    def visits(self, choices: cython.int) -> list:
        """The number of visits of each of the root's moves."""
        return [self.nodes[i].visits for i in range(1, choices + 1)]

    @cython.cfunc
    def favourite(self, node: cython.int, state: State, without: object = ()) -> cython.int:
        """The most visited child, not in `without`, that is possible at this table, or 0."""
        best: cython.int = 0
        child: cython.int
        i: cython.int
        self.moves.count = 0
        state._legal_moves(self.moves)
        for i in range(self.moves.count):
            child = self.find(node, self.moves.items[i])
            if child in without:
                continue
            if child and (best == 0 or self.nodes[child].visits > self.nodes[best].visits):
                best = child
        return best

    @cython.cfunc
    def line_of(self, here: State, node: cython.int, simulations: object) -> object:
        """The expected line after one of the root's moves; given all simulations, from the root."""
        first: cython.int = node
        line = []
        state: State = here.copy()
        while node:
            line.append(self.nodes[node].move)
            state._play(self.nodes[node].move)
            node = self.favourite(node, state)
        if simulations:
            shares = [self.totals[i] / simulations for i in range(self.seats)]
        elif self.nodes[first].visits:
            shares = [
                self.of_moves[first * self.seats + i] / self.nodes[first].visits
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
    explore: cython.double = EXPLORE,
    open_cards: cython.bint = False,
) -> SearchResult:
    """Search until the limit is reached.

    The tree has at most `capacity` nodes; once it is full, the search goes on without growing it. A
    move without an alternative gets only the simulations that are needed to estimate what it is
    worth.

    The most visited move is chosen, and the search ends early when no other can become that. With
    a `temperature`, one is drawn instead: see `sample_visits`. The shares of a single line are
    those of the whole search, those of several the results of the simulations that began with
    their move.

    A line is the one that the tree expects at the table that the seed deals: the same for all
    tables that look alike to the seat.

    With `open_cards` every simulation is at the real table, and only the first move is searched
    for; then all seats play by common sense. A seat that searched further would look into the
    others' hands, and its share would be that of a cheat. This is for looking back at
    a game, not for playing it.
    """
    started = time.perf_counter()
    simulations, seconds = limit.simulations, limit.seconds
    moves: Moves = Moves(root.capacity)
    most = max(1_000_000 if capacity is None else capacity, root.capacity + 1)   # the root must fit
    tree: Tree = Tree(root, evaluation, most, explore, moves, Random(seed))
    tree.open_cards = open_cards
    legal = root.legal_moves()
    choice = legal if among is None else among
    tree.begin(choice)
    if len(legal) == 1:
        simulations = ALONE if simulations is None else min(simulations, ALONE)
    scratch: State = root.copy()
    done = 0
    chunk: cython.int
    while True:
        chunk = CHUNK if simulations is None else min(CHUNK, simulations - done)
        if chunk <= 0:
            break
        with cython.nogil:
            tree.run(root, scratch, chunk)
        done += chunk
        if simulations is not None and not temperature and among is None and done % LOOK == 0:
            first, second = sorted([0, *tree.visits(len(choice))], reverse=True)[:2]
            if first - second > simulations - done:
                break
        if seconds is not None and time.perf_counter() - started >= seconds:
            break
    moves.check()
    scratch.assign(root)
    if not open_cards:
        scratch._redeal(root.turn, Random(seed))
        evaluation._suppose(scratch, root.turn, Random(seed))
    node: cython.int = tree.favourite(0, scratch)
    if temperature:
        node = 1 + sample_visits(tree.visits(len(choice)), temperature, ~seed)
    chosen = [node]
    while len(chosen) < min(lines, len(choice)):
        chosen.append(tree.favourite(0, scratch, chosen))
    found = [tree.line_of(scratch, node, done if lines == 1 else 0) for node in chosen]
    return SearchResult(
        "ismcts", tuple(found), done, tree.used, tree.deepest,
        (time.perf_counter() - started) * 1000,
    )
