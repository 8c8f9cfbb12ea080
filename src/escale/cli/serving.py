"""`escale serve`: the house on this machine, opened in a browser."""

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
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection

import typer
import uvicorn

from escale.game.errors import BadOption, EscaleError
from escale.game.texts import LANGUAGES, house
from escale.games import games
from escale.server.addresses import EVERYWHERE, network_addresses, web_address
from escale.server.app import create_app
from escale.server.game_facts import facts
from escale.server.http.protocols import Config
from escale.server.off_loop import SWITCH
from escale.server.processes import Processes, sockets_at
from escale.server.settings import Settings
from escale.store import Store

PORTS = 20
"""How many ports are tried when some are already in use."""
GOODBYE = 3
"""Seconds that open connections have to end when the house closes."""


class NoRoom(EscaleError):
    """No port is free to listen on."""


class Server(uvicorn.Server):
    """Calls `opened` as soon as it accepts connections."""

    opened: Callable[[], None]
    preparing: asyncio.Future[list[None]]
    """Workers that start."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the house."""
        await super().startup(sockets)
        if self.started:
            self.opened()


def serve_house(
    settings: Settings, *, browser: bool, access_log: bool, lang: str, processes: int = 1
) -> None:
    """Serve until Ctrl-C."""
    listening = listen(settings.host, settings.port, lang)
    port = listening.getsockname()[1]
    store = Store(settings.database)        # before the server: why it cannot be opened is one line

    def opened() -> None:
        for line in announcement(settings, port, lang):
            typer.echo(line)
        if browser and has_screen():
            webbrowser.open(web_address(settings.host, port) + "/")

    if processes == 1:
        serve_here(settings, store, listening, access_log, opened)
    else:
        shared = store.shared
        store.close()
        if not shared:
            raise BadOption(house().say("serve.one-process", lang))
        serve_several(settings, listening, processes, access_log, opened)
    typer.echo(house().say("serve.closed", lang))


def serve_several(
    settings: Settings, listening: socket.socket, processes: int, access_log: bool,
    opened: Callable[[], None],
) -> None:
    """Serve in several processes, which share the workers that think."""
    each = replace(settings, workers=max(1, settings.workers // processes))
    parent = Processes(sockets_at(listening, processes), serve_child, (each, access_log), opened)
    if not parent.run():
        raise typer.Exit(1)


def serve_child(
    listening: socket.socket, news: Connection, settings: Settings, access_log: bool
) -> None:
    """What each of several processes does."""
    serve_here(
        settings, Store(settings.database), listening, access_log, lambda: news.send(True)
    )


def serve_here(
    settings: Settings, store: Store, listening: socket.socket, access_log: bool,
    say: Callable[[], None],
) -> None:
    """Serve in this process, until a signal comes or its parent is gone; `say` that it has opened.
    """
    app = create_app(settings, store=store)
    server = Server(Config(
        app, settings, log_level="info" if access_log else "warning",
        access_log=access_log, timeout_graceful_shutdown=GOODBYE,
    ))

    def opened() -> None:
        # Games and modules stay for ever: collecting garbage among them would only delay moves.
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)
        sys.setswitchinterval(SWITCH)
        # What every visitor reads is worked out before the first one asks for it.
        threading.Thread(target=read_all, daemon=True).start()
        server.preparing = asyncio.gather(
            app.state.house.thinkers.start(), app.state.errands.start()
        )
        parent = multiprocessing.parent_process()
        if parent is not None:
            asyncio.get_running_loop().add_reader(
                parent.sentinel, lambda: server.handle_exit(signal.SIGTERM, None)
            )
        say()

    server.opened = opened
    with suppress(KeyboardInterrupt):
        server.run([listening])


def read_all() -> None:
    """Read the facts of all games once: they are kept."""
    for lang in LANGUAGES:
        for box in games():
            facts(box, lang)


def announcement(settings: Settings, port: int, lang: str) -> Iterator[str]:
    """Where the house is: on this machine and, if it listens to others, on the network."""
    def said(key: str, address: str = "") -> str:
        return house().say(f"serve.{key}", lang, address=f"{address}/")

    yield said("open", web_address(settings.host, port))
    if settings.host not in EVERYWHERE:
        return
    found = network_addresses(settings.host, port, settings.machine)
    for address in found:
        yield said("network", address)
    if not found:
        yield said("no-network")


def listen(host: str, port: int, lang: str) -> socket.socket:
    """A socket at that port, or at the next one that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in range(port, port + PORTS) if port else [0]:
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if host == "::" and socket.has_dualstack_ipv6():
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        try:
            listening.bind((host, wanted))
            listening.listen(1024)
            return listening
        except (OSError, OverflowError) as error:
            listening.close()
            if getattr(error, "errno", None) != errno.EADDRINUSE:
                raise NoRoom(f"cannot listen on {host}, port {wanted}: {error}") from None
            typer.echo(house().say("serve.busy", lang, port=wanted), err=True)
    raise NoRoom(f"ports {port} to {port + PORTS - 1} are all in use: choose another with --port")


def has_screen() -> bool:
    """Whether a browser with a window can be opened; one in the terminal would be in the way."""
    return sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
