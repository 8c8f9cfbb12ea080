"""Reads the events that other processes have written, for many tables in one query.

While one query runs, further requests wait; the next query answers all of them. A query always
starts after the request for it, so the caller sees everything that had been acknowledged before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from escale.store import Gap, Store, StoreError

TABLES_AT_ONCE = 500
"""One query asks about at most this many tables."""

Wanted = tuple[int, list[asyncio.Future[Gap | None]]]
"""The number of the last known event of a table, and the requests for what came after it."""


class Gaps:
    """Collects requests, and answers them by one query at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._wanted: dict[str, Wanted] = {}
        self._reading: asyncio.Task[None] | None = None

    async def read(self, table: str, known: int) -> Gap | None:
        """Read what was written at a table after event `known`."""
        asked: asyncio.Future[Gap | None] = asyncio.get_running_loop().create_future()
        since, waiting = self._wanted.get(table, (known, []))
        self._wanted[table] = min(since, known), [*waiting, asked]
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read_all())
        return await asked

    async def close(self) -> None:
        """Send no more queries; waiting requests fail, because the house is closing."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _read_all(self) -> None:
        while self._wanted:
            names = list(self._wanted)[:TABLES_AT_ONCE]
            await self._answer({name: self._wanted.pop(name) for name in names})

    async def _answer(self, taken: Mapping[str, Wanted]) -> None:
        found: dict[str, Gap] = {}
        failed: StoreError | None = StoreError("the house is closing")
        try:
            found = await self._store.gaps({name: since for name, (since, _) in taken.items()})
            failed = None
        except StoreError as error:
            failed = error
        finally:
            for name, (_, waiting) in taken.items():
                for asked in waiting:
                    if asked.done():            # the caller has gone
                        continue
                    if failed is None:
                        asked.set_result(found.get(name))
                    else:
                        asked.set_exception(failed)
