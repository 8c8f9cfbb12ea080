"""Drawing off the event loop: few pictures at a time, in threads, while tables go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from escale.server.edge.problems import Problem

T = TypeVar("T")

THREADS = 2
MOST = 500
"""Drawings that may be asked for and not be done yet."""


class Drawing:
    """Draws what is asked for; the same picture, asked for by many at once, is drawn once."""

    def __init__(self, threads: int = THREADS, most: int = MOST) -> None:
        self._pool = ThreadPoolExecutor(threads, "escale-drawing")
        self._most = most
        self._waiting: dict[tuple[asyncio.AbstractEventLoop, Hashable], asyncio.Future[Any]] = {}

    async def __call__(self, function: Callable[..., T], *arguments: Hashable) -> T:
        """What a function gives, called in a thread; Problem if too much is waiting."""
        return await self.named((function, arguments), partial(function, *arguments))

    async def named(self, name: Hashable, drawn: Callable[[], T]) -> T:
        """The same for what has arguments that cannot be compared: `name` says which it is."""
        loop = asyncio.get_running_loop()
        key = (loop, name)
        found = self._waiting.get(key)
        if found is None:
            if len(self._waiting) >= self._most:
                raise Problem("unavailable")
            found = self._waiting[key] = loop.run_in_executor(self._pool, drawn)
            found.add_done_callback(partial(self._drawn, key))
        result: T = await asyncio.shield(found)
        return result

    def _drawn(self, key: tuple[asyncio.AbstractEventLoop, Hashable], found: Any) -> None:
        self._waiting.pop(key, None)
        if not found.cancelled():
            found.exception()           # the caller may have gone: then nobody takes it


draw = Drawing()
"""The threads of this process that draw."""
