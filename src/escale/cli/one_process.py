"""The house in one process: alone, or one of several."""

from __future__ import annotations

import asyncio
import errno
import gc
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from logging import getLogger

import uvicorn

from escale.game.texts import LANGUAGES
from escale.games import games
from escale.server.admin.prometheus import serve_metrics
from escale.server.app import create_app
from escale.server.edge.addresses import is_loopback, web_address
from escale.server.edge.protocols import Config
from escale.server.evening.mdns import NAME, Announcer
from escale.server.evening.room import Room
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


class LocalNetwork:
    """The networks of this machine, at which a house that is on loopback listens when asked to.

    It listens at each address of its own, beside the socket of the loopback.
    """

    def __init__(self, server: Server, port: int, machine: Callable[[], tuple[str, ...]]) -> None:
        self._server = server
        self._port = port
        self._machine = machine
        self._listening: list[asyncio.Server] = []
        self._named = Announcer()
        self._origins: tuple[str, ...] = ()

    @property
    def origins(self) -> tuple[str, ...]:
        """The addresses at which the house is found; none while it is closed."""
        return self._origins

    async def open(self) -> None:
        """Listen to all networks of this machine."""
        await self.close()
        addresses, failure = [], OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))
        for address in await asyncio.to_thread(self._machine):
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            listening = socket.socket(family)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listening.bind((address, self._port))
            except OSError as error:
                listening.close()
                failure = error
                continue
            served = await asyncio.get_running_loop().create_server(
                self._protocol, sock=listening, backlog=1024
            )
            self._listening.append(served)
            self._server.servers.append(served)
            addresses.append(address)
        if not addresses:
            raise failure
        named = await self._named.start(addresses, self._port)
        names = [*addresses, *([NAME] if named else [])]
        self._origins = tuple(web_address(name, self._port) for name in names)

    async def close(self) -> None:
        """Listen to this machine only, and end the connections of others."""
        self._origins = ()
        for served in self._listening:
            served.close()
            if served in self._server.servers:
                self._server.servers.remove(served)
        self._listening.clear()
        for connection in list(self._server.server_state.connections):
            transport = connection.transport
            own = transport.get_extra_info("sockname") if transport is not None else None
            if own and not is_loopback(own[0]):
                connection.shutdown()
                transport.close()
        await self._named.stop()

    def _protocol(self) -> asyncio.Protocol:
        config = self._server.config
        make: Callable[..., asyncio.Protocol] = config.http_protocol_class
        return make(
            config=config, server_state=self._server.server_state,
            app_state=self._server.lifespan.state,
        )


def serve_here(
    settings: Settings, store: Store, listening: socket.socket, *, access_log: bool,
    opened: Callable[[int | None], None], closing: Callable[[], None],
    room: Callable[[Room, bool], None] | None = None, open_room: bool = False,
) -> None:
    """Serve in this process until a signal comes, or until its parent is gone.

    `opened` is called with the port at which Prometheus is answered, or None. A house on loopback
    can be opened to the network: then `room` is called when it can be, and, with `open_room`, once
    more when it is.
    """
    app = create_app(settings, store=store)
    server = Server(Config(
        app, settings.limits, settings.trusted_proxies, log_config=None, access_log=access_log,
        timeout_graceful_shutdown=CLOSING_SECONDS,
    ))
    at_the_end = ExitStack()

    async def admit(found: Room) -> None:
        try:
            await found.set_open(True)
        except OSError as error:
            getLogger("escale").error("the house cannot be opened to the network: %s", error)
            return
        assert room is not None
        room(found, True)

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
        if room is not None:
            port = listening.getsockname()[1]
            found = app.state.room = Room(LocalNetwork(server, port, settings.machine))
            room(found, False)
            if open_room:
                app.state.house.start(admit(found))

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
