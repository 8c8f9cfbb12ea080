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
from escale.server.edge.locale import preferred
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.edge.security import address, at_home
from escale.server.tables.counts import Counts
from escale.server.tables.house import House
from escale.server.tables.messages import Acknowledged
from escale.server.tables.names import fingerprint
from escale.server.tables.state import missed_state, whole_state
from escale.server.tables.table import Table
from escale.server.tables.views import Sight

router = APIRouter()

HELLO_SECONDS = 10
"""A client must say hello within this time."""
WAITING_MESSAGES = 200
"""At most this many messages wait for a client that reads slowly."""
BAD_MESSAGES = 50
"""After this many invalid or excessive messages in a row the connection is closed."""
GOODBYE_SECONDS = 5
"""The time for an orderly close of a connection."""
COME_BACK, UNWELCOME, UNKNOWN, TOO_SLOW, TOO_MANY = 1012, 4403, 4404, 4408, 4429
"""WebSocket close codes: why a connection is closed."""
STRUCK = ("bad-request", "too-large", "too-many")


class Connection:
    """One client at one table, over a WebSocket."""

    def __init__(
        self, socket: WebSocket, table: Table, token: str | None, sight: Sight,
        limiter: RateLimiter,
    ) -> None:
        self.socket = socket
        self._limiter = limiter
        self._who = address(socket)
        self.table = table
        self.sight = sight
        # A token that holds nothing does not count: a client can make up any number of them.
        self.name = fingerprint(token) if token and sight.seats else self._who
        """The name under which actions are counted: the token's fingerprint, or the address."""
        self._waiting: deque[bytes] = deque()
        self._size = 0
        """Bytes that wait, or are sent and not read yet."""
        self._ready = asyncio.Event()
        self._code: int | None = None
        self._counts: Counts = socket.app.state.counts

    def hear(self, message: bytes) -> None:
        """Queue a message for the client."""
        if self._code == TOO_SLOW:
            return
        self._waiting.append(message)
        self._size += len(message)
        fits = self._limiter.hold(self._who, len(message))
        if not fits or len(self._waiting) > WAITING_MESSAGES \
                or self._size > self._limiter.limits.backlog:
            self._cut_off()
        self._ready.set()

    def _cut_off(self) -> None:
        """Abort the connection of a client that does not read; a close would wait for it."""
        self._code = TOO_SLOW
        self.drop_waiting_messages()
        abort = self.socket.scope.get("state", {}).get("escale.abort")
        if abort is not None:
            abort()

    def drop_waiting_messages(self) -> None:
        """Drop all messages that wait for the client."""
        self._waiting.clear()
        self._limiter.release(self._who, self._size)
        self._size = 0

    def say(self, message: dict[str, Any] | Acknowledged) -> None:
        """Queue a message for this client alone."""
        self.hear(encode(message))

    def leave(self, code: int = COME_BACK) -> None:
        """Close the connection once everything is sent; the default code asks to connect again."""
        self._code = self._code or code
        self._ready.set()

    @property
    def leaving(self) -> bool:
        """Whether the connection is being closed."""
        return self._code is not None and self._code != TOO_SLOW

    async def pass_on(self) -> None:
        """Send the queued messages, until the connection ends."""
        send = self.socket.send
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._ready.wait()
                self._ready.clear()
                while self._waiting:
                    message = self._waiting.popleft()
                    await send({"type": "websocket.send", "text": message.decode()})
                    if self._code != TOO_SLOW:
                        self._size -= len(message)
                        self._limiter.release(self._who, len(message))
                if self._code is not None:
                    await self.socket.close(self._code)
                    return

    async def obey(self, most: int) -> None:
        """Handle the client's messages, until the connection ends."""
        strikes = 0
        while strikes < BAD_MESSAGES:
            arrived = await self.socket.receive()
            if arrived["type"] != "websocket.receive":
                return
            text = arrived.get("text") or arrived.get("bytes") or b""
            try:
                # Invalid messages count, too: they are also read and answered.
                self._limiter.take("message", self._who)
                self._limiter.take("action", self.name)
                if len(text) > most:
                    raise Problem("too-large", most=most)
                await self._do(read_message(text))
                strikes = 0
            except EscaleError as error:
                problem = Problem.of(error)
                strikes = strikes + 1 if problem.code in STRUCK else 0
                await self._refuse(sender_id(text[:most]), problem)
        self.leave(TOO_MANY)

    async def _do(self, action: Action | View) -> None:
        match action:
            case View():
                await self._look_as(action.as_)
            case _:
                if self.sight.seats:
                    self.table.charged_address = self._who
                number = await self.table.do(action, self.sight.seats)
                self.say(Acknowledged(action.id, number))

    async def _look_as(self, seat: int | None) -> None:
        """See the table as another of the client's seats, or as a spectator."""
        table, sight = self.table, self.sight
        async with table.open():
            table.audiences.drop(self)
            self.sight = Sight.of(sight.seats, seat, sight.lang, sight.lean)
            table.audiences.join(self)
            await table.views.prepare(self.sight)
            self.say(whole_state(table, self.sight))

    async def _refuse(self, identity: str | None, problem: Problem) -> None:
        self._counts.refused(problem.code)
        answer = {"type": "refused", "id": identity, **problem.as_json(self.sight.lang)}
        if problem.code == "stale":
            with contextlib.suppress(Problem):          # the table is being read again
                async with self.table.open():
                    await self.table.views.prepare(self.sight)
                    answer["state"] = whole_state(self.table, self.sight)
        self.say(answer)


