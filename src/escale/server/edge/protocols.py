"""uvicorn's protocols with what a house without a proxy needs: deadlines, limits of size and rate.

`HOOKS` lists the parts of uvicorn that are extended or used. If a version lacks one of them, the
house does not open, and the error names it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from logging import getLogger
from time import monotonic
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from escale.game.errors import BadOption
from escale.server.edge.door import Door, OnceAMinute
from escale.server.edge.limits import Limits
from escale.server.edge.middleware import Proxies

HEAD_SECONDS = 10.0
"""The head of a request must arrive within this time after the connection or its first byte."""
BODY_SECONDS = 20.0
HEAD_BYTES = 65_536
"""The longest head: more than a browser with many cookies sends."""
PIPELINED_REQUESTS = 16
"""A client may send this many requests before the first is answered."""
MESSAGE_FRAMES = 200
"""One message may be sent in this many frames."""
MISBEHAVED, INVALID = 1008, 1007
"""WebSocket close codes."""
PINGS = 20
"""A client may send this many pings …"""
PING_SECONDS = 10.0
"""… within this time."""
OPEN_FILES = 65_536
"""The number of open files that is requested at start, if the system allows it."""
RESERVED_FILES = 200
"""Files that are kept for other uses than connections: the database, workers, files being read."""
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
"""The sentences that uvicorn logs each time a client misbehaves."""
HOOKS: dict[type, tuple[str, ...]] = {
    HttpToolsProtocol: (
        "connection_made", "connection_lost", "data_received", "pause_writing", "shutdown",
        "on_message_begin", "on_headers_complete", "on_message_complete", "send_400_response",
        "app_state", "client", "cycle", "headers", "pipeline", "transport", "on_url",
    ),
    WebSocketsSansIOProtocol: (
        "connection_made", "connection_lost", "pause_writing", "handle_cont", "handle_ping",
        "handle_parser_exception", "send_receive_event_to_app", "app_state", "client",
        "close_sent", "conn", "curr_msg_data_type", "frames", "transport",
    ),
}
"""Methods of uvicorn's classes, and attributes that their constructors set."""


def check_uvicorn() -> None:
    """BadOption if the installed uvicorn lacks one of `HOOKS`: a limit would silently be gone."""
    for protocol, names in HOOKS.items():
        constructor = getattr(vars(protocol).get("__init__"), "__code__", None)
        known = {*dir(protocol), *(constructor.co_names if constructor else ())}
        for name in names:
            if name not in known:
                raise BadOption(
                    f"uvicorn {uvicorn.__version__} has no {protocol.__name__}.{name}, with which "
                    "the house limits connections: install another version of uvicorn"
                )


def raise_file_limit() -> int:
    """Raise this process's limit of open files towards `OPEN_FILES`, and return the new limit."""
    try:
        import resource
    except ImportError:                     # Windows has no such limit
        return OPEN_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return OPEN_FILES if soft == resource.RLIM_INFINITY else soft


class Config(uvicorn.Config):
    """The configuration of uvicorn for a house."""

    def __init__(
        self, app: Any, limits: Limits, trusted_proxies: Iterable[str] = (), **more: Any
    ) -> None:
        check_uvicorn()
        self.door = Door(
            limits, Proxies(trusted_proxies), max(10, raise_file_limit() - RESERVED_FILES)
        )
        super().__init__(
            app, http=HttpConnection, ws=LiveConnection, ws_per_message_deflate=True,
            proxy_headers=False, server_header=False,
            **{"ws_max_size": limits.message, **more},
        )
        errors = getLogger("uvicorn.error")
        if not any(isinstance(known, OnceAMinute) for known in errors.filters):
            errors.addFilter(OnceAMinute(only=REPEATED))


