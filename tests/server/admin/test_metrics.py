"""What is counted, and how Prometheus reads it."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path

import httpx2
import pytest

from escale.game.errors import BadOption
from escale.server.admin.figures import HISTORY_MINUTES, Minutes
from escale.server.admin.prometheus import check_metrics, serve_metrics
from escale.server.edge.door import Door
from escale.server.edge.limits import Limits
from escale.server.edge.middleware import Proxies
from escale.server.tables.counts import Counts, Histogram
from tests.server.hosting import MOUSSE, hosted, person
from tests.server.tables.test_tables import SOUTH, two_people


def test_a_histogram_counts_and_knows_shares() -> None:
    times = Histogram((1, 2, 4))
    for value in (0.5, 1, 1.5, 1.5, 3, 9):
        times.add(value)
    assert times.buckets() == [(1, 2), (2, 4), (4, 5), (math.inf, 6)]
    assert (times.total, times.sum) == (6, 16.5)
    before = list(times.counts)
    assert times.since(before, 0.5) is None
    for _ in range(10):
        times.add(3)
    assert times.since(before, 0.5) == 3.0          # half the way through its bucket
    times.add(100)
    assert times.since(before, 1.0) == 4.0          # above the last bound nothing is known


def test_each_minute_has_its_own_figures() -> None:
    counts, playing = Counts(), [3]
    minutes = Minutes(counts, lambda: playing[0], lambda: 7)
    counts.moves = 5
    counts.latency.add(0.003)
    minutes.sample()
    playing[0] = 4
    minutes.sample()
    first, second = minutes.past
    assert (first.tables, first.moves, second.tables, second.moves) == (3, 5, 4, 0)
    assert first.median is not None
    assert 0.0025 < first.median < 0.005
    assert second.median is None
    for _ in range(HISTORY_MINUTES):
        minutes.sample()
    assert len(minutes.past) == HISTORY_MINUTES


def test_prometheus_reads_what_happens_in_the_house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits(actions=0.001, action_burst=4)
    with hosted(tmp_path, limits=limits) as house:
        door = Door(limits, Proxies([]), 10)
        port, stop = serve_metrics("127.0.0.1", 0, house.house, house.app.state.rate_limiter, door)
        try:
            with pytest.raises(BadOption, match="cannot listen for Prometheus"):
                check_metrics("127.0.0.1", port)
            check_metrics("127.0.0.1", 0)
            south, north = two_people(house)
            house.create("tortuga", person("Ana"), MOUSSE, **SOUTH)
            n = south.get()["n"]
            south.act("play", 0, n=n, move="d2-d3")
            south.act("play", 0, status=409, n=n, move="d2-d3")
            north.act("say", 1, text="hello")
            south.act("say", 0, text="hello")
            south.act("say", 0, text="again")
            south.act("say", 0, status=429, text="too many")
            with north.live() as ear:
                ear.next("state")
                text = httpx2.get(f"http://127.0.0.1:{port}/metrics").text
        finally:
            stop()
    found = dict(re.findall(r"^(\w+(?:\{.*?\})?) (\S+)$", text, re.MULTILINE))

    def value(name: str) -> float:
        return float(found[f"escale_{name}"])

    assert (value("tables"), value("tables_playing"), value("live_connections")) == (2, 2, 1)
    assert (value("moves_total"), value('actions_total{do="say"}')) == (1, 3)
    assert value('refusals_total{code="stale"}') == 1
    assert value("rate_limited_total") == 1
    assert value("action_seconds_count") == 4
    assert value("commit_seconds_count") == value("commit_changes_count") >= 6
    assert value("commit_changes_sum") >= 6
    assert value("thinkers") == 2
    if sys.platform == "linux":
        assert float(found["process_resident_memory_bytes"]) > 10_000_000
    assert "Ana" not in text
    monkeypatch.setattr("escale.server.admin.prometheus.find_spec", lambda _: None)
    with pytest.raises(BadOption, match=r"pip install 'escale-games\[metrics\]'"):
        check_metrics("127.0.0.1", 0)
