"""Threads for longer computations, so that the event loop goes on with other tables.

Addresses take turns. A computation that takes longer than an instant has a thread of its own, or is
done in parts, so that small requests do not wait for it.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from escale.server.edge.current import client_address
from escale.server.edge.problems import Problem
from escale.server.workers.fair_queue import FairQueue

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 2
"""Threads for calls of some hundredths of a second, …"""
LONG_THREADS = 1
"""… and for longer calls."""
MOST_WAITING = 30
"""The most calls of one address that may wait."""
SWITCH_SECONDS = 0.0005
"""A working thread may keep the event loop waiting this long. Python's default is ten times
as long, which adds up where one request takes several turns of the loop."""


class Threads:
    """A number of threads, for which addresses wait in turn."""

    def __init__(self, name: str, size: int) -> None:
        self._size = size
        self._pool = ThreadPoolExecutor(size, f"escale-{name}")
        self._queues: WeakKeyDictionary[asyncio.AbstractEventLoop, FairQueue[int]] = \
            WeakKeyDictionary()

    async def call(self, function: Callable[[], T]) -> T:
        """The result of a function; Problem if too many calls of the address wait."""
        if sys.platform == "emscripten":        # a browser has no threads for Python
            return function()
        loop = asyncio.get_running_loop()
        queue = self._queues.setdefault(loop, FairQueue(range(self._size)))
        address = client_address.get()
        if address and queue.waiting(address) >= MOST_WAITING:
            raise Problem("too-many")
        turn = await queue.take(address)

        def give_back(job: Future[T]) -> None:
            with suppress(RuntimeError):            # the loop is closed
                loop.call_soon_threadsafe(queue.give_back, turn)

        job = self._pool.submit(function)
        job.add_done_callback(give_back)            # also where the call is given up meanwhile
        return await asyncio.wrap_future(job)


_short, _long = Threads("short", THREADS), Threads("long", LONG_THREADS)


async def off_loop(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Call a function in a thread and return its result.

    This is for work of some hundredths of a second. Work whose size a stranger chooses
    is a job for a process, which can be ended (see `pool.py`). Problem `too-many` if too many
    calls of an address wait.
    """
    return await _short.call(lambda: function(*arguments, **named))


async def long_off_loop(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The same for calls that may take longer; only other such calls wait for it."""
    return await _long.call(lambda: function(*arguments, **named))
