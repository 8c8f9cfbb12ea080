"""Clocks: how long each seat may think, told by the times at which events happened.

A clock has no hands of its own. It is a fold over the events' `at`, so that a match replayed after
a hundred years, or after the house was restarted, shows the same times.

Only people's time is counted. A real-time clock starts with the first move that is played, so that
nobody loses time while the other one is still looking for the link.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from escale.game.errors import NotNow

DAY = 24 * 60 * 60 * 1000
LONGEST = 24 * 60 * 60
"""Seconds that a real-time clock may begin with, or add, at most."""
MOST_DAYS = 60


@dataclass(frozen=True, slots=True)
class Pace:
    """How much time there is; in milliseconds."""

    allowance: int
    """For the whole game, or for each move when `days` is set."""
    increment: int = 0
    """What every move adds."""
    days: bool = False

    @classmethod
    def live(cls, initial: int, increment: int = 0) -> Self:
        """So many seconds for the game, and some more for every move."""
        return cls(_whole(initial, "initial", 1, LONGEST) * 1000,
                   _whole(increment, "increment", 0, LONGEST) * 1000)

    @classmethod
    def daily(cls, days: int) -> Self:
        """So many days for every move."""
        return cls(_whole(days, "days", 1, MOST_DAYS) * DAY, days=True)

    @classmethod
    def read(cls, clock: object) -> Self | None:
        """What a header says, `{"initial", "increment"}` or `{"days"}`; None is no clock."""
        if clock is None:
            return None
        if isinstance(clock, Mapping):
            if clock.keys() == {"days"}:
                return cls.daily(clock["days"])
            if clock.keys() == {"initial", "increment"}:
                return cls.live(clock["initial"], clock["increment"])
        raise NotNow("expected a clock with initial and increment in seconds, or with days")

    def as_json(self) -> dict[str, int]:
        """What `read` reads."""
        if self.days:
            return {"days": self.allowance // DAY}
        return {"initial": self.allowance // 1000, "increment": self.increment // 1000}


@dataclass(frozen=True, slots=True)
class Reading:
    """What the clock shows at a moment."""

    kind: str
    """`live` or `days`."""
    remaining: tuple[int, ...]
    """Milliseconds for each seat."""
    running: int | None
    """The seat whose time runs."""
    now: int

    @property
    def flagged(self) -> int | None:
        """The seat that is out of time."""
        if self.running is not None and self.remaining[self.running] == 0:
            return self.running
        return None

    def expired(self, seat: int) -> bool:
        """Whether a seat has used up its time for the whole game."""
        return self.kind == "live" and self.remaining[seat] == 0

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"kind": self.kind, "remaining": list(self.remaining),
                "running": self.running, "now": self.now}


class Clock:
    """The time that is left, as of the last event."""

    def __init__(self, pace: Pace, seats: int) -> None:
        self.pace = pace
        self.running: int | None = None
        self._left = [pace.allowance] * seats
        self._since = 0

    def read(self, now: int) -> Reading:
        """What it shows; a `now` before the last event counts as that event's time."""
        left = list(self._left)
        if self.running is not None:
            spent = max(0, now - self._since)
            left[self.running] = max(0, left[self.running] - spent)
        kind = "days" if self.pace.days else "live"
        return Reading(kind, tuple(left), self.running, max(now, self._since))

    def turn(self, at: int, running: int | None, mover: int | None = None) -> None:
        """Something happened: from now on `running`'s time runs, if anybody's; `mover` moved."""
        self._left = list(self.read(at).remaining)
        self._since = max(self._since, at)
        if self.pace.days:
            for seat in (mover, running if running != self.running else None):
                if seat is not None:
                    self._left[seat] = self.pace.allowance
        elif mover is not None:
            self._left[mover] += self.pace.increment
        self.running = running

    def skip(self, at: int) -> None:
        """Forgive the time since the last event: nobody could play."""
        self._since = max(self._since, at)


def _whole(value: object, name: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise NotNow(f"expected a clock's {name} from {least} to {most}")
    return value
