"""Tortuga's board as it is drawn, and the turtles that stand on it at first."""

from __future__ import annotations

import math

from escale.game.scene import Board, Cell, Cells, Kind, regular
from escale.games.tortuga.geometry import BITS, COLUMNS, LENGTHS

FORMATIONS: dict[str, Cells] = {
    name: {**dict.fromkeys(south.split(), "south"), **dict.fromkeys(north.split(), "north")}
    for name, south, north in (
        ("edges", "d1 c1 e1 b1 f1 a1 g1 d2", "d7 c6 e6 b5 f5 a4 g4 d6"),
        ("compact", "d1 d2 c1 c2 e1 e2 b1 f1", "d7 d6 c6 c5 e6 e5 b5 f5"),
    )
}

SIDE = 57.0                             # of a cell
MARGIN = 48.0                           # beach and water
WIDTH = 11 * SIDE + 2 * MARGIN
HEIGHT = 7 * SIDE * math.sqrt(3) + 2 * MARGIN


def occupied(cells: Cells, name: str) -> int:
    """The bits of the cells on which a turtle of that name stands."""
    return sum(1 << BITS[cell] for cell, turtle in cells.items() if turtle == name)


def place(cell: str) -> Cell:
    """Where a cell is drawn: columns side by side, each half a cell lower than its neighbour."""
    column = COLUMNS.index(cell[0])
    x = WIDTH / 2 + (column - 3) * 1.5 * SIDE
    up = int(cell[1]) - (LENGTHS[column] + 1) / 2
    y = HEIGHT / 2 - up * math.sqrt(3) * SIDE
    return Cell(cell, round(x, 2), round(y, 2), regular(x, y, SIDE, 6))


CELLS = tuple(place(cell) for cell in BITS)

BOARD = Board(
    width=round(WIDTH, 2),
    height=round(HEIGHT, 2),
    cells=CELLS,
    labels=tuple((cell.x - 39, cell.y, cell.id) for cell in CELLS),
    kinds={
        "south": Kind("turtle-south", "▲", "S", owner=0),
        "north": Kind("turtle-north", "▽", "N", owner=1, facing=180),
        "neutral": Kind("turtle-back", "o", "x"),
    },
    rows=tuple(
        tuple(f"{name}{number}" for number in range(1, length + 1))
        for name, length in zip(COLUMNS, LENGTHS, strict=True)
    ),
)
