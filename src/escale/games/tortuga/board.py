"""Tortuga's board: a hexagon of side 4, seen with South below.

Columns a to g hold 4, 5, 6, 7, 6, 5, 4 cells, numbered from South.
"""

from __future__ import annotations

from escale.game.grids import hexagon
from escale.game.scene import Cells, Kind

GRID = hexagon(4)
BASES = ("d1", "d7")

#: Each cell's bit in the compiled rules, and back.
BITS = GRID.bits
NAMES = GRID.names

#: What a step straight on, left or right (as South sees the board) adds to a bit, for each seat.
FORWARD = ((1, -7, 8), (-1, -8, 7))

FORMATIONS: dict[str, Cells] = {
    name: {**dict.fromkeys(south.split(), "south"), **dict.fromkeys(north.split(), "north")}
    for name, south, north in (
        ("edges", "d1 c1 e1 b1 f1 a1 g1 d2", "d7 c6 e6 b5 f5 a4 g4 d6"),
        ("compact", "d1 d2 c1 c2 e1 e2 b1 f1", "d7 d6 c6 c5 e6 e5 b5 f5"),
    )
}

def step(cell: str, direction: int) -> str:
    """The next cell in a direction; it must be on the board."""
    return NAMES[BITS[cell] + direction]


BOARD = GRID.board({
    "south": Kind("turtle-south", "▲", "S", owner=0, facing=0),
    "north": Kind("turtle-north", "▽", "N", owner=1, facing=180),
    "neutral": Kind("turtle-back", "o", "x", facing=0),
})
