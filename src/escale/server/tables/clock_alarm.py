"""Clocks are read from the events; an alarm wakes the table when somebody's time is up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from escale.match.clock import Reading

LATER = 0.01
"""Seconds after the time is up: an alarm that rings too early would ring for nothing."""
LONGEST = 86_400.0
"""Seconds; what is further away is looked at again then."""


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
        """Ring when the time of the seat that thinks is up; not at all, if nobody's time runs."""
        self.cancel()
        if reading is not None and reading.running is not None:
            seconds = min(reading.remaining[reading.running] / 1000 + LATER, LONGEST)
            self._timer = asyncio.get_running_loop().call_later(seconds, self._rings)

    def cancel(self) -> None:
        """Do not ring."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _rings(self) -> None:
        self._timer = None
        self._ring()
