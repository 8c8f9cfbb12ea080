"""What a table needs of the house, and nothing else of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from escale.match.match import Match
from escale.server.metrics.counts import Counts
from escale.server.tables.company import AnyCompany
from escale.server.tables.computers import Thinkers
from escale.store import Store, Token

if TYPE_CHECKING:
    from escale.server.tables.table import Table


class SetUp(Protocol):
    """Writes a new table down, and lets it begin if nobody is missing."""

    def __call__(
        self, id: str, match: Match, *, public: bool, tokens: Sequence[Token], patron: str = ""
    ) -> Awaitable[Table]:
        """The new table."""


@dataclass(frozen=True, slots=True)
class Services:
    """What tables are given."""

    store: Store
    thinkers: Thinkers
    now: Callable[[], int]
    """The time in Unix milliseconds."""
    company: AnyCompany
    """The other processes of the house."""
    opened: Callable[[], int]
    """What happened before then, another house saw; the time between was nobody's."""
    away: float
    """Seconds after which the others may let the computer play for somebody who left."""
    background: Callable[[Coroutine[Any, Any, None]], None]
    """Does something without anybody waiting for it."""
    find: Callable[[str], Awaitable[Table | None]]
    """The table of a name."""
    set_up: SetUp
    seated: Callable[[str, Iterable[str]], None]
    """Tells bots, by the SHA-256 of their tokens, that they have seats at a table."""
    counts: Counts
    forget: Callable[[Table], None]
    """Lets a table out of memory; the store has it."""
