"""What `forces` says is what exhaustive search says, also where the answer is no."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import escale
from escale import kernel
from escale.devkit.starts import option_sets
from escale.kernel import brute_force, forces
from tests.kernel import walk
from tests.sizes import sized

SLUGS = [game.slug for game in escale.games() if game.seats == (2, 2)]
GAMES = sized(5, 60, 2)
NODES = sized(6_000, 20_000, 300)


def late(slug: str) -> Iterator[kernel.State]:
    """The last positions of random games, with every option in turn."""
    game = escale.game(slug)
    sets = option_sets(game)
    for number in range(GAMES):
        start = game.start_with(sets[number % len(sets)], seed=number).kernel()
        yield from walk(start, kernel.Random(number), 400)[-6:]


@pytest.mark.parametrize("slug", SLUGS)
def test_as_exhaustive_search(slug: str) -> None:
    answers = []
    for state in late(slug):
        for plies in range(4):
            bounds = brute_force(state, plies, NODES)
            if bounds is None:
                break
            low, high = bounds
            for least in (0.5, 1.0):
                assert forces(state, 0, plies, least=least) == (low >= least)
                assert forces(state, 1, plies, least=least) == (1 - high >= least)
            answers.append((low, high))
    assert {low for low, _ in answers} > {0.0} or not kernel.COMPILED
    assert (0.0, 1.0) in answers            # where nothing is forced, the answer is no


def test_it_gives_up_when_asked_for_too_much() -> None:
    start = escale.game("tortuga").start(first="south").kernel()
    assert forces(start, 0, 6, nodes=100) is None
    assert forces(start, 0, 3) is False


def test_others_play_together_against_the_seat() -> None:
    """With more than two seats every move of each other seat is looked at."""
    start = escale.game("canyon-1997").start(seats=3, seed=1).kernel()
    assert forces(start, 0, 2) is False
    with pytest.raises(ValueError, match="no seat 3"):
        forces(start, 3, 1)
    with pytest.raises(ValueError, match="plies"):
        forces(start, 0, -1)
