"""A house that plays at several tables at once, for a test that kills it."""

from __future__ import annotations

import asyncio
from multiprocessing.connection import Connection
from random import Random

import escale
from escale.game.fair_random import FairRandom
from escale.kernel import CHANCE
from escale.match.match import Match
from escale.store import Kept, NewTable, Store

TABLES = 6


def play_on(database: str, seed: int, acknowledged: Connection) -> None:
    """Play at random tables until killed, and say what has been acknowledged."""
    asyncio.run(_house(database, Random(seed), acknowledged))


async def _house(database: str, random: Random, acknowledged: Connection) -> None:
    store = Store(database)
    running = [await store.load(table) for table in (await store.due(1))[:TABLES]]
    seats = [*running, *[None] * (TABLES - len(running))]
    await asyncio.gather(*(_table(store, kept, random, acknowledged) for kept in seats))


async def _table(store: Store, kept: Kept | None, random: Random, said: Connection) -> None:
    """Go on with a table, then with one new table after the other."""
    while True:
        if kept is None:
            name, secret = f"{random.getrandbits(60):x}", f"{random.getrandbits(60):x}"
            match = Match(escale.game("tortuga").start(), fair_random=FairRandom(secret))
            await store.create(NewTable(name, match.header, secret, due=1))
            said.send((name, 0))
        else:
            name, secret = kept.id, kept.secret or ""
            match = Match.resume([kept.header, *kept.events], FairRandom(secret))
        kept = None
        while match.turn is not None:
            known = len(match.events)
            if match.turn == CHANCE:
                match.draw_chance(at=known)
            else:
                match.play(match.turn, random.choice(match.position.moves()), at=known)
                if match.turn is not None and len(match.events) > 25:
                    match.resign(0, at=known)
            due = None if match.ended else 1
            await store.append(name, match.events[known:], due=due)
            said.send((name, len(match.events)))
