"""PettingZoo's own suites, as they are; warnings are errors here."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import escale
from escale.adapters.pettingzoo import Environment
from tests.games import OURS

EVERY_GAME = pytest.mark.parametrize("game", OURS, ids=lambda game: str(game.slug))


@EVERY_GAME
def test_it_keeps_the_api(game: escale.Game[Any]) -> None:
    for seats in game.seats:
        api_test(Environment(game.slug, seats=seats), num_cycles=300)


@EVERY_GAME
def test_a_seed_decides_everything(game: escale.Game[Any]) -> None:
    options: dict[str, Any] = {**game.quick}
    seed_test(partial(Environment, game.slug, **options), num_cycles=100)


@EVERY_GAME
def test_it_is_rendered(game: escale.Game[Any], capsys: pytest.CaptureFixture[str]) -> None:
    env = partial(Environment, game.slug)
    render_test(env, custom_tests={"svg": lambda drawn: drawn.startswith("<svg")})
    assert len(capsys.readouterr().out) > 500


def test_the_winner_is_rewarded_and_everybody_is_told() -> None:
    env = Environment("canyon-1997", seats=4, short="on")
    env.reset(seed=1)
    random = np.random.default_rng(1)
    for agent in env.agent_iter():
        observation, _, terminated, _, info = env.last()
        assert observation is not None
        assert (env.state() != observation).any()
        if terminated:
            break
        assert agent == f"player_{env.decision.turn}"
        env.step(int(random.choice(np.flatnonzero(info["action_mask"]))))
    outcome = env.decision.position.outcome
    assert outcome is not None
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert [env.rewards[f"player_{seat}"] for seat in outcome.winners] == [1.0] * 1
    assert env.terminations == dict.fromkeys(env.agents, True)


def test_who_chooses_what_is_not_legal_loses() -> None:
    env = Environment("tortuga", first="south")
    env.reset()
    env.step(38)
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert env.terminations == {"player_0": True, "player_1": True}


def test_a_mode_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="render_mode is one of"):
        Environment("canoe", render_mode="video")
