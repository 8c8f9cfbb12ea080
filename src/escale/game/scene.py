"""Scenes: a table as plain data that any renderer can draw.

A game describes its `Board` once: cells, kinds of pieces, areas beside the board. Shared code turns
the cells of a position into a `Scene`. A cell is about 100 units wide; y grows downwards; a piece's
symbol is drawn in the box from -50 to 50.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

Cells = dict[str, str | int]
"""The content of each place: a piece's name for a cell, a number of pieces for an area."""


class Caption(NamedTuple):
    """A sentence of the game's texts, which renderers say in the reader's language."""

    key: str
    values: Mapping[str, int] | None = None
    """The values for its gaps."""


class Label(NamedTuple):
    """Something written on the board."""

    x: float
    y: float
    text: str | Caption
    style: str = "label"
    """The `<text>` of the game's art that defines its looks."""


class Tally(NamedTuple):
    """Something that a game counts for a seat; its words are in the game's texts."""

    name: str
    number: int = 0
    of: int | None = None
    """The highest possible or required value."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place on the board."""

    id: str
    x: float
    y: float
    outline: tuple[tuple[float, float], ...] = ()
    """Its corners; a cell without any is a round hole."""
    symbol: str = ""
    """Its symbol, if that is not the one for its name or for all cells."""
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
    """The degrees clockwise by which the symbol is turned; None for a piece without a front, which
    is drawn upright from both sides.
    """


@dataclass(frozen=True, slots=True)
class Area:
    """A place beside the board that holds a number of pieces of one kind."""

    id: str
    """Its name among a position's cells."""
    atom: str
    """Its name in a move."""
    kind: str
    spots: tuple[tuple[float, float], ...]
    """The places of its pieces, in the order in which they are filled."""


