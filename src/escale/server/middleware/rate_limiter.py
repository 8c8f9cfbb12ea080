"""How much at once: buckets that fill slowly and are emptied by those who ask."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from time import monotonic

from escale.server.problems import Problem
from escale.server.settings import Limits

MOST = 20_000
"""Buckets that are remembered."""


class Bucket:
    """A certain amount at once, and a certain amount a second."""

    __slots__ = ("_full", "_left", "_rate", "_then")

    def __init__(self, rate: float, full: float, now: float) -> None:
        self._rate, self._full, self._left, self._then = rate, full, full, now

    def take(self, now: float) -> bool:
        """Take one, if there is one."""
        self._left = min(self._full, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class RateLimiter:
    """All buckets of the house."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._rates = {
            "request": (limits.requests, limits.request_burst),
            "action": (limits.actions, limits.action_burst),
            "table": (limits.tables, limits.table_burst),
        }
        self._buckets: OrderedDict[tuple[str, str], Bucket] = OrderedDict()
        self._sockets: Counter[str] = Counter()

    def take(self, what: str, who: str) -> None:
        """Let somebody do one more; Problem if it is too many."""
        now = self._clock()
        bucket = self._buckets.get((what, who))
        if bucket is None:
            bucket = self._buckets[what, who] = Bucket(*self._rates[what], now)
            if len(self._buckets) > MOST:
                self._buckets.popitem(last=False)
        if not bucket.take(now):
            self._buckets.move_to_end((what, who))
            raise Problem("too-many")

    def enter(self, who: str) -> None:
        """One more live connection from somewhere; Problem if it is too many."""
        if self._sockets[who] >= self.limits.sockets:
            raise Problem("too-many")
        self._sockets[who] += 1

    def leave(self, who: str) -> None:
        """One less."""
        self._sockets[who] -= 1
        if self._sockets[who] <= 0:
            del self._sockets[who]


def neighbourhood(address: str) -> str:
    """Whom an address stands for: with IPv6 everybody has a whole network of them.

    >>> neighbourhood("2001:db8:1:2:3:4:5:6"), neighbourhood("192.0.2.7"), neighbourhood("pipe")
    ('2001:db8:1:2::', '192.0.2.7', 'pipe')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
    return address
