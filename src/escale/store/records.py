"""Records: the values that the store accepts and returns."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from escale.match.events import Event, Header


class Token(NamedTuple):
    """A token that holds seats; the database has only its SHA-256."""

    sha256: str
    """In hexadecimal."""
    seats: tuple[int, ...]


class Bot(NamedTuple):
    """A program that plays under a name of its own."""

    name: str
    sha256: str
    """Of its token, in hexadecimal."""
    created: int
    """In Unix milliseconds."""
    about: str = ""
    """What it is, in one line."""
    games: tuple[str, ...] = ()
    """The games that it plays; none where it has not said so, and may be asked for any."""
    won: int = 0
    drawn: int = 0
    lost: int = 0

    def plays(self, game: str) -> bool:
        """Whether it may be challenged to a game."""
        return not self.games or game in self.games

    def row(self) -> dict[str, Any]:
        """As the database keeps it."""
        return {**self._asdict(), "games": json.dumps(self.games)}

    @classmethod
    def kept(cls, row: Mapping[str, Any]) -> Bot:
        """As the database has kept it; one of an earlier version lacks something."""
        return cls(**{**row, "games": tuple(json.loads(row.get("games", "[]")))})


class BotResult(NamedTuple):
    """How a match has ended for the bot of a token."""

    sha256: str
    won: int = 0
    drawn: int = 0
    lost: int = 0


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
    """When something will happen by itself, in Unix milliseconds; None: when a visitor comes."""
    next_secret: str | None = None
    """The secret of the rematch."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything that is known of a table."""

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
    """What has happened at a table after an event that one knows."""

    events: list[Event]
    tokens: tuple[Token, ...] | None = None
    """All that hold seats now, where a person sat down."""
    next_secret: str | None = None
    """The secret of the rematch, where the match has ended."""
    damaged: bool = False
    """Whether it cannot be read as it was written."""
    closed: bool = False
    muted: bool = False
    """What the host has decided."""
    deleted: bool = False
    """Whether there is no such table any more."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list; what is in it is not read, so that a damaged one hides no other."""

    id: str
    changed: int
    """When the last event happened, in Unix milliseconds."""
    events: int
    """How many there are."""
