"""Clocks are read from the events; an alarm wakes the table when the time of a seat is up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from escale.match.clock import Reading

DELAY_SECONDS = 0.01
"""After the time is up: an alarm that rings too early would ring for nothing."""
RECHECK_SECONDS = 86_400.0
"""The clock is looked at again then, if the time is not up before."""


class ClockAlarm:
    """The alarm of one table."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        """Whether it is going to ring."""
        return self._timer is not None

    def set(self, reading: Reading | None) -> None:
        """Ring when the first seat is out of time; not at all, if no clock runs."""
        self.cancel()
        if reading is not None and reading.soonest is not None:
            seconds = min(reading.soonest / 1000 + DELAY_SECONDS, RECHECK_SECONDS)
            self._timer = asyncio.get_running_loop().call_later(seconds, self._rings)

    def cancel(self) -> None:
        """Do not ring."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _rings(self) -> None:
        self._timer = None
        self._ring()
