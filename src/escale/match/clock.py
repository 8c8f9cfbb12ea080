"""Clocks: how long each seat may think, derived from the times of events.

A clock does not tick. It is a fold over the events' `at`, so that a replayed match shows the same
times, whenever it is replayed.

Only people's time is counted. A real-time clock starts with the first move that is played, so that
a player who waits for the others to arrive loses no time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

import msgspec
from msgspec import Meta

from escale.game.errors import BadMessage

DAY_MS = 24 * 60 * 60 * 1000
CLOCK_SECONDS = 24 * 60 * 60
"""The most seconds that a real-time clock may begin with, or add."""
MOST_DAYS = 60


class Pace(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The time control: seconds for the whole game, or days for every move."""

    initial: Annotated[
        int, Meta(ge=1, le=CLOCK_SECONDS, description="Seconds for the whole game.")
    ] | None = None
    increment: Annotated[
        int, Meta(ge=0, le=CLOCK_SECONDS, description="Seconds that every move adds.")
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
        """Milliseconds for the whole game, or for each move if there are days."""
        return self.days * DAY_MS if self.days is not None else 1000 * (self.initial or 0)


@dataclass(frozen=True, slots=True)
class Reading:
    """The times that a clock shows at a moment."""

    kind: Literal["live", "days"]
    remaining: tuple[int, ...]
    """Milliseconds for each seat."""
    running: tuple[int, ...]
    """The seats whose time runs; several if they choose at the same time."""
    now: int
    paused: tuple[int, ...] = ()
    """For each seat, the milliseconds until its holiday ends; empty if no seat has any."""

    @property
    def flagged(self) -> tuple[int, ...]:
        """The seats that are out of time."""
        return tuple(seat for seat in self.running if self.remaining[seat] == 0)

    @property
    def soonest(self) -> int | None:
        """Milliseconds until the first seat is out of time; None while no clock runs."""
        return min(
            (self.remaining[seat] + (self.paused[seat] if self.paused else 0)
             for seat in self.running), default=None,
        )

    def expired(self, seat: int) -> bool:
        """Whether a seat has used up its time for the whole game."""
        return self.kind == "live" and self.remaining[seat] == 0

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"kind": self.kind, "remaining": list(self.remaining),
                "running": list(self.running), "now": self.now, "paused": list(self.paused)}


class Clock:
    """The time that is left, as of the last event."""

    def __init__(self, pace: Pace, seats: int) -> None:
        self.pace = pace
        self.running: tuple[int, ...] = ()
        self._left = [pace.allowance] * seats
        self._since = 0
        self._paused_until = [0] * seats

    def read(self, now: int) -> Reading:
        """Read the clock; a `now` before the last event counts as that event's time."""
        left = list(self._left)
        for seat in self.running:
            spent = max(0, now - max(self._since, self._paused_until[seat]))
            left[seat] = max(0, left[seat] - spent)
        now = max(now, self._since)
        return Reading(
            "days" if self.pace.days else "live", tuple(left), self.running, now,
            tuple(max(0, until - now) for until in self._paused_until)
            if max(self._paused_until) > now else (),
        )

    def turn(self, at: int, running: tuple[int, ...], mover: int | None = None) -> None:
        """Note an event: from now on the time of `running` runs; `mover` has moved."""
        self._left = list(self.read(at).remaining)
        self._since = max(self._since, at)
        if self.pace.days:
            begin = {seat for seat in running if seat not in self.running}
            for seat in begin if mover is None else begin | {mover}:
                self._left[seat] = self.pace.allowance
        elif mover is not None:
            self._left[mover] += 1000 * (self.pace.increment or 0)
        self.running = running

    def skip(self, at: int, closed: int | None = None) -> None:
        """Do not count the time for which the house was closed; None: since the last event."""
        self._since = max(self._since, at if closed is None else min(at, self._since + closed))

    def pause(self, seat: int, at: int, until: int) -> None:
        """Let the time of a seat stand still until then."""
        self._left = list(self.read(at).remaining)
        self._since = max(self._since, at)
        self._paused_until[seat] = until

