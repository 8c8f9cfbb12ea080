"""The cells of Canyon (1972): 64, with a canyon between the corners that no pawn enters.

A cell is a bit, eight to a rank. Red's corner is a1, Yellow's is h8; ## is the canyon:

    8  56 57 58 59 60 61 62 63      To Red a cell is worth its file plus its rank minus 1 (a = 1):
    7  48 49 50 51 52 53 54 55      1 on a1, 15 on h8. To Yellow it is worth 16 minus that.
    6  40 41 ## ## 44 45 46 47
    5  32 33 ## ## ## 37 38 39      With canyon=wide-passes b6, c7, f2 and g3 (41, 50, 13, 22)
    4  24 25 26 ## ## ## 30 31      are canyon too, with canyon=narrow b7 and g2 (49, 14) as well.
    3  16 17 18 19 ## ## 22 23
    2   8  9 10 11 12 13 14 15
    1   0  1  2  3  4  5  6  7
        a  b  c  d  e  f  g  h
"""

from __future__ import annotations

from escale.game.grids import square

FILES = "abcdefgh"
GRID = square(8)

#: Each cell's bit, and back.
BITS = GRID.bits
NAMES = GRID.names

#: Files for ranks: each pass for the other. And each cell for the one opposite.
MIRRORED = {cell: FILES[int(cell[1]) - 1] + str(FILES.index(cell[0]) + 1) for cell in BITS}
OPPOSITE = {cell: NAMES[63 - bit] for cell, bit in BITS.items()}

CANYON = {
    "short": 0x00000C1C38300000,
    "narrow": 0x00060E1C38706000,
    "wide-passes": 0x00040E1C38702000,
}

#: North, south, east, west, then the diagonals, as files and ranks. Each is followed by its
#: opposite.
DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (-1, 1), (1, -1))


def reach(cell: int, east: int, north: int) -> int | None:
    """The cell at this distance, if it is on the board."""
    file, rank = cell % 8 + east, cell // 8 + north
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


#: For each direction, what a step adds to a bit, and the cells from which it stays on the board.
STRIDES = [east + 8 * north for east, north in DIRECTIONS]
INSIDE = [
    sum(1 << cell for cell in range(64) if reach(cell, east, north) is not None)
    for east, north in DIRECTIONS
]


def worth(cell: str) -> int:
    """A cell's value for Red; for Yellow it is 16 minus that."""
    return FILES.index(cell[0]) + int(cell[1])


def by_jump(start: int, end: int) -> bool:
    """Whether a pawn moves so by jumping: a step changes the parity of file or rank."""
    return (start ^ end) & 0b1001 == 0


PAWNS = 15
"""The number of pawns of each seat at first."""

#: The best sum that each number of pawns can have, from none to all.
BEST = tuple(sum(sorted(map(worth, BITS), reverse=True)[:pawns]) for pawns in range(PAWNS + 1))
