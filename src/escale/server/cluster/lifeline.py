"""Each process keeps one connection to PostgreSQL that listens and shows that the process lives.

Once a second it asks which processes are alive, so the death of a process is noticed within a
second or two: the system closes its connection, and its lock is gone. If the network or the process
itself hangs, PostgreSQL ends the session after a few seconds without a query. In this process, a
query that gets no answer in time means that the database cannot be reached.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing, suppress
from typing import Any, Protocol

import msgspec
import psycopg

from escale.server.cluster.membership import Membership, alive, join
from escale.server.cluster.news import ProcessJoined, ProcessLeaves, Sent, read_notice
from escale.store import StoreError
from escale.store.notices import CHANNEL, payloads, split_payload
from escale.store.postgres import cut

log = logging.getLogger("escale")

BEAT_SECONDS = 1.0
"""The time between two queries for the processes that are alive."""
ANSWER_SECONDS = 3.0
"""A query without an answer after this time has failed."""
IDLE_MILLISECONDS = 3500
"""PostgreSQL ends the session of a process that has sent no query for this long."""
RETRY_SECONDS = (0.1, 0.3, 1.0)
"""The pauses between attempts to connect again; the last one is repeated."""


class Member(Protocol):
    """The object that a lifeline keeps informed."""

    def hear(self, sender: int, notice: Sent) -> None:
        """A process has sent a notice; a process also receives its own."""

    def join(self, membership: Membership) -> None:
        """This process has joined under a number; after a reconnect it may have missed notices."""

    def set_alive(self, alive: frozenset[int]) -> None:
        """Processes have started or ended: these are alive now."""

    def beat(self) -> None:
        """Called once a second."""

    def set_reachable(self, yes: bool) -> None:
        """Whether the database can be reached."""


class Lifeline:
    """The connection, and the task that uses it."""

    def __init__(
        self, arguments: dict[str, Any], member: Member, cut_others: Callable[[], None]
    ) -> None:
        """Connect with `arguments`; call `cut_others` when a query gets no answer in time."""
        self._arguments = arguments
        self._member = member
        self._cut_others = cut_others
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._task: asyncio.Task[None] | None = None
        self._alive: frozenset[int] = frozenset()
        self._number = 0
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
        """Leave the cluster; the other processes take over the tables at once."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._connection is not None:
            watch = self._watch(self._connection)
            with suppress(psycopg.Error):
                [farewell] = payloads(self._number, [ProcessLeaves()])
                await self._connection.execute(
                    "SELECT pg_advisory_unlock_all(), pg_notify(%s, %s)", (CHANNEL, farewell)
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
                self._member.set_reachable(False)
                await asyncio.sleep(RETRY_SECONDS[min(attempt, len(RETRY_SECONDS) - 1)])
                attempt += 1
            else:
                self._member.set_reachable(True)
                return

    async def _join(self) -> None:
        connection = await psycopg.AsyncConnection.connect(**self._arguments, autocommit=True)
        self._connection = connection
        watch = self._watch(connection)
        try:
            # Servers before version 14 have no such limit; there only the system notices.
            await connection.execute(
                "SELECT set_config('idle_session_timeout', %s, false) "
                "WHERE current_setting('server_version_num')::integer >= 140000",
                (str(IDLE_MILLISECONDS),),
            )
            membership = await join(connection, self._opened)
            await connection.execute(f"LISTEN {CHANNEL}")
            [greeting] = payloads(membership.number, [ProcessJoined()])
            await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, greeting))
        finally:
            watch.cancel()
        self._number, self._opened = membership.number, membership.opened
        self._alive = membership.alive
        self._member.join(membership)

    async def _live(self) -> None:
        """Listen and ask, until the connection is lost."""
        connection = self._connection
        assert connection is not None
        while True:
            async with aclosing(connection.notifies(timeout=BEAT_SECONDS)) as notices:
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
                self._member.set_alive(found)
            self._member.beat()

    def _pass_on(self, payload: str) -> bool:
        """Pass a notice on to the member; returns whether processes start or end."""
        sender, lines = split_payload(payload)
        moving = False
        for line in lines:
            with suppress(msgspec.DecodeError):         # sent by another program
                notice = read_notice(line)
                moving |= isinstance(notice, ProcessJoined | ProcessLeaves)
                self._member.hear(sender, notice)
        return moving

    def _watch(self, connection: psycopg.AsyncConnection[Any]) -> asyncio.TimerHandle:
        """Close this connection, and all others, unless an answer comes in time."""
        def silent() -> None:
            log.warning("the database does not answer: its connections are cut")
            self._member.set_reachable(False)
            cut(connection)
            self._cut_others()

        return asyncio.get_running_loop().call_later(ANSWER_SECONDS, silent)

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()        # which waits for nothing
