"""Damage: one bad row closes one table; what cannot be trusted as a whole is not opened."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from pathlib import Path

import pytest
from msgspec import structs

from escale.match.events import Played
from escale.store import Damaged, NewTable, Store, StoreError, Token, database, writer
from tests.store.test_store import HEADER, opened, play, run

SPOILT = [
    "UPDATE events SET entry = 'garbage'",
    "UPDATE events SET entry = '{\"do\": \"dance\"}'",
    "UPDATE events SET entry = CAST(x'ff00fe' AS TEXT)",
    "UPDATE events SET entry = 7",
    "UPDATE tables SET header = '[]'",
    "UPDATE tables SET header = CAST(x'c3' AS TEXT)",
    "UPDATE tokens SET seats = '{'",
    "UPDATE tokens SET seats = '\"all\"'",
]


@pytest.mark.parametrize("how", SPOILT)
def test_a_spoilt_row_hides_no_other(tmp_path: Path, how: str) -> None:
    path = tmp_path / "house.sqlite3"
    where = " WHERE id = 'a'" if "tables" in how else " WHERE table_id = 'a'"

    async def test() -> None:
        async with opened(str(path)) as store:
            for name in "ab":
                table = NewTable(name, HEADER, None, True, [("f" * 64, [0])], due=1)
                await store.create(table, [play(1)])
            with sqlite3.connect(path) as connection:
                connection.execute(how + where)
            with pytest.raises(Damaged, match="table a"):
                await store.load("a")
            assert await store.load("b") is not None
            assert await store.due(1) == ["a", "b"]
            assert "b" in [table.id for table in await store.public()]
        Store(str(path)).close()                            # and the house can be opened

    run(test)


def pages_of(path: Path, table: str) -> list[int]:
    with sqlite3.connect(path) as connection:
        root = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        return [row[0] for row in connection.execute(root, (table,))]


def test_a_damaged_file_is_not_opened(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"

    async def fill() -> None:
        async with opened(str(path)) as store:
            for name in map(str, range(60)):
                await store.create(NewTable(name, HEADER, "x" * 200), [play(1), play(2)])

    run(fill)
    whole = path.read_bytes()
    size = int.from_bytes(whole[16:18], "big")
    for table in ("events", "tables"):
        [page] = pages_of(path, table)
        spoilt = bytearray(whole)
        spoilt[(page - 1) * size:page * size] = b"\xa5" * size
        path.write_bytes(spoilt)
        with pytest.raises(StoreError, match="Cannot open .*house.sqlite3") as refused:
            Store(str(path))
        assert "\n" not in str(refused.value)
        assert path.read_bytes() == spoilt                  # as it was: it may be recovered
    path.write_bytes(whole[: size * 3])                     # cut off
    with pytest.raises(StoreError, match="Cannot open"):
        Store(str(path))
    path.write_bytes(whole)
    Store(str(path)).close()


@pytest.mark.parametrize("strange", [
    "CREATE TABLE tables (id TEXT)",
    "CREATE TABLE alembic_version (version_num TEXT); "
    "INSERT INTO alembic_version VALUES ('0001'), ('0002')",
    "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('0002')",
    "CREATE VIEW events AS SELECT 1",
])
def test_the_database_of_another_program_is_said_to_be_unusable(
    tmp_path: Path, strange: str
) -> None:
    path = tmp_path / "other.sqlite3"
    connection = sqlite3.connect(path)
    connection.executescript(strange)
    connection.close()
    with pytest.raises(StoreError, match="Cannot open .*other.sqlite3") as refused:
        Store(str(path))
    assert str(refused.value).count("\n") == 0


def test_places_that_cannot_hold_a_database(tmp_path: Path) -> None:
    for place in (f"{tmp_path}/a\0b", "/dev/null", "/proc/escale.sqlite3", "x" * 5000):
        with pytest.raises(StoreError):
            Store(place)


@pytest.mark.parametrize("missing", ["", "-wal"])
def test_a_file_that_is_removed_while_the_house_is_open_is_noticed(
    tmp_path: Path, missing: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "house.sqlite3"

    async def test() -> None:
        async with opened(str(path)) as store:
            await store.create(NewTable("a", HEADER, None), [play(1)])
            away, there = tmp_path / "away", Path(f"{path}{missing}")
            there.rename(away)
            with caplog.at_level(logging.ERROR, "escale"):
                for _ in range(2):                          # said once, true twice
                    with pytest.raises(StoreError, match="removed or replaced"):
                        await store.append("a", [play(2)])
                    with pytest.raises(StoreError, match="removed or replaced"):
                        await store.load("a")
            assert len(caplog.records) == 1
            there.write_bytes(b"")                          # another file in its place
            with pytest.raises(StoreError, match="removed or replaced"):
                await store.append("a", [play(2)])
            away.replace(there)
            kept = await store.load("a")
            assert kept is not None
            await store.append("a", [play(len(kept.events) + 1)])

    run(test)


def test_a_seat_is_taken_in_one_write_or_not_at_all(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(str(tmp_path / "house.sqlite3")) as store:
            await store.create(NewTable("a", HEADER, None), [play(1)])
            token = Token("f" * 64, (0,))
            with pytest.raises(StoreError):
                await store.append("a", [play(7)], tokens=[token])
            kept = await store.load("a")
            assert kept is not None
            assert kept.tokens == ()
            await store.append("a", [play(2)], tokens=[token], due=9)
            kept = await store.load("a")
            assert kept is not None
            assert (kept.tokens, kept.due) == ((token,), 9)
            await store.append("a", [], dropped=[token])
            kept = await store.load("a")
            assert kept is not None
            assert kept.tokens == ()

    run(test)


def test_who_holds_the_lock_is_waited_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not once for every change that waits, which would take hours."""
    monkeypatch.setattr(database, "LOCK_SECONDS", 0.2)
    path = tmp_path / "house.sqlite3"
    begun = 0

    async def test() -> None:
        nonlocal begun
        async with opened(str(path)) as store:
            names = [str(number) for number in range(40)]
            await asyncio.gather(*(store.create(NewTable(name, HEADER, None)) for name in names))
            commit = writer.Writer._commit

            def counted(self: writer.Writer, group: list[writer.Write], **more: bool) -> None:
                nonlocal begun
                begun += 1
                commit(self, group, **more)

            monkeypatch.setattr(writer.Writer, "_commit", counted)
            other = sqlite3.connect(path, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            results = await asyncio.gather(
                *(store.append(name, [play(1)]) for name in names), return_exceptions=True
            )
            assert all(isinstance(result, StoreError) for result in results)
            assert "locked" in str(results[0])
            assert await store.load("7") is not None        # readers do not wait
            other.execute("ROLLBACK")
            other.close()
            await store.append("7", [play(1)])

    run(test)
    assert begun < 10


def test_an_older_database_is_brought_up_to_date_with_its_tables(tmp_path: Path) -> None:
    path = tmp_path / "house.sqlite3"

    async def fill() -> None:
        async with opened(str(path)) as store:
            await store.create(NewTable("a", HEADER, "deep"), [play(1)])
            await store.create(NewTable("b", HEADER, "deep"), [play(1)])

    run(fill)
    with sqlite3.connect(path) as connection:               # as version 0001 left it
        connection.execute("UPDATE tables SET over = 1 WHERE id = 'b'")
        connection.execute("DROP INDEX tables_due")
        connection.execute("DROP INDEX tables_created")
        for column in ("due", "next_secret", "closed", "muted", "seen", "reported"):
            connection.execute(f"ALTER TABLE tables DROP COLUMN {column}")
        connection.execute("DROP TABLE probe")
        for name in ("bots", "evening_events", "evening_tokens", "evenings",
                     "seeks", "rated_games", "quiet", "outbox", "endpoints", "openings",
                     "devices", "notebooks", "house"):
            connection.execute(f"DROP TABLE {name}")
        connection.execute("DROP INDEX tokens_sha256")
        connection.execute("DROP TABLE reviews")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")

    async def test() -> None:
        async with opened(str(path)) as store:
            assert await store.due(1) == ["a"]              # what is due there is not known yet
            kept = await store.load("b")
            assert kept is not None
            assert kept.events == [structs.replace(Played(1, "d2-d3"), n=1)]

    run(test)
