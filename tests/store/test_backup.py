"""A backup holds everything, can be restored anywhere, and is known to be playable."""

from __future__ import annotations

import asyncio
import gzip
import logging
import sqlite3
import time
import tracemalloc
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import psycopg
import pytest
from sqlalchemy import text

from escale import game
from escale.game.fair_random import FairRandom
from escale.match.events import as_json
from escale.match.match import Match, Player
from escale.match.reading import encode
from escale.store import Kept, NewTable, Store, StoreError, Token, archive
from escale.store.archive import Archive
from escale.store.backup import back_up, inspect_archive, restore
from escale.store.bots import create_bot, list_bots
from escale.store.database import database_url, open_database
from escale.store.records import Device, Endpoint, Notebook, RatedGame
from tests.store.test_store import opened

TABLES = ("anchor", "buoy", "capstan", "davit")

WITHOUT_NOTEBOOKS = [
    f"DROP TABLE {name}" for name in (
        "evening_events", "evening_tokens", "evenings", "seeks", "rated_games", "quiet", "outbox",
        "endpoints", "openings", "devices", "notebooks", "house",
    )
]
"""As a database of an earlier version is."""


def played(secret: str, moves: int) -> Match:
    """A match of which some moves have been played; it is over after more than eight."""
    match = Match(
        game("tortuga").start(first="south"), players=[Player("Zoé \N{TURTLE}"), Player("Bo")],
        fair_random=FairRandom(secret),
    )
    for _ in range(moves):
        match.play(match.turn or 0, match.position.moves()[0], at=1_800_000_000_000)
    match.say(0, f"hello from {secret}", at=1_800_000_000_000)
    if moves > 8:
        match.resign(0, at=1_800_000_000_000)
    return match


async def fill(database: str) -> dict[str, Kept]:
    async with opened(database) as store:
        for number, name in enumerate(TABLES):
            match = played(name, 4 * number)
            await store.create(
                NewTable(name, match.header, name, bool(number % 2), [Token("ab" * 32, (0,))],
                         due=number or None, next_secret="later" if number else None),
                match.events,
            )
        await store.housekeeping.decide("buoy", muted=True)
        return await everything(store)


async def everything(store: Store) -> dict[str, Kept]:
    found = {name: await store.load(name) for name in TABLES}
    return {name: kept for name, kept in found.items() if kept is not None}


async def contents(database: str) -> dict[str, Kept]:
    async with opened(database) as store:
        return await everything(store)


def spoil(database: str, *statements: str) -> None:
    engine = open_database(database_url(database))
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


def test_a_backup_is_restored_into_either_database(
    database: str, server: str, tmp_path: Path
) -> None:
    before = asyncio.run(fill(database))
    file = tmp_path / "house.backup"
    report = back_up(database_url(database), file)
    assert (report.tables, report.sound) == (4, True)
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(StoreError, match="exists.*--force"):
        back_up(database_url(database), file)
    back_up(database_url(database), file, force=True, verify=False)
    other = str(tmp_path / "other.sqlite3")
    if database.endswith(".sqlite3"):                   # the other way round: into PostgreSQL
        other = server.replace("/postgres?", "/restored?")
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute("CREATE DATABASE restored")
    assert restore(database_url(other), file).sound
    assert asyncio.run(contents(other)) == before
    with pytest.raises(StoreError, match="restore into an empty one"):
        restore(database_url(other), file)
    assert list(tmp_path.glob("*.part")) == []


