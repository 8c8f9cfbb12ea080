"""The house's side of jobs: fair turns between addresses, budgets, and processes that may fail."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from functools import partial
from typing import NamedTuple

import msgspec

from escale.match.reading import encode
from escale.opponents.line_process import EngineError, LineProcess
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.workers.jobs import NOTHING, Job, JobReply, JobRequest, Lane
from escale.server.workers.processes import Processes, Worker

START_SECONDS = 60.0
"""A process may take this long to start: a small machine has much else to do."""
ANSWER_BYTES = 1 << 24
"""The longest answer that is accepted."""

_value = msgspec.json.Decoder(JobReply)


class Answer(NamedTuple):
    """A value of a job; or, with another HTTP status than 200, the problem that ended the job."""

    body: bytes
    """JSON."""
    status: int = 200


class WorkerPool:
    """All worker processes of the house, in their lanes."""

    def __init__(self, limiter: RateLimiter) -> None:
        self._limiter = limiter
        limits = limiter.limits
        self._seconds = {"work": limits.work_seconds, "study": limits.study_seconds}
        self._lanes: dict[str, Processes[LineProcess]] = {}

    @property
    def busy(self) -> int:
        """How many jobs are being done."""
        return sum(lane.queue.busy for lane in self._lanes.values())

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return sum(lane.queue.queue for lane in self._lanes.values())

    async def answer(self, job: Job, address: str) -> Answer:
        """The last value of a job; Problem as for `values`."""
        last = None
        async with aclosing(self.values(job, address)) as values:
            async for value in values:
                last = value
        assert last is not None, f"{type(job).__name__} has no answer"
        return last

    async def values(self, job: Job, address: str) -> AsyncGenerator[Answer, None]:
        """One value of a job after another, each as soon as it is found.

        The budget of `address` pays for it; "" is the house itself. Raises Problem `too-many` if
        that budget is spent or too many of the address's jobs wait. A job that has begun goes on,
        and what it costs beyond the budget is owed. Raises Problem `too-costly` if the process
        does not answer in time, or dies.

        To cancel the job, close the generator or cancel the task that waits for it.
        """
        self.check(job.lane, address)
        queue = self._lane(job.lane).queue
        worker = await queue.take(address)
        asking: asyncio.Task[JobReply | None] | None = None
        line = JobRequest(self._seconds[job.lane.budget], job)
        try:
            while True:
                asking = asyncio.create_task(self._ask(worker, job.lane, line, address))
                await asyncio.wait((asking,))
                value = asking.result()
                if value is None:
                    raise Problem("too-costly")
                if value.body != NOTHING:
                    yield Answer(bytes(value.body), value.status)
                if not value.more:
                    return
                line = JobRequest(line.seconds)
        finally:
            if asking is None or asking.done():
                queue.give_back(worker)
            else:               # waiting for the value is cheaper than a new process
                asking.add_done_callback(lambda task: queue.give_back(worker))

    def check(self, lane: Lane, address: str) -> None:
        """Raise Problem `too-many` if an address may not ask for a job now."""
        if self._limiter.left(lane.budget, address) <= 0 or \
                self._lane(lane).queue.waiting(address) >= lane.most_waiting:
            raise Problem("too-many")

    async def start(self, lane: Lane) -> None:
        """Start a process for the first job in advance. If that fails, the first job reports it."""
        with suppress(EngineError):
            async with self._lane(lane).turn("") as worker:
                await worker.start()

    async def close(self) -> None:
        """End all processes."""
        for lane in self._lanes.values():
            await lane.close()

    def _lane(self, lane: Lane) -> Processes[LineProcess]:
        if lane.name not in self._lanes:
            self._lanes[lane.name] = Processes(
                partial(_start, lane), LineProcess.kill, lane.processes
            )
        return self._lanes[lane.name]

    async def _ask(
        self, worker: Worker[LineProcess], lane: Lane, line: JobRequest[Job], address: str
    ) -> JobReply | None:
        """Ask for the next value of a job; None if the process died or its answer was invalid."""
        seconds, sent = line.seconds + lane.grace_seconds, encode(line)
        try:
            [answer] = await worker.use(lambda process: process.exchange(sent, seconds=seconds))
            value = _value.decode(answer)
        except (EngineError, msgspec.DecodeError):
            await worker.end()
            self._limiter.spend(lane.budget, address, line.seconds)
            return None
        self._limiter.spend(lane.budget, address, value.spent)
        return value


async def _start(lane: Lane) -> LineProcess:
    process = await LineProcess.start(
        [sys.executable, "-m", "escale.server.workers.process", lane.module, str(lane.niceness)],
        longest=ANSWER_BYTES,
    )
    try:                                        # an answer means that all imports are done
        await process.exchange(encode(JobRequest()), seconds=START_SECONDS)
    except BaseException:
        await process.kill()
        raise
    return process
