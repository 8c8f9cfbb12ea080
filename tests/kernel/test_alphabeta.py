"""Alpha-beta: what it finds, what it costs, and what it refuses."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import escale
from escale import kernel
from escale.games.canoe.board import BITS as HOLES
from escale.games.canoe.rules import CanoeState
from escale.games.canyon_1972.rules import CANYON, CanyonState
from escale.games.tortuga.board import BITS as CELLS
from escale.games.tortuga.rules import TortugaState
from escale.kernel.alphabeta import search
from escale.kernel.weights import ODDS, read_weights
from tests.kernel import start, starts, uncompiled, walk

STARTS = {name: position for name, position in starts().items() if position.seats == 2}
NODES = 3000 if kernel.COMPILED else 150


def bits(numbers: dict[str, int], names: str) -> int:
    return sum(1 << numbers[name] for name in names.split())


def found(position: kernel.State, **budget: Any) -> kernel.Thought:
    return kernel.think(position, "alphabeta", **budget)


def sides(position: Any) -> list[int]:
    """The pieces of the seat to move, of the other, and of nobody."""
    return [position.own, position.enemy, getattr(position, "neutral", 0)]


@pytest.mark.parametrize("seed", range(5))
def test_a_turtle_steps_into_the_base(seed: int) -> None:
    # North would do so next.
    position = TortugaState(bits(CELLS, "d6 a1 b1"), bits(CELLS, "d2 a4 f5"), 0, 0)
    thought = found(position, nodes=400, seed=seed)
    assert thought.move & 63 == CELLS["d6"]
    assert (thought.shares, thought.proven, thought.plies_to_end) == ([1.0, 0.0], True, 1)
    assert thought.line == [thought.move]


def test_a_race_is_won_by_the_tempo() -> None:
    """Nobody meets anybody: three steps each, and whoever is on turn wins."""
    for turn in (0, 1):
        turtles = [bits(CELLS, "b4"), bits(CELLS, "f2")]
        position = TortugaState(turtles[turn], turtles[1 - turn], 0, turn)
        thought = found(position, nodes=50_000)
        assert thought.proven
        assert thought.shares[turn] == 1.0
        assert thought.plies_to_end == len(thought.line) == 5


def test_the_second_canoe_is_finished() -> None:
    position = CanoeState(bits(HOLES, "e4 f4 d5 g5 e1 f1 d2"), bits(HOLES, "a3 a4 a5 m3 m4 m5"), 0)
    thought = found(position, nodes=NODES)
    position.make(thought.move)
    assert position.shares() == (0, [1.0, 0.0])
    assert thought.proven


def test_moves_left_out_are_not_found() -> None:
    position = TortugaState(bits(CELLS, "d6 a1 b1"), bits(CELLS, "d2 a4 f5"), 0, 0)
    best = found(position, nodes=400).move
    for method, budget in (("alphabeta", {"nodes": 4000}), ("mcts", {"simulations": 300})):
        other = kernel.think(position, method, without=[best], **budget)
        assert other.move != best
        assert other.shares[0] < 0.5
    with pytest.raises(ValueError, match="no move is left"):
        found(position, nodes=9, without=position.legal())


@pytest.mark.parametrize("name", STARTS)
def test_what_a_thought_says(name: str) -> None:
    thought = found(STARTS[name], nodes=NODES)
    assert thought.nodes <= NODES
    assert thought.depth >= 1
    assert sum(thought.shares) == pytest.approx(1)
    assert thought.line[0] == thought.move
    position = STARTS[name].copy()
    for move in thought.line:
        assert move in position.legal()
        position.make(move)


@pytest.mark.parametrize("name", STARTS)
def test_the_same_budget_and_seed_give_the_same_thought(name: str) -> None:
    assert found(STARTS[name], nodes=NODES, seed=4)[:-1] == found(
        STARTS[name], nodes=NODES, seed=4)[:-1]


def test_the_seed_decides_between_equal_moves() -> None:
    position = CanoeState()
    assert len({found(position, nodes=1, seed=seed).move for seed in range(8)}) > 1


@pytest.mark.parametrize("capacity", [0, 2, 3, 64, 5000])
def test_a_small_table_is_enough(capacity: int) -> None:
    thought = found(start("tortuga"), nodes=NODES, capacity=capacity)
    assert thought.move in start("tortuga").legal()


def test_depth_is_a_limit_too() -> None:
    thought = search(start("tortuga"), None, None, depth=2)
    assert thought.depth == 2


def test_a_clock_ends_the_search() -> None:
    thought = found(start("canoe"), seconds=0.05)
    assert thought.milliseconds >= 50
    assert thought.nodes > 0
    assert found(start("canoe"), nodes=50, seconds=60.0).nodes == 50


def test_the_root_stays_as_it_is() -> None:
    position = start("canoe")
    before = (position.hash(), position.plies, position.legal())
    found(position, nodes=200)
    assert (position.hash(), position.plies, position.legal()) == before


def test_too_many_moves_are_not_ignored() -> None:
    for method, budget in (("alphabeta", {"nodes": 100}), ("mcts", {"simulations": 10})):
        position = start("canoe")
        position.capacity = 5
        with pytest.raises(OverflowError, match="more than 5 moves"):
            kernel.think(position, method, **budget)


def test_what_cannot_be_thought_about_is_refused() -> None:
    position = start("tortuga")
    for budget, says in (
        ({}, "a number of nodes or of seconds"),
        ({"nodes": 0}, "at least one node, not 0"),
        ({"simulations": 5}, "alphabeta counts nodes"),
        ({"seconds": 0}, "some time"),
        ({"seconds": float("nan")}, "some time"),
    ):
        with pytest.raises(ValueError, match=says):
            found(position, **budget)
    with pytest.raises(ValueError, match="unknown method 'magic'; expected one of mcts"):
        kernel.think(position, "magic", nodes=5)
    with pytest.raises(ValueError, match="mcts counts simulations"):
        kernel.think(position, "mcts", nodes=5)
    with pytest.raises(ValueError, match="a lot is to be drawn"):
        found(escale.game("tortuga").start().kernel(), nodes=5)
    with pytest.raises(ValueError, match="the game is over"):
        found(walk(position, kernel.Random(1), 400)[-1], nodes=5)
    with pytest.raises(ValueError, match="depth must be 0 or more"):
        kernel.exhaust(position, -1)


def test_an_estimate_may_be_certain() -> None:
    script = "import json, tests.kernel.mazes as m; print(json.dumps(m.certain_estimates()))"
    assert uncompiled(script) == [1, 2]


def test_threads_do_not_disturb_one_another() -> None:
    position = start("tortuga")

    def line(seed: int) -> list[int]:
        return found(position, nodes=NODES, seed=seed).line

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(line, range(8))) == [line(seed) for seed in range(8)]


def test_an_evaluation_does_not_care_who_sits_where() -> None:
    for seed in range(20):
        for position in walk(start("canoe"), kernel.Random(seed), 40)[:-1]:
            own, enemy, _ = sides(position)
            assert position.guess() == CanoeState(own, enemy, 1 - position.turn).guess()
        for position in walk(start("tortuga"), kernel.Random(seed), 60)[:-1]:
            own, enemy, neutral = (
                sum(1 << 54 - bit for bit in range(64) if side >> bit & 1)
                for side in sides(position)
            )
            assert position.guess() == TortugaState(own, enemy, neutral, 1 - position.turn).guess()
        for position in walk(start("canyon-1972"), kernel.Random(seed), 60)[:-1]:
            own, enemy, _ = (
                sum(1 << 63 - bit for bit in range(64) if side >> bit & 1)
                for side in sides(position)
            )
            other = CanyonState(own, enemy, 1 - position.turn, CANYON["narrow"])
            assert position.guess() == other.guess()


def test_a_search_looks_further_where_a_jump_is_compulsory() -> None:
    calm: list[kernel.State] = []
    forced: list[kernel.State] = []
    for seed in range(20):
        for position in walk(start("tortuga"), kernel.Random(seed), 60)[:-1]:
            if len(position.legal()) > 1:
                (forced if position.restless() else calm).append(position)
    assert len(calm) > 50 < len(forced)
    for position in calm + forced:
        for move in position.legal():
            after: Any = position.copy()
            after.make(move)
            tipped = sides(position)[1] & ~after.own
            assert position.restless() == (tipped != 0)


def test_weights_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text("turtle = [1, 2]\ntempo = -3\n", "utf-8")
    assert read_weights(file, {"tempo": 1, "turtle": 2}) == [-3, 1, 2]
    for sizes in ({"turtle": 2}, {"tempo": 1, "turtle": 3}):
        with pytest.raises(ValueError, match="weights.toml"):
            read_weights(file, sizes)
    file.write_text("tempo = 1\n[draws]\ntempo = 2\n", "utf-8")
    assert read_weights(file, {"tempo": 1, "draws.tempo": 1}) == [1, 2]
    with pytest.raises(ValueError, match="expected tempo; found tempo, draws.tempo"):
        read_weights(file, {"tempo": 1})
    file.write_text("tempo = 0.5\n", "utf-8")
    with pytest.raises(ValueError, match="whole numbers"):
        read_weights(file, {"tempo": 1})


@pytest.mark.parametrize("slug", ["tortuga", "canoe"])
def test_noise_changes_judgement_but_not_ends(slug: str) -> None:
    position = start(slug)

    def found(noise: int, seed: int) -> kernel.Thought:
        return kernel.think(position, "alphabeta", nodes=200, noise=noise, seed=seed)

    assert found(500, 1)[:-1] == found(500, 1)[:-1]
    assert len({found(500, seed).move for seed in range(12)}) > 2
    assert len({found(500, seed).shares[0] for seed in range(12)}) > 6


def test_plies_that_are_sure() -> None:
    position = start("tortuga")
    assert kernel.think(position, "alphabeta", nodes=1).depth == 0
    for plies in (1, 2):
        thought = kernel.think(position, "alphabeta", nodes=1, sure=plies)
        assert thought.depth == plies
        assert kernel.think(position, "alphabeta", nodes=10**6, depth=plies)[:2] == thought[:2]
    depths = [
        kernel.think(position, "alphabeta", nodes=1, sure=2, slip=30, seed=seed).depth
        for seed in range(200)
    ]
    assert set(depths) == {1, 2}
    assert 35 <= depths.count(1) <= 85


def test_who_scorns_a_draw_plays_on() -> None:
    """Unless all else loses; and what is proven stays as it is."""
    turned = 0
    drawn = 0
    for seed in range(2000 if kernel.COMPILED else 300):
        for position in walk(start("qenj1"), kernel.Random(seed), 120)[12:]:
            if position.turn == kernel.CHANCE:
                continue
            ends = {move for move in position.legal() if draws(position, move)}
            if not ends or len(ends) == len(position.legal()):
                continue
            proud = found(position, nodes=400, scorn=7000)
            plain = found(position, nodes=400)
            turned += plain.move in ends and proud.move not in ends
            if proud.proven and plain.proven:
                assert proud.shares == plain.shares
                drawn += plain.shares == [0.5, 0.5]
            elif proud.move in ends:
                others = found(position, nodes=20_000, without=list(ends))
                assert others.proven
                assert others.shares[position.turn] == 0
    assert turned
    assert drawn


@pytest.mark.parametrize(("scorn", "way"), [(0, 0), (20, 0), (500, 1)])
def test_who_scorns_draws_keeps_away_from_them(scorn: int, way: int) -> None:
    script = f"import json, tests.kernel.mazes as m; print(json.dumps(m.likely_draws({scorn})))"
    share = 1 / (1 + math.exp(-(200, 100)[way] / ODDS))
    likely = 1 / (1 + math.exp(-(250, -2000)[way] / ODDS))
    share -= likely * (0.5 - 1 / (1 + math.exp(scorn / ODDS)))
    for chosen, value in uncompiled(script):
        assert chosen == way
        assert value == pytest.approx(share, abs=0.002)


def draws(position: kernel.State, move: int) -> bool:
    """Whether a move ends the game, and nobody has won."""
    there = position.copy()
    there.make(move)
    return not there.legal() and there.shares()[1] == [0.5, 0.5]
