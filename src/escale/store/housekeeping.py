"""Work of the host on tables: list them, close them, mute them, delete them.

It has a thread of its own (`own_thread.py`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    and_,
    delete,
    func,
    or_,
    select,
    true,
    update,
)

from escale.store.database import LOCK_SECONDS
from escale.store.file_guard import FileGuard
from escale.store.notices import Notice, TableDeleted, TableModerated
from escale.store.own_thread import OwnThread
from escale.store.retention import Retention, unseen
from escale.store.schema import events, reviews, seeks, tables, tokens

Result = TypeVar("Result")

DELETED_TABLES = 20
"""Tables that are deleted in one transaction."""
CHECKED_TABLES = 500
"""Tables that one transaction checks for expiry."""
SCRUBBED_BYTES = 64 * 2**20
"""Bytes of a SQLite file that is rewritten while the house is open; it takes half a second."""
BEGAN, SAT = '%"do":"begin"%', '%"do":"sit"%'
"""The beginnings of these events in JSON; in messages of people, quotation marks are escaped."""
STATES = ("waiting", "playing", "over", "closed")
REPORTED = "reported"
"""In a search in place of a state: tables that players have reported."""


@dataclass(frozen=True, slots=True)
class Overview:
    """A table in the host's list; a damaged one is listed like the others."""

    id: str
    game: str
    names: tuple[str, ...]
    bots: frozenset[str]
    """Those of the names that belong to bots."""
    state: str
    """One of `STATES`."""
    public: bool
    muted: bool
    reported: bool
    """Whether a player has reported it, and the host has not settled that."""
    created: int
    changed: int
    """When the last event happened. Times are Unix milliseconds."""
    events: int
    size: int
    """Bytes of its events and its header."""


class _Named(msgspec.Struct):
    name: str | None = None
    bot: bool = False


class _Header(msgspec.Struct):
    """The part of a header that a list shows."""

    game: str = "?"
    seats: list[_Named] = []


class Housekeeping(OwnThread):
    """The host's own access to the database."""

    def __init__(
        self, engine: Engine, guard: FileGuard, announce: Callable[[Notice], None]
    ) -> None:
        """`announce` sends notices of decisions to other processes."""
        super().__init__("housekeeping", engine, guard)
        self._announce = announce

    # ---- queries ----

    async def overview(
        self, *, search: str = "", state: str = "", skip: int = 0, limit: int = 25
    ) -> tuple[list[Overview], int]:
        """Some tables, the newest first, and how many there are in all."""
        return await self.read(lambda connection: _overview(
            connection, and_(_found(search), _is(state)), skip, limit
        ))

    async def one(self, table: str) -> Overview | None:
        """One table."""
        found, _ = await self.read(lambda connection: _overview(
            connection, tables.c.id == table, 0, 1
        ))
        return found[0] if found else None

    async def size(self) -> int | None:
        """The database's bytes on the disk; None if they are unknown."""
        return await self.read(_size)

    # ---- decisions ----

    async def decide(self, table: str, **decided: Any) -> None:
        """Close or open a table, mute its chat or not: `closed`, `muted`, `due`."""
        change = update(tables).where(tables.c.id == table).values(**decided)
        await self.write(lambda connection: connection.execute(change))
        self._announce(TableModerated(table))

    async def report(self, table: str, now: int | None) -> None:
        """Note that a player has reported a table or, without a time, that this is settled."""
        change = update(tables).where(tables.c.id == table).values(reported=now)
        await self.write(lambda connection: connection.execute(change))

    async def note_seen(self, seen: Sequence[str], now: int) -> None:
        """Note that these tables are in use."""
        change = update(tables).where(tables.c.id.in_(seen)).values(seen=now)
        await self.write(lambda connection: connection.execute(change))

    async def delete(self, table: str) -> bool:
        """Delete a table with its events; returns whether there was one."""
        return bool(await self._delete([table], true()))

    # ---- retention ----

    async def expired(
        self, retention: Retention, now: int, after: str = ""
    ) -> tuple[list[str], str | None]:
        """Expired tables among the next `CHECKED_TABLES` names after `after`.

        Also returns the last name checked, to go on from; None after the last table.
        """
        few = (
            select(tables.c.id).where(tables.c.id > after).order_by(tables.c.id)
            .limit(CHECKED_TABLES)
        )

        def find_expired(connection: Connection) -> tuple[list[str], str | None]:
            names = list(connection.execute(few).scalars())
            found = connection.execute(
                select(tables.c.id).where(tables.c.id.in_(names), retention.expired(now))
            ).scalars()
            return sorted(found), names[-1] if len(names) == CHECKED_TABLES else None

        return await self.read(find_expired)

    async def delete_unseen(self, names: Sequence[str], now: int) -> list[str]:
        """Delete tables, unless they were used meanwhile; returns the deleted ones."""
        return await self._delete(names, unseen(now))

    async def _delete(self, names: Sequence[str], condition: ColumnElement[bool]) -> list[str]:
        deleted = await self.write(lambda connection: _delete(connection, names, condition))
        for table in deleted:
            self._announce(TableDeleted(table))
        return deleted

    async def scrub(self, *, most: int | None = SCRUBBED_BYTES) -> bool:
        """Remove the remains of deleted rows from the files; False if the file is too large.

        SQLite overwrites what is deleted, but may have left copies in pages that it reorganised:
        only rewriting the file removes them. The write-ahead log is emptied, too.
        """
        def clean() -> bool:
            self._guard.check()
            if self._engine.dialect.name != "sqlite":
                with self._engine.connect().execution_options(
                    isolation_level="AUTOCOMMIT"
                ) as connection:
                    connection.exec_driver_sql(
                        "VACUUM tables, tokens, events, reviews, notebooks, devices, endpoints, "
                        "outbox, quiet, rated_games, evening_events"
                    )
                return True
            path = Path(str(self._engine.url.database))
            small = most is None or path.stat().st_size <= most
            # A connection of its own: one from the pool may have a statement that is not finished.
            with closing(sqlite3.connect(path, LOCK_SECONDS, isolation_level=None)) as own:
                if small:
                    own.execute("VACUUM")
                own.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            return small

        return await self._run(clean)


