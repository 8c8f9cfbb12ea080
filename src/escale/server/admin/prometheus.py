"""Figures for Prometheus, on a port of their own: `--metrics-port`."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

from escale.game.errors import BadOption
from escale.server.edge.door import Door
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.tables.counts import Histogram
from escale.server.tables.house import House

MISSING = "--metrics-port needs prometheus-client: pip install 'escale-games[metrics]'"


class HouseCollector:
    """Collects the figures at the moment when Prometheus asks for them."""

    def __init__(self, house: House, limiter: RateLimiter, door: Door) -> None:
        self._house = house
        self._limiter = limiter
        self._door = door

    def collect(self) -> Iterator[Any]:
        """All figures."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

        def gauge(name: str, about: str, value: float) -> Any:
            return GaugeMetricFamily(f"escale_{name}", about, value=value)

        house, counts, thinkers = self._house, self._house.counts, self._house.thinkers
        yield gauge("tables", "Tables in memory.", len(house.tables))
        yield gauge("tables_playing", "Tables in memory whose match goes on.", house.playing())
        yield gauge("connections", "Connections of any kind.", self._door.count)
        yield gauge("live_connections", "Live connections.", self._limiter.live)
        yield gauge("thinkers", "Processes that think for computers.", thinkers.size)
        yield gauge("thinkers_busy", "Those that think at the moment.", thinkers.busy)
        yield gauge("thinkers_queue", "Moves that wait for a process to think.", thinkers.waiting)
        yield CounterMetricFamily(
            "escale_moves", "Moves of people that were acknowledged.", value=counts.moves)
        actions = CounterMetricFamily(
            "escale_actions", "Actions of people that were acknowledged.", labels=["do"])
        for do, count in sorted(counts.actions.items()):
            actions.add_metric([do], count)
        yield actions
        refusals = CounterMetricFamily(
            "escale_refusals", "What was not done, by the code of the reason.", labels=["code"])
        for code, count in sorted(counts.refusals.items()):
            refusals.add_metric([code], count)
        yield refusals
        yield CounterMetricFamily(
            "escale_rate_limited", "What was refused because it was too much at once.",
            value=counts.refusals["too-many"])
        yield CounterMetricFamily(
            "escale_tables_deleted", "Tables that had been kept long enough.", value=counts.deleted)
        yield _histogram("action_seconds", "From an action to its acknowledgement.",
                         counts.latency)
        yield _histogram("commit_seconds", "How long group commits took.", counts.commits)
        yield _histogram("commit_changes", "How many changes group commits had.", counts.groups)


def _histogram(name: str, about: str, histogram: Histogram) -> Any:
    from prometheus_client.core import HistogramMetricFamily

    buckets = [
        ("+Inf" if bound == float("inf") else str(float(bound)), count)
        for bound, count in histogram.buckets()
    ]
    return HistogramMetricFamily(f"escale_{name}", about, buckets, histogram.sum)


def check_metrics(host: str, port: int) -> None:
    """BadOption if the port cannot be used; called before the house opens."""
    if find_spec("prometheus_client") is None:
        raise BadOption(MISSING)
    try:
        [(family, *_), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(family) as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
    except (OSError, OverflowError) as error:
        raise BadOption(f"cannot listen for Prometheus on {host}, port {port}: {error}") from None


def serve_metrics(
    host: str, port: int, house: House, limiter: RateLimiter, door: Door
) -> tuple[int, Callable[[], None]]:
    """Answer Prometheus in a thread; returns the port, and a function that ends the thread.

    The figures include the memory and processor time of the process itself.
    """
    import prometheus_client

    registry = prometheus_client.CollectorRegistry(auto_describe=False)
    registry.register(HouseCollector(house, limiter, door))
    prometheus_client.ProcessCollector(registry=registry)
    server, thread = prometheus_client.start_http_server(port, host, registry)

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return server.server_port, stop
