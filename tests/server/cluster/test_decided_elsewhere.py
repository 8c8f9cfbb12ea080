"""The host's decisions through one process hold in the others, and no one sits at a ghost."""

from __future__ import annotations

import pytest

from escale.server.edge.problems import Problem
from escale.server.settings import Settings
from escale.server.tables.house import House
from escale.server.tables.table import Table
from escale.server.tables.tidying import TIDYING
from escale.store.retention import DAY_MS, HOUR_MS, Retention
from tests.server.cluster.test_two_processes import (
    Watcher,
    action,
    at,
    cluster,
    deafen,
    houses,
    run,
    two_people,
    until,
)


async def refused(table: Table, do: str = "say", **more: object) -> str:
    with pytest.raises(Problem) as caught:
        await table.do(action(0, do, id="refused", **(more or {"text": "a"})), (0,))
    return caught.value.code


def test_a_table_is_closed_muted_and_deleted_in_all_processes(postgres_database: str) -> None:
    async def test() -> None:
        async with houses(postgres_database) as (one, other):
            id, _ = await two_people(one, other)
            here, there = await at(one, id), await at(other, id)
            watcher = Watcher()
            there.audiences.join(watcher)
            await here.moderate(muted=True)
            await until(lambda: {"type": "sent away"} in watcher.heard)     # to see it anew
            assert there.muted
            there.audiences.drop(watcher)
            assert await refused(there) == "muted"
            await here.moderate(closed=True, muted=False)
            await until(lambda: there.closed)
            assert await refused(there) == "closed"
            await there.moderate(closed=False)                        # where it was not closed
            await until(lambda: not here.closed)
            n = await here.do(action(0, "say", id="s", text="again"), (0,))
            # Where no notice comes through, whoever asks next finds it all the same.
            deafen(other)
            await here.moderate(closed=True)
            assert not there.closed
            assert (await at(other, id)).closed
            await here.moderate(closed=False)
            assert await one.delete(id)
            assert await refused(there, "play", n=n, move="d2-d3") == "unknown-table"
            assert await other.table(id) is None
            assert await one.table(id) is None

    run(test())


def test_who_looks_at_a_deleted_table_is_sent_away(postgres_database: str) -> None:
    async def test() -> None:
        async with houses(postgres_database) as (one, other):
            id, _ = await two_people(one, other)
            there, watcher = await at(other, id), Watcher()
            there.audiences.join(watcher)
            await one.delete(id)
            await until(lambda: there.deleted)
            assert watcher.heard[-1] == {"type": "sent away"}
            assert id not in other.tables

    run(test())


def test_the_time_of_a_closed_table_stands_still_everywhere(postgres_database: str) -> None:
    """Whichever process keeps it: its clock goes on when the table is opened through another."""
    async def test() -> None:
        async with houses(postgres_database) as (one, other):
            id, _ = await two_people(one, other, clock={"initial": 60, "increment": 0})
            keeper, else_ = (one, other) if cluster(one).owns(id) else (other, one)
            kept, there = await at(keeper, id), await at(else_, id)
            move = kept.match.position.moves()[0].text
            await there.do(action(0, id="m", n=2, move=move), (0,))
            await until(lambda: kept.duties._alarm.is_set)
            await there.moderate(closed=True)
            await until(lambda: kept.closed)
            assert not kept.duties._alarm.is_set
            assert await keeper.store.due(10**15) == []
            await there.moderate(closed=False)
            await until(lambda: kept.duties._alarm.is_set)
            assert await keeper.store.due(10**15) == [id]

    run(test())


def test_one_process_tidies_and_spares_what_is_looked_at_through_another(
    postgres_database: str
) -> None:
    async def test() -> None:
        async with houses(postgres_database) as (one, other):
            assert cluster(one).owns(TIDYING) is not cluster(other).owns(TIDYING)
            looked_at, _ = await two_people(one, other)
            left, _ = await two_people(one, other)
            for house in (one, other):
                for table in list(house.tables.values()):
                    house.forget_table(table)
            later = [one.now() + 31 * DAY_MS]
            one.tidying._now = other.tidying._now = lambda: later[0]
            there = await at(other, looked_at)
            there.audiences.join(Watcher())
            stays = await at(other, left)           # in memory, without visitors
            assert await one.tidying.delete_expired() == 0      # both have just been read
            later[0] += 3 * HOUR_MS
            await other.tidying.protect_tables()
            assert await one.tidying.delete_expired() == 1
            await until(lambda: stays.deleted)
            assert await other.table(left) is None
            assert (await at(other, looked_at)).audiences.followed

    run(test())


def test_a_table_that_was_just_set_up_is_not_deleted(postgres_database: str) -> None:
    async def test() -> None:
        async with houses(postgres_database, 1) as (house,):
            id, _ = await two_people(house, house)
            strict = House(Settings(
                database=postgres_database, workers=1, retention=Retention(unstarted=0, finished=0)
            ), now=lambda: house.now() + 1000)
            assert await strict.tidying.delete_expired() == 0
            assert await house.table(id) is not None
            await strict.thinkers.close()
            strict.store.close()

    run(test())
