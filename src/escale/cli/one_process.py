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
from escale.server.admin.prometheus import serve_metrics
from escale.server.app import create_app
from escale.server.edge.protocols import Config
from escale.server.pages.games import facts
from escale.server.settings import Settings
from escale.server.study.lanes import POSITIONS
from escale.server.workers.off_loop import SWITCH_SECONDS
from escale.store import Store
from escale.web import static_files

CLOSING_SECONDS = 3
"""Seconds that open connections have to end when the house closes."""


class Server(uvicorn.Server):
    """Calls `opened` as soon as it accepts connections, and `closing` when it stops."""

    opened: Callable[[], None]
    closing: Callable[[], None]
    config: Config
    preparing: asyncio.Future[list[None]]
    """Completed when the worker processes have started."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.opened()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.closing()
        await super().shutdown(sockets)


def serve_here(
    settings: Settings, store: Store, listening: socket.socket, *, access_log: bool,
    opened: Callable[[int | None], None], closing: Callable[[], None],
) -> None:
    """Serve in this process until a signal comes, or until its parent is gone.

    `opened` is called with the port at which Prometheus is answered, or None.
    """
    app = create_app(settings, store=store)
    server = Server(Config(
        app, settings.limits, settings.trusted_proxies, log_config=None, access_log=access_log,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    ))
    at_the_end = ExitStack()

    def begin() -> None:
        tune_interpreter()
        threading.Thread(target=fill_caches, daemon=True).start()
        server.preparing = asyncio.gather(
            app.state.house.thinkers.start(), app.state.workers.start(POSITIONS)
        )
        close_with_parent(server)
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


def tune_interpreter() -> None:
    """Keep garbage collection and thread switches from delaying moves."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    sys.setswitchinterval(SWITCH_SECONDS)


def close_with_parent(server: Server) -> None:
    """Close the house when the process that started this one is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        asyncio.get_running_loop().add_reader(
            parent.sentinel, lambda: server.handle_exit(signal.SIGTERM, None)
        )


def fill_caches() -> None:
    """Read the facts of all games, and all files of the pages, before a visitor asks for them."""
    static_files.read_all()
    for lang in LANGUAGES:
        for game in games():
            facts(game, lang)
