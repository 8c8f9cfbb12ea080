"""How fast the adapters are, beside OpenSpiel's and pgx's own games in the same rounds.

    pip install '.[bench]' ./examples/escale-breakthrough
    python -m bench adapters [--seconds SECONDS] [GAME …]

Connect Four stands on all three sides, Breakthrough on ours and OpenSpiel's. A move of Connect Four
is one step everywhere; a move of Breakthrough is two atoms here, the piece and where it goes, and
one action in OpenSpiel.

Everything is played at random, with the legal actions and an observation of the seat to move before
every step. A step is one atom; chance is no step. Rates are steps for each second of processor
time, all threads counted, the best of five rounds; in brackets, the median of the ratios to the
last row, each of the same round.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Annotated

import numpy as np
import typer

import escale
from bench import others
from bench.compiled import compiled
from bench.others import BATCH, Stepper, one_by_one
from escale.adapters import openspiel  # noqa: F401 - registers the games
from escale.adapters.pettingzoo import Environment
from escale.adapters.vector import VectorEnvironment
from escale.kernel.batch import Batch

ROUNDS = 5


def vectorised(slug: str) -> Stepper:
    env = VectorEnvironment(slug, BATCH, seed=1)
    while True:
        env.step(env.sample())
        yield BATCH


def connect_four() -> Stepper:
    """Games of bench/connect_four.py, which the library does not have, in the same arrays."""
    own, after = 2 * 42, 3 + 2 * 3 + 7
    actions, rows = np.zeros(BATCH, np.int64), np.arange(BATCH)
    batch = Batch(
        compiled("connect_four").ConnectFourState(), own, 2, np.zeros(0, np.float32),
        np.zeros((BATCH, own + after), np.float32),
        np.zeros((BATCH, 7), np.int8), np.zeros((BATCH, 2), np.float32), np.zeros(BATCH, np.int8),
        np.zeros(BATCH, np.intc),
    )
    batch.reset(1)
    while True:
        batch.sample(actions)
        batch.step(actions, rows)
        yield BATCH


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


def rate(stepper: Stepper, seconds: float) -> float:
    began, steps = time.process_time(), 0
    while time.process_time() - began < seconds:
        steps += next(stepper)
    return steps / (time.process_time() - began)


def main(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…")] = None,
    seconds: float = 2.0,
) -> None:
    steppers: dict[tuple[str, str], Stepper] = {}
    for slug in games or [game.slug for game in escale.games()]:
        steppers[slug, "vectorised"] = vectorised(slug)
        steppers[slug, "PettingZoo"] = pettingzoo(slug)
        steppers[slug, "OpenSpiel"] = one_by_one(f"escale_{slug.replace('-', '_')}")
    steppers["connect_four", "vectorised"] = connect_four()
    steppers |= others.steppers()
    for stepper in steppers.values():
        next(stepper)                           # what is compiled on the way is no step
    rates = {who: [0.0] * ROUNDS for who in steppers}
    for number in range(ROUNDS):
        for who, stepper in steppers.items():
            rates[who][number] = rate(stepper, seconds / ROUNDS)
    last = list(rates.values())[-1]
    for (game, how), found in rates.items():
        ratio = median(one / other for one, other in zip(found, last, strict=True))
        print(f"{game:14} {how:28} {max(found):14,.0f}   ({ratio:.2f})")