@dataclass(frozen=True, kw_only=True)
class Board:
    """The parts of the table that do not change while a game is played."""

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
    """The cells that stand for an atom, if there are several: all cells of a column."""

    @cached_property
    def cell_names(self) -> frozenset[str]:
        """The names of all cells."""
        return frozenset(cell.id for cell in self.cells)

    @cached_property
    def _written(self) -> tuple[Label, ...]:
        return tuple(Label(*label) for label in self.labels)

    @cached_property
    def _standing(self) -> dict[str, dict[str, Piece]]:
        """Every kind of piece on every cell: created once, because scenes are created often."""
        return {
            cell.id: {name: self.piece(name, cell.id, cell.x, cell.y) for name in self.kinds}
            for cell in self.cells
        }

    @cached_property
    def _lying(self) -> dict[str, tuple[Piece, ...]]:
        """All pieces that an area has room for."""
        return {
            area.id: tuple(self.piece(area.kind, area.id, x, y) for x, y in area.spots)
            for area in self.areas
        }

    def piece(self, name: str, at: str, x: float, y: float, **more: Any) -> Piece:
        """A piece of this kind."""
        kind = self.kinds[name]
        return Piece(at, name, kind.symbol, kind.glyph, kind.owner, x, y, kind.facing, **more)

    def scene(
        self, cells: Cells, *, turn: int | None,
        tallies: Mapping[str, tuple[Tally, ...]] | None = None,
        hulls: tuple[tuple[str, ...], ...] = (),
    ) -> Scene:
        """The scene with `cells` on this board."""
        pieces = [
            standing[name]
            for at, standing in self._standing.items()
            if isinstance(name := cells.get(at), str)
        ]
        for at, lying in self._lying.items():
            pieces += lying[: int(cells.get(at, 0))]
        return Scene(
            self.width, self.height, self.cells, tuple(pieces), self.areas, self._written,
            turn=turn, tallies=tallies or {}, places=self.places, hulls=hulls,
        )


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the table."""

    at: str
    """The cell or the area in which it stands."""
    name: str
    symbol: str
    glyph: str
    owner: int | None
    x: float
    y: float
    facing: int | None
    label: str = ""
    """The text on it, such as the value of a card."""
    atom: str = ""
    """Its name in a move, if that is not the name of its place."""
    faded: bool = False
    """Whether the rules forbid using it now."""
    extra: bool = False
    """Shown a second time: drawn faintly, and not counted."""

    def __hash__(self) -> int:
        return hash((self.at, self.name, self.x))


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a scene that renderers can place by itself, as they have room."""

    id: str
    x: float
    y: float
    width: float
    height: float
    kind: str = "board"
    """A `board` may be enlarged, so that only a part of it is in sight; a `tile` is one of several,
    side by side or in columns; a `strip` runs along the lower edge. Tiles and strips are shown
    whole.
    """
    focus: tuple[tuple[float, float], ...] = ()
    """The points to keep in sight if the board does not fit, the most important first."""


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
    quarters: int = 0
    """Quarter turns clockwise from how the board was described: 2 is from the other side."""
    tallies: Mapping[str, tuple[Tally, ...]] = field(default_factory=dict)
    """What the game counts for each seat, by the names of seats."""
    panels: tuple[Panel, ...] = ()
    """The parts into which it can be divided; empty if it is always shown whole."""
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The places of the board for each atom, by the names of cells: turning the board keeps them.
    """
    hulls: tuple[tuple[str, ...], ...] = ()
    """Cells that together form one thing, such as a canoe, in the order of a line through them:
    renderers draw a hull under the pieces.
    """

    def lit(self, reason: str, places: Iterable[str]) -> Scene:
        """The same scene with some places highlighted."""
        return self.with_highlights(dict.fromkeys(places, reason))

    def with_highlights(self, reasons: Mapping[str, str]) -> Scene:
        """The same scene with places highlighted, each for its reason."""
        return Scene(               # faster than `replace`: every move highlights places
            self.width, self.height, self.cells, self.pieces, self.areas, self.labels, self.turn,
            {**self.highlights, **reasons}, self.quarters, self.tallies, self.panels, self.places,
            self.hulls,
        )

    def flip(self) -> Scene:
        """The same scene from the other side of the table."""
        return self.turned(2)

    def turned(self, quarters: int) -> Scene:
        """The same scene, turned clockwise by quarters. Texts on it stay upright."""
        quarters %= 4
        width, height = (self.height, self.width) if quarters % 2 else (self.width, self.height)

        def spot(x: float, y: float) -> tuple[float, float]:
            return (
                (x, y), (self.height - y, x), (self.width - x, self.height - y), (y, self.width - x)
            )[quarters]

        def facing(degrees: int | None) -> int | None:
            return None if degrees is None else (degrees + 90 * quarters) % 360

        def moved(item: Any, **more: Any) -> Any:
            x, y = spot(item.x, item.y)
            return replace(item, x=x, y=y, **more)

        def framed(panel: Panel) -> Panel:
            ax, ay = spot(panel.x, panel.y)
            bx, by = spot(panel.x + panel.width, panel.y + panel.height)
            return replace(
                panel, x=min(ax, bx), y=min(ay, by), width=abs(bx - ax), height=abs(by - ay),
                focus=tuple(spot(*point) for point in panel.focus),
            )

        return replace(
            self, width=width, height=height, quarters=(self.quarters + quarters) % 4,
            cells=tuple(
                moved(cell, outline=tuple(spot(*corner) for corner in cell.outline))
                for cell in self.cells
            ),
            pieces=tuple(moved(piece, facing=facing(piece.facing)) for piece in self.pieces),
            areas=tuple(
                replace(area, spots=tuple(spot(*one) for one in area.spots)) for area in self.areas
            ),
            labels=tuple(
                Label(*spot(label.x, label.y), label.text, label.style) for label in self.labels
            ),
            panels=tuple(framed(panel) for panel in self.panels),
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        plain = _plain(self)
        for name in ("cells", "pieces", "areas", "panels"):
            plain[name] = tuple(_plain(item) for item in plain[name])
        return plain


def _plain(item: Any) -> dict[str, Any]:
    """The fields of a dataclass with slots, without copies: `asdict` would copy every number."""
    return {name: getattr(item, name) for name in item.__slots__}


def regular(x: float, y: float, radius: float, sides: int, turn: float = 0) -> tuple[
    tuple[float, float], ...
]:
    """The corners of a regular polygon; `turn` in degrees."""
    angles = [math.radians(360 * i / sides + turn) for i in range(sides)]
    return tuple(
        (round(x + radius * math.cos(a), 2), round(y + radius * math.sin(a), 2)) for a in angles
    )
