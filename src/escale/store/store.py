"""The store: creates tables, appends events, and reads both."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import EllipsisType
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Select, exc, func, select, text

from escale.game.errors import BadMessage
from escale.match.events import (
    Declined,
    Ended,
    Event,
    Header,
    Published,
    Sat,
    Withdrew,
    as_json,
    read_event,
    read_header,
)
from escale.match.reading import encode
from escale.store.bots import held_by, read_bots
from escale.store.database import database_url, open_database
from escale.store.errors import Damaged, StoreError, is_damage
from escale.store.evenings import EveningStore
from escale.store.file_guard import FileGuard, claim
from escale.store.housekeeping import Housekeeping
from escale.store.notebooks import NotebookStore
from escale.store.notices import Notice, Notifier, TableWritten
from escale.store.outbox import OutboxStore
from escale.store.postgres import Links, lively
from escale.store.records import (
    Bot,
    BotResult,
    Gap,
    Kept,
    Listed,
    NewTable,
    OutboxRow,
    RatedGame,
    Token,
)
from escale.store.schema import events, reviews, tables, tokens
from escale.store.writer import PROBE, Write, Writer

Result = TypeVar("Result")

READER_THREADS = 3
"""Threads that read from a PostgreSQL server; a SQLite file has one."""

_GAPS = text("""
SELECT known.id, tables.id IS NULL AS deleted, tables.closed, tables.muted, events.entry
FROM unnest(CAST(:ids AS varchar[]), CAST(:known AS integer[])) AS known(id, n)
LEFT JOIN tables ON tables.id = known.id
LEFT JOIN events ON events.table_id = known.id AND events.n > known.n
ORDER BY known.id, events.n
""")


class Store:
    """A database of tables.

    Data is on the disk when a write returns. A `StoreError` means that it failed; after a failed
    commit the result is unknown, so load the table again before going on.
    """

    def __init__(self, url: str | None = None, *, alone: bool = False) -> None:
        """Open the database and bring its tables up to date; see `database_url`.

        With `alone` it is for a house: StoreError if another has this SQLite file open.
        """
        self.url = database_url(url)
        self._claim = claim(self.url) if alone else None
        try:
            self._engine = open_database(self.url)
        except StoreError:
            if self._claim is not None:
                self._claim.close()
            raise
        self._guard = FileGuard(self.url)
        self.shared = self.url.get_backend_name() == "postgresql"
        """Whether other processes, here or elsewhere, may write to the same tables."""
        self._links = Links(self._engine) if self.shared else None
        self._notifier = Notifier(self._engine) if self.shared else None
        self._writer = Writer(self._engine, self._guard, self._notifier)
        self._reading = self._engine
        if self.shared:
            # The parts of a table must be read from one snapshot.
            self._reading = self._engine.execution_options(isolation_level="REPEATABLE READ")
        self._reader = ThreadPoolExecutor(READER_THREADS if self.shared else 1, "escale-reader")
        self.housekeeping = Housekeeping(self._engine, self._guard, self.announce)
        self.notebooks = NotebookStore("notebooks", self._engine, self._guard)
        self.evenings = EveningStore(self)
        self.outbox = OutboxStore("outbox", self._engine, self._guard)
        self._closed = False

    def on_commit(self, report: Callable[[int, float], None]) -> None:
        """Call `report` after every group commit, with its number of changes and its seconds."""
        self._writer.committed = report

    def close(self) -> None:
        """Write what waits and leave the database."""
        self._closed = True
        self._writer.close()
        self._reader.shutdown()
        self.housekeeping.close()
        self.notebooks.close()
        self.outbox.close()
        self._engine.dispose()
        if self._claim is not None:
            self._claim.close()

    # ---- other processes ----

    def connect_arguments(self) -> dict[str, Any]:
        """The arguments of `psycopg.connect` for the same PostgreSQL."""
        _, arguments = self._engine.dialect.create_connect_args(self._engine.url)
        return {**arguments, **lively(self._engine.url)}

    def cut_connections(self) -> None:
        """End all connections to a server that does not answer; waiting queries fail."""
        assert self._links is not None
        self._links.cut()

    def set_sender(self, number: int) -> None:
        """Set the number of this process, under which its notices are sent."""
        assert self._notifier is not None
        self._notifier.sender = number

    def set_reachable(self, yes: bool) -> None:
        """Set whether the database can be reached; while it cannot, requests fail at once."""
        self._writer.unreachable = not yes

    def announce(self, notice: Notice) -> None:
        """Send a notice to the other processes, after the changes that wait to be written."""
        self._writer.announce(notice)

    # ---- writing ----

    async def create(self, table: NewTable, events: Sequence[Event] = ()) -> None:
        """Store a new table with its first events; `Conflict` if the name exists."""
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
        next_secret: str | None = None, results: Sequence[BotResult] = (),
        notices: Sequence[OutboxRow] = (), rated: RatedGame | None = None,
        due_soon: bool = False, address: str = "",
    ) -> None:
        """Store the next events of a table, all or none; `Conflict` if they are not the next.

        The same transaction stores the tokens that changed, when the table is due if that
        changed, the secret of its rematch, the results of bots, the notices of people, and the game
        if it counts for their ratings. Other processes get a notice, with whether the table is due
        soon, and the `address` that pays for its computers.
        """
        rows: dict[str, list[dict[str, Any]]] = {
            "tokens": [_token(table, *token) for token in tokens],
            "dropped": [{"of": table, "token": token.sha256} for token in dropped],
        }
        if results:
            rows["results"] = [
                {"of": one.sha256, "more_won": one.won, "more_drawn": one.drawn,
                 "more_lost": one.lost} for one in results
            ]
        if notices:
            rows["old_notices"] = [{"whose": one.endpoint, "of": table} for one in notices]
            rows["notices"] = [
                {"endpoint_id": one.endpoint, "table_id": table, "n": events[-1].n, "at": one.at,
                 "why": one.why}
                for one in notices if one.at is not None
            ]
        if rated is not None:
            rows["rated"] = [rated.row()]
        if due is not ...:
            rows["due"] = [{"of": table, "at": due}]
        if next_secret is not None:
            rows["next_secret"] = [{"of": table, "promised": next_secret}]
        await self._write(table, events, rows, due_soon, address)

    async def _write(
        self, table: str, happened: Sequence[Event], rows: dict[str, list[dict[str, Any]]],
        due_soon: bool = False, address: str = "",
    ) -> None:
        self._must_be_reachable()
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
            notice = TableWritten(table, happened[-1].n or 0, due_soon, address) \
                if happened and self.shared else None
            await self._writer.write(Write(table, rows, notice))

    async def write_rows(
        self, name: str, rows: Mapping[str, list[dict[str, Any]]], notice: Notice | None = None
    ) -> None:
        """Write rows for statements of the writer, all or none; returns when they are on the disk.

        Processes write the changes of a group in the order of their names.
        """
        self._must_be_reachable()
        await self._writer.write(Write(name, rows, notice))

    async def describe_bot(self, sha256: str, about: str, games: Sequence[str]) -> None:
        """Store a bot's description of itself."""
        self._must_be_reachable()
        row = {"of": sha256, "line": about, "played": json.dumps(list(games))}
        await self._writer.write(Write(PROBE, {"described": [row]}))

    async def keep_review(self, table: str, review: str) -> None:
        """Store the review of a finished match, in place of an earlier one.

        `Conflict` if the table is gone, or another process stores one at this moment.
        """
        self._must_be_reachable()
        row = {"table_id": table, "made": _now(), "review": review}
        await self._writer.write(Write(table, {"old_review": [{"of": table}], "review": [row]}))

    def _must_be_reachable(self) -> None:
        if self._writer.unreachable:
            raise StoreError("the database cannot be reached")

    async def probe(self) -> None:
        """Write a test row, as events are written; StoreError if that fails."""
        await self._writer.write(Write(PROBE, {"probe": [{"stamp": _now()}]}))

    # ---- reading ----

    async def load(self, table: str) -> Kept | None:
        """Everything stored about a table; `Damaged` if it cannot be read."""
        return await self.read(lambda connection: _load(connection, table))

    async def review(self, table: str) -> str | None:
        """The review of a match, if one is kept."""
        kept = select(reviews.c.review).where(reviews.c.table_id == table)
        return await self.read(lambda connection: connection.execute(kept).scalar())

    async def gaps(self, known: Mapping[str, int]) -> dict[str, Gap]:
        """For each table, what happened after the event number in `known`."""
        found = await self.read(lambda connection: _gaps(connection, known))
        for table, gap in found.items():
            if gap.events:
                self._writer.learn(table, gap.events[-1].n or 0)
        return found

    async def due(self, by: int) -> list[str]:
        """The tables that are due by this time, the earliest first."""
        due = select(tables.c.id).where(tables.c.due <= by).order_by(tables.c.due, tables.c.id)
        return await self.read(lambda connection: list(connection.execute(due).scalars()))

    async def public(self, since: int = 0, limit: int = 100) -> list[Listed]:
        """The public tables with a running match and an event since then, the latest first."""
        listing = _listing(since).where(
            tables.c.over.is_(False), tables.c.public, tables.c.closed.is_(False)
        ).limit(limit)
        return await self.read(
            lambda connection: [Listed(*row) for row in connection.execute(listing)]
        )

    async def bots(self) -> list[Bot]:
        """The accounts of bots."""
        return await self.read(read_bots)

    async def held_by(self, sha256: str) -> list[str]:
        """The tables that are not over where a token holds seats; see `bots.held_by`."""
        return await self.read(
            lambda connection: list(connection.execute(held_by(sha256, _now())).scalars())
        )

    async def read(self, read: Callable[[Connection], Result]) -> Result:
        """Run a transaction that reads."""
        def run(again: bool = True) -> Result:
            self._guard.check()
            try:
                with self._reading.connect() as connection:
                    return read(connection)
            except exc.DBAPIError as error:
                if error.connection_invalidated and again and not self._writer.unreachable:
                    return run(again=False)         # the next connection is a new one
                raise StoreError(f"the database cannot be read: {error}") from error
            except exc.SQLAlchemyError as error:
                raise StoreError(f"the database cannot be read: {error}") from error

        if self._closed:
            raise StoreError("the store is closed")
        self._must_be_reachable()
        return await asyncio.get_running_loop().run_in_executor(self._reader, run)


