"""Canoë's board: 61 holes in a wooden board shaped like a boat, and two reserves below it."""

from __future__ import annotations

from escale.games.canoe.rules import HOLES
from escale.play.scene import Area, Board, Cell, Cells, Kind

COLUMNS = "abcdefghijklm"
PITCH = 64.0                            # from hole to hole
MARGIN = 78.0

#: Each hole's bit in the compiled rules, and back.
BITS = {f"{COLUMNS[column]}{row + 1}": bit for bit, (row, column) in enumerate(HOLES)}
NAMES = {bit: hole for hole, bit in BITS.items()}

WIDTH = 12 * PITCH + 2 * MARGIN
HEIGHT = 5 * PITCH + 2 * MARGIN + 90


def place(hole: str) -> Cell:
    """Where a hole is drawn."""
    return Cell(
        hole,
        MARGIN + COLUMNS.index(hole[0]) * PITCH,
        MARGIN + (6 - int(hole[1])) * PITCH,
    )


def reserve(left: float) -> tuple[tuple[float, float], ...]:
    """Two rows of seven and six spots."""
    top = HEIGHT - 96
    return tuple((left + (i % 7) * 48, top + (i // 7) * 48) for i in range(13))


def pegs(cells: Cells, colour: str) -> int:
    """The bits of the holes that hold a peg of a colour."""
    return sum(1 << BITS[hole] for hole, peg in cells.items() if peg == colour)


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
        Area("light reserve", "reserve", "light", reserve(MARGIN)),
        Area("dark reserve", "reserve", "dark", reserve(WIDTH - MARGIN - 6 * 48)),
    ),
    labels=(
        *((place(f"{name}3").x, MARGIN + 5 * PITCH + 50, name) for name in COLUMNS),
        *((MARGIN - 52, MARGIN + (6 - row) * PITCH, str(row)) for row in range(1, 7)),
    ),
)
