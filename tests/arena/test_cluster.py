"""A Dask cluster gives the same results, also when one of its workers is killed."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import escale
from escale.arena.pairings import Pairing, Result, pairings, play
from escale.arena.runners import on_cluster
from escale.cli import main
from tests.opponents.engines import EXAMPLE
from tests.sizes import PATIENCE_SECONDS

LEAGUE = ("random", "mousse", "mcts:simulations=40")


def league(games: int) -> list[Pairing]:
    return [
        pairing
        for number, first in enumerate(LEAGUE) for second in LEAGUE[number + 1:]
        for pairing in pairings("tortuga", {}, first, second, games, 4)
    ]


def begun(role: str, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{role}", *words],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a scheduler, and its two workers."""
    about = tmp_path / "scheduler.json"
    with ExitStack() as stack:
        def start(role: str, *words: str) -> subprocess.Popen[bytes]:
            process = begun(role, "--scheduler-file", str(about), "--no-dashboard", *words)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0")
        workers = [
            start("worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path))
            for _ in range(2)
        ]
        yield address(about, scheduler), workers


def address(about: Path, scheduler: subprocess.Popen[bytes]) -> str:
    """Where the scheduler is, once both workers have found it."""
    from distributed import Client

    until = time.monotonic() + PATIENCE_SECONDS
    while not about.exists():
        assert scheduler.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    with Client(scheduler_file=str(about), set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        return str(client.scheduler.address)


def test_a_worker_is_killed_and_the_league_completes(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    where, workers = cluster
    wanted = league(40)
    found: list[Result] = []
    for result in on_cluster(where)(wanted):
        found.append(result)
        if len(found) == 20:
            workers[0].send_signal(signal.SIGKILL)
            workers[0].wait()
    assert len(found) == len(wanted)
    assert sorted(found, key=lambda result: result.key) == sorted(
        map(play, wanted), key=lambda result: result.key
    )
    assert workers[1].poll() is None

    mover = f"engine:{shlex.join([sys.executable, str(EXAMPLE)])}"
    wanted = [
        *pairings("canoe", {}, mover, "random", 2, 4),
        *pairings("canoe", {}, "engine:/nowhere", "random", 2, 4),
    ]
    engines = sorted(on_cluster(where)(wanted), key=lambda result: result.key)
    assert engines == sorted(map(play, wanted), key=lambda result: result.key)
    assert [result.failed is None for result in engines].count(True) == 2

    with pytest.raises(SystemExit) as done:
        main(["arena", "match", "random", "mousse", "-g", "tortuga", "-n", "4", "--cluster", where])
    assert done.value.code == 0


@pytest.mark.parametrize("where", ["tcp://127.0.0.1:1", "nowhere", "gopher://x"])
def test_where_there_is_no_cluster(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("escale.arena.runners.SCHEDULER_SECONDS", 0.2)
    with pytest.raises(escale.BadOption, match="no cluster at"):
        list(on_cluster(where)(league(2)))


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(escale.BadOption, match="pip install"):
        on_cluster("tcp://127.0.0.1:1")
