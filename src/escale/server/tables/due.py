"""When something will happen at a table by itself, though nobody visits it.

The store keeps it with every event, so that a house that opens wakes these tables, and no others.
"""

from __future__ import annotations

from escale.kernel import CHANCE
from escale.match.match import Match

CLOCK_RUNS = 0
"""A real-time clock runs: nothing is more urgent, and it cannot wait for the end of its time."""
NOW = 1
"""The computer has to move or to answer, or something has been left half done."""


def due(match: Match, now: int) -> int | None:
    """In Unix milliseconds; None when nothing happens before a person does something."""
    if _is_waited_for(match):
        return NOW
    reading = match.clock(now)
    if reading is None or reading.soonest is None:
        return None
    return CLOCK_RUNS if reading.kind == "live" else now + reading.soonest


def _is_waited_for(match: Match) -> bool:
    """Whether the house itself has something to do there."""
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
