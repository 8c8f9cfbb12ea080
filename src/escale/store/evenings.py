"""Evenings in the database: a log of events for each, and who holds what in them.

An evening is written as a table is: by the one thread that writes, in the order of its events,
whose primary key refuses a second one of the same number. What the lines mean is not known here,
but for names, which go when their owner's notebook is erased.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
from sqlalchemy import Connection, Select, and_, delete, func, insert, or_, select, update

from escale.store.notices import EveningWritten, Notice
from escale.store.records import EveningRow, EveningToken, KeptEvening, ListedEvening
from escale.store.schema import evening_events, evening_tokens, evenings

Result = TypeVar("Result")

HOST = 0
"""Stands in a token for the host; guests are counted from 1."""
HOST_LINK = -1
"""Stands in a token for the secret of the link that makes another device the host's."""


class Database(Protocol):
    """What evenings need of the store."""

    shared: bool

    async def write_rows(
        self, name: str, rows: Mapping[str, list[dict[str, Any]]], notice: Notice | None = None
    ) -> None:
        """Write rows for statements of the writer, all or none; returns when they are on the disk.
        """

    async def read(self, read: Callable[[Connection], Result]) -> Result:
        """Run a transaction that reads."""


class EveningStore:
    """Evenings in the store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, evening: KeptEvening) -> None:
        """Store a new evening; `Conflict` if its name or its code exists."""
        row = {key: value for key, value in evening._asdict().items() if key in evenings.c}
        await self._database.write_rows(_lock(evening.id), {
            "evenings": [row],
            "evening_tokens": [_token(evening.id, token) for token in evening.tokens],
            "evening_events": [_row(evening.id, event) for event in evening.events],
        })

    async def append(
        self, evening: str, events: Sequence[EveningRow], *,
        tokens: Sequence[EveningToken] = (), closed: bool | None = None,
    ) -> None:
        """Store the next events of an evening, all or none; `Conflict` if they are not the next."""
        rows: dict[str, list[dict[str, Any]]] = {
            "evening_events": [_row(evening, event) for event in events],
            "evening_tokens": [_token(evening, token) for token in tokens],
            "evening_changed": [{"of": evening, "now": events[-1].at if events else _now()}],
        }
        if closed is not None:
            rows["evening_closed"] = [{"of": evening, "over": closed}]
        notice = EveningWritten(evening) if self._database.shared else None
        await self._database.write_rows(_lock(evening), rows, notice)

    async def load(self, evening: str) -> KeptEvening | None:
        """Everything that is stored about an evening."""
        return await self._database.read(lambda connection: load(connection, evening))

    async def head(self, evening: str) -> int | None:
        """The number of the last event; None if there is no such evening."""
        last = select(func.max(evening_events.c.n)) \
            .where(evening_events.c.evening_id == evening).scalar_subquery()
        known = select(func.coalesce(last, 0)).where(evenings.c.id == evening)
        return await self._database.read(lambda connection: connection.execute(known).scalar())

    async def coded(self, code: str) -> str | None:
        """The evening with a short code."""
        found = select(evenings.c.id).where(evenings.c.code == code)
        return await self._database.read(lambda connection: connection.execute(found).scalar())

    async def held(self, sha256: str, limit: int) -> list[ListedEvening]:
        """The evenings of a holder, the last used first."""
        mine = select(evening_tokens.c.evening_id).where(
            evening_tokens.c.sha256 == sha256, evening_tokens.c.who >= HOST
        )
        return await self._list(_listed().where(evenings.c.id.in_(mine)).limit(limit))

    async def of_series(self, series: str, limit: int) -> list[ListedEvening]:
        """The evenings of a series, the first one last."""
        return await self._list(_listed().where(evenings.c.series == series).limit(limit))

    async def open_evenings(self, since: int, limit: int) -> list[ListedEvening]:
        """The evenings that are not over, with an event since then."""
        return await self._list(_listed().where(
            evenings.c.closed.is_(False), evenings.c.changed >= since
        ).limit(limit))

    async def closed_evenings(self, since: int, limit: int) -> list[ListedEvening]:
        """The evenings that were closed since then."""
        return await self._list(_listed().where(
            evenings.c.closed.is_(True), evenings.c.changed >= since
        ).limit(limit))

    async def expired(
        self, now: int, unstarted: int | None, finished: int | None, limit: int
    ) -> list[str]:
        """Evenings without an event for too long: closed ones, and those that were never closed."""
        ages = [
            and_(evenings.c.closed.is_(closed), evenings.c.changed < now - keep)
            for closed, keep in ((False, unstarted), (True, finished)) if keep is not None
        ]
        if not ages:
            return []
        found = select(evenings.c.id).where(or_(*ages)).order_by(evenings.c.id).limit(limit)
        return await self._database.read(
            lambda connection: list(connection.execute(found).scalars())
        )

    async def delete(self, evening: str) -> None:
        """Delete an evening with its events; its tables are deleted by the house."""
        row = [{"of": evening}]
        notice = EveningWritten(evening) if self._database.shared else None
        await self._database.write_rows(_lock(evening), {
            "evening_events_gone": row, "evening_tokens_gone": row, "evening_gone": row,
        }, notice)

    async def _list(self, query: Select[Any]) -> list[ListedEvening]:
        def find(connection: Connection) -> list[ListedEvening]:
            return [ListedEvening(*row) for row in connection.execute(query)]

        return await self._database.read(find)


def _listed() -> Select[Any]:
    return select(
        evenings.c.id, evenings.c.plan, evenings.c.created, evenings.c.changed, evenings.c.closed
    ).order_by(evenings.c.changed.desc(), evenings.c.id)


def _lock(evening: str) -> str:
    """The name under which changes of an evening are put in order; no table has such a one."""
    return f"evening/{evening}"


def _token(evening: str, token: EveningToken) -> dict[str, Any]:
    return {"evening_id": evening, "sha256": token.sha256, "who": token.who}


def _row(evening: str, event: EveningRow) -> dict[str, Any]:
    return {"evening_id": evening, **event._asdict()}


def _now() -> int:
    return time.time_ns() // 1_000_000


# ---- within transactions ----


def load(connection: Connection, evening: str) -> KeptEvening | None:
    """Everything that is stored about an evening."""
    row = connection.execute(select(evenings).where(evenings.c.id == evening)).one_or_none()
    if row is None:
        return None
    tokens = connection.execute(
        select(evening_tokens.c.sha256, evening_tokens.c.who)
        .where(evening_tokens.c.evening_id == evening)
        .order_by(evening_tokens.c.who, evening_tokens.c.sha256)
    ).all()
    events = connection.execute(
        select(evening_events.c.n, evening_events.c.at, evening_events.c.entry)
        .where(evening_events.c.evening_id == evening).order_by(evening_events.c.n)
    ).all()
    return KeptEvening(
        **row._asdict(), tokens=tuple(EveningToken(*token) for token in tokens),
        events=tuple(EveningRow(*event) for event in events),
    )


def keep(connection: Connection, evening: KeptEvening) -> None:
    """Insert an evening with everything that belongs to it, from a backup."""
    row = {key: value for key, value in evening._asdict().items() if key in evenings.c}
    connection.execute(insert(evenings), [row])
    for kind, rows in (
        (evening_tokens, [_token(evening.id, token) for token in evening.tokens]),
        (evening_events, [_row(evening.id, event) for event in evening.events]),
    ):
        if rows:
            connection.execute(insert(kind), rows)


def move_holder(connection: Connection, one: str, into: str) -> None:
    """Give what one holder holds to another, of two notebooks that become one."""
    theirs = select(evening_tokens.c.evening_id, evening_tokens.c.who)
    known = set(map(tuple, connection.execute(theirs.where(evening_tokens.c.sha256 == into))))
    held = list(map(tuple, connection.execute(theirs.where(evening_tokens.c.sha256 == one))))
    connection.execute(delete(evening_tokens).where(evening_tokens.c.sha256 == one))
    rows = [
        {"evening_id": evening, "sha256": into, "who": who} for evening, who in held
        if (evening, who) not in known
    ]
    if rows:
        connection.execute(insert(evening_tokens), rows)


def erase_holder(connection: Connection, sha256: str, guest: str) -> None:
    """Take the names of a holder out of all evenings, and what it holds there."""
    held: dict[str, set[int]] = {}
    for evening, who in connection.execute(
        select(evening_tokens.c.evening_id, evening_tokens.c.who)
        .where(evening_tokens.c.sha256 == sha256)
    ):
        held.setdefault(evening, set()).add(who)
    for evening, mine in held.items():
        _anonymise(connection, evening, mine, guest)
    connection.execute(delete(evening_tokens).where(evening_tokens.c.sha256 == sha256))


def _anonymise(connection: Connection, evening: str, mine: set[int], guest: str) -> None:
    rows = connection.execute(
        select(evening_events.c.n, evening_events.c.entry).where(
            evening_events.c.evening_id == evening,
            or_(evening_events.c.entry.like('%"do":"join"%'),
                evening_events.c.entry.like('%"do":"rename"%')),
        )
    ).all()
    for n, entry in rows:
        event: Mapping[str, Any] = msgspec.json.decode(entry)
        if event.get("who") in mine:
            line = msgspec.json.encode({**event, "name": guest}).decode()
            connection.execute(
                update(evening_events).where(
                    evening_events.c.evening_id == evening, evening_events.c.n == n
                ).values(entry=line)
            )
