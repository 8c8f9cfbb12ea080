"""What has to be remembered of the past of a table to answer what is asked twice, or too late."""

from __future__ import annotations

from collections.abc import Iterable

from escale.match.events import Action, Began, Ended, Event, Flagged
from escale.match.match import Match

MATTERS = (Began, Flagged, Ended)
"""Events that change what can be played, other than those that change the position."""


class Past:
    """Which actions were done, and what made older moves stale."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._done: dict[tuple[int, str], int] = {}
        self.mattered = 0
        """The last event that changed what can be played."""
        self.add(match.events)

    def add(self, events: Iterable[Event]) -> None:
        """Remember what has happened."""
        plies = self._match.plies_after
        for event in events:
            n: int = event.n or 0
            if event.id is not None:
                self._done[getattr(event, "seat", -1), event.id] = n
            before = plies[n - 2] if n > 1 else 0
            if isinstance(event, MATTERS) or plies[n - 1] != before:
                self.mattered = n

    def became(self, action: Action) -> int | None:
        """The event that an action has become, if it was done."""
        return self._done.get((action.seat, action.id))
