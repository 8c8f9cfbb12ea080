"""Clocks are read from the events; an alarm wakes the table when the time of a seat is up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from escale.match.clock import Reading

DELAY_SECONDS = 0.01
"""The alarm rings this long after the time is up: ringing too early would be useless."""
RECHECK_SECONDS = 86_400.0
"""The longest time until the clock is read again."""


class ClockAlarm:
    """The alarm of one table."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        """Whether the alarm is going to ring."""
        return self._timer is not None

    def set(self, reading: Reading | None) -> None:
        """Set the alarm for the first seat that runs out of time; cancel it if no clock runs."""
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
