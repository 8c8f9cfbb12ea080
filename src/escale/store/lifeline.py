"""One connection of each process to PostgreSQL that listens, and shows that the process lives.

Once a second it asks who else is alive, so a process that dies is noticed within a second or two:
the system closes its connection, and with that its lock is gone. Where the network or the process
itself hangs, the server ends the session after a few seconds without a question; here, meanwhile, a
question without an answer means that the database cannot be reached.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing, suppress
from typing import Any, Protocol

import psycopg
from sqlalchemy import Engine

from escale.store.errors import StoreError
from escale.store.notices import CHANNEL, Words, read_payload
from escale.store.ownership import Membership, alive, join
from escale.store.postgres import cut, lively

log = logging.getLogger("escale")

BEAT = 1.0
"""Seconds between two questions who is alive."""
PATIENCE = 3.0
"""Seconds to wait for an answer."""
IDLE = 3500
"""Milliseconds after which the server ends the session of a process that asks nothing."""
PAUSES = (0.1, 0.3, 1.0)
"""Seconds between attempts to connect again, the last of them again and again."""


class Ear(Protocol):
    """Who is told what the lifeline hears."""

    def hear(self, sender: int, words: Words) -> None:
        """Another process has said something."""

    def joined(self, membership: Membership) -> None:
        """This process has a number, perhaps another than before: notices may have been missed."""

    def changed(self, alive: frozenset[int]) -> None:
        """Processes have come or gone."""

    def beat(self) -> None:
        """A second has passed."""

    def reached(self, yes: bool) -> None:
        """Whether the database can be reached."""


class Lifeline:
    """The connection, and the task that lives by it."""

    def __init__(self, engine: Engine, ear: Ear, lost: Callable[[], None]) -> None:
        """`lost` is called when questions are not answered any more."""
        _, arguments = engine.dialect.create_connect_args(engine.url)
        self._arguments: dict[str, Any] = {**arguments, **lively(engine.url)}
        self._ear = ear
        self._lost = lost
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._task: asyncio.Task[None] | None = None
        self._alive: frozenset[int] = frozenset()
        self._opened = 0

    async def start(self, now: int) -> None:
        """Join the others; StoreError if the database cannot be reached. `now` in Unix seconds."""
        self._opened = now
        try:
            await self._join()
        except psycopg.Error as error:
            raise StoreError(f"the database cannot be listened to: {error}") from error
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Leave; the others take over at once."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            watch = self._watch(self._connection)
            with suppress(psycopg.Error):
                await self._connection.execute(
                    "SELECT pg_advisory_unlock_all(), pg_notify(%s, '1\nleaves')", (CHANNEL,)
                )
            watch.cancel()
        await self._hang_up()

    async def _run(self) -> None:
        while True:
            try:
                await self._live()
            except psycopg.Error as error:
                log.warning("the connection that listens was lost: %s",
                            str(error).partition("\n")[0])
            await self._hang_up()
            await self._join_again()

    async def _join_again(self) -> None:
        attempt = 0
        while True:
            try:
                await self._join()
            except psycopg.Error:
                await self._hang_up()
                self._ear.reached(False)
                await asyncio.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
                attempt += 1
            else:
                self._ear.reached(True)
                return

    async def _join(self) -> None:
        connection = await psycopg.AsyncConnection.connect(**self._arguments, autocommit=True)
        self._connection = connection
        watch = self._watch(connection)
        try:
            # Servers before version 14 have no such limit; there only the system notices.
            await connection.execute(
                "SELECT set_config('idle_session_timeout', %s, false) "
                "WHERE current_setting('server_version_num')::integer >= 140000", (str(IDLE),)
            )
            membership = await join(connection, self._opened)
            await connection.execute(f"LISTEN {CHANNEL}")
            await connection.execute(
                "SELECT pg_notify(%s, %s)", (CHANNEL, f"{membership.number}\njoined")
            )
        finally:
            watch.cancel()
        self._opened, self._alive = membership.opened, membership.alive
        self._ear.joined(membership)

    async def _live(self) -> None:
        """Listen and ask, until the connection is lost."""
        connection = self._connection
        assert connection is not None
        while True:
            async with aclosing(connection.notifies(timeout=BEAT)) as notices:
                async for notice in notices:
                    if self._pass_on(notice.payload):
                        break
            watch = self._watch(connection)
            try:
                found = await alive(connection)
            finally:
                watch.cancel()
            if found != self._alive:
                self._alive = found
                self._ear.changed(found)
            self._ear.beat()

    def _pass_on(self, payload: str) -> bool:
        """Tell what was heard; whether processes come or go."""
        sender, lines = read_payload(payload)
        for words in lines:
            self._ear.hear(sender, words)
        return any(words[0] in ("joined", "leaves") for words in lines)

    def _watch(self, connection: psycopg.AsyncConnection[Any]) -> asyncio.TimerHandle:
        """Cut this connection, and all others, unless an answer comes in time."""
        def silent() -> None:
            log.warning("the database does not answer: its connections are cut")
            self._ear.reached(False)
            cut(connection)
            self._lost()

        return asyncio.get_running_loop().call_later(PATIENCE, silent)

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()        # which waits for nothing