def _delete(
    connection: Connection, names: Sequence[str], condition: ColumnElement[bool]
) -> list[str]:
    """Delete tables with all that belongs to them, if the condition still holds."""
    found = list(connection.execute(
        select(tables.c.id).where(tables.c.id.in_(names), condition).order_by(tables.c.id)
        .with_for_update()          # in the order in which others write
    ).scalars())
    for kind, column in (
        (events, events.c.table_id), (tokens, tokens.c.table_id), (reviews, reviews.c.table_id),
        (seeks, seeks.c.table_id),
        (tables, tables.c.id),
    ):
        connection.execute(delete(kind).where(column.in_(found)))
    return found


def _size(connection: Connection) -> int | None:
    if connection.dialect.name == "sqlite":
        path = connection.engine.url.database
        return Path(path).stat().st_size if path else None
    size = connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar()
    return None if size is None else int(size)


# ---- lists ----


def happened(kind: str) -> ColumnElement[bool]:
    """A condition for tables with an event like this in JSON."""
    return (
        select(events.c.n).where(events.c.table_id == tables.c.id, events.c.entry.like(kind))
        .correlate(tables).exists()
    )


def _is(state: str) -> ColumnElement[bool]:
    going_on = and_(tables.c.over.is_(False), tables.c.closed.is_(False))
    return {
        "closed": tables.c.closed.is_(True),
        "over": and_(tables.c.over.is_(True), tables.c.closed.is_(False)),
        "playing": and_(going_on, happened(BEGAN)),
        "waiting": and_(going_on, ~happened(BEGAN)),
        REPORTED: tables.c.reported.is_not(None),
    }.get(state, true())


def _found(search: str) -> ColumnElement[bool]:
    """A condition for tables by the beginning of their name, their game, or a player's name."""
    if not search:
        return true()
    within = dict.fromkeys((search, search.lower(), search.title()))
    return or_(*(
        or_(
            tables.c.id.startswith(word, autoescape=True),
            tables.c.header.contains(word, autoescape=True),
            select(events.c.n).where(
                events.c.table_id == tables.c.id, events.c.entry.like(SAT),
                events.c.entry.contains(word, autoescape=True),
            ).correlate(tables).exists(),
        )
        for word in within
    ))


def _overview(
    connection: Connection, condition: ColumnElement[bool], skip: int, limit: int
) -> tuple[list[Overview], int]:
    total = connection.execute(
        select(func.count()).select_from(tables).where(condition)
    ).scalar_one()
    rows = connection.execute(
        select(tables).where(condition).order_by(tables.c.created.desc(), tables.c.id)
        .offset(skip).limit(limit)
    ).all()
    names = [row.id for row in rows]
    sums = {
        row[0]: row[1:] for row in connection.execute(
            select(events.c.table_id, func.count(), func.sum(func.length(events.c.entry)),
                   func.max(events.c.at))
            .where(events.c.table_id.in_(names)).group_by(events.c.table_id)
        )
    }
    begun = set(connection.execute(
        select(events.c.table_id).where(events.c.table_id.in_(names), events.c.entry.like(BEGAN))
    ).scalars())
    sat = connection.execute(
        select(events.c.table_id, events.c.entry)
        .where(events.c.table_id.in_(names), events.c.entry.like(SAT)).order_by(events.c.n)
    ).all()
    found = []
    for row in rows:
        count, size, changed = sums.get(row.id, (0, 0, row.created))
        header = _read(row.header, _Header) or _Header()
        people = [*header.seats, *(
            who for table, entry in sat
            if table == row.id and (who := _read(entry, _Named)) is not None
        )]
        found.append(Overview(
            id=row.id, game=header.game, public=row.public, muted=row.muted,
            reported=row.reported is not None, created=row.created,
            names=tuple(dict.fromkeys(one.name for one in people if one.name)),
            bots=frozenset(one.name for one in people if one.name and one.bot),
            state="closed" if row.closed else "over" if row.over
            else "playing" if row.id in begun else "waiting",
            changed=changed, events=count, size=int(size or 0) + len(row.header),
        ))
    return found, int(total)


def _read(line: str, kind: type[Result]) -> Result | None:
    """The fields of `kind` in a line of JSON; None if it is damaged."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeError, TypeError):
        return None
