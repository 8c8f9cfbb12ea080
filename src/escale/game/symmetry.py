"""Symmetries of the rules: boards turned or mirrored, seats that change places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from escale.game.scene import Cells


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A way to rename cells and pieces that leaves the rules of a game of two as they are."""

    places: Mapping[str, str] = field(default_factory=dict)
    """Where what stands on a cell or in an area is afterwards, if somewhere else."""
    pieces: Mapping[str, str] = field(default_factory=dict)
    """What becomes of each kind of piece that does not stay as it is."""
    swaps: bool = False
    """Whether the two seats change places."""

    def of(self, cells: Cells, turn: int) -> tuple[Cells, int]:
        """The same table, and the seat to move, after it."""
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
