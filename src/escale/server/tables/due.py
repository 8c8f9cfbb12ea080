"""When the house has to act at a table although no client visits it.

The store keeps this time with every event, so that a house that opens reads only these tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from escale.kernel import CHANCE
from escale.match.match import Match

CLOCK_RUNS = 0
"""A real-time clock runs: the most urgent case."""
NOW = 1
"""The computer has to move or to answer, or an earlier step was not completed."""


def due(match: Match, now: int) -> int | None:
    """The time in Unix milliseconds; None if nothing happens until a person acts."""
    if _is_waited_for(match):
        return NOW
    reading = match.clock(now)
    if reading is None or reading.soonest is None:
        return None
    return CLOCK_RUNS if reading.kind == "live" else now + reading.soonest


def time_runs(match: Match, now: int, kind: str = "live") -> bool:
    """Whether a clock of this kind runs: `live` is in real time, `days` counts days."""
    reading = match.clock(now)
    return reading is not None and reading.kind == kind and bool(reading.running)


def forgive_time(
    match: Match, now: int, opened: int, closed_since: Callable[[int], int]
) -> None:
    """Write down that the house was closed since the last event, if a clock ran meanwhile.

    `opened` is when it opened; `closed_since` gives the milliseconds for which it was closed.
    """
    last = (match.events[-1].at or 0) if match.events else 0
    closed = closed_since(last) if time_runs(match, now, "days") else 0
    if closed or (time_runs(match, now) and last < opened):
        match.reopen(at=now, closed=closed or None)


def pause_clocks(match: Match, seats: Iterable[int], until: int, now: int) -> None:
    """Let the clocks of days of people's seats stand still until a time, if they run here."""
    clock = match.header.clock
    if clock is None or clock.days is None or match.outcome is not None or not match.begun:
        return
    for seat in seats:
        if match.players[seat].level is None:
            match.pause(seat, until, at=now)


def _is_waited_for(match: Match) -> bool:
    """Whether the house itself has something to do in this match now."""
    if match.again and match.next is None:
        return True
    offer = match.offer
    if offer is not None and any(
        player.level is not None and seat != offer.seat and seat not in offer.agreed
        for seat, player in enumerate(match.players)
    ):
        return True
    if match.outcome is not None:
        return False
    if not match.begun:
        return not any(player.open for player in match.players)
    return match.turn == CHANCE or any(
        match.players[seat].level is not None for seat in match.choosing
    )
