"""Canoë's board: 61 holes in a wooden board shaped like a boat, and two reserves below it."""

from __future__ import annotations

from escale.game.printed import PrintedBoard, PrintedBox, PrintedToken
from escale.game.scene import Area, Board, Cell, Cells, Kind
from escale.games.canoe.geometry import BITS, COLUMNS

PITCH = 64.0                            # from hole to hole
MARGIN = 76.0                           # left of column a and right of column m
TOP = 62.0                              # above row 6

#: The holes beside which the names of columns and rows are written.
LOWEST = ("a3", "b2", "c2", "d1", "e1", "f1", "g1", "h1", "i1", "j1", "k2", "l2", "m3")
LEFTMOST = ("d1", "b2", "a3", "a4", "a5", "b6")

WIDTH = 12 * PITCH + 2 * MARGIN
HEIGHT = TOP + 5 * PITCH + 280


def place(hole: str) -> Cell:
    """The point at which a hole is drawn."""
    return Cell(
        hole,
        MARGIN + COLUMNS.index(hole[0]) * PITCH,
        TOP + (6 - int(hole[1])) * PITCH,
    )


def reserve(middle: float) -> tuple[tuple[float, float], ...]:
    """Rows of four, five and four spots, close together in a tray."""
    return tuple(
        (middle + (i - (row % 2 + 3) / 2) * 56, HEIGHT - 110 + (row - 1) * 49)
        for row, length in enumerate((4, 5, 4))
        for i in range(length)
    )


def pegs(cells: Cells, colour: str) -> int:
    """The bits of the holes that hold a peg of a colour."""
    return sum([1 << BITS[hole] for hole, peg in cells.items() if peg == colour])


BOARD = Board(
    width=WIDTH,
    height=HEIGHT,
    cells=tuple(place(hole) for hole in BITS),
    kinds={
        "light": Kind("peg-light", "○", "L", owner=0),
        "dark": Kind("peg-dark", "●", "D", owner=1),
    },
    rows=tuple(
        tuple(hole for hole in BITS if hole[1] == row) for row in "654321"
    ),
    areas=(
        Area("light reserve", "reserve", "light", reserve(190)),
        Area("dark reserve", "reserve", "dark", reserve(WIDTH - 190)),
    ),
    labels=(
        *((hole.x, hole.y + 39, hole.id[0]) for hole in map(place, LOWEST)),
        *((hole.x - 39, hole.y, hole.id[1]) for hole in map(place, LEFTMOST)),
    ),
)

#: Thirteen pegs of each colour and a spare one, as the sheet counts them.
PRINTED = PrintedBox(
    boards=(PrintedBoard(name="board", unit_mm=27, frame=(0, 0, WIDTH, HEIGHT)),),
    tokens=(
        PrintedToken(name="light", front="peg-light", count=13, ground="#f5e6c4"),
        PrintedToken(name="dark", front="peg-dark", count=13, ground="#6b4226"),
    ),
    disc_mm=14,
)
