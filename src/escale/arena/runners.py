"""Runners: they play pairings, and do other work, in processes or on a Dask cluster."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Protocol, TypeVar

from escale.arena.pairings import Pairing, Result, play
from escale.game.errors import BadOption, BadTranscript


class Keyed(Protocol):
    """A piece of work that any machine can do, with the same result."""

    @property
    def key(self) -> str:
        """The key that identifies it among all work of its kind."""


Work = TypeVar("Work", bound=Keyed)
Done = TypeVar("Done")
Runner = Callable[[Iterable[Pairing]], Iterator[Result]]
"""Plays pairings, and gives results in any order."""
SCHEDULER_SECONDS = 10.0
"""Seconds to wait for a cluster's scheduler."""


def in_processes(workers: int) -> Runner:
    """A runner with `workers` processes of this machine; one is this process itself."""
    return done_in_processes(workers, play)


def done_in_processes(
    workers: int, do: Callable[[Work], Done]
) -> Callable[[Iterable[Work]], Iterator[Done]]:
    """The same for any work; `do` is a function of a module, which all processes can import."""

    def run(wanted: Iterable[Work]) -> Iterator[Done]:
        if workers == 1:
            yield from map(do, wanted)
            return
        with pool_of(workers) as pool:
            futures: list[Future[Done]] = [pool.submit(do, work) for work in wanted]
            try:
                for future in as_completed(futures):
                    yield future.result()
            finally:
                for future in futures:
                    future.cancel()

    return run


def pool_of(workers: int) -> ProcessPoolExecutor:
    """A pool of `workers` processes, which do not outlive this one."""
    return ProcessPoolExecutor(workers, get_context("spawn"), _stop_with_parent)


def _stop_with_parent() -> None:
    """In a worker: stop when the process that started it has ended, even within a game."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def on_cluster(address: str) -> Runner:
    """A runner that sends pairings to the Dask scheduler at an address, such as tcp://host:8786.

    Its workers must have the same version of Escale. The result of a pairing does not depend on the
    machine, so if a worker dies, another plays its pairing again.
    """
    return done_on_cluster(address, play)


def done_on_cluster(
    address: str, do: Callable[[Work], Done]
) -> Callable[[Iterable[Work]], Iterator[Done]]:
    """The same for any work."""
    try:
        from distributed import Client
        from distributed import as_completed as as_finished
    except ImportError:
        raise BadOption("a cluster needs Dask: pip install 'escale-games[cluster]'") from None

    def run(wanted: Iterable[Work]) -> Iterator[Done]:
        try:
            client = Client(address, timeout=SCHEDULER_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise BadOption(f"no cluster at {address[:80]!r}: {error}") from None
        with client:
            futures = [
                client.submit(do, work, key=f"escale {work.key}", pure=False) for work in wanted
            ]
            try:
                for future in as_finished(futures, loop=client.loop):
                    yield future.result()
            finally:
                client.cancel(futures)

    return run


def resume(path: Path | None, wanted: Iterable[Pairing], run: Runner) -> Iterator[Result]:
    """The results of all pairings: those in a file, then the others, which are added to it."""
    known = {result.key: result for result in (read(path) if path and path.exists() else [])}
    missing = []
    for pairing in wanted:
        if pairing.key in known:
            yield known[pairing.key]
        else:
            missing.append(pairing)
    if not missing:
        return
    if path is None:
        yield from run(missing)
        return
    with path.open("a", encoding="utf-8") as lines:
        for result in run(missing):
            lines.write(json.dumps(result.as_json()) + "\n")
            lines.flush()
            yield result


def read(path: Path) -> list[Result]:
    """The results in a file; an incomplete last line is left out."""
    results = []
    lines = path.read_text("utf-8").splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        try:
            results.append(Result.from_json(json.loads(line)))
        except (ValueError, KeyError, TypeError):
            if number == len(lines) and not line.endswith("\n"):
                path.write_text("".join(lines[:-1]), "utf-8")
                break
            raise BadTranscript(f"{path}, line {number}: not a result of the arena") from None
    return results
