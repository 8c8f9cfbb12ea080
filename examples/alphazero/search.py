"""Tree searches of many games, all in step, so that the network always sees a whole batch.

This is Gumbel AlphaZero (Danihelka et al., "Policy improvement by planning with Gumbel", 2022),
which improves on the network even with a few simulations for a decision.

**A node is a row of an environment.** Row `root + k` is what the k-th simulation of a game has
found; to go on from a node is to copy its row (`VectorEnvironment.assign`) and to step it there. So
whose turn it is, what is legal and what the network sees need no memory of the tree's own.

**Values are those of seat 0, everywhere.** A move may be several atoms, and a turn several moves,
so a sign that changes with depth would be wrong: seat 1 wants low values wherever it is its turn.

**An atom that is forced is no decision**: it is played at once, in the tree as at the table.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from escale.adapters.vector import VectorEnvironment

from .network import Array, Network, softmax

CONSIDERED = 16
"""Actions of the root that are looked at, at most."""
VISITS, SCALE = 50.0, 0.1
"""How much a value counts beside a logit: `(VISITS + visits of the most visited) * SCALE`."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the searches of some games have found, a row for each."""

    actions: Array
    """The best action."""
    policies: Array
    """The probability of each action: a better policy than the network's."""
    values: Array
    """What seat 0 can expect of it, from -1 to 1."""


def advance(env: VectorEnvironment, actions: Array, rows: Array) -> None:
    """Step some rows, and go on where there is only one way, to a decision or the end.

    `env.terminated` and `env.rewards` then tell of these rows whether and how the game has ended.
    """
    env.step(actions, rows)
    while True:
        forced = (env.masks[rows].sum(axis=1) == 1) & ~env.terminated[rows]
        if not forced.any():
            return
        rows = rows[forced]
        env.step(env.masks[rows].argmax(axis=1), rows)


