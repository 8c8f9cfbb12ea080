"""Live connections: numbered events over a WebSocket, with resume."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import Any

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect, WebSocketState

from escale.game.errors import EscaleError
from escale.game.texts import LANGUAGES
from escale.match.events import Action, View, read_hello, read_message, sender_id
from escale.match.reading import encode
from escale.server.locale import preferred
from escale.server.messages import Acknowledged
from escale.server.middleware.rate_limiter import RateLimiter
from escale.server.middleware.security import address, at_home
from escale.server.problems import Problem
from escale.server.tables.house import House
from escale.server.tables.names import fingerprint
from escale.server.tables.table import Table
from escale.server.tables.views import Sight

router = APIRouter()

HELLO = 10
"""Seconds to say hello."""
BACKLOG = 200
"""Messages that may wait for somebody who reads slowly."""
COME_BACK, UNWELCOME, UNKNOWN, TOO_SLOW = 1012, 4403, 4404, 4408
"""Why a connection is closed, in WebSocket's numbers."""


class Connection:
    """Somebody at the other end."""

    def __init__(
        self, socket: WebSocket, table: Table, token: str | None, sight: Sight,
        limiter: RateLimiter,
    ) -> None:
        self.socket = socket
        self._limiter = limiter
        self.table = table
        self.sight = sight
        self.name = fingerprint(token) if token else address(socket)
        """Whose rate of actions is measured."""
        self._waiting: deque[bytes] = deque()
        self._ready = asyncio.Event()
        self._code: int | None = None

    def hear(self, message: bytes) -> None:
        """Pass a message on, as soon as possible."""
        self._waiting.append(message)
        if len(self._waiting) > BACKLOG:
            self._code = TOO_SLOW
        self._ready.set()

    def say(self, message: dict[str, Any] | Acknowledged) -> None:
        """The same, for a message to this one alone."""
        self.hear(encode(message))

    def leave(self) -> None:
        """Ask to come back."""
        self._code = self._code or COME_BACK
        self._ready.set()

    async def pass_on(self) -> None:
        """Send what waits, until the connection ends."""
        send = self.socket.send
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._ready.wait()
                self._ready.clear()
                while self._waiting and self._code != TOO_SLOW:
                    await send({"type": "websocket.send", "text": self._waiting.popleft().decode()})
                if self._code is not None:
                    await self.socket.close(self._code)
                    return

    async def obey(self, most: int) -> None:
        """Do what arrives, until the connection ends."""
        while True:
            arrived = await self.socket.receive()
            if arrived["type"] != "websocket.receive":
                return
            text = arrived.get("text") or arrived.get("bytes") or b""
            try:
                if len(text) > most:
                    raise Problem("too-large", most=most)
                await self._do(read_message(text))
            except EscaleError as error:
                await self._refuse(sender_id(text[:most]), Problem.of(error))

    async def _do(self, action: Action | View) -> None:
        table = self.table
        self._limiter.take("action", self.name)
        if isinstance(action, View):
            async with table.open():
                table.part(self)
                sight = self.sight
                self.sight = Sight.of(sight.seats, action.as_, sight.lang, sight.lean)
                table.join(self)
                self.say(table.state(self.sight))
            return
        number = await table.do(action, self.sight.seats)
        self.say(Acknowledged(action.id, number))

    async def _refuse(self, identity: str | None, problem: Problem) -> None:
        answer = {"type": "refused", "id": identity, **problem.as_json(self.sight.lang)}
        if problem.code == "stale":
            with contextlib.suppress(Problem):          # it is being read again: come back
                async with self.table.open():
                    answer["state"] = self.table.state(self.sight)
        self.say(answer)


@router.websocket("/api/tables/{id}/live")
async def live(socket: WebSocket, id: str) -> None:
    """Follow a table and play at it."""
    house: House = socket.app.state.house
    limiter: RateLimiter = socket.app.state.rate_limiter
    who = address(socket)
    if not at_home(socket.headers, house.settings.origins):
        await socket.close(UNWELCOME)
        return
    try:
        limiter.take("request", who)
        limiter.enter(who)
    except Problem:
        await socket.close(UNWELCOME)
        return
    try:
        await socket.accept()
        await _follow(house, limiter, socket, id)
    finally:
        limiter.leave(who)


async def _follow(house: House, limiter: RateLimiter, socket: WebSocket, id: str) -> None:
    lang = preferred(socket.headers.get("accept-language", ""))
    try:
        async with asyncio.timeout(HELLO):
            first = await socket.receive()
        if first["type"] != "websocket.receive":
            return
        hello = read_hello(first.get("text") or first.get("bytes") or b"")
        lang = hello.lang if hello.lang in LANGUAGES else lang
        table = await house.table(id)
        if table is None:
            raise Problem("unknown-table")
    except TimeoutError:
        await socket.close(TOO_SLOW)
        return
    except EscaleError as error:
        problem = Problem.of(error)
        refusal = {"type": "refused", "id": None, **problem.as_json(lang)}
        await socket.send_text(encode(refusal).decode())
        await socket.close(UNKNOWN)
        return
    seats = table.held(hello.token)
    sight = Sight.of(seats, hello.as_, lang, hello.lean)
    connection = Connection(socket, table, hello.token, sight, limiter)
    try:
        async with table.open():
            since = hello.since
            if since is not None and 0 <= since <= len(table.match.events):
                connection.say(table.gap(sight, since))
            else:
                connection.say(table.state(sight))
            table.join(connection)
    except Problem:                                     # it is being read again
        await socket.close(COME_BACK)
        return
    table.arrive(seats)
    if table.gone:
        connection.leave()
    sending = asyncio.create_task(connection.pass_on())
    try:
        await connection.obey(house.settings.limits.message)
    finally:
        table.part(connection)
        table.depart(seats)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        if socket.application_state is WebSocketState.CONNECTED and \
                socket.client_state is WebSocketState.CONNECTED:
            await socket.close()
