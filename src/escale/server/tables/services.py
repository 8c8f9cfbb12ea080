"""The services of the house that tables use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from escale.match.match import Match
from escale.server.cluster.port import Cluster
from escale.server.tables.accounts import Accounts
from escale.server.tables.counts import Counts
from escale.server.tables.people import People
from escale.store import Token

if TYPE_CHECKING:
    from escale.server.tables.computers import Thinkers
    from escale.server.tables.table import Table
    from escale.store import Store


class SetUpTable(Protocol):
    """Stores a new table, and begins its match if no seat is open."""

    def __call__(
        self, id: str, match: Match, *, public: bool, tokens: Sequence[Token],
        charged_address: str = "",
    ) -> Awaitable[Table]:
        """The new table."""


@dataclass(frozen=True, slots=True)
class Services:
    """The services that the tables of a house share."""

    store: Store
    cluster: Cluster
    thinkers: Thinkers
    counts: Counts
    now: Callable[[], int]
    """The time in Unix milliseconds."""
    away: float
    """Seconds after which the other players may let the computer play for a person who left."""
    phrases_only: bool
    """Whether no table of the house has free chat."""
    accounts: Callable[[], Accounts]
    people: Callable[[], People]
    closed_since: Callable[[int], int]
    """The milliseconds for which the house was closed since a time."""
    start: Callable[[Coroutine[Any, Any, None]], None]
    """Runs a coroutine in the background."""
    find_table: Callable[[str], Awaitable[Table | None]]
    set_up_table: SetUpTable
    forget_table: Callable[[Table], None]
    """Removes a table from memory; the store has it."""
    note_use: Callable[[Table], None]
    """Counts the memory that a table takes, after it was used."""
    note_change: Callable[[Table], None]
    """Tells all listeners that a table has new events, which are stored."""
