"""The port through which tables know the notebooks of people.

`server/people/` has the notebooks, and registers itself with `House.register_people`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from escale.match.events import Event
from escale.match.match import Match
from escale.store import OutboxRow, RatedGame, Token

NOTEBOOK = "notebook:"
"""The prefix of the names under which notebooks hold seats. No client's token may have it."""


class People(Protocol):
    """The notebooks of a house."""

    async def holder(self, cookies: Mapping[str, str]) -> str | None:
        """The name under which the notebook of these cookies holds seats, if there is one."""

    def notices(
        self, table: str, match: Match, new: Sequence[Event], tokens: Iterable[Token]
    ) -> Sequence[OutboxRow]:
        """What new events of a table add to the outbox of notices, and remove from it."""

    def rated(self, table: str, match: Match, tokens: Iterable[Token]) -> RatedGame | None:
        """A game that has just ended, if it counts for ratings."""


class NoPeople:
    """A house without notebooks."""

    async def holder(self, cookies: Mapping[str, str]) -> str | None:
        return None

    def notices(
        self, table: str, match: Match, new: Sequence[Event], tokens: Iterable[Token]
    ) -> Sequence[OutboxRow]:
        return ()

    def rated(self, table: str, match: Match, tokens: Iterable[Token]) -> RatedGame | None:
        return None
