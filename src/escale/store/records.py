"""Records: the values that the store accepts and returns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from escale.match.events import Event, Header
from escale.match.limits import Line, Name

Integer = Annotated[int, Meta(ge=-(1 << 63), le=(1 << 63) - 1)]
"""What a column of a database can hold."""


class Token(NamedTuple):
    """A token that holds seats; the database has only its SHA-256."""

    sha256: str
    """In hexadecimal."""
    seats: tuple[int, ...]


class Bot(NamedTuple):
    """A program that plays under a name of its own."""

    name: Name
    sha256: str
    """The SHA-256 of its token, in hexadecimal."""
    created: Integer
    """In Unix milliseconds."""
    about: Line = ""
    """Its description, in one line."""
    games: tuple[str, ...] = ()
    """The games that it plays; empty if it may be challenged to any game."""
    won: Integer = 0
    drawn: Integer = 0
    lost: Integer = 0

    def plays(self, game: str) -> bool:
        """Whether it may be challenged to a game."""
        return not self.games or game in self.games

    def row(self) -> dict[str, Any]:
        """The row for the database."""
        return {**self._asdict(), "games": json.dumps(self.games)}

    @classmethod
    def kept(cls, row: Mapping[str, Any]) -> Bot:
        """Read a row of the database; rows of earlier versions lack some fields."""
        return cls(**{**row, "games": tuple(json.loads(row.get("games", "[]")))})


class BotResult(NamedTuple):
    """How a match has ended for the bot of a token."""

    sha256: str
    won: int = 0
    drawn: int = 0
    lost: int = 0


class Notebook(NamedTuple):
    """What one person keeps in this house."""

    id: str
    holder: str
    """Under which it holds seats, among the SHA-256 of tokens."""
    created: Integer
    seen: Integer
    name: str = ""
    lang: str = ""
    progress: str = "{}"
    rated: bool = False
    """Whether its owner wants a rating."""
    holiday: str = "{}"


class Wishes(NamedTuple):
    """The wishes of a notebook that hold at tables."""

    id: str
    holder: str
    rated: bool
    holiday: str


class Device(NamedTuple):
    """A browser that opens a notebook."""

    sha256: str
    notebook_id: str
    label: str
    created: Integer
    seen: Integer


class Endpoint(NamedTuple):
    """An address to which a person wants notices that a game waits."""

    id: str
    notebook_id: str
    kind: str
    """`push`, `mail`, `ntfy`, `hook` or `feed`."""
    address: str
    created: Integer
    failures: int = 0
    keys: str = ""
    """The public keys of a browser, as JSON."""
    sha256: str | None = None
    """Of the secret in the address of a feed."""
    confirmed: bool = True
    pace: str = "now"
    """`now`, `daily` or `twice`: when notices are sent."""
    zone: str = ""
    """The time zone of its owner's days."""


class OutboxRow(NamedTuple):
    """A notice for an endpoint about a table; an earlier one about this table is replaced."""

    endpoint: str
    at: int | None
    """When it is to be sent, in Unix milliseconds; None if there is nothing to tell any longer."""
    why: str = "turn"
    """`turn`, `seat` or `nudge`."""


class Waiting(NamedTuple):
    """A notice that waits in the outbox."""

    endpoint: str
    table: str
    n: int
    at: int
    why: str


class RatedGame(NamedTuple):
    """A game that counts for ratings, when it is over."""

    table: str
    at: Integer
    game: str
    players: tuple[str, ...]
    """The notebook of each seat."""
    shares: tuple[float, ...]
    """Each seat's share of the win."""

    def row(self) -> dict[str, Any]:
        """The row for the database."""
        return {
            "table_id": self.table, "at": self.at, "game": self.game,
            "players": json.dumps(self.players), "shares": json.dumps(self.shares),
        }

    @classmethod
    def kept(cls, row: Mapping[str, Any]) -> RatedGame:
        """Read a row of the database."""
        return cls(row["table_id"], row["at"], row["game"], tuple(json.loads(row["players"])),
                   tuple(json.loads(row["shares"])))


class HeldTable(NamedTuple):
    """A table at which a notebook holds seats."""

    id: str
    over: bool
    changed: int
    """When the last event happened, in Unix milliseconds."""


class EveningToken(NamedTuple):
    """What a holder, by its SHA-256, holds in an evening: a guest's number, or the host's rights.
    """

    sha256: str
    who: int


class EveningRow(NamedTuple):
    """An event, as the database has it."""

    n: Integer
    at: Integer
    entry: str


class KeptEvening(NamedTuple):
    """An evening with everything that belongs to it."""

    id: str
    plan: str
    """The plan with which it began, as JSON."""
    code: str
    series: str
    """Evenings of one series have the same."""
    secret: str
    """The names of its tables follow from it."""
    created: Integer
    changed: Integer
    """When the last event happened. Times are Unix milliseconds."""
    closed: bool
    tokens: tuple[EveningToken, ...] = ()
    events: tuple[EveningRow, ...] = ()


class ListedEvening(NamedTuple):
    """An evening in a list; its events are not read."""

    id: str
    plan: str
    created: int
    changed: int
    closed: bool


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to be opened."""

    id: str
    header: Header
    secret: str | None
    public: bool = False
    tokens: Sequence[tuple[str, Sequence[int]]] = ()
    """Pairs of a token's SHA-256, in hexadecimal, and the seats it holds."""
    due: int | None = None
    """When the house has to act there, in Unix milliseconds; None for never."""
    next_secret: str | None = None
    """The secret of the rematch."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A stored table, with everything that belongs to it."""

    id: str
    header: Header
    secret: str | None
    public: bool
    created: int
    """In Unix milliseconds."""
    tokens: tuple[Token, ...]
    events: list[Event]
    due: int | None
    next_secret: str | None
    closed: bool = False
    """Whether the host has closed it: no more moves are accepted."""
    muted: bool = False
    """Whether the host has closed its chat."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The changes of a table after an event that the caller knows."""

    events: list[Event]
    tokens: tuple[Token, ...] | None = None
    """All tokens with seats now; None if they are unchanged."""
    next_secret: str | None = None
    """The secret of the rematch, if the match has ended."""
    damaged: bool = False
    """Whether it cannot be read as it was written."""
    closed: bool = False
    muted: bool = False
    """The host's decisions."""
    deleted: bool = False
    """Whether the table was deleted."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list; its contents are not read, so a damaged table does not break the list."""

    id: str
    changed: int
    """When the last event happened, in Unix milliseconds."""
    events: int
    """The number of its events."""
