"""Moves as people and programs see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from escale.play.position import Position

Atoms = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happens on the table during a move, in the order in which it happens."""

    kind: str
    """`moved`, `jumped`, `turned`, `placed`, `taken`, `captured`, `drawn`, `passed`, `closed-up` …:
    each has a sentence in the texts."""
    piece: str | None = None
    """What it happens to, as the table shows it afterwards."""
    at: str | None = None
    """Where it happens, or where the piece comes from."""
    to: str | None = None
    """Where the piece goes."""
    over: str | None = None
    """What is jumped."""
    changes: Mapping[str, str | int | None] | None = None
    """What becomes of the table's cells, where the kind of event does not say it; None empties."""

    def as_json(self) -> dict[str, Any]:
        """The event without its empty fields."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in fields.items() if value is not None}


class Move:
    """A whole turn of one seat, every jump and every choice in it included.

    Moves compare equal when they are the same move of equal positions.
    """

    __slots__ = ("_atoms", "_events", "code", "position")

    def __init__(self, position: Position, code: int) -> None:
        self.position = position
        self.code = code
        """What the kernel calls it."""
        self._atoms: Atoms | None = None
        self._events: tuple[Event, ...] | None = None

    @property
    def atoms(self) -> Atoms:
        """What one points at to make it, in order."""
        if self._atoms is None:             # most moves of a position are never looked at
            self._atoms = self.position.spell(self.code)
        return self._atoms

    @property
    def text(self) -> str:
        """Its notation, such as `d2-d3`."""
        return self.position.game.join(self.atoms)

    def label(self, lang: str) -> str:
        """The move as people read it, such as `d5 – colonne f – au nord`."""
        return self.position.game.spell(self.atoms, lang)

    @property
    def events(self) -> tuple[Event, ...]:
        """What happens on the table."""
        if self._events is None:
            position = self.position
            self._events = tuple(position.game.events(position.kernel(), self.code))
        return self._events

    def seen_by(self, seat: int | None) -> tuple[Event, ...]:
        """What a seat sees of the events; None sees everything."""
        game = self.position.game
        return tuple(game.seen_event(event, seat) for event in self.events)

    def narrate(self, lang: str, seat: int | None = None) -> str:
        """The move told in a sentence, for the log and for those who do not see the board."""
        game = self.position.game
        return " ".join(game.narrate(event, lang) for event in self.seen_by(seat))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self.code == other.code and self.position == other.position

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"<Move {self.text}>"
