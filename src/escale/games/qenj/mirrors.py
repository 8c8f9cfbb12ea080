"""Tables of the family that the rules do not distinguish.

Columns lie on a ring, so it does not matter which of them is named first; if pieces go both ways,
the direction of the names does not matter, either. Colours may change places, as may North and
South, and the seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from escale.game.scene import Cells
from escale.games.qenj.box import Box, cell
from escale.games.qenj.moves import SEATS

Column = tuple[str | None, ...]


def mirrors(box: Box, cells: Cells, turn: int, *, both_ways: bool) -> Iterator[tuple[Cells, int]]:
    """All of them once play has begun, including the table itself, closed up."""
    columns = [
        tuple(cells.get(cell(column, row)) for row in range(box.cells))
        for column in range(box.columns)
    ]
    left: list[Column] = [
        tuple(None if piece is None else str(piece) for piece in column)
        for column in columns if any(column)
    ]
    rings = [left, left[::-1]] if both_ways else [left]
    turns = [ring[first:] + ring[:first] for ring in rings for first in range(len(left))]
    colours = [dict(zip(box.colours, order, strict=True)) for order in permutations(box.colours)]
    sides = [(False, False), (True, True)]      # with fixed sides the seats turn with the board
    if box.fact("chooser") >= 0:
        sides += [(False, True), (True, False)]
    for ring, names, (flipped, swapped) in product(turns, colours, sides):
        new: Cells = {
            cell(column, row): _recoloured(piece, names)
            for column, pieces in enumerate(ring)
            for row, piece in enumerate(pieces[::-1] if flipped else pieces) if piece is not None
        }
        # A seat's side changes with the ends of the columns, and again with the seats.
        if "north" in cells:
            north = SEATS.index(str(cells["north"]))
            new["north"] = SEATS[north ^ flipped ^ swapped]
        if box.goal:
            out = [cells[f"{seat} out"] for seat in SEATS]
            new |= {f"{seat} out": taken
                    for seat, taken in zip(SEATS, out[::-1] if swapped else out, strict=True)}
        yield new, turn ^ swapped


def _recoloured(piece: str, names: dict[str, str]) -> str:
    colour, _, force = piece.partition(" ")
    return f"{names[colour]} {force}" if force else names[colour]