@router.websocket("/api/tables/{id}/live")
async def live(socket: WebSocket, id: str) -> None:
    """Follow a table and play at it."""
    house: House = socket.app.state.house
    limiter: RateLimiter = socket.app.state.rate_limiter
    who = address(socket)
    if not at_home(socket, house.settings.origins):
        await socket.close(UNWELCOME)
        return
    try:
        limiter.take("request", who)
        limiter.enter(who)
    except Problem as problem:
        socket.app.state.counts.refused(problem.code)
        await socket.close(UNWELCOME)
        return
    try:
        with contextlib.suppress(WebSocketDisconnect):          # the client has gone already
            await socket.accept()
            await _follow(house, limiter, socket, id)
    finally:
        limiter.leave(who)


async def _follow(house: House, limiter: RateLimiter, socket: WebSocket, id: str) -> None:
    lang = preferred(socket.headers.get("accept-language", ""))
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            first = await socket.receive()
        if first["type"] != "websocket.receive":
            return
        hello = read_hello(first.get("text") or first.get("bytes") or b"")
        lang = hello.lang if hello.lang in LANGUAGES else lang
        table = await house.table(id)
        if table is None:
            raise Problem("unknown-table")
        # In a frame of another site no seat is held, whatever cookies a browser sends.
        watches = "watch" in socket.query_params
        token = None if watches else await house.holder(socket, hello.token)
    except TimeoutError:
        await socket.close(TOO_SLOW)
        return
    except EscaleError as error:
        problem = Problem.of(error)
        socket.app.state.counts.refused(problem.code)
        refusal = {"type": "refused", "id": None, **problem.as_json(lang)}
        await socket.send_text(encode(refusal).decode())
        await socket.close(COME_BACK if problem.code == "unavailable" else UNKNOWN)
        return
    seats = table.held(token)
    sight = Sight.of(seats, hello.as_, lang, hello.lean)
    connection = Connection(socket, table, token, sight, limiter)
    try:
        async with table.open():
            since = hello.since
            await table.views.prepare(sight)
            known = since is not None and 0 <= since <= len(table.match.events)
            if since is not None and known and hello.as_ in (None, sight.seat):
                connection.say(missed_state(table, sight, since))
            else:
                connection.say(whole_state(table, sight))
            table.audiences.join(connection)
    except Problem:                                     # the table is being read again
        await socket.close(COME_BACK)
        return
    table.presence.arrive(seats)
    if table.gone:
        connection.leave()
    sending = asyncio.create_task(connection.pass_on())
    try:
        await connection.obey(house.settings.limits.message)
        table.audiences.drop(connection)
        if connection.leaving:
            await asyncio.wait([sending], timeout=GOODBYE_SECONDS)
    finally:
        table.audiences.drop(connection)
        table.presence.depart(seats)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        connection.drop_waiting_messages()
        if socket.application_state is WebSocketState.CONNECTED and \
                socket.client_state is WebSocketState.CONNECTED:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GOODBYE_SECONDS):
                    await socket.close()