class Search:
    """Searches of the games of an environment, with up to `simulations` for each."""

    def __init__(self, games: VectorEnvironment, simulations: int, seed: int = 0) -> None:
        if games.start.seats != 2 or games.start.game.hides:
            raise ValueError("this search is for two seats that see everything")
        self.games = games
        self.simulations = simulations
        options: dict[str, Any] = dict(games.start.options)
        count = games.count * (simulations + 1)
        self.env = VectorEnvironment(games.start.game.slug, count, **options)
        self.roots = np.arange(games.count) * (simulations + 1)
        self.random = np.random.default_rng(seed)
        nodes, actions = self.env.masks.shape
        self.children = np.zeros((nodes, actions), np.int32)    # 0 (a root): not tried yet
        self.visits = np.zeros((nodes, actions), np.float32)
        self.totals = np.zeros((nodes, actions), np.float32)    # of the values found there
        self.logits = np.zeros((nodes, actions), np.float32)    # -inf where not legal
        self.priors = np.zeros((nodes, actions), np.float32)
        self.values = np.zeros(nodes, np.float32)               # by the network, or the result
        self.over = np.zeros(nodes, np.bool_)
        self.schedules = np.array([schedule(k, simulations) for k in range(CONSIDERED + 1)])

    def run(
        self, network: Network, rows: Array, *, explore: bool = False, seconds: float = np.inf
    ) -> Found:
        """Search the games of some rows; to `explore` is to draw which actions are considered."""
        deadline = time.monotonic() + seconds
        roots = self.roots[: len(rows)]
        self.children[:], self.visits[:], self.totals[:], self.over[:] = 0, 0, 0, False
        self.env.assign(roots, self.games, rows)
        self.expand(network, roots)
        legal = self.env.masks[roots].sum(axis=1)
        schedules = self.schedules[np.minimum(legal, CONSIDERED)]
        drawn = self.random.gumbel(size=(len(roots), len(self.env.actions))) if explore else 0.0
        for number in range(self.simulations):
            if time.monotonic() > deadline:
                break
            wanted = self.visits[roots] == schedules[:, number, None]
            scores = drawn + self.improved(roots)
            self.simulate(network, roots, number, np.where(wanted, scores, -np.inf).argmax(axis=1))
        visits, improved = self.visits[roots], self.improved(roots)
        most = visits == visits.max(axis=1, keepdims=True)
        best = np.where(most, drawn + improved, -np.inf).argmax(axis=1)
        values = self.totals[roots, best] / np.maximum(self.visits[roots, best], 1)
        return Found(best, softmax(improved), values)

    def simulate(self, network: Network, roots: Array, number: int, actions: Array) -> None:
        """One line in each game, from the root's given action to a new node or an end."""
        games, nodes = np.arange(len(roots)), roots
        path = []
        last, chosen = roots.copy(), actions.copy()         # of each game: where its line leaves
        while len(games):
            path.append((games, nodes, actions))
            last[games], chosen[games] = nodes, actions
            after = self.children[nodes, actions]
            inside = (after > 0) & ~self.over[after]
            games, nodes = games[inside], after[inside]
            actions = self.interior(nodes)
        leaves = self.children[last, chosen]
        new = leaves == 0
        leaves[new] = roots[new] + 1 + number
        self.children[last, chosen] = leaves
        self.grow(network, leaves[new], last[new], chosen[new])
        for games, nodes, actions in path:
            self.visits[nodes, actions] += 1
            self.totals[nodes, actions] += self.values[leaves[games]]

    def grow(self, network: Network, rows: Array, parents: Array, actions: Array) -> None:
        """New nodes: what comes of actions."""
        self.env.assign(rows, self.env, parents)
        advance(self.env, actions, rows)
        self.over[rows] = self.env.terminated[rows]         # and another game has begun there
        self.values[rows] = self.env.rewards[rows, 0]
        self.expand(network, rows[~self.over[rows]])

    def expand(self, network: Network, rows: Array) -> None:
        """Ask the network about nodes."""
        logits, values = network(self.env.observations[rows])
        logits = np.where(self.env.masks[rows], logits, -np.inf)
        self.logits[rows], self.priors[rows] = logits, softmax(logits)
        self.values[rows] = values * self.signs(rows)

    def signs(self, rows: Array) -> Array:
        """1 where seat 0 is to move, -1 where seat 1 is."""
        return 1 - 2 * self.env.turns[rows]

    def improved(self, rows: Array) -> Array:
        """Logits of a better policy: the network's, and what was found, for the seat to move.

        An action that was not tried counts as much as what is known of the node altogether.
        """
        visits, signs = self.visits[rows], self.signs(rows)
        tried = visits > 0
        means = self.totals[rows] / np.maximum(visits, 1) * signs[:, None]
        priors = np.where(tried, self.priors[rows], 0)
        weighted = (priors * means).sum(axis=1) / np.maximum(priors.sum(axis=1), 1e-9)
        count = visits.sum(axis=1)
        known = (self.values[rows] * signs + count * weighted) / (1 + count)
        scale = (VISITS + visits.max(axis=1, keepdims=True)) * SCALE
        logits: Array = self.logits[rows] + scale * np.where(tried, means, known[:, None])
        return logits

    def interior(self, rows: Array) -> Array:
        """Below the root: the action whose share of visits is furthest behind the policy."""
        visits = self.visits[rows]
        behind = softmax(self.improved(rows)) - visits / (1 + visits.sum(axis=1, keepdims=True))
        actions: Array = np.where(self.env.masks[rows], behind, -np.inf).argmax(axis=1)
        return actions


def schedule(considered: int, simulations: int) -> list[int]:
    """Sequential halving: how often the root's action must have been visited, each time.

    All that are considered are visited equally, then the better half of them, and so on.
    """
    if considered <= 1:
        return list(range(simulations))
    rounds = int(np.ceil(np.log2(considered)))
    wanted: list[int] = []
    visits, left = 0, considered
    while len(wanted) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            wanted += [visits] * left
            visits += 1
        left = max(2, left // 2)
    return wanted[:simulations]
