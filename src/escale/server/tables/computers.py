"""Computer seats: worker processes with a time limit, and a move no matter what happens to them.

A worker is an engine that speaks the line protocol (`docs/protocol.md`), in a process of its own,
so that thinking takes no time from those who play, and so that a search that runs too long, or
dies, takes nothing with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import random
import sys
from typing import Any

from escale.game.position import Position
from escale.match.match import Match

log = logging.getLogger("escale")

QUICK = "mousse"
"""The level that is asked once more when thinking failed."""
GRACE = 2.0
"""Seconds that a worker may take longer than it was told to."""
QUICK_SECONDS = 1.0
START = 60.0
"""Seconds that a worker may take to start: a small machine has much else to do."""


class Late(Exception):
    """A worker died, or did not answer in time."""


class Worker:
    """One process."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, *requests: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The result of the last of some requests; Late if there is none in time."""
        try:
            async with asyncio.timeout(START):
                process = await self._running()
            async with asyncio.timeout(seconds):
                return await _answer(process, *requests)
        except (TimeoutError, OSError, ValueError, KeyError) as error:
            await self.stop()
            raise Late from error
        except BaseException:
            await self.stop()           # the next to ask must not get this answer
            raise

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "escale.opponents.engine",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            )
            await _answer(self._process, {"do": "games"})       # it is there, and has them loaded
        return self._process

    async def stop(self) -> None:
        """End the process; the next question starts another."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _answer(
    process: asyncio.subprocess.Process, *requests: dict[str, Any]
) -> dict[str, Any]:
    """Send some requests; the result of the last, KeyError or ValueError if there is none."""
    assert process.stdin
    assert process.stdout
    for request in requests:
        process.stdin.write(json.dumps(request).encode() + b"\n")
    await process.stdin.drain()
    result: dict[str, Any] = {}
    for _ in requests:
        result = json.loads(await process.stdout.readline())["result"]
    return result


class Thinkers:
    """All workers; everybody who asks waits for a free one."""

    def __init__(self, workers: int, seconds: float) -> None:
        self._seconds = seconds
        self._workers = [Worker() for _ in range(workers)]
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        for worker in self._workers:
            self._free.put_nowait(worker)
        self._waiting = 0

    async def choose(self, match: Match, level: str) -> str:
        """A move for the seat to move: thought about, or at least a legal one."""
        try:
            return str((await self._ask(match, level, self._seconds))["move"])
        except Late:
            log.warning("a worker was late or died; a quick move instead")
        try:
            return str((await self._ask(match, QUICK, QUICK_SECONDS))["move"])
        except Late:
            return any_move(match.position)

    async def shares(self, match: Match) -> list[float]:
        """What every seat may expect."""
        try:
            found: list[float] = (await self._ask(match, QUICK, QUICK_SECONDS))["score"]
            return found
        except Late:
            return [1 / match.start.seats] * match.start.seats

    async def _ask(self, match: Match, level: str, seconds: float) -> dict[str, Any]:
        line = {
            "do": "line", "game": match.game.slug, "position": match.start.text,
            "moves": match.line(),
        }
        self._waiting += 1
        try:
            worker = await self._free.get()
        finally:
            self._waiting -= 1
        try:
            # When many wait, each gets less time.
            share = max(seconds / (1 + self._waiting / len(self._workers)), 0.1)
            think = {
                "do": "think", "level": level, "time_ms": round(1000 * share),
                "seed": random.getrandbits(32),
            }
            return await worker.ask(line, think, seconds=seconds + GRACE)
        finally:
            self._free.put_nowait(worker)

    async def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            await worker.stop()


def any_move(position: Position) -> str:
    """A legal move, without any thought that could fail."""
    return random.choice(position.moves()).text
