"""What is awaited is kept; what cannot be kept fails alone."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest
from msgspec import structs
from sqlalchemy import event

import escale
from escale.game.fair_random import FairRandom
from escale.game.viewer import ALL
from escale.match.events import Began, Ended, Event, Header, OutcomeFacts, Played
from escale.match.match import Match, Player
from escale.store import Busy, Conflict, Damaged, NewTable, Store, StoreError, Token, writer

HEADER = Header(1, "tortuga", "a text", [Player("Zoé \N{TURTLE}\u2028")], None)


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[Store]:
    store = Store(database)
    try:
        yield store
    finally:
        store.close()


def play(n: int, move: str = "d2-d3", **more: Any) -> Event:
    return Played(n % 2, move, n=n, **more)


def titled(game: str) -> Header:
    return structs.replace(HEADER, game=game)


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def main() -> None:
        await test()

    asyncio.run(main())


def test_what_is_kept_can_be_read_again(database: str) -> None:
    async def test() -> None:
        table = NewTable("a", HEADER, "deep", True, [("f" * 64, [0, 1])])
        first, second, third = Began([None], n=1, at=7), play(2), play(3)
        async with opened(database) as store:
            await store.create(table, [first])
            await store.append("a", [second, third])
            await store.append("a", [])
            await store.append("a", [], tokens=[Token("e" * 64, (1,))])
            assert await store.load("b") is None
        async with opened(database) as store:           # and after a restart
            kept = await store.load("a")
            assert kept is not None
            assert (kept.id, kept.header, kept.secret, kept.public) == ("a", HEADER, "deep", True)
            assert kept.events == [first, second, third]
            assert set(kept.tokens) == {Token("f" * 64, (0, 1)), Token("e" * 64, (1,))}
            await store.append("a", [play(4)])

    run(test)


def test_a_match_resumes_from_the_store(database: str) -> None:
    async def test() -> None:
        match = Match(escale.game("tortuga").start(), fair_random=FairRandom("deep"))
        async with opened(database) as store:
            await store.create(NewTable("a", match.header, "deep"))
            match.draw_chance(at=1)
            await store.append("a", match.events)
            kept = await store.load("a")
        assert kept is not None
        assert kept.secret is not None
        resumed = Match.resume([kept.header, *kept.events], FairRandom(kept.secret))
        assert resumed.transcript(ALL) == match.transcript(ALL)

    run(test)


def test_a_row_that_is_no_event_is_said_to_be_broken(tmp_path: Any) -> None:
    path = tmp_path / "damaged.sqlite3"

    async def test() -> None:
        async with opened(str(path)) as store:
            await store.create(NewTable("a", HEADER, None), [play(1)])
            with sqlite3.connect(path) as connection:
                connection.execute("UPDATE events SET entry = '{\"do\": \"dance\"}'")
            with pytest.raises(Damaged, match="table a .*expected one of begin"):
                await store.load("a")

    run(test)


def test_only_the_next_events_are_kept(database: str) -> None:
    async def test() -> None:
        async with opened(database) as store:
            await store.create(NewTable("a", HEADER, None), [play(1)])
            for events in ([play(1)], [play(3)], [play(0)]):
                with pytest.raises(Conflict, match="expected event 2"):
                    await store.append("a", events)
            with pytest.raises(StoreError, match="one after the other"):
                await store.append("a", [play(2), play(4)])
            with pytest.raises(Conflict, match="no table b"):
                await store.append("b", [play(1)])
            with pytest.raises(Conflict):
                await store.append("b", [], tokens=[Token("f" * 64, (0,))])
            with pytest.raises(Conflict):
                await store.create(NewTable("a", HEADER, None))
            with pytest.raises(TypeError):
                await store.append("a", [play(2, move=object())])  # type: ignore[arg-type]
            await store.append("a", [play(2)])
            kept = await store.load("a")
        assert kept is not None
        assert kept.events == [play(1), play(2)]

    run(test)


def test_in_a_group_only_what_is_at_fault_fails(database: str) -> None:
    async def test() -> None:
        async with opened(database) as store:
            await asyncio.gather(*(store.create(NewTable(name, HEADER, None)) for name in "abcd"))
            results = await asyncio.gather(
                store.append("a", [play(1)]),
                store.append("a", [play(1)]),                       # a second one
                store.append("b", [play(1)]),
                store.create(NewTable("a", HEADER, None), [play(1)]),   # there is one
                store.append("c", [play(2)]),                       # one is missing
                store.append("a", [play(2)]),
                store.append("nowhere", [], tokens=[Token("f" * 64, (0,))]),
                store.append("d", [], tokens=[Token("f" * 64, (0,))]),
                store.append("c", [play(1)]),
                store.create(NewTable("e", HEADER, None), [play(1)]),
                return_exceptions=True,
            )
            failed = [number for number, result in enumerate(results) if result is not None]
            assert failed == [1, 3, 4, 6]
            assert all(isinstance(results[number], Conflict) for number in failed)
            kept = {name: await store.load(name) for name in "abcde"}
        counts = {name: len(table.events) for name, table in kept.items() if table}
        assert counts == {"a": 2, "b": 1, "c": 1, "d": 0, "e": 1}

    run(test)


def test_a_second_writer_fails_loudly(database: str) -> None:
    async def test() -> None:
        async with opened(database) as one, opened(database) as other:
            await one.create(NewTable("a", HEADER, None), [play(1)])
            await other.append("a", [play(2)])
            with pytest.raises(Conflict):               # the first believes that 2 is the next
                await one.append("a", [play(2, move="a1-a2")])
            with pytest.raises(Conflict, match="expected event 3"):
                await one.append("a", [play(2, move="a1-a2")])
            await one.append("a", [play(3)])
            with pytest.raises(Conflict):
                await other.append("a", [play(3, move="a1-a2")])
            kept = await other.load("a")
        assert kept is not None
        assert kept.events == [play(1), play(2), play(3)]

    run(test)


def test_two_writers_at_once_leave_no_gap(database: str) -> None:
    async def test() -> None:
        async def compete(store: Store) -> int:
            won, n = 0, 1
            while n <= 40:
                try:
                    await store.append("a", [play(n)])
                    won += 1
                except Conflict:
                    pass
                n += 1
            return won

        async with opened(database) as one, opened(database) as other:
            await one.create(NewTable("a", HEADER, None))
            won = await asyncio.gather(compete(one), compete(other))
            kept = await one.load("a")
        assert kept is not None
        assert [event.n for event in kept.events] == list(range(1, sum(won) + 1))
        assert kept.events

    run(test)


def test_lists(database: str) -> None:
    async def test() -> None:
        async with opened(database) as store:
            for number, name in enumerate("abcd"):
                await store.create(
                    NewTable(name, titled(name), None, public=name != "a", due=10 - number),
                    [play(1, at=1000 + number), play(2, at=2000 - number)],
                )
            await store.append("d", [Ended(OutcomeFacts("time", None, [0], [1.0, 0.0]), n=3)])
            await store.append("b", [play(3, at=5000)])
            listed = await store.public()
            assert [(table.id, table.changed, table.events) for table in listed] == [
                ("b", 5000, 3), ("c", 1998, 2)]
            assert [table.id for table in await store.public(since=2000)] == ["b"]
            assert [table.id for table in await store.public(limit=1)] == ["b"]
            await store.create(NewTable("e", HEADER, None, public=True))
            assert (await store.public())[0].events == 0
            assert await store.due(9) == ["d", "c", "b"]
            await store.append("c", [], due=None)
            await store.append("b", [play(4)], due=6)
            await store.append("d", [], next_secret="deep")     # and is due as before
            assert await store.due(9) == ["b", "d"]
            kept = await store.load("d")
            assert kept is not None
            assert (kept.due, kept.next_secret) == (7, "deep")

    run(test)


def test_many_appends_share_a_commit(database: str) -> None:
    async def test() -> None:
        async with opened(database) as store:
            commits: list[object] = []
            event.listen(store._engine, "commit", commits.append)
            names = [str(number) for number in range(300)]
            await asyncio.gather(*(
                store.create(NewTable(name, HEADER, None, due=1)) for name in names
            ))
            await asyncio.gather(*(store.append(name, [play(1)]) for name in names))
            assert 2 <= len(commits) <= 300             # of 600 changes
            assert len(await store.due(1)) == 300

    run(test)


def test_who_no_longer_waits_is_written_all_the_same(database: str) -> None:
    async def test() -> None:
        async with opened(database) as store:
            await store.create(NewTable("a", HEADER, None))
            task = asyncio.create_task(store.append("a", [play(1)]))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await store.append("a", [play(2)])

    run(test)


def test_closing_writes_what_waits(database: str) -> None:
    async def test() -> None:
        store = Store(database)
        await store.create(NewTable("a", HEADER, None))
        tasks = [asyncio.create_task(store.append("a", [play(n)])) for n in range(1, 200)]
        await asyncio.sleep(0)
        store.close()
        store.close()                                   # twice is no harm
        await asyncio.gather(*tasks)
        with pytest.raises(StoreError, match="closed"):
            await store.append("a", [play(200)])
        with pytest.raises(StoreError, match="closed"):
            await store.load("a")
        async with opened(database) as store:
            kept = await store.load("a")
        assert kept is not None
        assert len(kept.events) == 199

    run(test)


def test_a_full_disk_fails_what_does_not_fit_and_nothing_else(tmp_path: Any) -> None:
    async def test() -> None:
        async with opened(str(tmp_path / "small.sqlite3")) as store:
            await store.create(NewTable("a", HEADER, "deep secret"), [play(1)])
            connection = store._writer._connection
            with connection.begin():
                pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
                connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
            results = await asyncio.gather(
                store.append("a", [play(2)]),
                store.create(NewTable("b", titled("x" * 50_000), "deep secret")),
                store.append("a", [play(3)]),
                return_exceptions=True,
            )
            assert isinstance(results[1], StoreError)
            assert "full" in str(results[1])
            assert "deep secret" not in str(results[1])
            with connection.begin():
                connection.exec_driver_sql("PRAGMA max_page_count=100000")
            kept = await store.load("a")
            assert kept is not None
            acknowledged = [n for n, result in ((2, results[0]), (3, results[2])) if not result]
            assert [event.n for event in kept.events] == [1, *acknowledged]
            await store.append("a", [play(len(kept.events) + 1)])

    run(test)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_lost_connection_is_made_again(server: str, database: str) -> None:
    async def test() -> None:
        async with opened(database) as store:
            await store.create(NewTable("a", HEADER, None), [play(1)])
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE pid != pg_backend_pid() AND datname LIKE 'test%'"
                )
            await store.append("a", [play(2)])
            await store.append("a", [play(3)])
            kept = await store.load("a")
        assert kept is not None
        assert len(kept.events) == 3

    run(test)


def test_too_much_at_once_is_refused(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "WAITING_CHANGES", 5)
    path = tmp_path / "busy.sqlite3"

    async def test() -> None:
        async with opened(str(path)) as store:
            await store.create(NewTable("a", HEADER, None))
            other = sqlite3.connect(path, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")            # the writer has to wait
            first = asyncio.create_task(store.append("a", [play(1)]))
            while store._writer._queue.qsize() or not first._fut_waiter:  # type: ignore[attr-defined]
                await asyncio.sleep(0.001)
            tasks = [asyncio.create_task(store.append("a", [play(n)])) for n in range(2, 9)]
            await asyncio.sleep(0)
            other.execute("ROLLBACK")
            other.close()
            results = await asyncio.gather(first, *tasks, return_exceptions=True)
            assert [isinstance(result, Busy) for result in results] == [False] * 6 + [True] * 2
            assert results[:6] == [None] * 6

    run(test)


def test_a_review_is_kept_once_and_goes_with_its_table(database: str) -> None:
    async def test() -> None:
        async with opened(database) as store, opened(database) as other:
            await store.create(NewTable("T", HEADER, "deep"))
            assert await store.review("T") is None
            await store.keep_review("T", '{"version": 1}')
            # Another process has made one at the same time: one of the two stays.
            await asyncio.gather(
                store.keep_review("T", '{"version": 2}'), other.keep_review("T", '{"version": 2}'),
                return_exceptions=True,
            )
            assert await other.review("T") == '{"version": 2}'
            with pytest.raises(Conflict):
                await store.keep_review("nowhere", "{}")
            assert await store.housekeeping.delete("T")
            assert await store.review("T") is None
            await store.create(NewTable("T", HEADER, "deep"))
            assert await store.review("T") is None

    run(test)
