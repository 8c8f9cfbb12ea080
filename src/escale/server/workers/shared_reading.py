"""One reading for all who want the same at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Generic, TypeVar

T = TypeVar("T")


class SharedReading(Generic[T]):
    """Reads something anew for every caller; those who call during a reading share the next one.

    So at most one reading runs and one waits, however many callers there are, and no caller gets
    what was read before the call.
    """

    def __init__(self, read: Callable[[], Awaitable[T]]) -> None:
        self._read = read
        self._running: asyncio.Task[T] | None = None
        self._next: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """The result of a reading that begins after this call."""
        if self._next is None:
            self._next = asyncio.create_task(self._read_after(self._running))
        return await asyncio.shield(self._next)

    async def _read_after(self, earlier: asyncio.Task[T] | None) -> T:
        if earlier is not None:
            with suppress(Exception):               # its callers have heard of it
                await asyncio.shield(earlier)
        self._running, self._next = self._next, None
        return await self._read()
