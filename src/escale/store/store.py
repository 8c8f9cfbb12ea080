"""The store: tables are created, events appended, and everything can be read again."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import EllipsisType
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Select, exc, func, select

from escale.game.errors import BadMessage
from escale.match.events import (
    Ended,
    Event,
    Header,
    Published,
    as_json,
    read_event,
    read_header,
)
from escale.match.reading import encode
from escale.store.database import database_url, open_database
from escale.store.errors import Damaged, StoreError, is_damage
from escale.store.file_guard import FileGuard
from escale.store.housekeeping import Housekeeping
from escale.store.records import Kept, Listed, NewTable, Token
from escale.store.schema import events, tables, tokens
from escale.store.writer import PROBE, Write, Writer

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
        self._guard = FileGuard(self.url)
        self._writer = Writer(self._engine, self._guard)
        self._reader = ThreadPoolExecutor(1, "escale-reader")
        self.housekeeping = Housekeeping(self._engine, self._guard)
        self._closed = False

    def on_commit(self, told: Callable[[int, float], None]) -> None:
        """Have every group commit told: how many changes it had, and how many seconds it took."""
        self._writer.committed = told

    def close(self) -> None:
        """Write what waits and leave the database."""
        self._closed = True
        self._writer.close()
        self._reader.shutdown()
        self.housekeeping.close()
        self._engine.dispose()

    # ---- writing ----

    async def create(self, table: NewTable, events: Sequence[Event] = ()) -> None:
        """Keep a new table with its first events; `Conflict` if there is one of that name."""
        row = {
            "id": table.id, "header": _json(table.header), "secret": table.secret,
            "public": table.public, "over": False, "created": _now(), "due": table.due,
            "next_secret": table.next_secret,
        }
        await self._write(table.id, events, {
            "tables": [row],
            "tokens": [_token(table.id, sha256, seats) for sha256, seats in table.tokens],
        })

    async def append(
        self, table: str, events: Sequence[Event], *, tokens: Sequence[Token] = (),
        dropped: Sequence[Token] = (), due: int | EllipsisType | None = ...,
        next_secret: str | None = None,
    ) -> None:
        """Keep the next events of a table, all or none; `Conflict` if they are not the next.

        What goes with them is kept in the same write: tokens that hold seats from now on, or no
        longer, when the table is due, unless it stays as it was, and the secret of its rematch.
        """
        rows: dict[str, list[dict[str, Any]]] = {
            "tokens": [_token(table, *token) for token in tokens],
            "dropped": [{"of": table, "token": token.sha256} for token in dropped],
        }
        if due is not ...:
            rows["due"] = [{"of": table, "at": due}]
        if next_secret is not None:
            rows["next_secret"] = [{"of": table, "promised": next_secret}]
        await self._write(table, events, rows)

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
            rows["over"] = [{"of": table}]
        if listed := [event.public for event in happened if isinstance(event, Published)]:
            rows["public"] = [{"of": table, "listed": listed[-1]}]
        if any(rows.values()):
            await self._writer.write(Write(table, rows))

    async def probe(self) -> None:
        """Write something, the way events are written: StoreError if nothing can be kept."""
        await self._writer.write(Write(PROBE, {"probe": [{"stamp": _now()}]}))

    # ---- reading ----

    async def load(self, table: str) -> Kept | None:
        """Everything known of a table; `Damaged` if it cannot be read as it was written."""
        return await self._read(lambda connection: _load(connection, table))

    async def due(self, by: int) -> list[str]:
        """The tables at which something will have happened by itself by then, the first first."""
        due = select(tables.c.id).where(tables.c.due <= by).order_by(tables.c.due, tables.c.id)
        return await self._read(lambda connection: list(connection.execute(due).scalars()))

    async def public(self, since: int = 0, limit: int = 100) -> list[Listed]:
        """The public tables whose match goes on, with an event since then; the latest first."""
        listing = _listing(since).where(
            tables.c.over.is_(False), tables.c.public, tables.c.closed.is_(False)
        ).limit(limit)
        return await self._read(
            lambda connection: [Listed(*row) for row in connection.execute(listing)]
        )

    async def _read(self, read: Callable[[Connection], Result]) -> Result:
        def run() -> Result:
            self._guard.check()
            try:
                with self._engine.connect() as connection:
                    return read(connection)
            except exc.SQLAlchemyError as error:
                raise StoreError(f"the database cannot be read: {error}") from error

        if self._closed:
            raise StoreError("the store is closed")
        return await asyncio.get_running_loop().run_in_executor(self._reader, run)


def _load(connection: Connection, table: str) -> Kept | None:
    try:
        row = connection.execute(select(tables).where(tables.c.id == table)).one_or_none()
        if row is None:
            return None
        # All rows at once: a line that cannot be read would leave its statement unfinished, and the
        # connection of no use to the next who writes.
        held = connection.execute(
            select(tokens.c.sha256, tokens.c.seats).where(tokens.c.table_id == table)
        ).all()
        told = connection.execute(
            select(events.c.entry).where(events.c.table_id == table).order_by(events.c.n)
        ).scalars().all()
        return Kept(
            id=row.id, header=read_header(row.header), secret=row.secret, public=row.public,
            created=row.created, due=row.due, next_secret=row.next_secret,
            closed=row.closed, muted=row.muted,
            tokens=tuple(_held(sha256, seats) for sha256, seats in held),
            events=[read_event(event) for event in told],
        )
    except (BadMessage, ValueError, TypeError) as error:
        raise Damaged(f"table {table} was not kept as it was written: {error}") from error
    except exc.DBAPIError as error:
        if is_damage(error):
            raise Damaged(f"table {table} cannot be read: {error.orig}") from error
        raise


def _held(sha256: str, seats: str) -> Token:
    return Token(sha256, msgspec.json.decode(seats, type=tuple[int, ...]))


def _listing(since: int) -> Select[Any]:
    last = (
        select(func.max(events.c.n)).where(events.c.table_id == tables.c.id)
        .correlate(tables).scalar_subquery()
    )
    changed = func.coalesce(events.c.at, tables.c.created)
    return (
        select(tables.c.id, changed.label("changed"),
               func.coalesce(events.c.n, 0).label("events"))
        .select_from(tables.outerjoin(
            events, (events.c.table_id == tables.c.id) & (events.c.n == last)
        ))
        .where(changed >= since)
        .order_by(changed.desc(), tables.c.id)
    )


def _token(table: str, sha256: str, seats: Sequence[int]) -> dict[str, Any]:
    return {"table_id": table, "sha256": sha256, "seats": json.dumps(list(seats))}


def _json(line: Header | Event) -> str:
    return encode(as_json(line)).decode()


def _now() -> int:
    return time.time_ns() // 1_000_000
