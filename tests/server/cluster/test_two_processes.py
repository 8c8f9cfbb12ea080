"""Two houses on one database, as two processes would be: each sees what the other does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from time import perf_counter
from typing import Any

import msgspec
import psycopg
import pytest

from escale.match.events import read_action
from escale.server.cluster.postgres_cluster import PostgresCluster
from escale.server.edge.problems import Problem
from escale.server.settings import Settings
from escale.server.tables.house import House
from escale.server.tables.names import seat_token
from escale.server.tables.orders import Order, Sitting
from escale.server.tables.table import Table
from escale.server.tables.views import Sight
from escale.store import Store
from escale.store.notices import Notice, TableWritten
from tests.sizes import PATIENCE_SECONDS

PEOPLE = {
    "game": "tortuga", "options": {"first": "south"},
    "seats": [{"kind": "person", "name": "Ana"}, {"kind": "open"}],
}


@asynccontextmanager
async def houses(database: str, count: int = 2) -> AsyncIterator[list[House]]:
    """So many houses that know of each other."""
    async with AsyncExitStack() as stack:
        opened = []
        for _ in range(count):
            house = House(Settings(database=database, workers=1))
            await house.open()
            stack.push_async_callback(house.close)
            opened.append(house)
        await until(lambda: all(len(cluster(house).alive) == count for house in opened))
        yield opened


def cluster(house: House) -> PostgresCluster:
    assert isinstance(house.cluster, PostgresCluster)
    return house.cluster


def deafen(house: House, kind: type[Notice] = Notice) -> None:
    """Have a house miss what others tell, as if the notices were lost."""
    member = cluster(house)
    hear = member.hear
    member.hear = lambda sender, notice: (  # type: ignore[method-assign]
        None if isinstance(notice, kind) else hear(sender, notice)
    )


async def until(true: Callable[[], Any], seconds: float = PATIENCE_SECONDS) -> float:
    """Wait until something is true; how long that took."""
    began = perf_counter()
    while not true():
        assert perf_counter() - began < seconds, "it never was"
        await asyncio.sleep(0.002)
    return perf_counter() - began


async def at(house: House, id: str) -> Table:
    table = await house.table(id)
    assert table is not None
    return table


async def two_people(one: House, other: House, **more: Any) -> tuple[str, list[str]]:
    """A table that one house has set up, and a player who sat down through the other."""
    made = await one.create(msgspec.convert({**PEOPLE, **more}, Order))
    token = seat_token("a-word-that-nobody-guesses", made.table, 1)
    await (await at(other, made.table)).sit(1, Sitting("Bo"), token)
    return made.table, [made.token, token]


def action(seat: int, do: str = "play", **more: Any) -> Any:
    return read_action(json.dumps({"do": do, "seat": seat, **more}))


class Watcher:
    """A spectator, with the times of what they heard."""

    sight = Sight.of((), None, "en", lean=True)

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    def hear(self, message: bytes) -> None:
        self.heard.append(json.loads(message))

    def leave(self) -> None:
        self.heard.append({"type": "sent away"})

    async def wait_for(self, n: int) -> float:
        return await until(lambda: any(message.get("n") == n for message in self.heard))


def run(work: Awaitable[None]) -> None:
    async def within() -> None:
        async with asyncio.timeout(2 * PATIENCE_SECONDS):
            await work

    asyncio.run(within())


def test_what_one_answers_those_at_the_other_see_at_once(postgres_database: str) -> None:
    async def test() -> None:
        async with houses(postgres_database) as (one, other):
            id, tokens = await two_people(one, other)
            here, there = await at(one, id), await at(other, id)
            watchers = Watcher(), Watcher()
            here.audiences.join(watchers[0])
            there.audiences.join(watchers[1])
            delays = []
            for turn in range(20):
                mover = (here, there)[turn % 2]
                moved = mover.match.position.moves()[0].text
                n = await mover.do(action(turn % 2, id=f"m{turn}", n=2 + turn, move=moved),
                                   mover.held(tokens[turn % 2]))
                assert n == 3 + turn
                delays.append(await watchers[1 - turn % 2].wait_for(n))
                assert here.match.position == there.match.position
            delays.sort()
            print(f"median {1000 * delays[10]:.1f} ms, longest {1000 * delays[-1]:.1f} ms")
            assert delays[10] < 2.0         # told by a notice: looking for gaps takes five seconds
            for watcher in watchers:        # each event once, in order; no connection closed
                told = [event["n"] for message in watcher.heard for event in message["events"]]
                assert told == list(range(3, 23))

    run(test())


def test_a_process_that_is_behind_answers_as_one_process_would(postgres_database: str) -> None:
    """With every notice lost: duplicates, stale moves, seats and turns all the same."""
    async def test() -> None:
        async with houses(postgres_database) as (one, other):
            id, (ana, bo) = await two_people(one, other)
            here, there = await at(one, id), await at(other, id)
            for house in (one, other):
                deafen(house, TableWritten)
            first, *more = [move.text for move in here.match.position.moves()]
            play = action(0, id="m1", n=2, move=first)
            assert await here.do(play, here.held(ana)) == 3
            assert there.length == 2
            assert await there.do(play, there.held(ana)) == 3           # the same again
            again = action(0, id="m2", n=2, move=more[0])
            await here.do(action(1, "say", id="s1", text="Bonjour"), (1,))
            with pytest.raises(Problem, match="stale"):
                await there.do(again, there.held(ana))
            assert there.length == 4                         # and it was refused knowing all
            # Both write at the same time: one is first, and the other follows.
            await asyncio.gather(
                *(here.do(action(0, "say", id=f"a{k}", text=f"{k}"), (0,)) for k in range(5)),
                *(there.do(action(1, "say", id=f"b{k}", text=f"{k}"), (1,)) for k in range(5)),
            )
            reply = there.match.position.moves()[0].text
            await there.do(action(1, id="m3", n=14, move=reply), there.held(bo))
            with pytest.raises(Problem, match="not this seat"):
                await here.do(action(1, id="m4", n=15, move=reply), here.held(bo))
            kept = await one.store.load(id)
            assert kept is not None
            assert [event.n for event in kept.events] == list(range(1, 16))
            assert (await at(one, id)).match.events == kept.events
            assert (await at(other, id)).match.events == kept.events

    run(test())


def test_a_seat_a_table_and_a_rematch_are_given_once(postgres_database: str) -> None:
    async def test() -> None:
        async with houses(postgres_database) as (one, other):
            order = msgspec.convert({**PEOPLE, "id": "an-order-that-nobody-guesses"}, Order)
            made, same = await asyncio.gather(one.create(order), other.create(order))
            assert (made.table, made.token) == (same.table, same.token)
            here, there = await at(one, made.table), await at(other, made.table)
            tokens = [seat_token(name * 20, made.table, 1) for name in ("b", "c")]
            seated = await asyncio.gather(
                here.sit(1, Sitting("Bo"), tokens[0]), there.sit(1, Sitting("Cy"), tokens[1]),
                return_exceptions=True,
            )
            [refused] = [one for one in seated if one is not None]
            assert isinstance(refused, Problem)
            assert refused.code == "seat-taken"
            winner = tokens[seated.index(None)]
            for house in (one, other):
                table = await at(house, made.table)
                assert [table.held(token) for token in tokens] == [
                    (1,) if token == winner else () for token in tokens
                ]
            await here.do(action(0, "resign", id="r"), (0,))
            await there.do(action(1, "offer", id="o", what="rematch", value="x"), (1,))
            await here.do(action(0, "answer", id="y", yes=True, value="z"), (0,))
            watchers = Watcher(), Watcher()
            here.audiences.join(watchers[0])
            there.audiences.join(watchers[1])
            await until(lambda: here.match.next and there.match.next)
            assert here.match.next == there.match.next
            after = await at(other, here.match.next or "")
            assert after.held(winner) == (0,)
            assert after.match.commitment == here.match.next_commitment
            assert after.match.begun

    run(test())


def test_who_is_there_is_known_everywhere(postgres_database: str) -> None:
    async def test() -> None:
        async with houses(postgres_database) as (one, other):
            id, _ = await two_people(one, other)
            here, there = await at(one, id), await at(other, id)
            there.presence._last_asked = here.presence._last_asked = [0, 0]
            here.presence.arrive([0])
            await until(lambda: there.presence.seats() == [True, False])
            assert there.presence.away(0) is None
            there.presence.arrive([1])
            await until(lambda: here.presence.seats() == [True, True])
            other.forget_table(there)                         # read again: it asks who is there
            again = await at(other, id)
            again.presence._last_asked = [0, 0]
            await until(lambda: here.presence.seats() == [True, False])
            await until(lambda: again.presence.seats() == [True, False])
            here.presence.depart([0])
            await until(lambda: again.presence.seats() == [False, False])
            again.presence.arrive([1])
            await until(lambda: here.presence.seats()[1])
            await cluster(other).close()                # as if its process had died
            await until(lambda: not here.presence.seats()[1])

    run(test())


def test_one_process_keeps_a_table_and_another_takes_over(postgres_database: str) -> None:
    async def test() -> None:
        async with houses(postgres_database) as (one, other):
            names = [f"table{number}" for number in range(200)]
            kept = [cluster(one).owns(name) for name in names]
            assert [cluster(other).owns(name) for name in names] == [not here for here in kept]
            assert 50 < sum(kept) < 150
            order = msgspec.convert({
                "game": "tortuga", "options": {"first": "south"},
                "seats": [{"kind": "computer", "level": "mousse"}, {"kind": "person"}],
            }, Order)
            made = [await one.create(order)]
            while len({cluster(one).owns(table.table) for table in made}) < 2:
                made.append(await one.create(order))
            for table in made:                          # whoever keeps it, the computer moves
                at_it = await at(one, table.table)
                at_it.audiences.join(Watcher())
                await until(lambda at_it=at_it: at_it.match.turn == 1)  # type: ignore[misc]
            with psycopg.connect(
                postgres_database, autocommit=True
            ) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid != pg_backend_pid()"
                )
            await until(lambda: len(cluster(one).alive) == len(cluster(other).alive) == 2)
            assert cluster(one).alive == cluster(other).alive
            await cluster(other).close()
            took = await until(lambda: all(cluster(one).owns(name) for name in names))
            assert took < 5

    run(test())


def test_a_table_forgives_time_only_after_the_whole_house_was_closed(
    postgres_database: str
) -> None:
    async def test() -> None:
        async with houses(postgres_database) as (one, other):
            assert cluster(one).opened == cluster(other).opened
            opened = cluster(one).opened
            await one.close()
            one.store = Store(postgres_database)        # to be closed again
        async with houses(postgres_database, 1) as (third,):
            assert cluster(third).opened >= opened

    run(test())