class HttpConnection(HttpToolsProtocol):
    """An HTTP connection.

    A response without an end puts the function that ends it into `state["escale.streams"]` of its
    request; the house calls these functions when it closes.
    """

    config: Config
    _read_bytes = 0
    _in_head = False
    _url_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let the connection in, or answer that there are too many, and close it."""
        super().connection_made(transport)
        self._door, self._peer = self.config.door, self.client[0] if self.client else ""
        self._streams: list[Callable[[], None]] = []
        self._cycles: deque[RequestResponseCycle] = deque(maxlen=PIPELINED_REQUESTS + 2)
        self.app_state = {**self.app_state, "escale.streams": self._streams}
        if not self._door.enter(transport, self._peer):
            transport.write(FULL)
            transport.close()
        self._door.expect_within(transport, HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._door.leave(self.transport)
        self._end_cycles()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, within the limits of time and size of a request."""
        if self.transport not in self._door or self.transport.is_closing():
            return
        idle = self.cycle is None or self.cycle.response_complete
        if idle and not self._door.awaits(self.transport):
            self._door.expect_within(self.transport, HEAD_SECONDS)
        self._read_bytes += len(data)
        super().data_received(data)
        if self._read_bytes > HEAD_BYTES + (0 if self._in_head else self._door.limits.body):
            self._read_bytes = 0
            if self._door.awaits(self.transport) and not self.transport.is_closing():
                self.send_400_response("This request is too long.")

    def on_message_begin(self) -> None:
        """Start the deadline for the head of a request."""
        super().on_message_begin()
        self._read_bytes = 0
        self._in_head, self._url_bytes = True, 0
        self._door.expect_within(self.transport, HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        """Read the next part of the address."""
        super().on_url(url)
        self._url_bytes += len(url)

    def on_headers_complete(self) -> None:
        """Start the deadline for the body."""
        if len(self.pipeline) >= PIPELINED_REQUESTS:
            raise ValueError("too many requests at once")
        if self._url_bytes + sum(map(_header_bytes, self.headers)) > HEAD_BYTES:
            raise ValueError("too long a head")
        self._in_head = False
        super().on_headers_complete()
        self._cycles.append(self.cycle)
        self._door.expect_within(self.transport, BODY_SECONDS)

    def on_message_complete(self) -> None:
        """Expect nothing while the house answers."""
        super().on_message_complete()
        self._door.expect_within(self.transport, None)
        self._read_bytes = 0

    def pause_writing(self) -> None:
        """Called when the client does not read what it is sent."""
        super().pause_writing()
        self._door.cut_backlog(self.transport, self._peer)

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read; requests before it on this connection get no answer."""
        self._end_cycles()
        super().send_400_response(msg)

    def _end_cycles(self) -> None:
        """Tell every request on this connection that its client is gone, not only the last."""
        self.pipeline.clear()
        for cycle in self._cycles:
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        self._cycles.clear()

    def shutdown(self) -> None:
        """End responses without an end; others are completed."""
        for end in self._streams:
            end()
        super().shutdown()


def _header_bytes(header: tuple[bytes, bytes]) -> int:
    return len(header[0]) + len(b": \r\n") + len(header[1])


class LiveConnection(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket.

    `state["escale.abort"]` aborts it: an orderly close would wait until the client has read all.
    """

    config: Config
    _ping_count = 0
    _counted_since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over a connection that the door has let in already."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "escale.abort": self.transport.abort}
        self.config.door.expect_within(self.transport, None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.config.door.leave(self.transport)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Called when the client does not read what it is sent."""
        super().pause_writing()
        self.config.door.cut_backlog(self.transport, self.client[0] if self.client else "")

    def handle_cont(self, event: Frame) -> None:
        """Add a frame to a message; empty frames count towards the limit, too."""
        if len(self.frames) >= MESSAGE_FRAMES:
            self._refuse_frame()
        else:
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer a ping, unless too many come."""
        now = monotonic()
        if now - self._counted_since > PING_SECONDS:
            self._counted_since, self._ping_count = now, 0
        self._ping_count += 1
        if self._ping_count > PINGS:
            self._refuse_frame()
        else:
            super().handle_ping()

    def send_receive_event_to_app(self) -> None:
        """Pass a message on, unless it is text that is not UTF-8."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self._refuse_frame(INVALID)
                return
        super().send_receive_event_to_app()

    def _refuse_frame(self, code: int = MISBEHAVED) -> None:
        if self.close_sent or self.transport.is_closing():
            return
        if self.conn.state is State.OPEN:       # else its own goodbye has arrived already
            self.conn.send_close(code)
        self.handle_parser_exception()
