"""Counters of a house that is open; they cost next to nothing, so they always count."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from threading import Lock

from escale.match.events import Action, Play

SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
CHANGES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)


class Histogram:
    """How many values there were up to each of some bounds, and above the last."""

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
        """How many values there were."""
        return sum(self.counts)

    def buckets(self) -> list[tuple[float, int]]:
        """For each bound how many values were not above it; the last bound is infinite."""
        found, below = [], 0
        for bound, count in zip((*self.bounds, float("inf")), self.counts, strict=True):
            below += count
            found.append((bound, below))
        return found

    def since(self, before: Sequence[int], share: float) -> float | None:
        """The value below which a share lies of what was counted after `counts` were `before`.

        Within a bucket it is interpolated. None where nothing was counted.
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
        """By code, over HTTP and live connections; `too-many` are those over a limit."""
        self.commits = Histogram(SECONDS)
        """Seconds that each group commit took."""
        self.groups = Histogram(CHANGES)
        """Changes in each group commit."""
        self.deleted = 0
        """Tables that were kept long enough."""
        self._lock = Lock()

    def acted(self, action: Action, seconds: float) -> None:
        """An action was acknowledged."""
        self.actions[type(action).__name__.lower()] += 1
        self.moves += isinstance(action, Play)
        self.latency.add(seconds)

    def refused(self, code: str) -> None:
        """Something was not done."""
        self.refusals[code] += 1

    def committed(self, changes: int, seconds: float) -> None:
        """A group was written; told in the writer's thread."""
        with self._lock:
            self.groups.add(changes)
            self.commits.add(seconds)
