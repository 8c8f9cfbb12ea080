"""`escale serve`: the house on this machine, opened in a browser."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import sys
import webbrowser
from collections.abc import Iterator

import typer

from escale.cli.language import Misuse
from escale.cli.one_process import serve_here
from escale.cli.service_manager import READY, STOPPING, tell_service_manager
from escale.cli.several_processes import serve_several
from escale.game.errors import BadOption
from escale.game.texts import house
from escale.render.qr import qr_lines
from escale.server.admin.prometheus import check_metrics
from escale.server.edge.addresses import (
    EVERYWHERE,
    is_loopback,
    network_addresses,
    web_address,
)
from escale.server.edge.logs import json_line, set_up_logs
from escale.server.evening.room import Room
from escale.server.settings import Settings
from escale.store import Store

TRIED_PORTS = 20
"""The number of ports that are tried if some are in use."""


class NoPort(Misuse):
    """No port is free to listen on."""


def serve_house(
    settings: Settings, *, browser: bool, access_log: bool, log_json: bool, lang: str,
    processes: int = 1, any_port: bool = True, room: bool = False,
) -> None:
    """Serve until a signal comes; open a browser when the house is open.

    With `any_port` the next free port is taken if that of the settings is in use. With `room` a
    house on loopback is opened to the network at once.
    """
    here = is_loopback(settings.host) and processes == 1 and not settings.origins
    if room and not here:
        raise BadOption(house().say("serve.no-room", lang))

    def say(line: str) -> None:
        typer.echo(json_line(line) if log_json else line)

    set_up_logs(as_json=log_json, access_log=access_log)
    if settings.metrics_port is not None:
        check_metrics(settings.metrics_host, settings.metrics_port)

    def opened(metrics_ports: list[int | None]) -> None:
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
        for line in announcement(settings, port, lang, width):
            say(line)
        for found in metrics_ports:
            if found is not None:
                address = web_address(settings.metrics_host, found)
                say(house().say("serve.metrics", lang, address=f"{address}/"))
        tell_service_manager(READY)
        if browser and has_screen() and not here:
            webbrowser.open(web_address(settings.host, port) + "/")

    def tell_room(found: Room, is_open: bool) -> None:
        at = web_address(settings.host, port)
        if not is_open:
            # The secret is in the fragment, which is in no log.
            say(house().say("serve.room", lang, address=f"{at}/room#{found.key}"))
            if browser and has_screen():
                webbrowser.open(f"{at}/room#{found.key}")
            return
        for origin in found.origins:
            say(house().say("serve.network", lang, address=f"{origin}/"))
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
        for line in qr_lines(f"{found.origins[0]}/", width):
            say(line)

    def closing() -> None:
        tell_service_manager(STOPPING)

    with listen(
        settings.host, settings.port, lang, any_port=any_port, log_json=log_json
    ) as listening:
        port = listening.getsockname()[1]
        # Before the server starts, so that an error is one line.
        store = Store(settings.database, alone=True)
        if processes == 1:
            serve_here(settings, store, listening, access_log=access_log,
                       opened=lambda metrics_port: opened([metrics_port]), closing=closing,
                       room=tell_room if here else None, open_room=room)
        else:
            shared = store.shared
            store.close()
            if not shared:
                raise BadOption(house().say("serve.one-process", lang))
            serve_several(settings, listening, processes, log_json=log_json, access_log=access_log,
                          opened=opened, closing=closing)
    say(house().say("serve.closed", lang))


def announcement(
    settings: Settings, port: int, lang: str, width: int = 0
) -> Iterator[str]:
    """The lines with the addresses of the house: on this machine and, if possible, on the network.

    The first address for other devices follows as a QR code, if it fits `width` columns.
    """
    def said(key: str, address: str = "") -> str:
        return house().say(f"serve.{key}", lang, address=f"{address}/")

    yield said("open", web_address(settings.host, port))
    for origin in settings.origins:
        yield said("public", origin)
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


def listen(
    host: str, port: int, lang: str, *, any_port: bool = True, log_json: bool = False
) -> socket.socket:
    """A socket at that port or, with `any_port`, at the next one that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tried = range(port, port + (TRIED_PORTS if any_port else 1)) if port else [0]
    for wanted in tried:
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
                raise NoPort("no-listening", host=host, port=wanted, why=error) from None
            if not any_port:
                raise NoPort("port-in-use", port=wanted) from None
            line = house().say("serve.busy", lang, port=wanted)
            typer.echo(json_line(line) if log_json else line, err=True)
    last = port + TRIED_PORTS - 1
    raise NoPort("ports-in-use", first=port, last=last)


def has_screen() -> bool:
    """Whether a graphical browser can be opened, one that does not run in this terminal."""
    return sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