def _load(connection: Connection, table: str) -> Kept | None:
    try:
        row = connection.execute(select(tables).where(tables.c.id == table)).one_or_none()
        if row is None:
            return None
        # All rows at once: an unreadable row would leave its statement unfinished, and block later
        # writes on the connection.
        held = connection.execute(
            select(tokens.c.sha256, tokens.c.seats).where(tokens.c.table_id == table)
        ).all()
        entries = connection.execute(
            select(events.c.entry).where(events.c.table_id == table).order_by(events.c.n)
        ).scalars().all()
        return Kept(
            id=row.id, header=read_header(row.header), secret=row.secret, public=row.public,
            created=row.created, due=row.due, next_secret=row.next_secret,
            closed=row.closed, muted=row.muted,
            tokens=tuple(_held(sha256, seats) for sha256, seats in held),
            events=[read_event(event) for event in entries],
        )
    except (BadMessage, ValueError, TypeError) as error:
        raise Damaged(f"table {table} was not kept as it was written: {error}") from error
    except exc.DBAPIError as error:
        if is_damage(error):
            raise Damaged(f"table {table} cannot be read: {error.orig}") from error
        raise


def _gaps(connection: Connection, known: Mapping[str, int]) -> dict[str, Gap]:
    """Read gaps in one query; in two more if a person sat down or a match has ended."""
    found: dict[str, Gap] = {}
    rows = connection.execute(_GAPS, {"ids": list(known), "known": list(known.values())})
    for table, deleted, closed, muted, entry in rows:
        gap = found.setdefault(
            table, Gap([], closed=bool(closed), muted=bool(muted), deleted=deleted)
        )
        if entry is None:
            continue
        try:
            gap.events.append(read_event(entry))
        except BadMessage:
            found[table] = Gap([], damaged=True)
    changed = [
        table for table, gap in found.items()
        if any(isinstance(event, Declined | Withdrew | Sat | Ended) for event in gap.events)
    ]
    if not changed:
        return found
    ends = connection.execute(
        select(tables.c.id, tables.c.next_secret).where(tables.c.id.in_(changed))
    )
    secrets: dict[str, str | None] = {row.id: row.next_secret for row in ends}
    held: dict[str, list[Token]] = {table: [] for table in changed}
    for table, sha256, seats in connection.execute(
        select(tokens.c.table_id, tokens.c.sha256, tokens.c.seats)
        .where(tokens.c.table_id.in_(changed))
    ):
        held[table].append(_held(sha256, seats))
    for table in changed:
        found[table] = replace(
            found[table], tokens=tuple(held[table]), next_secret=secrets.get(table)
        )
    return found


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
