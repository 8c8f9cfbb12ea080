"""How much faster a vectorised environment steps with several threads.

Legal actions are chosen at random, outside the time that is counted. Rates are steps of a game for
each second of the clock, the best of seven rounds; the factor is the median of each round's ratio
to one thread.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Annotated

import typer

import escale
from escale.adapters.vector import VectorEnvironment

ROUNDS = 7
SIZES = (256, 1024, 4096, 16384)


def rate(env: VectorEnvironment, seconds: float) -> float:
    spent, steps = 0.0, 0
    while spent < seconds:
        actions = env.sample()
        began = time.perf_counter()
        env.step(actions)
        spent += time.perf_counter() - began
        steps += env.count
    return steps / spent


def main(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…")] = None,
    seconds: Annotated[float, typer.Option(min=0.05)] = 2.0,
    threads: Annotated[int, typer.Option(min=1, max=256)] = 2,
) -> None:
    print(f"{'game':14} {'games':>6} {'1 thread':>12} {f'{threads} threads':>12}  factor")
    for slug in games or [game.slug for game in escale.games()]:
        for size in SIZES:
            envs = [VectorEnvironment(slug, size, seed=1, threads=n) for n in (1, threads)]
            rounds = [[rate(env, seconds / ROUNDS) for env in envs] for _ in range(ROUNDS)]
            factor = median(many / one for one, many in rounds)
            one, many = (max(found) for found in zip(*rounds, strict=True))
            print(f"{slug:14} {size:6} {one:12,.0f} {many:12,.0f}  ×{factor:.2f}")
