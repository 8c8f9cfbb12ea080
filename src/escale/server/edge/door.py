"""The door: limits the number of connections, and aborts those that keep the house waiting.

All connections are checked once a second. A connection is aborted if it has not sent its request in
time, does not read what it is sent, or stays open after the house has closed it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Collection
from time import monotonic

from escale.server.edge.limits import Limits
from escale.server.edge.middleware import Proxies
from escale.server.edge.rate_limiter import neighbourhood

log = logging.getLogger("escale.door")

CHECK_SECONDS = 1.0
"""The time between two checks of all connections."""
STALLED_SECONDS = 30.0
"""Within this time, a connection must read a part of the bytes that wait for it …"""
READ_BYTES = 16_384
"""… at least this many, or all of them."""
LINGER_SECONDS = 5.0
"""A closed connection has this long to read the last bytes."""


class Watch:
    """The state of one connection."""

    __slots__ = ("closing", "deadline", "queued", "since", "who")

    def __init__(self, who: str, now: float) -> None:
        self.who = who
        """The address that the connection counts for."""
        self.deadline: float | None = None
        """When its request must be complete; None while no request is expected."""
        self.queued = 0
        self.since = now
        self.closing: float | None = None


class Door:
    """All connections of one house, by their transports."""

    def __init__(self, limits: Limits, proxies: Proxies, most: int) -> None:
        """Let in at most `most` connections, whatever their addresses."""
        self.limits = limits
        self._proxies = proxies
        self._most = most
        self._each = min(limits.connections, max(1, most * 3 // 4))
        self._inside: dict[asyncio.Transport, Watch] = {}
        self._counts: Counter[str] = Counter()
        self._next_check: asyncio.TimerHandle | None = None

    def __contains__(self, transport: asyncio.Transport) -> bool:
        return transport in self._inside

    @property
    def count(self) -> int:
        """How many connections there are."""
        return len(self._inside)

    def enter(self, transport: asyncio.Transport, peer: str) -> bool:
        """Let a connection in, unless there are too many; `peer` is the address itself."""
        who = neighbourhood(peer) if peer else "unknown"
        if len(self._inside) >= self._most:
            log.warning("there are %d connections: no more are taken", len(self._inside))
            return False
        # All clients of a proxy have its address; the proxy has to limit them.
        if self._counts[who] >= self._each and peer not in self._proxies:
            log.warning("%s has %d connections: no more are taken from there",
                        who, self._counts[who])
            return False
        self._inside[transport] = Watch(who, monotonic())
        self._counts[who] += 1
        if self._next_check is None:
            self._check_later()
        return True

    def leave(self, transport: asyncio.Transport) -> None:
        """Forget a connection that has ended."""
        watch = self._inside.pop(transport, None)
        if watch is not None:
            self._counts[watch.who] -= 1
            if not self._counts[watch.who]:
                del self._counts[watch.who]

    def expect_within(self, transport: asyncio.Transport, seconds: float | None) -> None:
        """Abort the connection unless its request is complete at this time, if any."""
        if transport in self._inside:
            self._inside[transport].deadline = None if seconds is None else monotonic() + seconds

    def awaits(self, transport: asyncio.Transport) -> bool:
        """Whether the rest of a request is expected from a connection."""
        watch = self._inside.get(transport)
        return watch is not None and watch.deadline is not None

    def cut_backlog(self, transport: asyncio.Transport, peer: str) -> None:
        """If too many bytes wait for an address, abort its slowest readers."""
        watch = self._inside.get(transport)
        if watch is None or peer in self._proxies:
            return
        waiting = {
            other: other.get_write_buffer_size()
            for other, known in self._inside.items() if known.who == watch.who
        }
        total = sum(waiting.values())
        while waiting and total > self.limits.address_backlog:
            worst = max(waiting, key=lambda other: waiting[other])
            total -= waiting.pop(worst)
            log.warning("%s does not read: a connection is cut off", watch.who)
            worst.abort()

    def _check_later(self) -> None:
        loop = asyncio.get_running_loop()
        self._next_check = loop.call_later(CHECK_SECONDS, self._check) if self._inside else None

    def _check(self) -> None:
        now = monotonic()
        for transport, watch in list(self._inside.items()):
            why = _fault(transport, watch, now)
            if why:
                log.warning("%s %s: a connection is cut off", watch.who, why)
                transport.abort()
        self._check_later()


def _fault(transport: asyncio.Transport, watch: Watch, now: float) -> str:
    """The fault of a connection, in a sentence; None if it has none."""
    queued = transport.get_write_buffer_size()
    if queued == 0 or queued <= watch.queued - READ_BYTES:
        watch.queued, watch.since = queued, now
    watch.queued = max(watch.queued, queued)
    if watch.closing is None and transport.is_closing():
        watch.closing = now
    if watch.closing is not None and now - watch.closing > LINGER_SECONDS:
        return "does not go"
    if queued and now - watch.since > STALLED_SECONDS:
        return "does not read"
    if watch.deadline is not None and now > watch.deadline:
        return "does not finish a request"
    return ""


class OnceAMinute(logging.Filter):
    """Logs the same sentence at most once a minute, so that hostile clients cannot fill the disk.

    With `only` the limit holds for these sentences alone. Their tracebacks are left out, since they
    report what a client did, not an error of the house.
    """

    REMEMBERED_SENTENCES = 1000

    def __init__(self, seconds: float = 60, only: Collection[str] | None = None) -> None:
        super().__init__()
        self._seconds = seconds
        self._only = only
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the sentence has not been logged lately."""
        if self._only is not None:
            if record.msg not in self._only:
                return True
            record.exc_info = None
        now = monotonic()
        if now - self._said.get(record.msg, -1e9) < self._seconds:
            return False
        if len(self._said) >= self.REMEMBERED_SENTENCES:
            self._said.clear()
        self._said[record.msg] = now
        return True


log.addFilter(OnceAMinute())
