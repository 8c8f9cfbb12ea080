"""`python -m tests.server.study.odd_jobs`: a process of the study whose jobs misbehave."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

from escale.server.study.jobs import JOBS
from escale.server.study.worker import Desk
from escale.server.worker_process import serve


def count(question: dict[str, Any]) -> Iterator[int]:
    """Numbers, each of which takes some seconds of a processor."""
    for number in range(question["to"]):
        until = time.process_time() + question.get("seconds", 0)
        while time.process_time() < until:
            pass
        yield number


def who(question: dict[str, Any]) -> Iterator[list[int]]:
    """The process and its priority."""
    yield [os.getpid(), os.getpriority(os.PRIO_PROCESS, 0)]


def hang(question: dict[str, Any]) -> Iterator[None]:
    """Wait for nothing, without using a processor."""
    time.sleep(60)
    yield None


def die(question: dict[str, Any]) -> Iterator[None]:
    """End the process."""
    os._exit(1)
    yield None


if __name__ == "__main__":
    JOBS.update({"count": count, "who": who, "hang": hang, "die": die})
    serve(Desk().answer, 0)
