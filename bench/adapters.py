"""How fast the adapters are, beside OpenSpiel's own games in the same rounds.

    python -m bench.adapters [SECONDS] [GAME …]

After `pip install ./examples/escale-breakthrough` one game stands on both sides. A move of
Breakthrough is two atoms here, the piece and where it goes, and one action in OpenSpiel.

Everything is driven by one core, at random, with the legal actions and an observation of the seat
to move before every step. A step is one atom; chance is no step. Rates are steps for each second of
processor time, the best of five rounds; in brackets, the median of the ratios to the last row, each
of the same round.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from statistics import median

import numpy as np
import pyspiel
from open_spiel.python import rl_environment
from open_spiel.python.rl_agent import StepOutput
from open_spiel.python.vector_env import SyncVectorEnv

import escale
from escale.adapters import openspiel  # noqa: F401 - registers the games
from escale.adapters.pettingzoo import Environment
from escale.adapters.vector import VectorEnvironment

ROUNDS = 5
MANY = 256
"""Games at once."""
#: Games of OpenSpiel in C++ that are about as large: boards of 42 and 64 cells.
THEIRS = ("connect_four", "breakthrough")

Stepper = Iterator[int]
"""Goes on for a while whenever it is asked, and says how many steps that were."""


def vectorised(slug: str) -> Stepper:
    env = VectorEnvironment(slug, MANY, seed=1)
    while True:
        env.step(env.sample())
        yield MANY


def pettingzoo(slug: str) -> Stepper:
    env, choice = Environment(slug), np.random.default_rng(1)
    while True:
        env.reset(seed=1)
        steps = 0
        for _ in env.agent_iter(300):
            _, _, terminated, _, info = env.last()
            if terminated:
                break
            env.step(int(choice.choice(np.flatnonzero(info["action_mask"]))))
            steps += 1
        yield steps


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


def theirs_vectorised(name: str) -> Stepper:
    """OpenSpiel's own vectorised environment."""
    env = SyncVectorEnv([rl_environment.Environment(name) for _ in range(MANY)])
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
        yield MANY


def rate(stepper: Stepper, seconds: float) -> float:
    began, steps = time.process_time(), 0
    while time.process_time() - began < seconds:
        steps += next(stepper)
    return steps / (time.process_time() - began)


def main(seconds: float, slugs: list[str]) -> None:
    steppers: dict[tuple[str, str], Stepper] = {}
    for slug in slugs:
        steppers[slug, "vectorised"] = vectorised(slug)
        steppers[slug, "PettingZoo"] = pettingzoo(slug)
        steppers[slug, "OpenSpiel"] = one_by_one(f"escale_{slug.replace('-', '_')}")
    for name in THEIRS:
        steppers[name, "OpenSpiel, C++"] = one_by_one(name)
        steppers[name, "OpenSpiel, C++, vectorised"] = theirs_vectorised(name)
    rates = {who: [0.0] * ROUNDS for who in steppers}
    for number in range(ROUNDS):
        for who, stepper in steppers.items():
            rates[who][number] = rate(stepper, seconds / ROUNDS)
    last = rates[THEIRS[-1], "OpenSpiel, C++, vectorised"]
    for (game, how), found in rates.items():
        ratio = median(one / other for one, other in zip(found, last, strict=True))
        print(f"{game:14} {how:28} {max(found):14,.0f}   ({ratio:.2f})")


if __name__ == "__main__":
    main(
        float(sys.argv[1]) if len(sys.argv) > 1 else 2.0,
        sys.argv[2:] or [game.slug for game in escale.games()],
    )
