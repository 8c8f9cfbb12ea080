"""How long a hint takes: from the question to the answer, on a process that is ready.

`python -m bench hints` plays a game of each box against itself, asks for a hint at every move and
prints the median and the longest time in milliseconds, and the longest time of a processor: on a
busy machine the others tell more of the machine.
"""

from __future__ import annotations

import asyncio
import json
import time
from statistics import median
from typing import Any

import escale
from escale.server.edge.limits import Limits
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.study.hints import HintJob, WarmJob
from escale.server.workers.pool import WorkerPool

MOVES = 40
"""Hints that are asked for in one game at most."""


async def measure(game: escale.Game[Any]) -> list[tuple[float, float]]:
    """For each hint the time that it took, and that of a processor, in milliseconds."""
    limiter = RateLimiter(Limits(study=1e-9, study_burst=1e6))
    workers = WorkerPool(limiter)
    await workers.answer(WarmJob(game=game.slug), "bench")
    position = game.start_with(game.quick, seed=1)
    start = game.start_with(game.quick).text
    times: list[tuple[float, float]] = []
    try:
        while position.turn is not None and len(times) < MOVES:
            moves = tuple(move.text for move in position.line())
            job = HintJob(game=game.slug, start=start, moves=moves)
            left, began = limiter.left("study", "bench"), time.perf_counter()
            found = await workers.answer(job, "bench")
            took, spent = time.perf_counter() - began, left - limiter.left("study", "bench")
            times.append((1000 * took, 1000 * spent))
            position = position.play(json.loads(found.body)["move"]["text"])
    finally:
        await workers.close()
    return times


def main() -> None:
    """Print a line for each game."""
    print(f"{'game':<14}{'first':>8}{'median':>8}{'longest':>9}{'processor':>11}   ms")
    for game in escale.games():
        times = asyncio.run(measure(game))
        took, spent = [one for one, _ in times], [one for _, one in times]
        print(f"{game.slug:<14}{took[0]:>8.0f}{median(took):>8.0f}{max(took):>9.0f}"
              f"{max(spent):>11.0f}")
