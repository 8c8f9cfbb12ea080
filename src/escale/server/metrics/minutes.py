"""The last hours, minute by minute, for the plots of the admin page."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from escale.server.metrics.counts import Counts

MINUTE = 60.0
KEPT = 180
"""Minutes that are remembered."""


@dataclass(frozen=True, slots=True)
class Minute:
    """What happened in one minute."""

    at: int
    """When it ended, in Unix milliseconds."""
    tables: int
    """Tables at which a match went on."""
    moves: int
    median: float | None
    """Seconds until an action was acknowledged; None where there was none."""
    slow: float | None
    """The same, for the slowest twentieth."""


class Minutes:
    """Takes a sample each minute."""

    def __init__(
        self, counts: Counts, playing: Callable[[], int], now: Callable[[], int]
    ) -> None:
        self._counts = counts
        self._playing = playing
        self._now = now
        self.past: deque[Minute] = deque(maxlen=KEPT)
        self._moves = counts.moves
        self._latency = list(counts.latency.counts)

    def sample(self) -> None:
        """End a minute."""
        latency, before = self._counts.latency, self._latency
        self.past.append(Minute(
            at=self._now(), tables=self._playing(), moves=self._counts.moves - self._moves,
            median=latency.since(before, 0.5), slow=latency.since(before, 0.95),
        ))
        self._moves, self._latency = self._counts.moves, list(latency.counts)

    async def run(self) -> None:
        """Sample until cancelled."""
        while True:
            await asyncio.sleep(MINUTE)
            self.sample()
