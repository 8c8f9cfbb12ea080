"""A network between a house and its database, which can fail: it hangs, or it cuts."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tests.sizes import PATIENCE_SECONDS


class Relay:
    """Passes on what is sent, both ways, as long as it is open; in a thread of its own."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._loop = asyncio.new_event_loop()
        self._open = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()

    def hang(self) -> None:
        """From now on nothing comes through, and no side is told."""
        self._do(self._open.clear)

    def heal(self) -> None:
        """From now on everything comes through again, also what was sent meanwhile."""
        self._do(self._open.set)

    def cut(self) -> None:
        """End all connections."""
        self._do(self._cut)

    def _cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    def _do(self, what: Callable[[], object]) -> None:
        done = threading.Event()
        self._loop.call_soon_threadsafe(what)
        self._loop.call_soon_threadsafe(done.set)
        done.wait(PATIENCE_SECONDS)

    def run(self, opened: Callable[[int], None]) -> None:
        """Listen until it is stopped."""
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen(opened))
        self._loop.close()

    async def _listen(self, opened: Callable[[int], None]) -> None:
        self._open.set()
        self._end = asyncio.Event()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        opened(server.sockets[0].getsockname()[1])
        await self._end.wait()
        server.close()
        here = asyncio.current_task()
        for task in (others := [task for task in asyncio.all_tasks() if task is not here]):
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def stop(self) -> None:
        """End everything."""
        self._loop.call_soon_threadsafe(self._end.set)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_unix_connection(self._path)
        self._writers |= {writer, there_writer}
        try:
            await asyncio.gather(
                self._pass(reader, there_writer), self._pass(there_reader, writer)
            )
        except asyncio.CancelledError:
            return                              # it is being stopped
        finally:
            self._writers -= {writer, there_writer}
            for end in (writer, there_writer):
                end.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        await self._open.wait()
        writer.transport.abort()


@contextmanager
def relay_to(path: str) -> Iterator[tuple[Relay, int]]:
    """A relay to a socket of the system, and the port where it listens."""
    relay = Relay(path)
    ports: list[int] = []
    thread = threading.Thread(target=relay.run, args=(ports.append,))
    thread.start()
    while not ports:
        assert thread.is_alive()
    try:
        yield relay, ports[0]
    finally:
        relay.stop()
        thread.join(PATIENCE_SECONDS)
