"""The house in one process: alone, or one of several."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress

import uvicorn

from escale.game.texts import LANGUAGES
from escale.games import games
from escale.server.app import create_app
from escale.server.game_facts import facts
from escale.server.http.protocols import Config
from escale.server.metrics.prometheus import serve_metrics
from escale.server.off_loop import SWITCH
from escale.server.settings import Settings
from escale.store import Store
from escale.web import static_files

GOODBYE = 3
"""Seconds that open connections have to end when the house closes."""


class Server(uvicorn.Server):
    """Calls `opened` as soon as it accepts connections, and `closing` when it no longer does."""

    opened: Callable[[], None]
    closing: Callable[[], None]
    config: Config
    preparing: asyncio.Future[list[None]]
    """Workers that start."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the house."""
        await super().startup(sockets)
        if self.started:
            self.opened()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the house."""
        self.closing()
        await super().shutdown(sockets)


def serve_here(
    settings: Settings, store: Store, listening: socket.socket, *, access_log: bool,
    opened: Callable[[int | None], None], closing: Callable[[], None],
) -> None:
    """Serve in this process until a signal comes, or until its parent is gone.

    `opened` is told the port at which Prometheus is answered, if it is.
    """
    app = create_app(settings, store=store)
    server = Server(Config(
        app, settings, log_config=None, access_log=access_log, timeout_graceful_shutdown=GOODBYE,
    ))
    at_the_end = ExitStack()

    def begin() -> None:
        _tune()
        # What every visitor reads is worked out before the first one asks for it.
        threading.Thread(target=read_all, daemon=True).start()
        server.preparing = asyncio.gather(
            app.state.house.thinkers.start(), app.state.errands.start()
        )
        _end_with_parent(server)
        metrics_port = None
        if settings.metrics_port is not None:
            metrics_port, stop = serve_metrics(
                settings.metrics_host, settings.metrics_port, app.state.house,
                app.state.rate_limiter, server.config.door,
            )
            at_the_end.callback(stop)
        opened(metrics_port)

    server.opened, server.closing = begin, closing
    with at_the_end, suppress(KeyboardInterrupt):
        server.run([listening])


def _tune() -> None:
    # Games and modules stay for ever: collecting garbage among them would only delay moves.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    sys.setswitchinterval(SWITCH)


def _end_with_parent(server: Server) -> None:
    """One of several processes closes when the one that looks after it is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        asyncio.get_running_loop().add_reader(
            parent.sentinel, lambda: server.handle_exit(signal.SIGTERM, None)
        )


def read_all() -> None:
    """Read the facts of all games, and all files of the pages, once: they are kept."""
    static_files.read_all()
    for lang in LANGUAGES:
        for box in games():
            facts(box, lang)
