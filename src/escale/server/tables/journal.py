"""Writes the new events of one match to the database.

If another process has written first, its events are read and applied here instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from escale.match.events import Ended
from escale.match.match import Match
from escale.server.edge.problems import Problem
from escale.server.tables.due import due as due_at
from escale.server.tables.rematch import Rematch
from escale.server.tables.seat_tokens import SeatTokens
from escale.server.tables.services import Services
from escale.server.workers.off_loop import off_loop
from escale.store import Gap, StoreError, Token

TABLE_BYTES = 40_000
"""The estimated bytes of a table in memory, …"""
EVENT_BYTES = 900
"""… and of each event with its sentence."""
SOON_MILLISECONDS = 300_000
"""Tables that are due later need not be in memory: the house finds them in the store in time."""


class Journal:
    """The events of one table, and what is written with them."""

    def __init__(
        self, table: str, match: Match, tokens: SeatTokens, rematch: Rematch, due: int | None,
        services: Services,
    ) -> None:
        """`due` is the time in the store when the table is due."""
        self._table = table
        self._match = match
        self._tokens = tokens
        self._rematch = rematch
        self._services = services
        self.due = due
        """When the house has to act here, in Unix milliseconds; see `due.py`."""
        self.length = len(match.events)
        """The number of the last event that is known to be written."""

    @property
    def size(self) -> int:
        """The estimated bytes of the table in memory, without what can be computed again."""
        return TABLE_BYTES + EVENT_BYTES * len(self._match.events)

    @property
    def is_behind(self) -> bool:
        """Whether the match has events that are not known to be written."""
        return len(self._match.events) != self.length

    @property
    def due_soon(self) -> bool:
        """Whether the table has to stay in memory, because it is due soon."""
        return _is_soon(self.due, self._services.now())

    async def write(
        self, tokens: Sequence[Token], dropped: Sequence[Token], charged_address: str
    ) -> None:
        """Write in one transaction: new events, changed tokens, and when the table is due.

        `Conflict` if another process was first. The table's lock must be held.
        """
        match, now = self._match, self._services.now()
        new, due = match.events[self.length:], due_at(match, now)
        changed = dropped or due != self.due
        if new or tokens or (changed and self._services.cluster.owns(self._table)):
            ends = any(isinstance(event, Ended) for event in new)
            try:
                await self._services.store.append(
                    self._table, new, tokens=tokens, dropped=dropped,
                    due=... if due == self.due else due,
                    next_secret=self._rematch.secret if ends else None,
                    results=self._services.accounts().results(match, self._tokens.all)
                    if ends else (),
                    notices=self._services.people().notices(
                        self._table, match, new, (*self._tokens.all, *tokens)
                    ),
                    rated=self._services.people().rated(self._table, match, self._tokens.all)
                    if ends else None,
                    due_soon=_is_soon(due, now), address=charged_address,
                )
            except StoreError:
                if new or tokens:
                    raise                       # the table can be played at without the rest
        if tokens or dropped:
            self._tokens.change(tokens, dropped)
        self.due, self.length = due, len(match.events)

    # ---- other processes ----

    async def read_gap(self) -> Gap | None:
        """Read the events that other processes have written."""
        return await self._services.cluster.catch_up(self._table, self.length)

    async def undo_unwritten(self) -> None:
        """Take back the events that could not be written."""
        if self.is_behind:
            await off_loop(self._match.rewind, self.length)

    def replay(self, gap: Gap) -> None:
        """Apply events that another process has written."""
        if gap.damaged:
            raise Problem("damaged")
        for event in gap.events:
            if (event.n or 0) > self.length:
                self._match.happen(event)
        if not self.is_behind:
            return
        if gap.tokens is not None:
            self._tokens.all = list(gap.tokens)
        if gap.next_secret is not None:
            self._rematch.adopt(gap.next_secret)
        self.due, self.length = due_at(self._match, self._services.now()), len(self._match.events)


def _is_soon(due: int | None, now: int) -> bool:
    return due is not None and due < now + SOON_MILLISECONDS
