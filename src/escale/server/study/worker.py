"""`python -m escale.server.study.worker`: a process that works things out for the study.

It does one job at a time, value by value: `{"job": NAME, "question": {…}}` begins one and gives its
first value, `{}` the next. What was begun before is given up.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from time import process_time

import msgspec

from escale.game.errors import EscaleError
from escale.match.reading import encode
from escale.server.problems import Problem
from escale.server.study.jobs import JOBS
from escale.server.worker_process import TooCostly, at_most, serve

NOTHING = msgspec.Raw(b"null")


class Value(msgspec.Struct, omit_defaults=True):
    """What a job hands out next."""

    spent: float
    """Seconds of a processor."""
    body: msgspec.Raw = NOTHING
    """Nothing: the job is done."""
    status: int = 200
    """Of HTTP: where it is another, the body says why, and the job is done."""


class Desk:
    """The job that is being done."""

    def __init__(self) -> None:
        self._job: Iterator[object] = iter(())
        self._lang = "fr"
        self._limit = 1.0
        self._priority = os.nice(0)

    def answer(self, line: bytes) -> bytes:
        """The next value of a job, in one line."""
        request = json.loads(line)
        if "nice" in request:                   # a greeting
            # However often it is greeted, it gives way to the house by this much.
            os.nice(max(0, self._priority + request["nice"] - os.nice(0)))
            return b"{}"
        began = process_time()
        value = Value(0)
        try:
            if "job" in request:
                self._lang, self._limit = request["lang"], request["limit"]
                self._job = JOBS[request["job"]](request["question"])
            with at_most(self._limit):
                found = next(self._job, None)
            if found is not None:
                value.body = msgspec.Raw(encode(found))
        except TooCostly:
            self._refuse(value, Problem("too-costly"))
        except EscaleError as error:
            self._refuse(value, Problem.of(error))
        value.spent = process_time() - began
        return encode(value)

    def _refuse(self, value: Value, problem: Problem) -> None:
        self._job = iter(())
        value.status, value.body = problem.status, msgspec.Raw(encode(problem.as_json(self._lang)))


if __name__ == "__main__":
    serve(Desk().answer, 0)
