"""Processes for hints, reviews and analysis: after moves at tables, and within a budget.

There are two lanes, so that a hint does not wait for somebody's review. In each lane all addresses
are served in turn. A job is done value by value, and is given up when nobody asks for the next one.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal, NamedTuple

import msgspec

from escale.server.fair_queue import FairQueue
from escale.server.middleware.rate_limiter import RateLimiter
from escale.server.problems import Problem
from escale.server.study.worker import NOTHING, Value
from escale.server.tables.computers import Late, Worker

Lane = Literal["quick", "long"]
LANES: dict[Lane, int] = {"quick": 12, "long": 17}
"""By how much the processes of a lane give way: workers that think for tables do so by 10."""
SLICE = 2.0
"""Seconds of a processor that one value of a job may take."""
GRACE = 20.0
"""Seconds that it may take longer: others come first."""
MOST = 8
"""Jobs of one address that may wait in a lane."""


class Found(NamedTuple):
    """One value of a job: an answer, or why there is none."""

    body: bytes
    status: int = 200


_value = msgspec.json.Decoder(Value)


class StudyPool:
    """The processes of the study."""

    def __init__(
        self, limiter: RateLimiter, module: str = "escale.server.study.worker"
    ) -> None:
        self._limiter = limiter
        self._workers = {
            lane: Worker(module, {"nice": nice})
            for lane, nice in LANES.items()
        }
        self._free = {lane: FairQueue([worker]) for lane, worker in self._workers.items()}

    @property
    def busy(self) -> int:
        """How many jobs are being done."""
        return sum(queue.busy for queue in self._free.values())

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(queue.queue for queue in self._free.values())

    async def ask(self, job: str, question: dict[str, Any], lang: str, who: str) -> Found:
        """The last value of a short job; Problem if it takes too long, or was asked too often."""
        last = None
        async with contextlib.aclosing(self.values(job, question, lang, who)) as values:
            async for found in values:
                last = found
        assert last is not None, f"{job} has no answer"
        return last

    async def values(
        self, job: str, question: dict[str, Any], lang: str, who: str, lane: Lane = "quick"
    ) -> AsyncGenerator[Found, None]:
        """One value of a job after another, as they are found; close it to give the job up.

        `who` is the address whose budget pays. Where that is spent a job does not begin, and one
        that has begun goes on: what it costs beyond is owed.
        """
        if self._limiter.left("study", who) <= 0 or self._free[lane].waiting(who) >= MOST:
            raise Problem("too-many")
        request: dict[str, Any] = {"job": job, "question": question, "lang": lang, "limit": SLICE}
        async with self._worker(lane, who) as worker:
            while True:
                found = await self._next(worker, request, who)
                if found.body == NOTHING:
                    return
                yield Found(bytes(found.body), found.status)
                if found.status != 200:
                    return
                request = {}

    @asynccontextmanager
    async def _worker(self, lane: Lane, who: str) -> AsyncIterator[Worker]:
        worker = await self._free[lane].take(who)
        try:
            yield worker
        finally:
            self._free[lane].give_back(worker)

    async def _next(self, worker: Worker, request: dict[str, Any], who: str) -> Value:
        try:
            [line] = await worker.lines(request, seconds=SLICE + GRACE)
            value = _value.decode(line)
        except (Late, msgspec.DecodeError):
            await worker.stop()
            self._limiter.spend("study", who, SLICE)
            raise Problem("too-costly") from None
        self._limiter.spend("study", who, value.spent)
        return value

    async def start(self) -> None:
        """Have a process ready for the first who asks for something short."""
        async with self._worker("quick", "") as worker:
            await worker.start()

    async def close(self) -> None:
        """End all processes."""
        for worker in self._workers.values():
            await worker.stop()
