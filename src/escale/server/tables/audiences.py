"""Those who look on: who sees the same is one audience, and is told the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from escale.game.viewer import SPECTATOR, Viewer
from escale.match.reading import encode
from escale.server.messages import Presence
from escale.server.tables.views import Sight, Views, changed

Shown = dict[str, Any]
"""What somebody was shown of a table, as plain data."""


class Listener(Protocol):
    """Somebody who is told what happens."""

    sight: Sight

    def hear(self, message: bytes) -> None:
        """Take a message to pass on."""

    def leave(self) -> None:
        """The table cannot be followed any longer: come back."""


class Audience:
    """Those who see the same: what they saw last, and who they are."""

    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.members: set[Listener] = set()


class Audiences:
    """All who look on at one table; `show` gives what a sight sees of it."""

    def __init__(self, views: Views, show: Callable[[Sight], Shown]) -> None:
        self._views = views
        self._show = show
        self._audiences: dict[tuple[Viewer, str, bool], Audience] = {}

    @property
    def followed(self) -> bool:
        """Whether anybody is looking."""
        return any(audience.members for audience in self._audiences.values())

    def join(self, listener: Listener) -> None:
        """Somebody begins to follow."""
        sight = listener.sight
        viewer = sight.viewer if self._views.game.hides else SPECTATOR
        key = (viewer, sight.lang, sight.lean)
        if key not in self._audiences:
            self._audiences[key] = Audience(self._show(Sight((), *key)))
        self._audiences[key].members.add(listener)

    def part(self, listener: Listener) -> None:
        """Somebody stops following."""
        for audience in self._audiences.values():
            audience.members.discard(listener)

    def tell(self, since: int) -> None:
        """Tell everybody what happened after event `since`."""
        for (viewer, lang, lean), audience in list(self._audiences.items()):
            if not audience.members:
                del self._audiences[viewer, lang, lean]
                continue
            shared = Sight((), viewer, lang, lean)
            shown = self._show(shared)
            message = {
                "type": "events", "n": shown["n"], "events": self._views.news(shared, since),
                "state": changed(audience.shown, shown),
            }
            audience.shown = shown
            told: dict[bool, bytes] = {}
            for member in audience.members:
                chooses = not lean and self._views.chooses(member.sight)
                if chooses not in told:
                    if not lean:
                        message["state"] |= self._views.choices(member.sight)
                    told[chooses] = encode(message)
                member.hear(told[chooses])

    def tell_presence(self, present: list[bool]) -> None:
        """Tell everybody who is there."""
        message = encode(Presence(present))
        for audience in self._audiences.values():
            for member in audience.members:
                if not member.sight.lean:
                    member.hear(message)

    def close(self) -> None:
        """Send everybody away."""
        for audience in self._audiences.values():
            for member in list(audience.members):
                member.leave()
