"""How long tables are kept: those without a move, and those whose match is over.

Only the host may delete a match that has begun and is not over, by hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, and_, false, func, or_, select

from escale.game.errors import BadSetting
from escale.store.schema import events, tables

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
UNITS = {"h": HOUR_MS, "d": DAY_MS, "w": 7 * DAY_MS}
FOREVER = "forever"
SEEN_GUARD_MS = 2 * HOUR_MS
"""A table that was in use is not deleted for this long, however old it is."""
PLAYED = '%"do":"play"%'
"""A pattern for the JSON of a move; in chat messages quotation marks are escaped."""


def duration(text: str) -> int | None:
    """A time to keep something, in milliseconds; None is for ever.

    >>> duration("12h"), duration("30d"), duration("2w"), duration("forever")
    (43200000, 2592000000, 1209600000, None)
    """
    wanted = text.strip().lower()
    if wanted == FOREVER:
        return None
    found = re.fullmatch(r"(\d{1,5})([hdw])", wanted)
    if found is None:
        raise BadSetting("keep", got=text[:40])
    return int(found[1]) * UNITS[found[2]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long tables are kept after their last event, in milliseconds; None is for ever."""

    unstarted: int | None = 30 * DAY_MS
    """For tables without a move."""
    finished: int | None = None
    """For tables whose match is over."""

    @property
    def keeps_all(self) -> bool:
        """Whether nothing is ever deleted."""
        return self.unstarted is None and self.finished is None

    def expired(self, now: int) -> ColumnElement[bool]:
        """A condition for tables that have expired at a time in Unix milliseconds."""
        either = or_(
            _older(now, self.finished, tables.c.over.is_(True)),
            _older(now, self.unstarted, tables.c.over.is_(False), ~_played().exists()),
        )
        return and_(either, unseen(now))


def unseen(now: int) -> ColumnElement[bool]:
    """A condition for tables that were neither created nor in use recently."""
    return func.coalesce(tables.c.seen, tables.c.created) < now - SEEN_GUARD_MS


def _older(
    now: int, keep: int | None, *conditions: ColumnElement[bool]
) -> ColumnElement[bool]:
    if keep is None:
        return false()
    last = (
        select(func.max(events.c.at)).where(events.c.table_id == tables.c.id)
        .correlate(tables).scalar_subquery()
    )
    until = now - keep
    return and_(
        *conditions, tables.c.created < until, func.coalesce(last, tables.c.created) < until
    )


def _played() -> Select[tuple[int]]:
    return (
        select(events.c.n).where(events.c.table_id == tables.c.id, events.c.entry.like(PLAYED))
        .correlate(tables)
    )
