"""The door: how many connections there may be, and which of them keep the house waiting.

Once a second all connections are looked at. One that has not sent its request in time, that does
not read what it is sent, or that lingers after it was closed, is cut off: nothing is kept for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Collection
from time import monotonic
from typing import Protocol

from escale.server.http.proxies import Proxies
from escale.server.settings import Limits

log = logging.getLogger("escale.door")

LOOK = 1.0
"""Seconds between two looks at all connections."""
STALLED = 30.0
"""Seconds in which a connection must read some of what waits for it …"""
READ = 16_384
"""… and how many bytes, unless it reads all."""
LINGER = 5.0
"""Seconds that a closed connection has to take what was still sent to it."""


class Caller(Protocol):
    """A connection, as the door sees it."""

    who: str
    """The address that it counts for."""
    transport: asyncio.Transport
    deadline: float | None
    """When it must have sent what it began to send; None while nothing is awaited."""


class Watch:
    """What is remembered of a connection between two looks."""

    __slots__ = ("closing", "queued", "since")

    def __init__(self, now: float) -> None:
        self.queued = 0
        self.since = now
        self.closing: float | None = None


class Door:
    """All connections of one house."""

    def __init__(self, limits: Limits, proxies: Proxies, most: int) -> None:
        self.limits = limits
        self._proxies = proxies
        self._most = most
        self._each = min(limits.connections, max(1, most * 3 // 4))
        self._inside: dict[str, dict[Caller, Watch]] = defaultdict(dict)
        self._count = 0
        self._looking: asyncio.TimerHandle | None = None

    @property
    def count(self) -> int:
        """How many connections there are."""
        return self._count

    def enter(self, caller: Caller, peer: str) -> bool:
        """Let a connection in, unless there are too many; `peer` is the address itself."""
        if self._count >= self._most:
            log.warning("there are %d connections: no more are taken", self._count)
            return False
        known = self._inside.get(caller.who, {})
        # Everybody comes through a proxy; it has to limit its own clients.
        if len(known) >= self._each and peer not in self._proxies:
            log.warning("%s has %d connections: no more are taken from there",
                        caller.who, len(known))
            return False
        self._inside[caller.who][caller] = Watch(monotonic())
        self._count += 1
        if self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(LOOK, self._look)
        return True

    def replace(self, caller: Caller, other: Caller) -> None:
        """A connection goes on under another protocol."""
        known = self._inside[caller.who]
        known[other] = known.pop(caller)

    def leave(self, caller: Caller) -> None:
        """A connection has ended."""
        known = self._inside.get(caller.who, {})
        if known.pop(caller, None) is not None:
            self._count -= 1
            if not known:
                del self._inside[caller.who]

    def weigh(self, caller: Caller, peer: str) -> None:
        """Somebody is behind with reading: cut them off if too much waits for their address."""
        if peer in self._proxies:
            return
        waiting = {other: _queued(other) for other in self._inside.get(caller.who, ())}
        total = sum(waiting.values())
        while waiting and total > self.limits.address_backlog:
            worst = max(waiting, key=lambda other: waiting[other])
            total -= waiting.pop(worst)
            log.warning("%s does not read: a connection is cut off", caller.who)
            worst.transport.abort()

    def _look(self) -> None:
        now = monotonic()
        self._looking = None
        for known in list(self._inside.values()):
            for caller, watch in list(known.items()):
                why = _fault(caller, watch, now)
                if why:
                    log.warning("%s %s: a connection is cut off", caller.who, why)
                    caller.transport.abort()
        if self._inside:
            self._looking = asyncio.get_running_loop().call_later(LOOK, self._look)


def _queued(caller: Caller) -> int:
    return caller.transport.get_write_buffer_size()


def _fault(caller: Caller, watch: Watch, now: float) -> str:
    """What is wrong with a connection, if anything is."""
    queued = _queued(caller)
    if queued == 0 or queued <= watch.queued - READ:
        watch.queued, watch.since = queued, now
    watch.queued = max(watch.queued, queued)
    if watch.closing is None and caller.transport.is_closing():
        watch.closing = now
    if watch.closing is not None and now - watch.closing > LINGER:
        return "does not go"
    if queued and now - watch.since > STALLED:
        return "does not read"
    if caller.deadline is not None and now > caller.deadline:
        return "does not finish a request"
    return ""


class OnceAMinute(logging.Filter):
    """Lets a sentence through once a minute: hostile clients shall not fill the disk."""

    MOST = 1000

    def __init__(self, seconds: float = 60, only: Collection[str] | None = None) -> None:
        super().__init__()
        self._seconds = seconds
        self._only = only
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it has not been said lately; only some sentences, if `only` lists them."""
        if self._only is not None and record.msg not in self._only:
            return True
        now = monotonic()
        if now - self._said.get(record.msg, -1e9) < self._seconds:
            return False
        if len(self._said) >= self.MOST:
            self._said.clear()
        self._said[record.msg] = now
        return True


log.addFilter(OnceAMinute())
