"""How long a hint takes, and what it says.

`python -m bench hints` plays a game of each box against itself, asks for a hint at every move and
prints the median and the longest time in milliseconds, and the longest time of a processor: on a
busy machine the others tell more of the machine. With `--positions 500` it asks for a hint in so
many positions of games between weak levels instead, and prints how often each kind of reason is
given: `feature` and `plain` are the last resorts.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from statistics import median
from typing import Annotated, Any

import typer

import escale
from escale.opponents import think
from escale.server.edge.limits import Limits
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.study.hints import HintJob, WarmJob
from escale.server.workers.pool import WorkerPool
from escale.study.hints import hint

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


def positions(game: escale.Game[Any], wanted: int) -> Iterator[escale.Position]:
    """Decisions in games of Matelot, of whose moves a quarter are Mousse's."""
    chance = random.Random(f"{game.slug} 1")
    while wanted > 0:
        position = game.start_with(game.quick, seed=chance.randrange(1 << 30))
        met = []
        while position.turn is not None:
            if len(position.moves()) > 1:
                met.append(position)
            level = "mousse" if chance.random() < 0.25 else "matelot"
            position = position.play(think(position, level, seed=chance.randrange(1 << 30)).move)
        some = chance.sample(met, min(12, len(met), wanted))
        wanted -= len(some)
        yield from some


def print_reasons(wanted: int) -> None:
    """Print a line for each game: what hints say, in percent."""
    print("| game | last resorts | reasons |\n|---|---:|---|")
    for game in escale.games():
        kinds = Counter(
            hint(position, seed=number).reason.kind
            for number, position in enumerate(positions(game, wanted))
        )
        last = 100 * (kinds["feature"] + kinds["plain"]) / wanted
        said = ", ".join(
            f"{kind} {100 * times / wanted:.0f}" for kind, times in kinds.most_common()
        )
        print(f"| {game.title} | {last:.0f} % | {said} |", flush=True)


def main(
    positions: Annotated[
        int, typer.Option(min=0, help="Positions of each game to count reasons in.")
    ] = 0,
) -> None:
    """Print a line for each game."""
    if positions:
        print_reasons(positions)
        return
    print(f"{'game':<14}{'first':>8}{'median':>8}{'longest':>9}{'processor':>11}   ms")
    for game in escale.games():
        times = asyncio.run(measure(game))
        took, spent = [one for one, _ in times], [one for _, one in times]
        print(f"{game.slug:<14}{took[0]:>8.0f}{median(took):>8.0f}{max(took):>9.0f}"
              f"{max(spent):>11.0f}")
