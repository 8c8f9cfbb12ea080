"""Symmetries of the rules: boards turned or mirrored, seats that change places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from escale.game.scene import Cells


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A way to rename cells and pieces that does not change the rules of a game for two."""

    places: Mapping[str, str] = field(default_factory=dict)
    """The new place for the content of each cell or area that changes its place."""
    pieces: Mapping[str, str] = field(default_factory=dict)
    """The new kind of each kind of piece that changes."""
    swaps: bool = False
    """Whether the two seats change places."""

    def of(self, cells: Cells, turn: int) -> tuple[Cells, int]:
        """The table and the seat to move after the symmetry."""
        return {
            self.places.get(place, place): self.pieces.get(str(piece), piece)
            for place, piece in cells.items()
        }, 1 - turn if self.swaps else turn

    def then(self, other: Symmetry) -> Symmetry:
        """Both, one after the other."""
        return Symmetry(
            _composed(self.places, other.places), _composed(self.pieces, other.pieces),
            self.swaps != other.swaps,
        )


def _composed(first: Mapping[str, str], second: Mapping[str, str]) -> dict[str, str]:
    names = {*first, *second}
    return {name: second.get(first.get(name, name), first.get(name, name)) for name in names}
