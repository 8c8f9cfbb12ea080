"""`escale serve`: the house on this machine, opened in a browser."""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import shutil
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import typer
import uvicorn

from escale.game.errors import EscaleError
from escale.game.texts import LANGUAGES, house
from escale.games import games
from escale.render.qr import qr_lines
from escale.server.addresses import EVERYWHERE, network_addresses, web_address
from escale.server.app import create_app
from escale.server.game_facts import facts
from escale.server.http.protocols import Config
from escale.server.logs import set_up_logs
from escale.server.metrics.prometheus import check_metrics, serve_metrics
from escale.server.off_loop import SWITCH
from escale.server.settings import Settings
from escale.store import Store
from escale.web import static_files

PORTS = 20
"""How many ports are tried when some are already in use."""
GOODBYE = 3
"""Seconds that open connections have to end when the house closes."""


class NoRoom(EscaleError):
    """No port is free to listen on."""


class Server(uvicorn.Server):
    """Calls `opened` as soon as it accepts connections."""

    opened: Callable[[], None]
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
        tell_service_manager("STOPPING=1")
        await super().shutdown(sockets)


def serve_house(
    settings: Settings, *, browser: bool, access_log: bool, log_json: bool, lang: str
) -> None:
    """Serve until Ctrl-C."""
    set_up_logs(as_json=log_json, access_log=access_log)
    if settings.metrics_port is not None:
        check_metrics(settings.metrics_host, settings.metrics_port)
    listening = listen(settings.host, settings.port, lang)
    port = listening.getsockname()[1]
    store = Store(settings.database)        # before the server: why it cannot be opened is one line
    app = create_app(settings, store=store)
    server = Server(Config(
        app, settings, log_config=None, access_log=access_log, timeout_graceful_shutdown=GOODBYE,
    ))
    closing = ExitStack()

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
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
        for line in announcement(settings, port, lang, width):
            typer.echo(line)
        if settings.metrics_port is not None:
            found, stop = serve_metrics(
                settings.metrics_host, settings.metrics_port, app.state.house,
                app.state.rate_limiter, server.config.door,
            )
            closing.callback(stop)
            address = web_address(settings.metrics_host, found)
            typer.echo(house().say("serve.metrics", lang, address=f"{address}/"))
        tell_service_manager("READY=1")
        if browser and has_screen():
            webbrowser.open(web_address(settings.host, port) + "/")

    server.opened = opened
    with closing, suppress(KeyboardInterrupt):
        server.run([listening])
    typer.echo(house().say("serve.closed", lang))


def tell_service_manager(state: str) -> None:
    """Tell systemd how things stand, where it has started the house (`Type=notify`)."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.connect("\0" + address[1:] if address.startswith("@") else address)
        manager.send(state.encode())


def read_all() -> None:
    """Read the facts of all games, and all files of the pages, once: they are kept."""
    static_files.read_all()
    for lang in LANGUAGES:
        for box in games():
            facts(box, lang)


def announcement(
    settings: Settings, port: int, lang: str, width: int = 0
) -> Iterator[str]:
    """Where the house is: on this machine and, if it listens to others, on the network.

    A terminal that is wide enough shows the first of these addresses as a QR code, too.
    """
    def said(key: str, address: str = "") -> str:
        return house().say(f"serve.{key}", lang, address=f"{address}/")

    yield said("open", web_address(settings.host, port))
    if settings.admin_token:
        yield said("admin", web_address(settings.host, port))
    found = network_addresses(settings.host, port, settings.machine)
    if settings.host in EVERYWHERE:
        for address in found:
            yield said("network", address)
        if not found:
            yield said("no-network")
    for address in (*settings.origins, *found)[:1]:
        yield from qr_lines(f"{address}/", width)


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
