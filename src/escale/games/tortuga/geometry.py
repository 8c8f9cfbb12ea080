"""The cells of Tortuga's board: a hexagon of side 4, seen with South below.

Columns a to g hold 4, 5, 6, 7, 6, 5, 4 cells, numbered from South. A cell's bit is eight times its
column plus its height along the column's slanted axis, so that a step is the same number wherever
it is made, and what leaves the board falls on a bit that no cell uses:

            30
         22    37              d7
      14    29    44        c6    e6
    6    21    36    51       …
      13    28    43
    5    20    35    50     South's turtles go up: +1 straight on, -7 left, +8 right;
      12    27    42        North's go down:      -1, +7, -8.
    4    19    34    49
      11    26    41
    3    18    33    48
      10    25    40
         17    32             c1    e1
            24                   d1
"""

from __future__ import annotations

from escale.game.grids import hexagon

GRID = hexagon(4)

#: Each cell's bit, and back.
BITS = GRID.bits
NAMES = GRID.names
BOARD = GRID.mask(BITS)

#: Each seat's base, South's first.
BASES = ("d1", "d7")

#: The numbers that a step straight on, left or right (as South sees it) adds, for each seat.
FORWARD = ((1, -7, 8), (-1, -8, 7))

#: The height of each cell on the board, in half steps.
HEIGHTS = {bit: 2 * (bit & 7) + (bit >> 3) for bit in NAMES}
#: The number of columns between it and the middle one.
ASIDE = {bit: abs(3 - (bit >> 3)) for bit in NAMES}


def turned_round(bit: int) -> int:
    """The cell that has the same place for North as this one has for South."""
    return 54 - bit


#: Left for right; and North for South, each cell for the opposite one.
MIRRORED = {cell: "gfedcba"["abcdefg".index(cell[0])] + cell[1:] for cell in BITS}
OPPOSITE = {cell: NAMES[turned_round(bit)] for cell, bit in BITS.items()}
