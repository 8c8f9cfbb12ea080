"""Clocks: how long each seat may think, told by the times at which events happened.

A clock has no hands of its own. It is a fold over the events' `at`, so that a match replayed after
a hundred years, or after the house was restarted, shows the same times.

Only people's time is counted. A real-time clock starts with the first move that is played, so that
nobody loses time while the other one is still looking for the link.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

from escale.game.errors import BadMessage

DAY = 24 * 60 * 60 * 1000
LONGEST = 24 * 60 * 60
"""Seconds that a real-time clock may begin with, or add, at most."""
MOST_DAYS = 60


class Pace(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How much time there is: some seconds for the whole game, or some days for every move."""

    initial: Annotated[
        int, Meta(ge=1, le=LONGEST, description="Seconds for the whole game.")
    ] | None = None
    increment: Annotated[
        int, Meta(ge=0, le=LONGEST, description="Seconds that every move adds.")
    ] | None = None
    days: Annotated[int, Meta(ge=1, le=MOST_DAYS, description="Days for every move.")] | None = None

    def __post_init__(self) -> None:
        live = self.initial is not None and self.increment is not None and self.days is None
        daily = self.initial is None and self.increment is None and self.days is not None
        if not live and not daily:
            raise BadMessage(
                "expected a clock with initial and increment in seconds, or with days"
            )

    @classmethod
    def live(cls, initial: int, increment: int = 0) -> Self:
        """A number of seconds for the game, and some more for every move."""
        return cls._read({"initial": initial, "increment": increment})

    @classmethod
    def daily(cls, days: int) -> Self:
        """A number of days for every move."""
        return cls._read({"days": days})

    @classmethod
    def _read(cls, clock: dict[str, int]) -> Self:
        try:
            return msgspec.convert(clock, cls)
        except msgspec.ValidationError as error:
            raise BadMessage(f"clock: {error}") from None

    @property
    def allowance(self) -> int:
        """Milliseconds for the whole game, or for each move where there are days."""
        return self.days * DAY if self.days is not None else 1000 * (self.initial or 0)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the clock shows at a moment."""

    kind: Literal["live", "days"]
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
        return Reading(
            "days" if self.pace.days else "live", tuple(left), self.running, max(now, self._since)
        )

    def turn(self, at: int, running: int | None, mover: int | None = None) -> None:
        """Something happened: from now on `running`'s time runs, if anybody's; `mover` moved."""
        self._left = list(self.read(at).remaining)
        self._since = max(self._since, at)
        if self.pace.days:
            for seat in (mover, running if running != self.running else None):
                if seat is not None:
                    self._left[seat] = self.pace.allowance
        elif mover is not None:
            self._left[mover] += 1000 * (self.pace.increment or 0)
        self.running = running

    def skip(self, at: int) -> None:
        """Do not count the time since the last event: nobody could play."""
        self._since = max(self._since, at)

