"""Moves drawn by how often they were visited."""

from __future__ import annotations

from collections import Counter

import pytest

from escale.kernel.visit_sampling import sample_visits
from tests.kernel import search, start

DRAWS = 2000


def shares(visits: list[int], temperature: int) -> list[float]:
    drawn = Counter(sample_visits(visits, temperature, seed) for seed in range(DRAWS))
    return [drawn[place] / DRAWS for place in range(len(visits))]


def test_as_often_as_visited() -> None:
    assert shares([60, 30, 0, 10], 100) == pytest.approx([0.6, 0.3, 0, 0.1], abs=0.05)


def test_cold_takes_the_best_and_heat_levels() -> None:
    assert shares([60, 30, 10], 5) == [1, 0, 0]
    assert shares([60, 30, 10], 10_000) == pytest.approx([1 / 3] * 3, abs=0.05)


@pytest.mark.parametrize("method", ["mcts", "ismcts"])
def test_searches_draw(method: str) -> None:
    position = start("canyon-1997")

    def moves(**heat: int) -> list[int]:
        return [
            search(position, method, simulations=30, seed=seed, **heat).move
            for seed in range(8)
        ]

    assert moves(temperature=400) == moves(temperature=400)
    assert len(set(moves(temperature=400))) > 1


def test_a_proven_win_is_not_drawn_for() -> None:
    from escale.games.tortuga.geometry import BITS
    from escale.games.tortuga.rules import TortugaState

    position = TortugaState(1 << BITS["d5"] | 1 << BITS["a1"], 1 << BITS["d6"], 0, 0)
    moves = {
        search(position, "mcts", simulations=200, seed=seed, temperature=1000).move
        for seed in range(6)
    }
    assert len(moves) == 1
