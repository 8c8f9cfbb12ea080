"""Whether the house is alive and ready, told to those who watch over it."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from escale.server.admin import health
from escale.server.edge.limits import Limits
from escale.store import database
from tests.server.hosting import Hosted, hosted
from tests.sizes import PATIENCE_SECONDS


def ready(house: Hosted, **headers: str) -> tuple[int, Any]:
    answer = house.client.get("/readyz", headers=headers)
    return answer.status_code, answer.json()


def wait_until_ready(house: Hosted) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while ready(house)[0] != 200:
        assert time.monotonic() < until, ready(house)
        time.sleep(0.1)


def test_each_thing_that_the_house_needs_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    monkeypatch.setattr(database, "LOCK_SECONDS", 0.2)
    few = Limits(requests=0.001, request_burst=3)
    with hosted(tmp_path, limits=few) as house:
        wait_until_ready(house)                 # the first thinker takes a moment to start
        assert ready(house) == (200, {
            "ready": True,
            "checks": {name: {"ok": True} for name in ("store", "thinker", "disk")},
        })
        for _ in range(10):                     # probes are never too many
            assert house.client.get("/healthz").json() == {"alive": True}
        # Another process locks the database: the check really writes.
        with closing(sqlite3.connect(tmp_path / "house.sqlite3")) as other:
            other.execute("BEGIN IMMEDIATE")
            status, found = ready(house, **{"accept-language": "fr"})
            assert (status, found["ready"]) == (503, False)
            assert found["checks"]["store"]["ok"] is False
            assert found["checks"]["thinker"] == {"ok": True}
            assert found["message"] == "La base de données ne garde pas ce qu’on lui confie."
            assert house.client.get("/healthz").status_code == 200
            assert str(tmp_path) not in str(found)
            assert "locked" not in str(found)
        wait_until_ready(house)
        monkeypatch.setattr(health, "FREE_BYTES", 10**18)
        status, found = ready(house)
        assert (status, found["checks"]["disk"]["ok"]) == (503, False)
        assert found["message"] == "The disk of the database is almost full."
        monkeypatch.setattr(health, "FREE_BYTES", 1)
        # A thinker that does not answer; killed, it is replaced.
        [worker] = house.house.thinkers._quick._workers
        assert worker.process is not None
        process = worker.process._process
        os.kill(process.pid, signal.SIGSTOP)
        monkeypatch.setattr("escale.server.tables.computers.ALIVE_SECONDS", 0.0)
        monkeypatch.setattr(health, "CHECK_SECONDS", 0.3)
        status, found = ready(house)
        assert (status, found["checks"]["thinker"]["ok"]) == (503, False)
        os.kill(process.pid, signal.SIGKILL)
        wait_until_ready(house)


def test_however_often_it_is_asked_it_is_tried_now_and_then(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        wait_until_ready(house)
        before = house.house.counts.groups.total
        began = time.monotonic()
        for _ in range(50):
            ready(house)
        tries = house.house.counts.groups.total - before
        assert tries <= 1 + (time.monotonic() - began) / health.FRESH_SECONDS