def test_a_backup_is_of_one_moment_while_the_house_is_open(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(fill(database))
    file = tmp_path / "house.backup"
    from escale.store import backup, snapshot

    def while_played(connection: object) -> object:
        """Before the second table is read, moves are played at it and at the first."""
        for number, found in enumerate(snapshot.snapshot(connection)):  # type: ignore[arg-type]
            if number == 0:
                asyncio.run(play_on())
            yield found

    async def play_on() -> None:
        async with opened(database) as store:
            for name in TABLES[:3]:
                kept = await store.load(name)
                assert kept is not None
                match = Match.resume([kept.header, *kept.events], FairRandom(name))
                match.play(match.turn or 0, match.position.moves()[0], at=1)
                await store.append(name, match.events[len(kept.events):])

    before = {name: len(kept.events) for name, kept in asyncio.run(contents(database)).items()}
    monkeypatch.setattr(backup, "snapshot", while_played)
    assert back_up(database_url(database), file).sound
    assert {one.id: len(one.events) for one in Archive(file).records()} == before


def test_a_damaged_table_is_named_and_the_rest_kept(database: str, tmp_path: Path) -> None:
    before = asyncio.run(fill(database))
    spoil(
        database,
        "UPDATE events SET entry = replace(entry, 'hello', 'hell\"o') WHERE table_id = 'anchor'",
        "UPDATE tables SET secret = 'another' WHERE id = 'capstan'",
    )
    file = tmp_path / "house.backup"
    report = back_up(database_url(database), file)
    assert set(report.damaged) == {"anchor", "capstan"}
    assert "committed" in report.damaged["capstan"]
    assert report.tables == 4                           # what can be read is kept, for repairs
    other = str(tmp_path / "other.sqlite3")
    assert set(restore(database_url(other), file).damaged) == {"anchor", "capstan"}
    assert asyncio.run(contents(other)) == {name: before[name] for name in ("buoy", "davit")}


def test_a_damaged_file_loses_no_more_than_it_must(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("escale.store.archive.MEMBER_BYTES", 1)       # a member for each table
    database, file = str(tmp_path / "house.sqlite3"), tmp_path / "house.backup"
    asyncio.run(fill(database))
    back_up(database_url(database), file)
    whole = file.read_bytes()
    starts = [at for at in range(len(whole)) if whole.startswith(b"\x1f\x8b\x08\x00", at)]
    assert len(starts) == 6                             # header, four tables, end

    def inspected(spoilt: bytes) -> tuple[set[str], bool]:
        file.write_bytes(spoilt)
        report = inspect_archive(Archive(file))
        return set(report.damaged), report.cut_off

    for at in range(starts[2], starts[3], 7):           # every seventh byte of the second table
        assert inspected(whole[:at] + b"\xa5" + whole[at + 1:])[0] <= {"buoy"}
    middle = (starts[2] + starts[3]) // 2
    assert inspected(whole[:middle] + bytes(9) + whole[middle + 9:]) == ({"buoy"}, False)
    assert inspected(whole[:starts[4]]) == (set(), True)
    file.write_bytes(whole[:starts[4]])
    report = restore(database_url(str(tmp_path / "rest.sqlite3")), file)
    assert (report.tables, report.sound) == (3, False)
    for nothing in (b"", b"a letter\n" * 99, whole[:10], bytes(300) + whole[starts[1]:]):
        file.write_bytes(nothing)
        with pytest.raises(StoreError, match="not a backup"):
            restore(database_url(str(tmp_path / "none.sqlite3")), file)
    assert not (tmp_path / "none.sqlite3").exists()


def packed(*lines: bytes) -> bytes:
    return b"".join(gzip.compress(line + b"\n") for line in lines)


def with_hash(table: dict[str, object]) -> bytes:
    line = msgspec.json.encode(table)
    return b'{"sha256":"%s","table":%s}' % (sha256(line).hexdigest().encode(), line)


def test_a_hostile_file_takes_little_memory_and_is_refused_in_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "LINE_BYTES", 1 << 24)
    monkeypatch.setattr(archive, "TABLE_BYTES", 1 << 20)
    match = encode(as_json(played("good", 0).header)).decode()
    good = {"id": "good", "header": match, "secret": "good", "public": False, "over": False,
            "created": 1, "tokens": [], "events": []}
    header = b'{"escale_backup":1,"schema":"0001","made":1}'
    end = b'{"names":["good","huge","told","wide","\\u001b[31m"]}'
    bomb = gzip.compress(b"[" * (1 << 28), 9)
    file = tmp_path / "hostile.backup"
    file.write_bytes(
        packed(header) + bomb + packed(
            with_hash({**good, "id": "huge", "created": 1 << 70}),
            with_hash({**good, "id": "\x1b[31m"}),
            with_hash({**good, "id": "wide", "events": [{"n": 1, "at": 1, "entry": ""}] * 100_000}),
            with_hash({**good, "id": "told", "reported": 1 << 70}), with_hash(good), end,
        )
    )
    tracemalloc.start()
    report = restore(database_url(str(tmp_path / "new.sqlite3")), file)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5 << 24
    assert set(report.damaged) == {"huge", "told", "wide", "\x1b[31m"}
    assert report.tables == 1
    bots = b'{"names":["good"],"bots":[["Walker","%s",%d]]}' % (b"ab" * 32, 1 << 70)
    file.write_bytes(packed(header, with_hash(good), bots))
    assert restore(database_url(str(tmp_path / "other.sqlite3")), file).cut_off


def test_what_cannot_be_backed_up_or_restored_is_said(tmp_path: Path) -> None:
    nowhere = database_url(str(tmp_path / "none.sqlite3"))
    with pytest.raises(StoreError, match="There is no database at"):
        back_up(nowhere, tmp_path / "x")
    with pytest.raises(StoreError, match="Cannot read"):
        restore(nowhere, tmp_path / "x")
    Store(str(tmp_path / "house.sqlite3")).close()
    with pytest.raises(StoreError, match="[Cc]annot write"):        # the parent is no folder
        back_up(database_url(str(tmp_path / "house.sqlite3")), tmp_path / "house.sqlite3" / "x")


def test_a_copy_is_kept_before_the_tables_are_brought_up_to_date(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("ESCALE_BACKUPS", str(tmp_path / "copies"))
    before = asyncio.run(fill(database))
    older = [*WITHOUT_NOTEBOOKS, "DROP INDEX tables_created", "DROP TABLE probe",
             "DROP TABLE reviews",
             "DROP TABLE bots", "DROP INDEX tokens_sha256",
             *(f"ALTER TABLE tables DROP COLUMN {name}"
               for name in ("closed", "muted", "seen", "reported")),
             "UPDATE alembic_version SET version_num = '0002'"]
    for _ in range(2):
        spoil(database, *older)
        with caplog.at_level(logging.WARNING, "escale"):
            assert set(asyncio.run(contents(database))) == set(before)
    today = time.strftime("%Y-%m-%d")
    if database.endswith(".sqlite3"):
        copies = sorted(tmp_path.glob("escale.sqlite3.version-*"))
        assert [copy.name for copy in copies] == [
            f"escale.sqlite3.version-0002-{today}", f"escale.sqlite3.version-0002-{today}-2"]
        with closing(sqlite3.connect(copies[0])) as copy:
            assert copy.execute("SELECT version_num FROM alembic_version").fetchone() == ("0002",)
            assert copy.execute("SELECT count(*) FROM tables").fetchone() == (4,)
    else:
        copies = sorted((tmp_path / "copies").iterdir())
        assert len(copies) == 2
        other = str(tmp_path / "other.sqlite3")
        assert restore(database_url(other), copies[0]).sound
        assert set(asyncio.run(contents(other))) == set(before)
    assert all(copy.stat().st_mode & 0o777 == 0o600 for copy in copies)
    assert "is kept: " in caplog.text
    asyncio.run(contents(database))                     # up to date: no further copy
    assert len(copies) == len(list(copies[0].parent.glob("*version-*")))


def test_accounts_of_bots_outlive_a_new_version(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESCALE_BACKUPS", str(tmp_path / "copies"))
    create_bot(database_url(database), "Walker", about="Walks.", games=["tortuga"])
    more = ("about", "games", "won", "drawn", "lost")
    spoil(database, *WITHOUT_NOTEBOOKS,
          *(f"ALTER TABLE bots DROP COLUMN {name}" for name in more),
          "ALTER TABLE tables DROP COLUMN reported",
          "UPDATE alembic_version SET version_num = '0005'")
    [bot] = list_bots(database_url(database))
    assert (bot.name, bot.about, bot.games, bot.won) == ("Walker", "", (), 0)
    if not database.endswith(".sqlite3"):
        [copy] = (tmp_path / "copies").iterdir()
        other = database_url(str(tmp_path / "other.sqlite3"))
        restore(other, copy)
        assert list_bots(other) == [bot]


def test_notebooks_are_in_a_backup_with_what_opens_them(database: str, tmp_path: Path) -> None:
    notebook = Notebook("n", "ab" * 32, 1, 2, "Zoé", "fr", '{"puzzles":{}}')
    device = Device("cd" * 32, "n", "Firefox", 1, 2)
    endpoint = Endpoint("e", "n", "mail", "zoe@example.org", 3, pace="daily", zone="Europe/Paris")
    game = RatedGame("t", 4, "tortuga", ("n", "m"), (1.0, 0.0))

    async def make() -> str:
        async with opened(database) as store:
            await store.notebooks.create(notebook, device)
            await store.outbox.add(endpoint)
            await store.outbox.set_quiet("n", "t", True)
            await store.write_rows("t", {"rated": [game.row()]})
            return await store.notebooks.house_value("id", lambda: "1234")

    async def read(where: str) -> object:
        async with opened(where) as store:
            assert await store.notebooks.house_value("id", lambda: "another") == "1234"
            assert await store.outbox.endpoints() == [(endpoint, notebook.holder, "fr")]
            assert await store.outbox.quiet_tables() == [("n", "t")]
            assert await store.outbox.rated() == ([game], 1)
            return await store.notebooks.opened_by(device.sha256)

    assert asyncio.run(make()) == "1234"
    path, other = tmp_path / "all.backup", str(tmp_path / "other.sqlite3")
    back_up(database_url(database), path)
    restore(database_url(other), path)
    assert asyncio.run(read(other)) == (notebook, device)
