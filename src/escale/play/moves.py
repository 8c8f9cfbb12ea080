"""Moves as people and programs see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from escale.play.scene import Cells, Scene

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
    look: tuple[str, ...] | None = None
    """Places to look at before it happens: people see the table as it was for a moment, with these
    lit. A trick is taken away only when everybody has seen it."""

    def as_json(self) -> dict[str, Any]:
        """The event without its empty fields."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in fields.items() if value is not None}


def retell(cells: Cells, events: Iterable[Event]) -> Cells:
    """What stands where after the events, by the events alone."""
    cells = dict(cells)
    for event in events:
        piece, at, to = event.piece, event.at, event.to
        if event.kind in ("moved", "jumped"):
            assert piece is not None and at is not None and to is not None
            del cells[at]
            cells[to] = piece
        elif event.kind == "turned":
            assert piece is not None and at is not None
            cells[at] = piece
        elif event.kind == "placed":
            assert piece is not None and to is not None
            if at is not None:              # else it comes out of the box
                cells[at] = int(cells[at]) - 1
            cells[to] = piece
        elif event.kind == "taken":
            assert at is not None and to is not None
            del cells[at]
            cells[to] = int(cells[to]) + 1
        elif event.kind in ("laid", "seated"):
            assert at is not None and to is not None
            cells[at] = to
        elif event.kind == "closed-up":
            assert at is not None
            cells.pop(at, None)             # and what the table says of that column
        elif event.kind == "cleared":
            cells = {place: what for place, what in cells.items() if isinstance(what, int)}
        elif event.kind == "captured":
            assert at is not None
            del cells[at]
        for cell, value in (event.changes or {}).items():
            if value is None:
                cells.pop(cell, None)
            else:
                cells[cell] = value
    return cells


@dataclass(frozen=True, slots=True)
class Look:
    """A moment within a move at which people look at the table."""

    after: int
    """How many of the move's events have happened by then."""
    scene: Scene


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

    def looks(self, seat: int | None) -> Iterator[Look]:
        """The moments at which a seat should see the table, before the move goes on."""
        position, events = self.position, self.seen_by(seat)
        for number, event in enumerate(events):
            if event.look:
                cells = retell(position.game.seen(position.cells, seat), events[:number])
                scene = position.game.scene(cells, turn=None, options=position.options)
                yield Look(number, scene.lit("look", event.look))

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
