"""What takes more than a moment is worked out off the event loop: meanwhile tables go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 2
SWITCH = 0.0005
"""Seconds for which a thread that works may keep the event loop waiting; Python's own is ten times
that, which adds up where one request is several turns of the loop."""

_pool = ThreadPoolExecutor(THREADS, "escale-off-loop")


async def off_loop(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """What a function gives, called in a thread.

    For what the house itself has let come about, and which has an end; what strangers may choose
    freely is worked out by `Errands`, in processes that can be ended.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool, lambda: function(*arguments, **named))
