"""Deletes tables that have been kept long enough while the house is open, a few at a time.

No table is deleted while a client follows it, through this process or another: the table's row in
the database says when it was last seen, and the deletion checks that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from escale.server.tables.counts import Counts
from escale.server.tables.table import Table
from escale.store import Retention, Store, StoreError
from escale.store.housekeeping import DELETED_TABLES
from escale.store.retention import HOUR_MS, SEEN_GUARD_MS

log = logging.getLogger("escale")

FIRST_SECONDS = 120.0
"""The wait after opening: duties at tables come first."""
TIDYING = "tidying"
"""A name that one of several processes owns, as processes own tables."""
INTERVAL_SECONDS = 3_600.0
PAUSE_SECONDS = 0.05
"""The pause between two small steps, in which the house serves players."""


class Tidying:
    """Deletes the tables that the retention settings do not keep."""

    def __init__(
        self, store: Store, retention: Retention, now: Callable[[], int], counts: Counts,
        in_use: Callable[[], dict[str, bool]], is_mine: Callable[[], bool],
    ) -> None:
        """`in_use` gives the tables in memory, and whether they have to stay there.

        Only one of several processes deletes; `is_mine` tells whether it is this one.
        """
        self._store = store
        self._retention = retention
        self._now = now
        self._counts = counts
        self._in_use = in_use
        self._is_mine = is_mine
        self._written: dict[str, int] = {}
        """When the database last noted that a table is in use."""

    async def run(self) -> None:
        """Delete expired tables regularly, until cancelled."""
        await asyncio.sleep(FIRST_SECONDS)
        while True:
            try:
                await self.protect_tables()
                if self._is_mine():
                    await self.delete_expired()
            except StoreError as error:
                log.error("tables that have been kept long enough cannot be deleted: %s", error)
            await asyncio.sleep(INTERVAL_SECONDS)

    async def protect_table(self, table: Table, created: int) -> None:
        """Note in the database that a visitor reads a table that might be deleted.

        If that cannot be written, nothing can be deleted either.
        """
        now = self._now()
        deletable = table.match.ended or not table.match.ply
        if deletable and created < now - HOUR_MS:
            with suppress(StoreError):
                await self._write_looked_at([table.id], now)

    async def protect_tables(self) -> None:
        """Renew the notes about tables in use, before they expire."""
        now, used = self._now(), self._in_use()
        self._written = {id: at for id, at in self._written.items() if now - at < SEEN_GUARD_MS}
        waiting = [id for id, needed in used.items()
                   if needed and now - self._written.get(id, 0) > SEEN_GUARD_MS // 4]
        for start in range(0, len(waiting), DELETED_TABLES):
            await self._write_looked_at(waiting[start: start + DELETED_TABLES], now)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _write_looked_at(self, tables: list[str], now: int) -> None:
        await self._store.housekeeping.note_seen(tables, now)
        self._written.update(dict.fromkeys(tables, now))

    async def delete_expired(self) -> int:
        """Delete expired tables; returns their number."""
        if self._retention.keeps_all:
            return 0
        work, deleted = self._store.housekeeping, 0
        after: str | None = ""
        while after is not None:
            now = self._now()
            expired, after = await work.expired(self._retention, now, after)
            for start in range(0, len(expired), DELETED_TABLES):
                used = self._in_use()
                names = [id for id in expired[start: start + DELETED_TABLES] if id not in used]
                deleted += len(await work.delete_unseen(names, now))
                await asyncio.sleep(PAUSE_SECONDS)
            await asyncio.sleep(PAUSE_SECONDS)
        if deleted:
            self._counts.deleted += deleted
            log.info("%d tables had been kept long enough, and are deleted", deleted)
            await self._scrub()
        return deleted

    async def _scrub(self) -> None:
        """Remove the deleted data from the file, if that takes only a moment."""
        if not await self._store.housekeeping.scrub():
            log.warning("the database is too large to be rewritten while people play: traces of "
                        "deleted tables may stay in free places of the file until `escale tidy`")
