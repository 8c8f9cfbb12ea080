"""What the store takes and gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from escale.match.events import Event, Header


class Token(NamedTuple):
    """What holds seats; only its SHA-256 is known here."""

    sha256: str
    """In hexadecimal."""
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table that somebody opens."""

    id: str
    header: Header
    secret: str | None
    public: bool = False
    tokens: Sequence[tuple[str, Sequence[int]]] = ()
    """Pairs of a token's SHA-256, in hexadecimal, and the seats it holds."""
    due: int | None = None
    """When something will happen by itself, in Unix milliseconds; None: when somebody comes."""
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
    """Whether the host has closed it: nobody plays there any more."""
    muted: bool = False
    """Whether the host has closed its chat."""


@dataclass(frozen=True, slots=True)
class Gap:
    """What has happened at a table after an event that one knows."""

    events: list[Event]
    tokens: tuple[Token, ...] | None = None
    """All that hold seats now, where somebody sat down."""
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
