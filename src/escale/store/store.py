"""The store: tables are created, events appended, and everything can be read again."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, exc, func, select

from escale.game.errors import BadMessage, BadTranscript
from escale.match.events import Ended, Event, Header, as_json, read_event, read_header
from escale.match.reading import encode
from escale.store.database import database_url, open_database
from escale.store.errors import StoreError
from escale.store.records import Kept, Listed, NewTable, Token
from escale.store.schema import events, tables, tokens
from escale.store.writer import Write, Writer

Result = TypeVar("Result")


class Store:
    """A database of tables.

    All that is awaited here is on the disk when it returns. A `StoreError` from a write means that
    it failed, and for a failed commit that nobody knows: load the table again before going on.
    """

    def __init__(self, url: str | None = None) -> None:
        """Open the database and bring its tables up to date; see `database_url`."""
        self.url = database_url(url)
        self._engine = open_database(self.url)
        self._writer = Writer(self._engine)
        self._reader = ThreadPoolExecutor(1, "escale-reader")

    def close(self) -> None:
        """Write what waits and leave the database."""
        self._writer.close()
        self._reader.shutdown()
        self._engine.dispose()

    # ---- writing ----

    async def create(self, table: NewTable, events: Sequence[Event] = ()) -> None:
        """Keep a new table with its first events; `Conflict` if there is one of that name."""
        row = {
            "id": table.id, "header": _json(table.header), "secret": table.secret,
            "public": table.public, "over": False, "created": _now(),
        }
        await self._write(table.id, events, {
            "tables": [row],
            "tokens": [_token(table.id, sha256, seats) for sha256, seats in table.tokens],
        })

    async def append(self, table: str, events: Sequence[Event]) -> None:
        """Keep the next events of a table, all or none; `Conflict` if they are not the next."""
        await self._write(table, events, {})

    async def add_token(self, table: str, sha256: str, seats: Sequence[int]) -> None:
        """Let one more token hold seats."""
        await self._write(table, (), {"tokens": [_token(table, sha256, seats)]})

    async def _write(
        self, table: str, happened: Sequence[Event], rows: dict[str, list[dict[str, Any]]]
    ) -> None:
        now = _now()
        first = happened[0].n or 0 if happened else 1
        if [event.n for event in happened] != list(range(first, first + len(happened))):
            raise StoreError("events must be numbered one after the other")
        if happened:
            rows["events"] = [
                {"table_id": table, "n": event.n, "at": now if event.at is None else event.at,
                 "entry": _json(event)}
                for event in happened
            ]
        if any(isinstance(event, Ended) for event in happened):
            rows["over"] = [{"table_id": table}]
        if rows:
            await self._writer.write(Write(table, rows))

    # ---- reading ----

    async def load(self, table: str) -> Kept | None:
        """Everything known of a table."""
        return await self._read(lambda connection: _load(connection, table))

    async def running(self, since: int = 0) -> list[Listed]:
        """The tables whose match goes on, with an event since then; the latest first."""
        return await self._read(lambda connection: _list(
            connection, _listing(since).where(tables.c.over.is_(False))
        ))

    async def public(self, since: int = 0, limit: int = 100) -> list[Listed]:
        """The public tables whose match goes on, with an event since then; the latest first."""
        return await self._read(lambda connection: _list(
            connection,
            _listing(since).where(tables.c.over.is_(False), tables.c.public).limit(limit),
        ))

    async def _read(self, read: Callable[[Connection], Result]) -> Result:
        def run() -> Result:
            try:
                with self._engine.connect() as connection:
                    return read(connection)
            except exc.SQLAlchemyError as error:
                raise StoreError(f"the database cannot be read: {error}") from error

        return await asyncio.get_running_loop().run_in_executor(self._reader, run)


def _load(connection: Connection, table: str) -> Kept | None:
    row = connection.execute(select(tables).where(tables.c.id == table)).one_or_none()
    if row is None:
        return None
    held = connection.execute(
        select(tokens.c.sha256, tokens.c.seats).where(tokens.c.table_id == table)
    )
    told = connection.execute(
        select(events.c.entry).where(events.c.table_id == table).order_by(events.c.n)
    )
    try:
        return Kept(
            row.id, read_header(row.header), row.secret, row.public, row.created,
            tuple(Token(sha256, tuple(json.loads(seats))) for sha256, seats in held),
            [read_event(event) for event in told.scalars()],
        )
    except BadMessage as error:
        raise BadTranscript(f"table {table} was not kept as it was written: {error}") from error


def _listing(since: int) -> Select[Any]:
    last = (
        select(func.max(events.c.n)).where(events.c.table_id == tables.c.id)
        .correlate(tables).scalar_subquery()
    )
    changed = func.coalesce(events.c.at, tables.c.created)
    return (
        select(tables.c.id, tables.c.header, tables.c.public, tables.c.created,
               changed.label("changed"), func.coalesce(events.c.n, 0).label("events"))
        .select_from(tables.outerjoin(
            events, (events.c.table_id == tables.c.id) & (events.c.n == last)
        ))
        .where(changed >= since)
        .order_by(changed.desc(), tables.c.id)
    )


def _list(connection: Connection, listing: Select[Any]) -> list[Listed]:
    def listed(row: Row[Any]) -> Listed:
        return Listed(row.id, read_header(row.header), row.public, row.created, row.changed,
                      row.events)

    return [listed(row) for row in connection.execute(listing)]


def _token(table: str, sha256: str, seats: Sequence[int]) -> dict[str, Any]:
    return {"table_id": table, "sha256": sha256, "seats": json.dumps(list(seats))}


def _json(line: Header | Event) -> str:
    return encode(as_json(line)).decode()


def _now() -> int:
    return time.time_ns() // 1_000_000
