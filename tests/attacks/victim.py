"""A house to attack: its own process, the usual limits, and an honest visitor."""

from __future__ import annotations

import mmap
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from escale.server.edge.limits import Limits
from tests.server.hosting import OPEN, hosted, person
from tests.sizes import PATIENCE_SECONDS


class Victim:
    """A house in its own process."""

    def __init__(self, process: subprocess.Popen[str], port: int, log: Path) -> None:
        self._memory = Path(f"/proc/{process.pid}/statm")
        self._log = log
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    @property
    def memory(self) -> float:
        """Resident megabytes of the house itself, without its workers."""
        if not self._memory.exists():
            pytest.skip("this system does not tell how much memory a process has")
        return int(self._memory.read_text().split()[1]) * mmap.PAGESIZE / 2**20

    @property
    def log(self) -> str:
        """What it has written so far."""
        return self._log.read_text("utf-8")


@contextmanager
def victim(folder: Path, *options: str) -> Iterator[Victim]:
    """Serve the database in a folder, as `escale serve` does."""
    log = folder / "log.txt"
    with log.open("w") as errors, subprocess.Popen(
        [sys.executable, "-m", "escale", "serve", "--no-browser", "--port", "0", "--lang", "en",
         "--database", str(folder / "house.sqlite3"), *options],
        stdout=subprocess.PIPE, stderr=errors, text=True,
    ) as process:
        try:
            assert process.stdout
            found = re.search(r"http://[^:]+:(\d+)/", process.stdout.readline())
            assert found, log.read_text()
            yield Victim(process, int(found[1]), log)
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE_SECONDS)


def talkative_table(folder: Path, letters: int) -> str:
    """A table at which so much was said; the house has closed since."""
    with hosted(folder, limits=Limits.none()) as house:
        table = house.create("tortuga", person("Ana"), OPEN)
        for _ in range(letters // 500):
            table.act("say", 0, text="x" * 500)
        return table.id


ELSEWHERE = "127.0.0.2"
"""Another address of this machine, for those who are not the attacker; Linux has it by itself."""


def honest(house: Victim) -> httpx2.Client:
    """A client at another address than the attacker's."""
    transport = httpx2.HTTPTransport(local_address=ELSEWHERE)
    return httpx2.Client(base_url=house.url, transport=transport, timeout=PATIENCE_SECONDS)


class Visitor:
    """An honest visitor who looks around all the time; returns the seconds waited."""

    def __init__(self, victim: Victim, path: str = "/api/games", pause: float = 0.1) -> None:
        self.waits: list[float] = []
        self._going = True
        self._client, self._path, self._pause = honest(victim), path, pause
        self._thread = threading.Thread(target=self._visit)

    def _visit(self) -> None:
        while self._going:
            began = time.perf_counter()
            answer = self._client.get(self._path)
            assert answer.status_code == 200, answer.text
            self.waits.append(time.perf_counter() - began)
            time.sleep(self._pause)

    def wait_for(self, visits: int, seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until they have been answered so often."""
        until = time.monotonic() + seconds
        while len(self.waits) < visits:
            assert time.monotonic() < until, f"only {self}"
            time.sleep(0.05)

    def __enter__(self) -> Visitor:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._going = False
        self._thread.join(2 * PATIENCE_SECONDS)
        assert not self._thread.is_alive()
        self._client.close()
        assert self.waits

    def __str__(self) -> str:
        ordered = sorted(self.waits)
        return (f"{len(ordered)} visits, median {1000 * ordered[len(ordered) // 2]:.0f} ms, "
                f"longest {1000 * ordered[-1]:.0f} ms")
