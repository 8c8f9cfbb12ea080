"""`escale serve`: the house on this machine, opened in a browser."""

from __future__ import annotations

import errno
import gc
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress

import typer
import uvicorn

from escale.game.errors import EscaleError
from escale.game.texts import house
from escale.server.app import create_app
from escale.server.settings import Settings

PORTS = 20
"""How many ports are tried when some are already in use."""
GOODBYE = 3
"""Seconds that open connections have to end when the house closes."""


class NoRoom(EscaleError):
    """No port is free to listen on."""


class Server(uvicorn.Server):
    """Calls `opened` as soon as it accepts connections."""

    opened: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the house."""
        await super().startup(sockets)
        if self.started:
            self.opened()


def serve_house(settings: Settings, *, browser: bool, access_log: bool, lang: str) -> None:
    """Serve until Ctrl-C."""
    listening = listen(settings.host, settings.port, lang)
    address = web_address(settings.host, listening.getsockname()[1])
    server = Server(uvicorn.Config(
        create_app(settings), log_level="info" if access_log else "warning",
        access_log=access_log, timeout_graceful_shutdown=GOODBYE, server_header=False,
        ws="websockets-sansio", ws_max_size=settings.limits.message, ws_per_message_deflate=True,
    ))

    def opened() -> None:
        # Games and modules stay for ever: collecting garbage among them would only delay moves.
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)
        typer.echo(house().say("serve.open", lang, address=address))
        if browser and has_screen():
            webbrowser.open(address)

    server.opened = opened
    with suppress(KeyboardInterrupt):
        server.run([listening])
    typer.echo(house().say("serve.closed", lang))


def listen(host: str, port: int, lang: str) -> socket.socket:
    """A socket at that port, or at the next one that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in range(port, port + PORTS) if port else [0]:
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
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


def web_address(host: str, port: int) -> str:
    """What to type into a browser on this machine.

    >>> web_address("0.0.0.0", 8000), web_address("::1", 80)
    ('http://127.0.0.1:8000/', 'http://[::1]:80/')
    """
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def has_screen() -> bool:
    """Whether a browser with a window can be opened; one in the terminal would be in the way."""
    return sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
