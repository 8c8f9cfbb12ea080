"""Monte-Carlo tree search."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

import escale
from escale import kernel
from escale.games.canoe.geometry import BITS as HOLES
from escale.games.canoe.rules import CanoeState
from escale.games.tortuga.geometry import BITS as CELLS
from escale.games.tortuga.rules import TortugaState
from tests.kernel import search, start, starts, walk

STARTS = starts()


def bits(numbers: dict[str, int], names: str) -> int:
    return sum(1 << numbers[name] for name in names.split())


@pytest.mark.parametrize("seed", range(5))
def test_a_turtle_steps_into_the_base(seed: int) -> None:
    # North would do so next.
    position = TortugaState(bits(CELLS, "d6 a1 b1"), bits(CELLS, "d2 a4 f5"), 0, 0)
    thought = search(position, simulations=400, seed=seed)
    assert thought.move & 63 == CELLS["d6"]
    assert thought.move >> 6 & 63 == CELLS["d7"]
    assert thought.line == (thought.move,)
    assert thought.shares[0] > 0.8


def test_the_second_canoe_is_finished() -> None:
    position = CanoeState(bits(HOLES, "e4 f4 d5 g5 e1 f1 d2"), bits(HOLES, "a3 a4 a5 m3 m4 m5"), 0)
    thought = search(position, simulations=400, seed=1)
    position.play(thought.move)
    assert position.legal_moves() == []
    assert position.result() == (0, [1.0, 0.0])


@pytest.mark.parametrize("name", STARTS)
def test_the_seed_decides(name: str) -> None:
    def found(seed: int) -> kernel.Line[int]:
        simulations = 60 if kernel.COMPILED else 12
        return search(STARTS[name], simulations=simulations, seed=seed).lines[0]

    assert found(1) == found(1)
    assert len({found(seed).shares for seed in range(6)}) > 1


@pytest.mark.parametrize("name", STARTS)
def test_what_a_thought_says(name: str) -> None:
    thought = search(STARTS[name], simulations=50)
    assert thought.simulations == 50
    assert sum(thought.shares) == pytest.approx(1)
    assert thought.line[0] == thought.move
    position = STARTS[name].copy()
    for move in thought.line:
        assert move in position.legal_moves()
        position.play(move)


def test_a_full_tree_grows_no_further() -> None:
    position = start("canoe")
    for capacity in (300, 301, 1000):
        thought = search(position, simulations=600, capacity=capacity)
        assert thought.simulations == 600
        assert capacity - 70 < thought.nodes <= capacity
    assert search(position, simulations=600).nodes > 1000


def test_the_root_and_its_children_always_fit() -> None:
    position = start("tortuga", first="south")
    thought = search(position, simulations=600, capacity=0)
    assert 17 <= thought.nodes <= position.capacity + 1


def test_a_clock_ends_the_search() -> None:
    thought = search(start("tortuga"), seconds=0.05)
    assert thought.simulations > 0
    assert thought.milliseconds >= 50
    assert search(start("tortuga"), simulations=8, seconds=60.0).simulations == 8


def test_the_root_stays_as_it_is() -> None:
    position = start("canoe")
    before = (position.key(), position.plies, position.legal_moves())
    search(position, simulations=20)
    assert (position.key(), position.plies, position.legal_moves()) == before


def test_lots_inside_the_tree_are_drawn() -> None:
    outcome = escale.game("tortuga").start().kernel()
    assert outcome.turn == kernel.CHANCE
    with pytest.raises(ValueError, match="it is chance's turn"):
        search(outcome, simulations=10)


def test_what_cannot_be_thought_about_is_refused() -> None:
    position = start("tortuga")
    with pytest.raises(ValueError, match="simulations or of seconds"):
        search(position)
    with pytest.raises(ValueError, match="at least one simulation, not 0"):
        search(position, simulations=0)
    over = walk(position, kernel.Random(1), 400)[-1]
    with pytest.raises(ValueError, match="the game is over"):
        search(over, simulations=10)


@pytest.mark.parametrize("name", STARTS)
def test_several_lines_come_from_one_search(name: str) -> None:
    simulations = 200 if kernel.COMPILED else 30
    one = search(STARTS[name], simulations=simulations, seed=3)
    several = search(STARTS[name], simulations=simulations, seed=3, lines=3)
    assert several.line == one.line
    assert several[2:5] == one[2:5]
    count = min(3, len(STARTS[name].legal_moves()))
    assert len({line.moves[0] for line in several.lines}) == len(several.lines) == count
    for line in several.lines:
        assert line.moves[0] in STARTS[name].legal_moves()
        assert sum(line.shares) == pytest.approx(1)


def test_lines_that_are_settled_are_proven() -> None:
    """One step from the base, or a step aside from which the other is there first."""
    position = TortugaState(bits(CELLS, "d6 a1"), bits(CELLS, "d2"), 0, 0)
    lines = search(position, simulations=4000, lines=9).lines
    assert (lines[0].shares, lines[0].proven, lines[0].plies_to_end) == ((1.0, 0.0), True, 1)
    for line in lines[1:]:
        if line.proven:
            after = position.copy()
            after.play(line.moves[0])
            assert line.plies_to_end is not None
            bounds = kernel.brute_force(after, line.plies_to_end - 1)
            assert bounds == (line.shares[0], line.shares[0])


def test_threads_do_not_disturb_one_another() -> None:
    position = start("tortuga")

    def found(seed: int) -> tuple[int, ...]:
        return search(position, simulations=200, seed=seed).line

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(found, range(8))) == [found(seed) for seed in range(8)]
