"""Threads for what takes more than a moment, so that the event loop goes on with other tables."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 2
SWITCH_SECONDS = 0.0005
"""For which a thread that works may keep the event loop waiting; Python's own is ten times
that, which adds up where one request is several turns of the loop."""

_pool = ThreadPoolExecutor(THREADS, "escale-off-loop")


async def off_loop(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What a function returns, called in a thread.

    It is for work of the house whose size has a limit. Work whose size a stranger chooses is a job
    for a process, which can be ended (see `pool.py`).
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool, lambda: function(*arguments, **named))
