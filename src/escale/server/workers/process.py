"""`python -m escale.server.workers.process MODULE NICENESS`: a process that does jobs for a house.

It does the `JOBS` of a module, one at a time, and answers each line with a line; see `jobs.py`. It
runs with a low priority, and ends when its standard input is closed.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from time import process_time
from types import FrameType
from typing import Any, Union

import msgspec

from escale.game.errors import EscaleError
from escale.match.reading import encode
from escale.opponents.background import work_in_background
from escale.server.edge.problems import Problem
from escale.server.workers.jobs import Job, JobReply, JobRequest


class TooCostly(BaseException):
    """The time limit is reached. A BaseException, so that no `except Exception` catches it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooCostly in a block that takes more seconds of a processor; 0 is no limit.

    Windows cannot do that: there the house ends a process that takes too long.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _stop(signal_number: int, frame: FrameType | None) -> None:
    raise TooCostly


class JobProcess:
    """Does one job at a time; a new job replaces one that is not finished."""

    def __init__(self, jobs: Mapping[type[Job], Callable[[Any], object]]) -> None:
        self._jobs = jobs
        self._read = msgspec.json.Decoder(JobRequest[Union[tuple(jobs)]]).decode  # type: ignore[misc]  # noqa: UP007
        self._values: Iterator[object] = iter(())
        self._lang = ""

    def answer(self, line: bytes) -> bytes:
        """The next value of a job, in one line."""
        began = process_time()
        asked = self._read(line)
        try:
            with time_limit(asked.seconds):
                value = self._next() if asked.job is None else self._begin(asked.job)
        except TooCostly:
            value = self._refused(Problem("too-costly"))
        except EscaleError as error:
            value = self._refused(Problem.of(error))
        value.spent = process_time() - began
        return encode(value)

    def _begin(self, job: Job) -> JobReply:
        self._values, self._lang = iter(()), job.lang
        found = self._jobs[type(job)](job)
        if not isinstance(found, Iterator):
            return JobReply(msgspec.Raw(encode(found)))
        self._values = found
        return self._next()

    def _next(self) -> JobReply:
        for found in self._values:
            return JobReply(msgspec.Raw(encode(found)), more=True)
        return JobReply()

    def _refused(self, problem: Problem) -> JobReply:
        self._values = iter(())
        return JobReply(msgspec.Raw(encode(problem.as_json(self._lang))), problem.status)


def main(module: str, niceness: str) -> None:
    """Answer the lines of the standard input."""
    work_in_background(int(niceness))
    process = JobProcess(import_module(module).JOBS)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(process.answer(line) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
