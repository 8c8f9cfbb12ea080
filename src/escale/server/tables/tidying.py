"""Tables that have been kept long enough are deleted while the house is open, a few at a time.

No table is deleted under somebody who looks at it, in this process or in another: that somebody
looks is written down in the table's row, where the deletion reads it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from escale.server.metrics.counts import Counts
from escale.server.tables.table import Table
from escale.store import Retention, Store, StoreError
from escale.store.housekeeping import STEP
from escale.store.retention import HOUR, SEEN_GUARD

log = logging.getLogger("escale")

FIRST = 120.0
"""Seconds after opening: what is due at tables comes first."""
TIDYING = "tidying"
"""What is kept like a table: by one of several processes."""
EVERY = 3_600.0
PAUSE = 0.05
"""Seconds between two small steps, for those who play."""


class Tidying:
    """Deletes what the host does not want to keep."""

    def __init__(
        self, store: Store, retention: Retention, now: Callable[[], int], counts: Counts,
        in_use: Callable[[], dict[str, bool]], is_mine: Callable[[], bool],
    ) -> None:
        """`in_use` tells which tables are in memory, and whether they have to stay there.

        Of several processes one deletes, as long as it lives: `is_mine` tells whether it is this.
        """
        self._store = store
        self._retention = retention
        self._now = now
        self._counts = counts
        self._in_use = in_use
        self._is_mine = is_mine
        self._written: dict[str, int] = {}
        """When it was last written down that somebody looks at a table."""

    async def run(self) -> None:
        """Tidy now and then, until cancelled."""
        await asyncio.sleep(FIRST)
        while True:
            try:
                await self.look_again()
                if self._is_mine():
                    await self.once()
            except StoreError as error:
                log.error("tables that have been kept long enough cannot be deleted: %s", error)
            await asyncio.sleep(EVERY)

    async def keep(self, table: Table, created: int) -> None:
        """Somebody has come to a table that might be deleted: write that down first.

        Where it cannot be written, nothing can be deleted either.
        """
        now = self._now()
        deletable = table.match.ended or not table.match.ply
        if deletable and created < now - HOUR:
            with suppress(StoreError):
                await self._look([table.id], now)

    async def look_again(self) -> None:
        """Write down again which tables are looked at, before that is forgotten."""
        now, used = self._now(), self._in_use()
        self._written = {id: at for id, at in self._written.items() if now - at < SEEN_GUARD}
        waiting = [id for id, needed in used.items()
                   if needed and now - self._written.get(id, 0) > SEEN_GUARD // 4]
        for start in range(0, len(waiting), STEP):
            await self._look(waiting[start: start + STEP], now)
            await asyncio.sleep(PAUSE)

    async def _look(self, tables: list[str], now: int) -> None:
        await self._store.housekeeping.look(tables, now)
        self._written.update(dict.fromkeys(tables, now))

    async def once(self) -> int:
        """Delete what has been kept long enough; how many tables that were."""
        if self._retention.keeps_all:
            return 0
        work, deleted = self._store.housekeeping, 0
        after: str | None = ""
        while after is not None:
            now = self._now()
            expired, after = await work.expired(self._retention, now, after)
            for start in range(0, len(expired), STEP):
                used = self._in_use()
                names = [id for id in expired[start: start + STEP] if id not in used]
                deleted += len(await work.delete_unseen(names, now))
                await asyncio.sleep(PAUSE)
            await asyncio.sleep(PAUSE)
        if deleted:
            self._counts.deleted += deleted
            log.info("%d tables had been kept long enough, and are deleted", deleted)
            await self._scrub()
        return deleted

    async def _scrub(self) -> None:
        """Have nothing left of them in the file, if that can be done in a moment."""
        if not await self._store.housekeeping.scrub():
            log.warning("the database is too large to be rewritten while people play: traces of "
                        "deleted tables may stay in free places of the file until `escale tidy`")
