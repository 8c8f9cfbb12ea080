"""Several processes that serve one house: the parent opens the port and watches its children.

Each child has a listening socket of its own at the same port, and the system deals out connections
evenly (SO_REUSEPORT). The parent keeps these sockets open: when a child dies, clients whose
connection it had not accepted yet wait for the child that replaces it.
"""

from __future__ import annotations

import logging
import multiprocessing
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any

log = logging.getLogger("escale")

CONTEXT = multiprocessing.get_context("spawn")
PAUSE_SECONDS = 2.0
"""The pause before a child is replaced that ended before it had opened."""
FAILED_STARTS = 5
"""After this many children in a row that ended before they had opened, the house closes."""
CLOSING_SECONDS = 12.0
"""The time that children have to close when the house closes."""


@dataclass(slots=True)
class Child:
    """A process that serves, and its listening socket."""

    listening: socket.socket
    arguments: tuple[Any, ...]
    process: BaseProcess | None = None
    news: Connection | None = None
    opened: bool = False
    said: Any = None
    """The message that the child sent when it opened."""
    failures: int = 0
    """How many processes in a row ended on this socket before they had opened."""
    not_before: float = 0.0
    """When the next process may be started, on the monotonic clock."""


class Processes:
    """The parent process, with its children."""

    def __init__(
        self, sockets: Sequence[socket.socket], serve: Callable[..., None],
        arguments: Sequence[tuple[Any, ...]], opened: Callable[[list[Any]], None],
        closing: Callable[[], None],
    ) -> None:
        """Each child calls `serve(socket, connection, …)` with arguments of its own.

        A child sends a message over the connection when it has opened. `opened` is called with all
        these messages once all children accept connections, `closing` before they have to close.
        """
        self._children = [
            Child(listening, own) for listening, own in zip(sockets, arguments, strict=True)
        ]
        self._serve = serve
        self._opened: Callable[[list[Any]], None] | None = opened
        self._tell_closing = closing
        self._closing = False
        self._wake, self._woken = CONTEXT.Pipe(duplex=False)

    def run(self) -> bool:
        """Serve until a signal arrives; False if children could not open."""
        before = {
            number: signal.signal(number, self._close) for number in (signal.SIGTERM, signal.SIGINT)
        }
        try:
            while not self._closing:
                self._start_missing()
                self._look(self._until_next_start())
                if any(child.failures >= FAILED_STARTS for child in self._children):
                    log.critical("a process does not open, again and again: the house closes")
                    return False
            return True
        finally:
            self._end()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _close(self, signal_number: int, frame: FrameType | None) -> None:
        self._closing = True
        self._woken.send(None)

    def _start_missing(self) -> None:
        now = time.monotonic()
        for child in self._children:
            if child.process is None and child.not_before <= now:
                child.news, there = CONTEXT.Pipe(duplex=False)
                child.process = CONTEXT.Process(
                    target=self._serve, args=(child.listening, there, *child.arguments)
                )
                child.process.start()
                there.close()
                child.opened = False

    def _until_next_start(self) -> float | None:
        missing = [child.not_before for child in self._children if child.process is None]
        return max(0.0, min(missing) - time.monotonic()) if missing else None

    def _look(self, seconds: float | None) -> None:
        """Wait until a child has opened or ended, or until it is time to start another."""
        news = {child.news: child for child in self._children if child.news is not None}
        ready = wait([*news, self._wake], seconds)
        for connection in ready:
            child = news.get(connection)  # type: ignore[call-overload]
            if child is None or self._closing:
                continue
            try:
                child.said = child.news.recv()
                child.opened, child.failures = True, 0
            except (EOFError, OSError):
                self._ended(child)
        if self._opened is not None and all(child.opened for child in self._children):
            opened, self._opened = self._opened, None
            opened([child.said for child in self._children])

    def _ended(self, child: Child) -> None:
        """A child has died: another takes its place."""
        assert child.process is not None
        assert child.news is not None
        child.process.join()
        log.warning("process %s has ended (%s): another takes its place",
                    child.process.pid, child.process.exitcode)
        child.news.close()
        if not child.opened:
            child.failures += 1
        child.not_before = time.monotonic() + PAUSE_SECONDS * child.failures
        child.process = child.news = None

    def _end(self) -> None:
        """Let all children close, and wait for them."""
        self._tell_closing()
        running = [child.process for child in self._children if child.process is not None]
        for process in running:
            process.terminate()
        until = time.monotonic() + CLOSING_SECONDS
        for process in running:
            process.join(max(0.0, until - time.monotonic()))
            if process.is_alive():
                log.warning("process %s does not close: it is ended", process.pid)
                process.kill()
                process.join()


def sockets_at(listening: socket.socket, count: int) -> list[socket.socket]:
    """Replace a listening socket by `count` sockets at the same port.

    If the system does not deal out connections among sockets at one port, all children share the
    one socket. It was opened alone first, so that a port which another house uses is found.
    """
    if not sys.platform.startswith("linux"):
        return [listening] * count
    family, address = listening.family, listening.getsockname()
    only = family == socket.AF_INET6 and listening.getsockopt(
        socket.IPPROTO_IPV6, socket.IPV6_V6ONLY
    )
    listening.close()
    sockets = []
    for _ in range(count):
        one = socket.socket(family)
        for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            one.setsockopt(socket.SOL_SOCKET, option, 1)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, only)
        one.bind(address)
        one.listen(1024)
        sockets.append(one)
    return sockets
