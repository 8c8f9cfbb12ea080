"""What has to be remembered of a table's past to answer what is asked twice, or too late."""

from __future__ import annotations

from collections.abc import Iterable

from escale.game.viewer import SPECTATOR
from escale.match.events import Action, Began, Ended, Event, Flagged
from escale.match.match import Match

CHANGES_MOVES = (Began, Flagged, Ended)
"""Events that change what can be played, other than those that change the position."""


class ActionHistory:
    """Which actions were done, and what made older moves stale."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._done: dict[tuple[int, str], int] = {}
        self.stale_before = 0
        """The last event that changed what can be played: moves about an earlier table are stale.
        """
        self.add_events(match.events)

    def add_events(self, events: Iterable[Event]) -> None:
        """Remember what has happened."""
        plies = self._match.plies_after
        for event in events:
            n: int = event.n or 0
            if event.id is not None:
                self._done[getattr(event, "seat", -1), event.id] = n
            before = plies[n - 2] if n > 1 else 0
            if isinstance(event, CHANGES_MOVES) or (
                plies[n - 1] != before and self._match.shows(event, SPECTATOR)
            ):
                self.stale_before = n   # what is chosen unseen matters to no other seat's choice

    def find_event(self, action: Action) -> int | None:
        """The number of the event that an action has become, if it was done."""
        return self._done.get((action.seat, action.id))
