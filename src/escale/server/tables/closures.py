"""When the house was closed: that time counts on no clock of days.

The house notes every minute that it is open. If it opens and the last note is old, it was closed
in between.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from escale.store import StoreError

if TYPE_CHECKING:
    from escale.server.cluster.port import Cluster
    from escale.store import Store

NOTE_SECONDS = 60.0
CLOSED_MILLISECONDS = 5 * 60_000
"""A shorter time without a note is none for which the house was closed."""
MOST_CLOSURES = 200
"""The closures that are remembered, the last ones."""
OPEN, CLOSED = "open-at", "closures"
"""The names of the house's values: the last note, and the closures as JSON."""


class Closures:
    """The times for which the house was closed."""

    def __init__(self, store: Store, cluster: Cluster, now: Callable[[], int]) -> None:
        self._values = store.notebooks
        self._cluster = cluster
        self._now = now
        self._known: list[tuple[int, int]] = []

    async def open(self) -> None:
        """Note that the house has opened, and for how long it was closed."""
        now = self._now()
        noted = int(await self._values.house_value(OPEN, lambda: str(now)))
        known = json.loads(await self._values.house_value(CLOSED, lambda: "[]"))
        self._known = [(begin, end) for begin, end in known]
        if now - noted >= CLOSED_MILLISECONDS:
            self._known = [*self._known, (noted, now)][-MOST_CLOSURES:]
            await self._values.set_house_value(CLOSED, json.dumps(self._known))
        await self._note()

    async def _note(self) -> None:
        await self._values.set_house_value(OPEN, str(self._now()))

    async def run(self) -> None:
        """Note regularly that the house is open, until cancelled."""
        while True:
            await asyncio.sleep(NOTE_SECONDS)
            if self._cluster.owns(OPEN):
                with suppress(StoreError):          # the next note is soon
                    await self._note()

    def since(self, at: int) -> int:
        """The milliseconds for which the house was closed since a time."""
        return sum(max(0, end - max(begin, at)) for begin, end in self._known)
