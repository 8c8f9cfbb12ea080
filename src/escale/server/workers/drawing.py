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
WAITING_DRAWINGS = 500
"""At most this many drawings may be requested and not finished yet."""


class Drawing:
    """Draws pictures in threads; the same picture, requested by many at once, is drawn once."""

    def __init__(self, threads: int = THREADS, most: int = WAITING_DRAWINGS) -> None:
        self._pool = ThreadPoolExecutor(threads, "escale-drawing")
        self._most = most
        self._waiting: dict[tuple[asyncio.AbstractEventLoop, Hashable], asyncio.Future[Any]] = {}

    async def __call__(self, function: Callable[..., T], *arguments: Hashable) -> T:
        """Call a function in a thread and return its result; Problem if too many calls wait."""
        return await self.named((function, arguments), partial(function, *arguments))

    async def named(self, name: Hashable, drawn: Callable[[], T]) -> T:
        """Like `draw(drawn)`, but calls with the same `name` share one result."""
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
            found.exception()           # read it: the caller may have gone


draw = Drawing()
"""The threads of this process that draw."""
