"""Square and hexagonal boards: names, bits, neighbours and where cells are drawn.

A cell is a letter for its column and a number from South, such as `c3`. Its bit is eight times one
coordinate plus the other, so that going in a direction always adds the same number to a bit:

    square(4)                  hexagon(2), columns a, b, c

    4  24 25 26 27                      b3 10
    3  16 17 18 19                a2 2        c2 17
    2   8  9 10 11                      b2  9
    1   0  1  2  3                a1 1        c1 16
        a  b  c  d                      b1  8

On a square board of eight files a step East or West may wrap into the next rank: mask the edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from escale.game.scene import Area, Board, Cell, Cells, Kind, regular
from escale.kernel import each_bit

LETTERS = "abcdefgh"

SQUARE = {"n": 8, "ne": 9, "e": 1, "se": -7, "s": -8, "sw": -9, "w": -1, "nw": 7}
"""The number that a step in each direction adds to a bit of a square board."""
HEXAGON = {"n": 1, "ne": 8, "se": 7, "s": -1, "sw": -8, "nw": -7}
"""The same on a hexagonal board."""


@dataclass(frozen=True)
class Grid:
    """The cells of a board and their neighbours."""

    cells: tuple[Cell, ...]
    bits: dict[str, int]
    """Each cell's bit in compiled rules."""
    directions: Mapping[str, int]
    rows: tuple[tuple[str, ...], ...]
    """The cells in the order of a position's text."""
    labels: tuple[tuple[float, float, str], ...]
    width: float
    height: float

    @cached_property
    def names(self) -> dict[int, str]:
        """The cell of each bit."""
        return {bit: cell for cell, bit in self.bits.items()}

    def step(self, cell: str, direction: str) -> str | None:
        """The next cell in a direction; None beyond the edge."""
        return self._neighbours[cell].get(direction)

    def neighbours(self, cell: str) -> list[str]:
        """The cells around a cell."""
        return list(self._neighbours[cell].values())

    @cached_property
    def _neighbours(self) -> dict[str, dict[str, str]]:
        places = {cell.id: cell for cell in self.cells}
        reach = 1.6 * min(
            math.dist((a.x, a.y), (b.x, b.y)) for a in self.cells for b in self.cells if a is not b
        )

        def next_to(cell: str, other: str) -> bool:
            a, b = places[cell], places[other]
            return math.dist((a.x, a.y), (b.x, b.y)) < reach    # nothing beyond the edge

        return {
            cell: {
                direction: other for direction, step in self.directions.items()
                if (other := self.names.get(bit + step)) is not None and next_to(cell, other)
            }
            for cell, bit in self.bits.items()
        }

    def mask(self, cells: Iterable[str]) -> int:
        """The bits of some cells."""
        return sum(1 << self.bits[cell] for cell in cells)

    def holding(self, cells: Cells, piece: str) -> int:
        """The bits of the cells on which a kind of piece stands."""
        return self.mask(cell for cell, what in cells.items() if what == piece)

    def named(self, bits: int) -> list[str]:
        """The cells of some bits."""
        return [self.names[bit] for bit in each_bit(bits)]

    def image(self, *, across: bool = False, along: bool = False) -> dict[str, str]:
        """Where each cell is when the board is mirrored, `across` left and right, `along` up and
        down, or both, which is half a turn.
        """
        return {
            cell.id: min(self.cells, key=lambda one: math.dist((one.x, one.y), (
                self.width - cell.x if across else cell.x,
                self.height - cell.y if along else cell.y,
            ))).id
            for cell in self.cells
        }

    def board(self, kinds: Mapping[str, Kind], areas: tuple[Area, ...] = ()) -> Board:
        """The board with these kinds of pieces."""
        return Board(
            width=self.width, height=self.height, cells=self.cells, kinds=kinds, rows=self.rows,
            areas=areas, labels=self.labels,
        )


def square(size: int, *, pitch: float = 100, margin: float = 60) -> Grid:
    """A square board of at most eight by eight cells, a1 at the bottom left."""
    if not 2 <= size <= 8:
        raise ValueError(f"a square board has 2 to 8 cells to a side, not {size}")
    side = size * pitch + 2 * margin
    half = pitch / 2
    cells = []
    for rank in range(size):
        for file in range(size):
            x, y = margin + file * pitch + half, side - margin - rank * pitch - half
            corners = (x - half, y - half), (x + half, y - half), (x + half, y + half), (
                x - half, y + half)
            cells.append(Cell(f"{LETTERS[file]}{rank + 1}", x, y, corners))
    ranks = [tuple(cell.id for cell in cells[size * r: size * (r + 1)]) for r in range(size)]
    return Grid(
        cells=tuple(cells),
        bits={cell.id: 8 * (i // size) + i % size for i, cell in enumerate(cells)},
        directions=SQUARE,
        rows=tuple(reversed(ranks)),
        labels=(
            *((cell.x, side - margin / 2, cell.id[0]) for cell in cells[:size]),
            *((margin / 2, cell.y, cell.id[1:]) for cell in cells[::size]),
        ),
        width=side, height=side,
    )


def hexagon(side: int, *, edge: float = 57, margin: float = 48) -> Grid:
    """A hexagon of hexagons, with two to four cells to a side and columns from South to North."""
    if not 2 <= side <= 4:
        raise ValueError(f"a hexagonal board has 2 to 4 cells to a side, not {side}")
    columns = 2 * side - 1
    lengths = [columns - abs(side - 1 - column) for column in range(columns)]
    width = (3 * side - 1) * edge + 2 * margin
    height = columns * edge * math.sqrt(3) + 2 * margin
    cells, bits, rows = [], {}, []
    for column, length in enumerate(lengths):
        names = [f"{LETTERS[column]}{number + 1}" for number in range(length)]
        for number, name in enumerate(names):
            x = width / 2 + (column - side + 1) * 1.5 * edge
            y = height / 2 - (number - (length - 1) / 2) * math.sqrt(3) * edge
            cells.append(Cell(name, round(x, 2), round(y, 2), regular(x, y, edge, 6)))
            bits[name] = 8 * column + number + max(0, side - 1 - column)
        rows.append(tuple(names))
    return Grid(
        cells=tuple(cells), bits=bits, directions=HEXAGON, rows=tuple(rows),
        labels=tuple((cell.x - 39 * edge / 57, cell.y, cell.id) for cell in cells),
        width=round(width, 2), height=round(height, 2),
    )
