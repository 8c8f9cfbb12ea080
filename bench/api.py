"""How fast positions are when a program goes from one to the next.

Each version runs in a process of its own: with more objects in memory, the garbage collector would
take longer in one of them.

Beside them, in the same rounds: the kernel's own states driven from Python, and, if a checkout of
another version is given, the positions of that version.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import escale
from bench import driving
from bench.rates import Rates

ROUNDS = 5


@dataclass(kw_only=True)
class ApiFigures(Rates):
    """Plies a second of one game, by how it was driven."""

    game: str

    def add_round(self, found: dict[str, float], prefix: str = "") -> None:
        for name, rate in found.items():
            self.add(prefix + name, rate)

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {**asdict(self), "best": {name: self.best(name) for name in self.rates}}


class Version:
    """A version of Escale, in a process of its own."""

    def __init__(self, checkout: Path = Path(__file__).parent.parent) -> None:
        if not (checkout / "src" / "escale").is_dir():
            raise escale.EscaleError(f"{checkout} is no checkout of Escale")
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(Path(driving.__file__))],
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )

    def rates(self, slug: str, seconds: float) -> dict[str, float]:
        """One round."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([slug, seconds]), file=self._process.stdin, flush=True)
        found: dict[str, float] = json.loads(self._process.stdout.readline())
        return found

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@contextmanager
def versions(other: Path | None) -> Iterator[dict[str, Version]]:
    """This version and, if a checkout is given, the other one, each with a prefix for its rates."""
    found: dict[str, Version] = {}
    try:
        found[""] = Version()
        if other:
            found["other "] = Version(other)
        yield found
    finally:
        for version in found.values():
            version.close()


def measure(slug: str, seconds: float, compared: dict[str, Version]) -> ApiFigures:
    """Everything in turn, round after round, `seconds` in all for each."""
    figures, part = ApiFigures(game=slug), seconds / ROUNDS
    for _ in range(ROUNDS):
        for prefix, version in compared.items():
            figures.add_round(version.rates(slug, part), prefix)
    return figures
