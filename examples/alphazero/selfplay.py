"""Games of the network against itself, many at once, and what is kept of them to learn from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from escale.adapters.vector import VectorEnvironment

from .network import Array, Network
from .search import Search, advance


class Samples(NamedTuple):
    """Decisions to learn from, a row for each."""

    observations: Array
    masks: Array
    policies: Array
    """What the search found better than what the network said."""
    results: Array
    """How the game ended for the seat to move, from -1 to 1."""

    @classmethod
    def joined(cls, many: list[Samples]) -> Samples:
        """All of them."""
        return cls(*map(np.concatenate, zip(*many, strict=True)))


class SelfPlay:
    """Games that go on for ever: one that ends begins again."""

    def __init__(self, game: str, games: int, simulations: int, seed: int) -> None:
        self.env = VectorEnvironment(game, games, seed=seed)
        self.search = Search(self.env, simulations, seed)
        self.rows = np.arange(games)
        self.begun: list[list[tuple[Array, Array, Array, int]]] = [[] for _ in range(games)]

    def play(self, network: Network, count: int) -> Samples:
        """Go on until games have ended that have `count` samples or more."""
        env = self.env
        ended: list[Samples] = []
        while sum(len(samples.results) for samples in ended) < count:
            found = self.search.run(network, self.rows, explore=True)
            for row, game in enumerate(self.begun):
                game.append((
                    env.observations[row].copy(), env.masks[row].copy(), found.policies[row],
                    int(env.turns[row]),
                ))
            advance(env, found.actions, self.rows)
            for over in np.flatnonzero(env.terminated).tolist():
                observations, masks, policies, turns = zip(*self.begun[over], strict=True)
                results = env.rewards[over, list(turns)]
                ended.append(
                    Samples(np.array(observations), np.array(masks), np.array(policies), results)
                )
                self.begun[over] = []
        return Samples.joined(ended)


class Memory:
    """The newest samples, up to a number of them."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.samples: Samples | None = None

    def add(self, samples: Samples) -> None:
        """Keep these, and forget the oldest."""
        kept = samples if self.samples is None else Samples.joined([self.samples, samples])
        self.samples = Samples(*(array[-self.room:] for array in kept))

    def draw(self, count: int, random: np.random.Generator) -> Samples:
        """Some at random."""
        assert self.samples is not None
        chosen = random.integers(len(self.samples.results), size=count)
        return Samples(*(array[chosen] for array in self.samples))


def share_won(network: Network, game: str, games: int, seed: int) -> float:
    """The network without any search against random moves, half of the games from each seat."""
    env = VectorEnvironment(game, games, seed=seed)
    seats = np.arange(games) % 2
    rows, won = np.arange(games), 0.0
    while len(rows):
        logits, _ = network(env.observations)
        best = np.where(env.masks, logits, -np.inf).argmax(axis=1)
        env.step(np.where(env.turns == seats, best, env.sample())[rows], rows)
        over = env.terminated[rows]
        won += (1 + env.rewards[rows, seats[rows]][over]).sum() / 2
        rows = rows[~over]
    return won / games
