"""The connections that follow a table. All with the same sight get the same bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from escale.game.viewer import SPECTATOR, Viewer
from escale.match.reading import encode
from escale.server.tables.messages import Presence
from escale.server.tables.state import State
from escale.server.tables.views import Sight, Views, changed


class Listener(Protocol):
    """A connection that follows a table."""

    sight: Sight

    def hear(self, message: bytes) -> None:
        """Send a message."""

    def leave(self) -> None:
        """Close the connection: the table cannot be followed any longer."""


class Audience:
    """Listeners with the same sight, and the state that they got last."""

    def __init__(self, shown: State) -> None:
        self.shown = shown
        self.members: set[Listener] = set()


class Audiences:
    """All listeners of one table; `show` gives the state for a sight."""

    def __init__(self, views: Views, show: Callable[[Sight], State]) -> None:
        self._views = views
        self._show = show
        self._audiences: dict[tuple[Viewer, str, bool], Audience] = {}
        self._news = asyncio.Event()
        """Set at each event, and replaced by a new one."""
        self._waiting = 0

    @property
    def awaits_news(self) -> bool:
        """Whether a listener or a waiting request wants to know at once what happens."""
        return self.followed or self._waiting > 0

    @property
    def followed(self) -> bool:
        """Whether any connection follows the table."""
        return any(audience.members for audience in self._audiences.values())

    def join(self, listener: Listener) -> None:
        """Add a listener; the table's lock must be held."""
        sight = listener.sight
        viewer = sight.viewer if self._views.game.hides else SPECTATOR
        key = (viewer, sight.lang, sight.lean)
        if key not in self._audiences:
            self._audiences[key] = Audience(self._show(Sight((), *key)))
        self._audiences[key].members.add(listener)

    def drop(self, listener: Listener) -> None:
        """Remove a listener."""
        for audience in self._audiences.values():
            audience.members.discard(listener)

    def tell(self, since: int) -> None:
        """Send all listeners the events after `since`."""
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
            encoded: dict[bool, bytes] = {}
            for member in audience.members:
                chooses = not lean and self._views.chooses(member.sight)
                if chooses not in encoded:
                    if not lean:
                        message["state"] |= self._views.choices(member.sight)
                    encoded[chooses] = encode(message)
                member.hear(encoded[chooses])
        self._wake_waiting()

    async def wait_for_news(self, seconds: float) -> None:
        """Wait for the next event, or until the time is up."""
        news = self._news
        self._waiting += 1
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await news.wait()
        finally:
            self._waiting -= 1

    def _wake_waiting(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def tell_presence(self, present: list[bool]) -> None:
        """Send all listeners which seats are present."""
        message = encode(Presence(present))
        for audience in self._audiences.values():
            for member in audience.members:
                if not member.sight.lean:
                    member.hear(message)

    def close(self) -> None:
        """Close all connections; clients that connect again get the whole state."""
        for audience in self._audiences.values():
            for member in list(audience.members):
                member.leave()
        self._wake_waiting()
