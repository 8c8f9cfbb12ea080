"""What a process of the house does that answers each line with a line, until nobody asks.

Such processes give way to the house itself, end in silence when it is gone, and can be limited in
the time of a processor that an answer may take.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from escale.opponents.background import work_in_background


class TooCostly(BaseException):
    """The time is up; no code for errors of games may catch it."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Let something take so many seconds of a processor, or stop it by TooCostly.

    Where the system cannot do that, as on Windows, the house ends a process that takes too long.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGPROF, _time_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _time_up(signal_number: int, frame: FrameType | None) -> None:
    raise TooCostly


def serve(answer: Callable[[bytes], bytes], nice: int) -> None:
    """Answer lines of the standard input; `nice` says by how much to give way to others."""
    work_in_background(nice)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(answer(line) + b"\n")
        sys.stdout.buffer.flush()
