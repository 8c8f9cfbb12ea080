"""The example that learns by searches in arrays: its mathematics, its search, its training."""

from __future__ import annotations

import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import escale
from escale.adapters.actions import Decision
from escale.adapters.vector import VectorEnvironment
from escale.arena.pairings import FORFEIT, pairings
from escale.arena.ratings import Score
from escale.arena.runners import in_processes
from escale.kernel import Random
from escale.kernel.brute_force import brute_force
from examples.alphazero.engine import choose
from examples.alphazero.network import Network, softmax
from examples.alphazero.search import Search, schedule
from examples.alphazero.train import Settings, train

ENGINE = [sys.executable, "-m", "examples.alphazero.engine"]
SMALL = Settings(
    rounds=6, processes=1, games=16, simulations=4, samples=200, hidden=32, batch=64, passes=4
)
UNTRAINED = Network.untrained(inputs=169, actions=39, hidden=64, seed=1)


def test_gradients_are_those_of_finite_differences() -> None:
    random = np.random.default_rng(1)
    network = Network.untrained(inputs=6, actions=5, hidden=7, seed=2)
    for name, array in network.weights.items():             # large, and more precise
        network.weights[name] = random.normal(size=array.shape)
    observations = random.random((9, 6))
    masks = random.random((9, 5)) < 0.6
    masks[:, 0] = True
    policies = softmax(np.where(masks, random.normal(size=(9, 5)), -np.inf))
    results = random.choice([-1.0, 0.0, 1.0], 9)

    def loss() -> float:
        policy, value, _ = network.loss(observations, masks, policies, results)
        return policy + value

    *_, gradient = network.loss(observations, masks, policies, results)
    assert gradient.keys() == network.weights.keys()
    for name, array in network.weights.items():
        for place in np.ndindex(array.shape):
            kept = array[place]
            array[place] = kept + 1e-6
            more = loss()
            array[place] = kept - 1e-6
            less = loss()
            array[place] = kept
            assert gradient[name][place] == pytest.approx((more - less) / 2e-6, abs=1e-6), name


def test_halving_visits_all_that_are_considered_then_the_better_half() -> None:
    assert schedule(4, 12) == [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert schedule(1, 3) == [0, 1, 2]
    for considered in range(17):
        assert len(schedule(considered, 50)) == 50


def share(position: escale.Position, plies: int) -> float | None:
    """What the seat to move can force within so many plies, by the plainest search there is."""
    bounds = brute_force(position.kernel(), plies)
    if bounds is None or bounds[0] != bounds[1]:
        return None
    return bounds[0] if position.turn == 0 else 1 - bounds[0]


def wins(plies: int, count: int) -> list[escale.Position]:
    """Positions of random games that are won within so many plies, by some moves and not others."""
    found: list[escale.Position] = []
    random = Random(plies)
    while len(found) < count:
        position = escale.game("tortuga").start(seed=len(found))
        while position.turn is not None:
            moves = position.moves()
            if (
                share(position, plies) == 1.0
                and (plies == 1 or share(position, plies - 2) is None)
                and not all(share(position.play(move), plies - 1) == 0.0 for move in moves)
            ):
                found.append(position)
                break
            position = position.play(moves[random.below(len(moves))])
    return found


def moves_found(
    network: Network, positions: list[escale.Position], simulations: int
) -> list[tuple[escale.Position, float]]:
    """What comes of the best move in each position, and what seat 0 expects of it.

    All are searched in step, until every move is whole.
    """
    env = VectorEnvironment("tortuga", len(positions))
    search = Search(env, simulations)
    env.place(np.arange(len(positions)), positions)
    decisions = [Decision(position) for position in positions]
    values = np.zeros(len(positions))
    rows = np.arange(len(positions))
    while len(rows):
        found = search.run(network, rows)
        env.step(found.actions, rows)
        values[rows] = found.values
        for row, action in zip(rows, found.actions, strict=True):
            decisions[row] = decisions[row].step(int(action))
        rows = np.array([row for row in rows if decisions[row].chosen])
    return [
        (decision.position, value) for decision, value in zip(decisions, values, strict=True)
    ]


@pytest.mark.parametrize(("plies", "simulations"), [(1, 100), (3, 1200)])
def test_the_search_finds_wins_that_an_untrained_network_knows_nothing_of(
    plies: int, simulations: int
) -> None:
    positions = wins(plies, 8)
    assert {position.turn for position in positions} == {0, 1}
    found = moves_found(UNTRAINED, positions, simulations)
    for position, (after, value) in zip(positions, found, strict=True):
        assert after.outcome is not None or share(after, plies - 1) == 0.0, position.text
        assert value > 0 if position.turn == 0 else value < 0


def test_training_lowers_the_losses_and_is_the_same_by_its_seed(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.npz" for number in range(3)]
    losses = list(train(SMALL, files[0]))
    assert sum(losses[-1]) < sum(losses[0]) - 0.05
    assert list(train(SMALL, files[1])) == losses
    assert list(train(replace(SMALL, seed=2, rounds=1), files[2])) != losses[:1]
    assert files[0].read_bytes() == files[1].read_bytes() != files[2].read_bytes()

    network, about = Network.load(files[0])
    assert about == {"game": "tortuga"}
    position = escale.game("tortuga").start(seed=1)
    with escale.Engine.open([*ENGINE, str(files[0]), "--simulations", "8"]) as engine:
        assert engine.about.games == ("tortuga",)
        while position.turn is not None:
            move = engine.play(position, escale.Limit(seconds=60))
            assert move == choose(network, position, simulations=8)[0]
            position = position.play(move)          # raises where it is not legal
        thought = engine.think(escale.game("tortuga").start(seed=2), escale.Limit(simulations=3))
        assert sum(thought.shares) == pytest.approx(1)
        with pytest.raises(escale.EngineError, match="cannot perft"):
            engine.ask("perft", depth=2)


def test_a_search_stops_in_time() -> None:
    position = escale.game("tortuga").start(seed=1)
    begun = time.monotonic()
    move, _ = choose(UNTRAINED, position, simulations=50_000, seconds=0.3)
    assert move in position.moves()
    assert time.monotonic() - begun < 10                    # fifty thousand take a minute


@pytest.mark.exhaustive
def test_some_minutes_of_training_beat_random_play_and_mousse(tmp_path: Path) -> None:
    net = tmp_path / "net.npz"
    assert len(list(train(Settings(rounds=40), net))) == 40
    engine = f"engine:simulations=100,{shlex.join([*ENGINE, str(net)])}"
    for other, least in (("random", 0.9), ("mousse", 0.65)):
        wanted = pairings("tortuga", {}, engine, other, 200, 4)
        results = list(in_processes(2)(wanted))
        assert FORFEIT not in {result.ending for result in results}
        score = Score.of(results, engine)
        assert score.games == 200
        assert score.interval[0] > least, (other, score.mean)
