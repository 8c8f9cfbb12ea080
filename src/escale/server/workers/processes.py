"""Processes of one kind. Each starts when it is first needed, and again after it has failed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from escale.opponents.line_process import EngineDied
from escale.server.workers.fair_queue import FairQueue

P = TypeVar("P")
T = TypeVar("T")


class Worker(Generic[P]):
    """One process, while it runs."""

    def __init__(
        self, start: Callable[[], Awaitable[P]], end: Callable[[P], Awaitable[None]]
    ) -> None:
        self._start = start
        self._end = end
        self._closed = False
        self.process: P | None = None

    async def use(self, ask: Callable[[P], Awaitable[T]]) -> T:
        """Start the process if it does not run, and return what `ask` gets from it.

        Any error ends the process, and so does a cancellation: its late answer would otherwise be
        taken for the answer to the next question.
        """
        try:
            return await ask(await self.start())
        except BaseException:
            await self.end()
            raise

    async def start(self) -> P:
        """Return the process, and start it if it does not run; EngineDied after `close`."""
        if self.process is None and not self._closed:
            self.process = await self._start()
        if self.process is None or self._closed:
            await self.end()
            raise EngineDied("the house has ended its processes")
        return self.process

    async def end(self) -> None:
        """End the process; the next use starts another."""
        process, self.process = self.process, None
        if process is not None:
            await self._end(process)

    async def close(self) -> None:
        """End the process for good."""
        self._closed = True
        await self.end()


class Processes(Generic[P]):
    """Workers that all do the same, and serve addresses in turn."""

    def __init__(
        self, start: Callable[[], Awaitable[P]], end: Callable[[P], Awaitable[None]], size: int
    ) -> None:
        self._workers = [Worker(start, end) for _ in range(size)]
        self.queue = FairQueue(self._workers)

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[Worker[P]]:
        """Wait for this address's turn and lend a worker; "" is the house itself."""
        worker = await self.queue.take(address)
        try:
            yield worker
        finally:
            self.queue.give_back(worker)

    async def close(self) -> None:
        """End all processes for good."""
        for worker in self._workers:
            await worker.close()
