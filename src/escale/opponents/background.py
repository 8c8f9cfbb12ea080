"""How a process behaves that works for another one: it gives way, and ends with it."""

from __future__ import annotations

import os
import signal

_USUAL = os.nice(0) if hasattr(os, "nice") else 0


def work_in_background(nice: int) -> None:
    """Leave interruptions to the other process, and end in silence when nobody listens any more.

    Windows has neither broken pipes as signals nor niceness.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    give_way(nice)


def give_way(nice: int) -> None:
    """Let others have the processor first: by so much, however often this is asked."""
    if hasattr(os, "nice"):
        os.nice(max(0, _USUAL + nice - os.nice(0)))
