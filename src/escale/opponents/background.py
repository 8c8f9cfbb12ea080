"""Behaviour of a process that works for another one: it has a low priority, and ends with it."""

from __future__ import annotations

import os
import signal

_USUAL = os.nice(0) if hasattr(os, "nice") else 0


def work_in_background(nice: int) -> None:
    """Ignore interruptions, which the other process handles, and end silently when it stops
    listening.

    Windows has neither broken pipes as signals nor niceness.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    give_way(nice)


def give_way(nice: int) -> None:
    """Set the niceness of this process; calling it again changes nothing."""
    if hasattr(os, "nice"):
        os.nice(max(0, _USUAL + nice - os.nice(0)))
