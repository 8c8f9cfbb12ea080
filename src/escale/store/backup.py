"""`escale backup` and `escale restore`: all tables in a file, and back into any database.

Every match is replayed, so that a backup is known to be playable, and damaged tables are named.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from sqlalchemy import Connection, Table, delete, exc, func, insert, select
from sqlalchemy.engine import URL

from escale.game.fair_random import FairRandom
from escale.match.events import read_event, read_header
from escale.match.match import Match
from escale.store.archive import Archive, ArchiveWriter, People, Record
from escale.store.database import head, open_database, writing
from escale.store.errors import BadDatabase, Damaged, StoreError
from escale.store.evenings import keep as keep_evening
from escale.store.schema import (
    bots,
    devices,
    endpoints,
    events,
    house,
    notebooks,
    quiet,
    rated_games,
    tables,
    tokens,
)
from escale.store.snapshot import people, snapshot

BACKUP = ".backup"
WORSE = ".damaged"
"""At the end of the name of a backup with damaged tables."""


@dataclass(slots=True)
class Report:
    """The result of a backup."""

    tables: int = 0
    events: int = 0
    damaged: dict[str, str] = field(default_factory=dict)
    """The reason for each table that cannot be played on."""
    cut_off: bool = False
    """Whether the end of the file is missing."""
    lost: int = 0
    """The number of tables that are missing with it, as far as the file states it."""
    path: Path | None = None
    """The file that was written, if it is not the requested one."""

    @property
    def sound(self) -> bool:
        """Whether nothing is missing."""
        return not self.damaged and not self.cut_off


def back_up(url: URL, path: Path, *, force: bool = False, verify: bool = True) -> Report:
    """Write everything into a new file, while the house may be open."""
    if path.exists() and not force:
        raise BadDatabase("exists", path=path)
    if url.get_backend_name() == "sqlite" and not Path(str(url.database)).exists():
        raise BadDatabase("none", place=url.database)
    part = path.with_name(f"{path.name}.part")
    report = Report()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            part.unlink()
        # The file has the secrets of running matches, like the database itself.
        with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            _collect(url, file, report)
        if verify:
            report.damaged |= inspect_archive(Archive(part)).damaged
        if not report.sound and path.exists() and _is_sound(path):
            path = report.path = path.with_name(f"{path.name}{WORSE}")
        os.replace(part, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise BadDatabase("cannot-write", path=path, why=error) from error
    finally:
        with suppress(OSError):
            part.unlink()
    return report


def back_up_into(url: URL, folder: Path, *, keep: int, verify: bool = True) -> Report:
    """Write everything into a new, dated file in a folder, and delete the oldest files there.

    `keep` complete backups stay. A backup with damaged tables gets another name, and replaces none
    of them.
    """
    if folder.exists() and not folder.is_dir():
        raise BadDatabase("folder", folder=folder)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H%M%S.%fZ")
    path = folder / f"escale-{now}{BACKUP}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadDatabase("cannot-write", path=path, why=error) from error
    report = back_up(url, path, verify=verify)
    report.path = path
    if not report.sound:
        report.path = path.with_name(path.name + WORSE)
        os.replace(path, report.path)
    for kind in (BACKUP, BACKUP + WORSE):
        for old in sorted(folder.glob(f"escale-*{kind}"))[:-keep]:
            old.unlink(missing_ok=True)
    return report


def _is_sound(path: Path) -> bool:
    """Whether a file is a complete backup."""
    try:
        return inspect_archive(Archive(path)).sound
    except StoreError:
        return False


def _collect(url: URL, file: BinaryIO, report: Report) -> None:
    engine = open_database(url)
    try:
        # One transaction, which sees the database as it is now, however long it takes.
        isolation = {"isolation_level": "REPEATABLE READ"} \
            if engine.dialect.name == "postgresql" else {}
        with engine.connect().execution_options(**isolation) as connection:
            count = connection.execute(select(func.count()).select_from(tables)).scalar_one()
            writer = ArchiveWriter(file, head(), time.time_ns() // 1_000_000, count)
            writer.people = people(connection)
            for found in snapshot(connection):
                if isinstance(found, Damaged):
                    report.damaged[str(found).split()[1]] = str(found)
                    continue
                writer.add(found)
                report.tables += 1
                report.events += len(found.events)
            writer.finish()
    except exc.SQLAlchemyError as error:
        raise BadDatabase("unreadable", why=error) from error
    finally:
        engine.dispose()


def inspect_archive(archive: Archive) -> Report:
    """Read a backup and replay every match in it."""
    report, sound = Report(), set()
    for record in archive.records():
        try:
            replay(record)
        except Damaged as error:
            report.damaged[record.id] = str(error)
            continue
        sound.add(record.id)
        report.tables += 1
        report.events += len(record.events)
    if archive.names is None:
        report.cut_off = True
        there = report.tables + len(report.damaged)
        report.lost = max(0, (archive.header.tables or 0) - there)
    for name in set(archive.names or ()) - sound - set(report.damaged):
        report.damaged[name] = f"table {name} is damaged in the file"
    return report


def replay(record: Record) -> None:
    """Play a match again from its first event; Damaged says why that is not possible."""
    try:
        entries = [read_event(row.entry) for row in record.events]
        if [row.n for row in record.events] != list(range(1, 1 + len(entries))) \
                or any(event.n != row.n for event, row in zip(entries, record.events, strict=True)):
            raise Damaged("its events are not numbered one after the other")
        secret = FairRandom(record.secret or "")
        match = Match.resume([read_header(record.header), *entries], secret)
        if match.ended != record.over:
            raise Damaged("it is not known whether it is over")
        for _, seats in record.tokens:
            held = msgspec.json.decode(seats, type=list[int])
            if not all(0 <= seat < match.start.seats for seat in held):
                raise Damaged("a token holds a seat that there is not")
    except Exception as error:              # a damaged line may fail anywhere
        raise Damaged(f"table {record.id} cannot be replayed: {error}") from error


def restore(url: URL, path: Path) -> Report:
    """Write the tables of a backup into an empty database; damaged ones are left out, and named.

    All matches are replayed before anything is written, and all are written in one transaction.
    """
    archive = Archive(path)
    if archive.header.schema > head():
        raise BadDatabase("newer-file", path=path)
    report = inspect_archive(archive)
    engine = open_database(url)
    try:
        with writing(engine).begin() as connection:
            if connection.execute(select(tables.c.id).limit(1)).first() is not None:
                raise BadDatabase("not-empty")
            for record in archive.records():
                if record.id not in report.damaged:
                    _insert(connection, record)
            _insert_people(connection, archive.people)
    except exc.SQLAlchemyError as error:
        raise BadDatabase("refused", why=error) from error
    finally:
        engine.dispose()
    return report


def _insert(connection: Connection, record: Record) -> None:
    row = {
        column.name: getattr(record, column.name) for column in tables.c if column.name != "seen"
    }
    connection.execute(insert(tables), [row])
    held = [{"table_id": record.id, "sha256": sha256, "seats": seats}
            for sha256, seats in record.tokens]
    if held:
        connection.execute(insert(tokens), held)
    rows = [{"table_id": record.id, "n": one.n, "at": one.at, "entry": one.entry}
            for one in record.events]
    if rows:
        connection.execute(insert(events), rows)


def _insert_people(connection: Connection, people: People) -> None:
    """Insert the people of a backup; what the new house has drawn already gives way."""
    rows: list[tuple[Table, list[dict[str, Any]]]] = [
        (bots, [bot.row() for bot in people.bots]),
        (notebooks, [notebook._asdict() for notebook in people.notebooks]),
        (devices, [device._asdict() for device in people.devices]),
        (house, [{"name": name, "value": value} for name, value in people.house.items()]),
        (endpoints, [endpoint._asdict() for endpoint in people.endpoints]),
        (quiet, [{"notebook_id": one, "table_id": table} for one, table in people.quiet]),
        (rated_games, [game.row() for game in people.rated]),
    ]
    if people.house:
        connection.execute(delete(house))
    for kind, found in rows:
        if found:
            connection.execute(insert(kind), found)
    for evening in people.evenings:
        keep_evening(connection, evening)


def _sync_folder(folder: Path) -> None:
    """Write the new name to the disk, too, if the system allows it."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
