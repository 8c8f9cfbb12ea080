"""Scenes: what a table looks like, as plain data that any renderer can draw.

A game describes its `Board` once: cells, kinds of pieces, areas beside the board. Shared code
turns what stands on a table into a `Scene`. A cell is about 100 units wide; y grows downwards; a
piece's symbol is drawn in the box from -50 to 50.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

Cells = dict[str, str | int]
"""What stands where: a piece's name for a cell, a number of pieces for an area."""


class Label(NamedTuple):
    """Something written on the board."""

    x: float
    y: float
    text: str
    style: str = "label"
    """The `<text>` of the game's art that says how it looks."""


class Tally(NamedTuple):
    """Something that a game counts for a seat; its words are in the game's texts."""

    name: str
    number: int = 0
    of: int | None = None
    """The most that is possible, or that is needed."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place on the board."""

    id: str
    x: float
    y: float
    outline: tuple[tuple[float, float], ...] = ()
    """Its corners; a cell without any is a round hole."""
    symbol: str = ""
    """The symbol that draws it, if it is not the one for its name or for all cells."""
    extra: bool = False
    """Not a cell of its own: a place shown a second time, or a handle for several places."""
    glyph: str = "·"
    """The character that stands for it, empty, in a text board."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of piece."""

    symbol: str
    """The symbol that draws it, in the game's `art.svg`."""
    glyph: str
    """The character that stands for it in a text board."""
    letter: str
    """The letter that stands for it in a position's text."""
    owner: int | None = None
    """The seat that it belongs to."""
    facing: int | None = None
    """Degrees clockwise by which the symbol is turned; None for what has no front, and is drawn
    upright from whichever side one looks."""


@dataclass(frozen=True, slots=True)
class Area:
    """A place beside the board that holds a number of pieces of one kind."""

    id: str
    """Its name among a position's cells."""
    atom: str
    """Its name in a move."""
    kind: str
    spots: tuple[tuple[float, float], ...]
    """Where its pieces lie, in the order in which they fill it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """All that does not change while a game is played."""

    width: float
    height: float
    cells: tuple[Cell, ...]
    kinds: Mapping[str, Kind]
    rows: tuple[tuple[str, ...], ...]
    """The cells in the order in which a position's text lists them."""
    areas: tuple[Area, ...] = ()
    labels: tuple[Label | tuple[float, float, str], ...] = ()
    """Names of columns and rows along the margin: x, y, text."""
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The cells that stand for an atom, where one may point at several: all of a column."""

    def scene(self, cells: Cells, *, turn: int | None) -> Scene:
        """The scene in which `cells` stand on this board."""
        pieces = [
            Piece(cell.id, name, kind.symbol, kind.glyph, kind.owner, cell.x, cell.y, kind.facing)
            for cell in self.cells
            if isinstance(name := cells.get(cell.id), str)
            for kind in [self.kinds[name]]
        ]
        for area in self.areas:
            kind = self.kinds[area.kind]
            pieces += [
                Piece(area.id, area.kind, kind.symbol, kind.glyph, kind.owner, x, y, kind.facing)
                for x, y in area.spots[: int(cells.get(area.id, 0))]
            ]
        labels = tuple(Label(*label) for label in self.labels)
        return Scene(
            self.width, self.height, self.cells, tuple(pieces), self.areas, labels, turn=turn,
            places=self.places,
        )


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the table."""

    at: str
    """The cell or the area it is in."""
    name: str
    symbol: str
    glyph: str
    owner: int | None
    x: float
    y: float
    facing: int | None
    label: str = ""
    """What is written on it, such as the value of a card."""
    atom: str = ""
    """Its name in a move, where that is not the name of the place it is in."""
    faded: bool = False
    """Whether the rules forbid using it now."""
    extra: bool = False
    """Shown a second time: drawn faintly, and not counted."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a scene that may be shown by itself, where the whole does not fit."""

    id: str
    x: float
    y: float
    width: float
    height: float
    focus: tuple[float, float] | None = None
    """The point to show first, where the panel does not fit either."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A table as one viewer sees it."""

    width: float
    height: float
    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    areas: tuple[Area, ...]
    labels: tuple[Label, ...]
    turn: int | None = None
    highlights: Mapping[str, str] = field(default_factory=dict)
    """Cells and areas to highlight, each with a reason: `last`, `next`, `chosen`, `refused`, `look`
    or `end`."""
    flipped: bool = False
    tallies: Mapping[str, tuple[Tally, ...]] = field(default_factory=dict)
    """What the game counts for each seat, by the seat's name, if it counts anything."""
    panels: tuple[Panel, ...] = ()
    """The parts into which it can be cut; none, where it is always shown whole."""
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The board's: by the names of cells, so that a turned board means the same."""

    def lit(self, reason: str, places: Iterable[str]) -> Scene:
        """The same scene with some places highlighted."""
        return replace(self, highlights={**self.highlights, **dict.fromkeys(places, reason)})

    def flip(self) -> Scene:
        """The same scene from the other side of the table."""

        def turned(x: float, y: float) -> tuple[float, float]:
            return self.width - x, self.height - y

        return replace(
            self,
            cells=tuple(
                replace(
                    cell, x=self.width - cell.x, y=self.height - cell.y,
                    outline=tuple(turned(x, y) for x, y in cell.outline),
                )
                for cell in self.cells
            ),
            pieces=tuple(
                replace(
                    piece, x=self.width - piece.x, y=self.height - piece.y,
                    facing=None if piece.facing is None else (piece.facing + 180) % 360,
                )
                for piece in self.pieces
            ),
            areas=tuple(
                replace(area, spots=tuple(turned(x, y) for x, y in area.spots))
                for area in self.areas
            ),
            labels=tuple(
                label._replace(x=self.width - label.x, y=self.height - label.y)
                for label in self.labels
            ),
            panels=tuple(
                replace(
                    panel, x=self.width - panel.x - panel.width,
                    y=self.height - panel.y - panel.height,
                    focus=turned(*panel.focus) if panel.focus else None,
                )
                for panel in self.panels
            ),
            flipped=not self.flipped,
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        plain = _plain(self)
        for name in ("cells", "pieces", "areas", "panels"):
            plain[name] = tuple(_plain(item) for item in plain[name])
        return plain


def _plain(item: Any) -> dict[str, Any]:
    """The fields of a dataclass with slots, as they are: `asdict` would copy every number."""
    return {name: getattr(item, name) for name in item.__slots__}


def regular(x: float, y: float, radius: float, sides: int, turn: float = 0) -> tuple[
    tuple[float, float], ...
]:
    """The corners of a regular polygon; `turn` in degrees."""
    angles = [math.radians(360 * i / sides + turn) for i in range(sides)]
    return tuple(
        (round(x + radius * math.cos(a), 2), round(y + radius * math.sin(a), 2)) for a in angles
    )
