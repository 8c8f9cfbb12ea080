"""Random games."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from escale import kernel
from tests.kernel import start, starts, walk

STARTS = starts()


@pytest.mark.parametrize("name", STARTS)
def test_shares_and_endings_add_up(name: str) -> None:
    found = kernel.playouts(STARTS[name], 20, seed=4)
    assert found.games == 20
    assert sum(found.shares) == pytest.approx(20)
    assert sum(found.endings) == 20
    assert len(found.shares) == STARTS[name].seats


@pytest.mark.parametrize("name", STARTS)
def test_a_playout_is_a_walk_with_the_same_numbers(name: str) -> None:
    for seed in range(4):
        found = kernel.playouts(STARTS[name], 1, seed)
        over = walk(STARTS[name], kernel.Random(seed), 10_000)[-1]
        ending, shares = over.result()
        assert found.plies == over.plies
        assert found.shares == shares
        assert found.endings[ending] == 1


def test_the_seed_decides() -> None:
    position = start("tortuga")
    assert kernel.playouts(position, 50, 1) == kernel.playouts(position, 50, 1)
    assert kernel.playouts(position, 50, 1) != kernel.playouts(position, 50, 2)


def test_the_start_stays_as_it_is() -> None:
    position = start("tortuga")
    before = (position.key(), position.plies, position.legal_moves())
    kernel.playouts(position, 10)
    assert (position.key(), position.plies, position.legal_moves()) == before


def test_only_plies_from_the_start_count() -> None:
    position = walk(start("tortuga"), kernel.Random(1), 400)[-2]
    assert kernel.playouts(position, 1, 5).plies < position.plies
    over = walk(start("tortuga"), kernel.Random(1), 400)[-1]
    assert kernel.playouts(over, 3).plies == 0


def test_no_games_at_all() -> None:
    assert kernel.playouts(start("canoe"), 0).games == 0


def test_threads_do_not_disturb_one_another() -> None:
    position = start("tortuga")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda seed: kernel.playouts(position, 30, seed), range(8)))
    assert found == [kernel.playouts(position, 30, seed) for seed in range(8)]


@pytest.mark.skipif(not kernel.COMPILED, reason="plain Python does not release the GIL")
def test_others_go_on_meanwhile() -> None:
    position = start("tortuga")
    done = threading.Event()

    def play() -> None:
        kernel.playouts(position, 30_000)
        done.set()

    thread = threading.Thread(target=play)
    thread.start()
    turns = 0
    while not done.wait(0.001):
        turns += 1
    thread.join()
    assert turns > 2
