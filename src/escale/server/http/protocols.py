"""uvicorn's protocols with what a house on the open web needs: deadlines, sizes, and no flood."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from logging import getLogger
from time import monotonic
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from escale.server.http.door import Door, OnceAMinute
from escale.server.http.proxies import Proxies
from escale.server.middleware.rate_limiter import neighbourhood
from escale.server.settings import Settings

HEAD = 10.0
"""Seconds for the head of a request, beginning with the connection or with its first byte."""
BODY = 20.0
"""Seconds for its body."""
LONGEST_HEAD = 65_536
"""Bytes of a head; more than a browser with many cookies sends."""
PIPELINED = 16
"""Requests that may be sent before the first is answered."""
FRAGMENTS = 200
"""Frames that one message may come in."""
PINGS = 20
"""Pings that may come …"""
PING_SECONDS = 10.0
"""… within so many seconds."""
FILES = 65_536
"""Open files that are asked for at start, where the system allows so many."""
RESERVED = 200
"""Of them, those that are no connections: the database, workers, what is being read."""
SORRY = b"There are too many connections: try again in a moment."
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"retry-after: 10\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
    b"%s"
) % (len(SORRY), SORRY)
REPEATED = (
    "Invalid HTTP request received.", "Unsupported upgrade request.",
    "ASGI callable returned without completing handshake.",
)
"""What uvicorn says of bad clients, each time."""


def raise_file_limit() -> int:
    """Let this process have as many files open as it may, within reason; how many those are."""
    try:
        import resource
    except ImportError:                     # Windows has no such limit
        return FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return FILES if soft == resource.RLIM_INFINITY else soft


class Config(uvicorn.Config):
    """How uvicorn serves a house with these settings."""

    def __init__(self, app: Any, settings: Settings, **more: Any) -> None:
        files = raise_file_limit()
        self.door = Door(
            settings.limits, Proxies(settings.trusted_proxies), max(10, files - RESERVED)
        )
        super().__init__(
            app, http=HttpConnection, ws=LiveConnection, ws_per_message_deflate=True,
            proxy_headers=False, server_header=False,
            **{"ws_max_size": settings.limits.message, **more},
        )
        errors = getLogger("uvicorn.error")
        if not any(isinstance(known, OnceAMinute) for known in errors.filters):
            errors.addFilter(OnceAMinute(only=REPEATED))


class HttpConnection(HttpToolsProtocol):
    """A connection that sends requests."""

    config: Config
    who = "unknown"
    peer = ""
    deadline: float | None = None
    _inside = False
    _read = 0
    _streams: list[Callable[[], None]] = []  # noqa: RUF012  (each request has its own)
    """How to end an answer that would go on for ever."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has connected; if there are too many, say so and close."""
        super().connection_made(transport)
        self.peer = self.client[0] if self.client else ""
        self.who = neighbourhood(self.peer) if self.client else "unknown"
        self._inside = self.config.door.enter(self, self.peer)
        if not self._inside:
            transport.write(FULL)
            transport.close()
        self.deadline = monotonic() + HEAD

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        if self._inside:
            self.config.door.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a request has a size and a time."""
        if not self._inside or self.transport.is_closing():
            return
        if self.deadline is None and (self.cycle is None or self.cycle.response_complete):
            self.deadline = monotonic() + HEAD
        self._read += len(data)
        super().data_received(data)
        if self._read > LONGEST_HEAD + self.config.door.limits.body:
            self._read = 0
            if self.deadline is not None and not self.transport.is_closing():
                self.send_400_response("This request is too long.")

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._read = 0
        self.deadline = monotonic() + HEAD

    def on_headers_complete(self) -> None:
        """The head is complete."""
        if len(self.pipeline) >= PIPELINED:
            raise ValueError("too many requests at once")
        super().on_headers_complete()
        self._streams = []
        cast(dict[str, Any], self.scope).setdefault("extensions", {})["escale.streams"] = \
            self._streams
        self.deadline = monotonic() + BODY

    def on_message_complete(self) -> None:
        """The request is complete: now it is for the house to answer."""
        super().on_message_complete()
        self.deadline = None
        self._read = 0

    def pause_writing(self) -> None:
        """What is sent is not read."""
        super().pause_writing()
        self.config.door.weigh(self, self.peer)

    def shutdown(self) -> None:
        """The house closes: what is being answered may still be."""
        for end in self._streams:
            end()
        super().shutdown()

    def handle_websocket_upgrade(self) -> None:
        """Go on as a live connection."""
        self.deadline = None
        super().handle_websocket_upgrade()
        live = self.transport.get_protocol()
        if isinstance(live, LiveConnection):
            self.config.door.replace(self, live)
            self._inside = False


class LiveConnection(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    config: Config
    who = "unknown"
    peer = ""
    deadline: float | None = None
    _pings = 0
    _pinged = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The handshake has come."""
        super().connection_made(transport)
        self.peer = self.client[0] if self.client else ""
        self.who = neighbourhood(self.peer) if self.client else "unknown"

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self.config.door.leave(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """What is sent is not read."""
        super().pause_writing()
        self.config.door.weigh(self, self.peer)

    def handle_connect(self, event: Request) -> None:
        """Tell the house how to cut the connection off: to close it would wait for the reader."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions = cast(dict[str, Any], self.scope["extensions"])
            extensions["escale.abort"] = self.transport.abort

    def handle_cont(self, event: Frame) -> None:
        """A further part of a message; empty ones are parts, too."""
        if len(self.frames) >= FRAGMENTS:
            self._fail(1008)
            return
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer it, but not without end."""
        now = monotonic()
        if now - self._pinged > PING_SECONDS:
            self._pinged, self._pings = now, 0
        self._pings += 1
        if self._pings > PINGS:
            self._fail(1008)
            return
        super().handle_ping()

    def send_receive_event_to_app(self) -> None:
        """Pass a whole message on, if it is text; who sends something else is sent away."""
        data = b"".join(self.frames)
        if self.curr_msg_data_type == "text":
            try:
                data.decode()
            except UnicodeDecodeError:
                self.frames = []
                self._fail(1007)
                return
        self.frames = [data]
        super().send_receive_event_to_app()

    def _fail(self, code: int) -> None:
        if not self.close_sent and not self.transport.is_closing():
            self.conn.send_close(code)
            self.handle_parser_exception()

    async def send(self, message: Any) -> None:
        """Send, and wait until most of it is on its way: what waits is the house's to count."""
        if self.close_sent:
            raise ClientDisconnected
        await super().send(message)
        await self.writable.wait()
