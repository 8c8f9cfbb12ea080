"""`escale serve --processes`: the house in several processes, and their parent."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection

import typer

from escale.cli.one_process import serve_here
from escale.server.admin.prometheus import check_metrics
from escale.server.app import create_app
from escale.server.cluster.processes import Processes, sockets_at
from escale.server.edge.logs import set_up_logs
from escale.server.settings import Settings
from escale.store import Store


def serve_several(
    settings: Settings, listening: socket.socket, count: int, *, log_json: bool, access_log: bool,
    opened: Callable[[list[int | None]], None], closing: Callable[[], None],
) -> None:
    """Serve in `count` processes until a signal comes.

    When all have opened, `opened` is called with their ports for Prometheus.
    """
    create_app(settings)            # a bad option is refused here once, not by every child
    divided = divide_settings(settings, count)
    for each in divided[1:]:
        if each.metrics_port is not None:
            check_metrics(each.metrics_host, each.metrics_port)
    parent = Processes(
        sockets_at(listening, count), serve_child,
        [(each, log_json, access_log) for each in divided], opened, closing,
    )
    if not parent.run():
        raise typer.Exit(1)


def divide_settings(settings: Settings, count: int) -> list[Settings]:
    """The settings of each process: a share of the workers, and its own port for Prometheus."""
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
    """Serve in a child process, and send its port for Prometheus to the parent."""
    set_up_logs(as_json=log_json, access_log=access_log)
    serve_here(
        settings, Store(settings.database), listening, access_log=access_log,
        opened=news.send, closing=lambda: None,
    )
