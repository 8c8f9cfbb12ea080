"""Counters of an open house; they are so cheap that they always count."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from threading import Lock

from escale.match.events import Action, Play

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
CHANGES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)


class Histogram:
    """Counts values by intervals: up to each of some bounds, and above the last."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (1 + len(bounds))
        self.sum = 0.0

    def add(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    @property
    def total(self) -> int:
        """The number of values."""
        return sum(self.counts)

    def buckets(self) -> list[tuple[float, int]]:
        """For each bound the number of values up to it; the last bound is infinite."""
        found, below = [], 0
        for bound, count in zip((*self.bounds, float("inf")), self.counts, strict=True):
            below += count
            found.append((bound, below))
        return found

    def since(self, before: Sequence[int], share: float) -> float | None:
        """A quantile of the values since an earlier state of `counts`, `before`.

        Within a bucket it is interpolated. None if there were no values.
        """
        fresh = [now - then for now, then in zip(self.counts, before, strict=True)]
        wanted, below, lower = share * sum(fresh), 0.0, 0.0
        for bound, count in zip((*self.bounds, self.bounds[-1]), fresh, strict=True):
            if count and below + count >= wanted:
                return lower + (bound - lower) * (wanted - below) / count
            below, lower = below + count, bound
        return None


class Counts:
    """All counters of one process."""

    def __init__(self) -> None:
        self.moves = 0
        """Moves of people, acknowledged."""
        self.actions: Counter[str] = Counter()
        """Acknowledged actions of people, by kind."""
        self.latency = Histogram(SECONDS)
        """Seconds from an action that was read to its acknowledgement, the disk included."""
        self.refusals: Counter[str] = Counter()
        """Refusals by code, over HTTP and live connections."""
        self.commits = Histogram(SECONDS)
        """Seconds that each group commit took."""
        self.groups = Histogram(CHANGES)
        """Changes in each group commit."""
        self.deleted = 0
        """Tables that were deleted because they had been kept long enough."""
        self._lock = Lock()

    def acted(self, action: Action, seconds: float) -> None:
        """Count an acknowledged action."""
        self.actions[type(action).__name__.lower()] += 1
        self.moves += isinstance(action, Play)
        self.latency.add(seconds)

    def refused(self, code: str) -> None:
        """Count a refusal."""
        self.refusals[code] += 1

    def committed(self, changes: int, seconds: float) -> None:
        """Count a group commit; called in the writer's thread."""
        with self._lock:
            self.groups.add(changes)
            self.commits.add(seconds)
