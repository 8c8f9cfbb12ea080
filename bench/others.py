"""Random play in the games of other libraries, for `bench/adapters.py`: OpenSpiel's and pgx's."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import jax
import pgx
import pyspiel
from jax import numpy as jnp
from open_spiel.python import rl_environment
from open_spiel.python.rl_agent import StepOutput
from open_spiel.python.vector_env import SyncVectorEnv
from pgx.experimental import auto_reset

BATCH = 256
"""Games at once."""
LARGE_BATCH = 4096
"""Games at once where more games are faster."""

Stepper = Iterator[int]
"""Goes on for a while whenever it is asked, and says how many steps that were."""


def steppers() -> dict[tuple[str, str], Stepper]:
    """Games about as large as ours, by game and by how they are played."""
    return {
        ("connect_four", "pgx"): jitted("connect_four", BATCH, 1),
        ("connect_four", "pgx, 4096 games"): jitted("connect_four", LARGE_BATCH, 1),
        ("connect_four", "pgx, 4096, 50 steps a call"): jitted("connect_four", LARGE_BATCH, 50),
        ("connect_four", "OpenSpiel, C++"): one_by_one("connect_four"),
        ("connect_four", "OpenSpiel, C++, vectorised"): in_a_list("connect_four"),
        ("breakthrough", "OpenSpiel, C++"): one_by_one("breakthrough"),
        ("breakthrough", "OpenSpiel, C++, vectorised"): in_a_list("breakthrough"),
    }


def one_by_one(name: str) -> Stepper:
    """States of OpenSpiel, driven from Python."""
    game, choice = pyspiel.load_game(name), random.Random(1)
    while True:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal() and steps < 300:
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choice.choices(actions, chances)[0])
                continue
            state.observation_tensor()
            state.legal_actions_mask()
            state.apply_action(choice.choice(state.legal_actions()))
            steps += 1
        yield steps


def in_a_list(name: str) -> Stepper:
    """OpenSpiel's own vectorised environment."""
    env = SyncVectorEnv([rl_environment.Environment(name) for _ in range(BATCH)])
    choice = random.Random(1)
    now = env.reset()
    while True:
        actions = [
            StepOutput(choice.choice(
                step.observations["legal_actions"][step.observations["current_player"]]
            ), None)
            for step in now
        ]
        now, _, _, _ = env.step(actions, reset_if_done=True)
        yield BATCH


def jitted(name: str, games: int, steps: int) -> Stepper:
    """Games of pgx, so many at once and so many steps in one call, compiled by JAX."""
    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    def one(carried: Any, _: None) -> Any:
        state, key = carried
        key, choosing, ending = jax.random.split(key, 3)
        likely = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(choosing, likely, axis=-1)
        return (jax.vmap(step)(state, actions, jax.random.split(ending, games)), key), None

    play = jax.jit(lambda carried: jax.lax.scan(one, carried, None, length=steps)[0])
    begin = jax.jit(jax.vmap(env.init))
    carried = (begin(jax.random.split(jax.random.PRNGKey(1), games)), jax.random.PRNGKey(2))
    while True:
        carried = jax.block_until_ready(play(carried))
        yield games * steps
