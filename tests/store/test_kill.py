"""Killed at any moment, the house has lost nothing that it acknowledged, and no table is broken."""

from __future__ import annotations

import asyncio
import multiprocessing
from random import Random

from escale.game.fair_random import FairRandom
from escale.match.match import Match
from escale.store import Store
from tests.store.appender import play_on

KILLS = 15


def test_killed_many_times(database: str) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.store.test_database", "tests.store.appender"])
    random = Random(7)
    promised: dict[str, int] = {}
    for _ in range(KILLS):
        here, there = context.Pipe(duplex=False)
        house = context.Process(target=play_on, args=(database, random.getrandbits(60), there))
        house.start()
        there.close()
        for _answer in range(random.randrange(1, 120)):     # so many answers, then no more
            name, n = here.recv()
            promised[name] = n
        house.kill()
        house.join()
        try:
            while True:                                 # what it said before it was gone
                name, n = here.recv()
                promised[name] = n
        except (EOFError, OSError):
            here.close()
        asyncio.run(_check(database, promised))
    assert len(promised) > 6
    assert sum(promised.values()) > KILLS


async def _check(database: str, promised: dict[str, int]) -> None:
    store = Store(database)
    try:
        for name, n in promised.items():
            kept = await store.load(name)
            assert kept is not None, f"table {name} is lost"
            assert len(kept.events) >= n, f"table {name}: {len(kept.events)} of {n} events"
            match = Match.resume([kept.header, *kept.events], FairRandom(kept.secret or ""))
            assert (match.outcome is not None) == match.ended, "an end was torn off its move"
    finally:
        store.close()
