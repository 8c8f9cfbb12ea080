"""`escale serve --processes`: the house in several processes, and the one that looks after them."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection

import typer

from escale.cli.one_process import serve_here
from escale.server.app import create_app
from escale.server.logs import set_up_logs
from escale.server.metrics.prometheus import check_metrics
from escale.server.processes import Processes, sockets_at
from escale.server.settings import Settings
from escale.store import Store


def serve_several(
    settings: Settings, listening: socket.socket, count: int, *, log_json: bool, access_log: bool,
    opened: Callable[[list[int | None]], None], closing: Callable[[], None],
) -> None:
    """Serve in so many processes; when all have opened, `opened` is told their ports for figures.
    """
    create_app(settings)            # an option that cannot be is said once, not by every child
    for each in shares(settings, count)[1:]:
        if each.metrics_port is not None:
            check_metrics(each.metrics_host, each.metrics_port)
    parent = Processes(
        sockets_at(listening, count), serve_child,
        [(each, log_json, access_log) for each in shares(settings, count)], opened, closing,
    )
    if not parent.run():
        raise typer.Exit(1)


def shares(settings: Settings, count: int) -> list[Settings]:
    """What each process is told: they share the workers that think, and have ports for Prometheus
    one after the other.
    """
    port = settings.metrics_port
    return [
        replace(settings, workers=max(1, settings.workers // count),
                metrics_port=port + number if port else port)
        for number in range(count)
    ]


def serve_child(
    listening: socket.socket, news: Connection, settings: Settings, log_json: bool,
    access_log: bool,
) -> None:
    """What each of them does."""
    set_up_logs(as_json=log_json, access_log=access_log)
    serve_here(
        settings, Store(settings.database), listening, access_log=access_log,
        opened=news.send, closing=lambda: None,
    )
