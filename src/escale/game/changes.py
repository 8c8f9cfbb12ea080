"""The changes on the table during a move, one after another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from escale.game.scene import Cells

WIRE = ("kind", "piece", "at", "to", "over")
"""The fields that are sent to browsers, in addition to `way`; scenes have the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that happens on the table, with its effect on the cells.

    Each of the usual kinds has a constructor. A game may have kinds of its own: any word, with a
    sentence `change.KIND` in the game's texts.
    """

    kind: str
    piece: str | None = None
    """The kind of the piece, as the table shows it afterwards."""
    at: str | None = None
    """The place where it happens, or from which the piece comes."""
    to: str | None = None
    """The place to which the piece goes."""
    over: str | None = None
    """The cell that is jumped; or the seat whose piece pushes this one."""
    way: tuple[str, ...] = ()
    """The cells between `at` and `to` through which the piece goes, if it goes through any."""
    cells: Mapping[str, str | int | None] = field(default_factory=dict)
    """The piece on each cell afterwards; None empties a cell."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """The number of pieces that each area gains, negative if it loses some."""
    values: Mapping[str, int] = field(default_factory=dict)
    """Numbers in its sentence. A change that has any explains the changes after it."""
    look: tuple[str, ...] = ()
    """Places to look at before it happens: people see the table as it was for a moment, with these
    lit. A trick is taken away only when all players have seen it."""

    @classmethod
    def moved(cls, piece: str, at: str, to: str) -> Change:
        """A piece goes from one cell to another."""
        return cls(kind="moved", piece=piece, at=at, to=to, cells={at: None, to: piece})

    @classmethod
    def jumped(cls, piece: str, at: str, to: str, over: str) -> Change:
        """A piece jumps over another; what happens to that one is a change of its own."""
        return cls(
            kind="jumped", piece=piece, at=at, to=to, over=over, cells={at: None, to: piece}
        )

    @classmethod
    def turned(cls, piece: str, at: str) -> Change:
        """The piece on a cell becomes another kind of piece."""
        return cls(kind="turned", piece=piece, at=at, cells={at: piece})

    @classmethod
    def captured(cls, piece: str, at: str) -> Change:
        """A piece leaves the game."""
        return cls(kind="captured", piece=piece, at=at, cells={at: None})

    @classmethod
    def placed(cls, piece: str, to: str, at: str | None = None) -> Change:
        """A piece is put on a cell, from an area or out of the box."""
        counts = {} if at is None else {at: -1}
        return cls(kind="placed", piece=piece, at=at, to=to, cells={to: piece}, counts=counts)

    @classmethod
    def taken(cls, piece: str, at: str, to: str) -> Change:
        """A piece goes from a cell to an area."""
        return cls(kind="taken", piece=piece, at=at, to=to, cells={at: None}, counts={to: 1})

    def apply(self, cells: Cells) -> None:
        """Change `cells` to what they are after this change."""
        for area, gained in self.counts.items():
            cells[area] = int(cells[area]) + gained
        for cell, piece in self.cells.items():
            if piece is None:
                cells.pop(cell, None)
            else:
                cells[cell] = piece

    def as_json(self) -> dict[str, Any]:
        """The fields that are sent, without empty ones."""
        fields = {name: getattr(self, name) for name in WIRE}
        known = {name: value for name, value in fields.items() if value is not None}
        return {**known, "way": self.way} if self.way else known


def retell(cells: Cells, changes: Iterable[Change]) -> Cells:
    """The table after the changes, by the effects that they state."""
    cells = dict(cells)
    for change in changes:
        change.apply(cells)
    return cells
