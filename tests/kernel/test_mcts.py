"""Monte-Carlo tree search."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import escale
from escale import kernel
from escale.games.canoe.board import BITS as HOLES
from escale.games.canoe.rules import CanoeState
from escale.games.tortuga.board import BITS as CELLS
from escale.games.tortuga.rules import TortugaState
from tests.kernel import start, starts, walk

STARTS = starts()


def bits(numbers: dict[str, int], names: str) -> int:
    return sum(1 << numbers[name] for name in names.split())


@pytest.mark.parametrize("seed", range(5))
def test_a_turtle_steps_into_the_base(seed: int) -> None:
    # North would do so next.
    position = TortugaState(bits(CELLS, "d6 a1 b1"), bits(CELLS, "d2 a4 f5"), 0, 0)
    thought = kernel.think(position, simulations=400, seed=seed)
    assert thought.move & 63 == CELLS["d6"]
    assert thought.move >> 6 & 63 == CELLS["d7"]
    assert thought.line == [thought.move]
    assert thought.shares[0] > 0.8


def test_the_second_canoe_is_finished() -> None:
    position = CanoeState(bits(HOLES, "e4 f4 d5 g5 e1 f1 d2"), bits(HOLES, "a3 a4 a5 m3 m4 m5"), 0)
    thought = kernel.think(position, simulations=400, seed=1)
    position.make(thought.move)
    assert position.legal() == []
    assert position.shares() == (0, [1.0, 0.0])


@pytest.mark.parametrize("name", STARTS)
def test_the_seed_decides(name: str) -> None:
    def found(seed: int) -> tuple[int, list[float], list[int]]:
        simulations = 60 if kernel.COMPILED else 12
        return kernel.think(STARTS[name], simulations=simulations, seed=seed)[:3]

    assert found(1) == found(1)
    assert len({str(found(seed)) for seed in range(6)}) > 1


@pytest.mark.parametrize("name", STARTS)
def test_what_a_thought_says(name: str) -> None:
    thought = kernel.think(STARTS[name], simulations=50)
    assert thought.simulations == 50
    assert sum(thought.shares) == pytest.approx(1)
    assert thought.line[0] == thought.move
    position = STARTS[name].copy()
    for move in thought.line:
        assert move in position.legal()
        position.make(move)


def test_a_full_tree_grows_no_further() -> None:
    position = start("canoe")
    for capacity in (300, 301, 1000):
        thought = kernel.think(position, simulations=600, capacity=capacity)
        assert thought.simulations == 600
        assert capacity - 70 < thought.nodes <= capacity
    assert kernel.think(position, simulations=600).nodes > 1000


def test_the_root_and_its_children_always_fit() -> None:
    position = start("tortuga", first="south")
    thought = kernel.think(position, simulations=600, capacity=0)
    assert 17 <= thought.nodes <= position.capacity + 1


def test_a_clock_ends_the_search() -> None:
    thought = kernel.think(start("tortuga"), seconds=0.05)
    assert thought.simulations > 0
    assert thought.milliseconds >= 50
    assert kernel.think(start("tortuga"), simulations=8, seconds=60.0).simulations == 8


def test_the_root_stays_as_it_is() -> None:
    position = start("canoe")
    before = (position.hash(), position.plies, position.legal())
    kernel.think(position, simulations=20)
    assert (position.hash(), position.plies, position.legal()) == before


def test_lots_inside_the_tree_are_drawn() -> None:
    lot = escale.game("tortuga").start().kernel()
    assert lot.turn == kernel.CHANCE
    with pytest.raises(ValueError, match="a lot is to be drawn"):
        kernel.think(lot, simulations=10)


def test_what_cannot_be_thought_about_is_refused() -> None:
    position = start("tortuga")
    with pytest.raises(ValueError, match="simulations or of seconds"):
        kernel.think(position)
    with pytest.raises(ValueError, match="at least one simulation, not 0"):
        kernel.think(position, simulations=0)
    over = walk(position, kernel.Random(1), 400)[-1]
    with pytest.raises(ValueError, match="the game is over"):
        kernel.think(over, simulations=10)


def test_threads_do_not_disturb_one_another() -> None:
    position = start("tortuga")

    def found(seed: int) -> list[int]:
        return kernel.think(position, simulations=200, seed=seed).line

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(found, range(8))) == [found(seed) for seed in range(8)]
