"""The same game in plain C, to measure against: it needs a C compiler.

A reference is `bench/reference/GAME.c`. Its comment `start: …` names the fields of the compiled
position that it begins from.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from escale import kernel

REFERENCES = Path(__file__).parent / "reference"


class NoYardstick(Exception):
    """Why there is nothing to compare with."""


class Yardstick:
    """A game's reference, compiled into `folder` once and loaded; it runs without the GIL."""

    def __init__(self, slug: str, start: kernel.State, folder: Path) -> None:
        source = REFERENCES / f"{slug}.c"
        compiler = shutil.which(os.environ.get("CC") or "cc")
        if not source.is_file():
            raise NoYardstick(f"no reference in plain C for {slug}")
        if compiler is None:
            raise NoYardstick("no C compiler found")
        library = folder / f"{slug}.so"
        if not library.exists():
            built = subprocess.run(
                [compiler, "-O3", "-shared", "-fPIC", "-o", str(library), str(source)],
                capture_output=True, text=True, check=False,
            )
            if built.returncode:
                raise NoYardstick(f"{source.name} does not compile: {built.stderr[:500]}")
        fields = re.search(r"start: ([\w ]+)", source.read_text("utf-8"))
        if fields is None:
            raise NoYardstick(f"{source.name} does not say what it starts from")
        words = [int(getattr(start, name)) for name in fields[1].split()]
        self._start = (ctypes.c_uint64 * len(words))(*words)
        self._library = ctypes.CDLL(str(library))
        self._library.perft.restype = ctypes.c_int64

    def find(self, what: str) -> Callable[[int, int], tuple[int, str]] | None:
        """How to run `playouts` or `perft`; None for what the reference does not have."""
        return {"playouts": self.playouts, "perft": self.perft}.get(what)

    def playouts(self, games: int, seed: int) -> tuple[int, str]:
        """Plies, and the results of the games in the words of `kernel.playouts`."""
        plies = ctypes.c_int64()
        shares = (ctypes.c_double * 8)()
        endings = (ctypes.c_int64 * 16)()
        overflowed = self._library.playouts(
            self._start, ctypes.c_int(games), ctypes.c_uint64(seed),
            ctypes.byref(plies), shares, endings,
        )
        if overflowed:
            raise OverflowError("too many moves in one position of the reference")
        return plies.value, f"{plies.value} {list(shares[:2])} {list(endings)}"

    def perft(self, depth: int, seed: int) -> tuple[int, str]:
        """Nodes, twice."""
        nodes = int(self._library.perft(self._start, ctypes.c_int(depth)))
        return nodes, str(nodes)
