"""The board of Canyon (1972): 64 cells seen from Red's corner, so that its rows are diagonals.

Red's corner a1 is below, Yellow's h8 above. The values of the rows stand along the edges: Red's on
the left, growing upwards, Yellow's on the right, growing downwards. So each player, with the board
turned towards them, has their own values on the left, growing away from them; the same holds for
the sums in the two free corners of the picture.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from escale.game.printed import PrintedBoard, PrintedBox, PrintedToken
from escale.game.scene import Board, Cell, Kind, Label
from escale.games.canyon_1972.geometry import BITS, CANYON, FILES, GRID, worth

SEATS = ("red", "yellow")

HALF = 54.0                             # half a cell across: also from one row to the next
MARGIN = 58.0                           # around the corners of the board: its frame
WIDTH = 16 * HALF + 2 * MARGIN
HEIGHT = WIDTH
TALLIES = ((164.0, HEIGHT - 48), (WIDTH - 164, 48.0))   # the place of each sum


def place(cell: str) -> Cell:
    """The point at which a cell is drawn."""
    x = WIDTH / 2 + (FILES.index(cell[0]) + 1 - int(cell[1])) * HALF
    y = HEIGHT - MARGIN - worth(cell) * HALF
    return Cell(cell, x, y, ((x, y - HALF), (x + HALF, y), (x, y + HALF), (x - HALF, y)))


def values(red: int) -> tuple[Label, Label]:
    """A row's value for Red at its left end, and for Yellow at its right end."""
    out = WIDTH / 2 - min(red, 16 - red) * HALF - 20
    slant = 8 if red < 8 else -8 if red > 8 else 0
    y = HEIGHT - MARGIN - red * HALF + slant
    return Label(out, y, str(red), "value"), Label(WIDTH - out, y, str(16 - red), "value")


#: The cells that continue the canyon beyond the short one, which is drawn on the board itself.
ENDS = {
    "short": {},
    "narrow": {"b7": "tip-left", "g2": "tip-right"},
    "wide-passes": {"c6": "fork-left", "f3": "fork-right"},
}


@cache
def landscape(width: str) -> tuple[Cell, ...]:
    """The cells; those of the canyon show its depth and, where it is longer, its ends."""
    return tuple(
        replace(cell, symbol=ENDS[width].get(cell.id, "depth"), glyph="#")
        if CANYON[width] >> BITS[cell.id] & 1 else cell
        for cell in CELLS
    )


@cache
def lettering(width: str) -> tuple[Label, ...]:
    """The labels on the board; names of cells would cover the depth of the canyon."""
    depths = {cell.id for cell in landscape(width) if cell.symbol}
    return tuple(Label(*label) for label in BOARD.labels if label[2] not in depths)


CELLS = tuple(place(cell) for cell in BITS)

BOARD = Board(
    width=WIDTH,
    height=HEIGHT,
    cells=CELLS,
    kinds={
        "red": Kind("pawn-red", "●", "R", owner=0),
        "yellow": Kind("pawn-yellow", "□", "Y", owner=1),
    },
    rows=GRID.rows,
    labels=(
        *(label for red in range(1, 16) for label in values(red)),
        *(Label(cell.x, cell.y + HALF - 14, cell.id) for cell in CELLS),
    ),
)

PRINTED = PrintedBox(
    boards=(PrintedBoard(name="board", unit_mm=27.5, frame=(0, 0, BOARD.width, BOARD.height)),),
    tokens=(
        PrintedToken(name="red", front="pawn-red", count=15, ground="#f6d9c8"),
        PrintedToken(name="yellow", front="pawn-yellow", count=15, ground="#fbf1c4"),
    ),
    disc_mm=17,
)
