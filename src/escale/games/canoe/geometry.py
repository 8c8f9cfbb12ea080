"""The holes of Canoë's board, and the canoes that can lie on it.

A hole is a bit, numbered row by row from the bottom left:

    6  . 57 58  .  .  .  .  .  .  . 59 60  .
    5 44 45 46 47 48 49 50 51 52 53 54 55 56
    4 31 32 33 34 35 36 37 38 39 40 41 42 43
    3 18 19 20 21 22 23 24 25 26 27 28 29 30
    2  .  7  8  9 10 11 12 13 14 15 16 17  .
    1  .  .  .  0  1  2  3  4  5  6  .  .  .
       a  b  c  d  e  f  g  h  i  j  k  l  m
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple

Hole = tuple[int, int]
"""A row and a column, from 0."""

COLUMNS = "abcdefghijklm"
# Each row from the bottom: the columns that have a hole.
ROWS = (range(3, 10), range(1, 12), range(13), range(13), range(13), (1, 2, 10, 11))
HOLES: list[Hole] = [(row, column) for row, columns in enumerate(ROWS) for column in columns]

#: Each hole's bit, and back.
BITS = {f"{COLUMNS[column]}{row + 1}": bit for bit, (row, column) in enumerate(HOLES)}
NAMES = {bit: hole for hole, bit in BITS.items()}
MIRRORED = {hole: COLUMNS[12 - COLUMNS.index(hole[0])] + hole[1:] for hole in BITS}
"""Left for right."""
BOARD = (1 << len(HOLES)) - 1

# The four canoes, as (row, column) offsets: an end, the two middle pegs, the other end. The first
# two lie level, the others stand upright.
SHAPES = (
    ((0, 0), (1, 1), (1, 2), (0, 3)),
    ((1, 0), (0, 1), (0, 2), (1, 3)),
    ((0, 1), (1, 0), (2, 0), (3, 1)),
    ((0, 0), (1, 1), (2, 1), (3, 0)),
)


class Canoe(NamedTuple):
    """A canoe that can lie on the board."""

    number: int
    """Four times its first middle peg, the left or the lower one, plus its shape."""
    pegs: int
    around: int
    """The holes around, which must be free of pegs of the same colour."""


def bits(holes: Iterable[Hole]) -> int:
    """The holes as one number."""
    return sum(1 << HOLES.index(hole) for hole in holes)


def around(holes: Collection[Hole]) -> set[Hole]:
    """The neighbours of a group of holes."""
    near = {(r + i, c + j) for r, c in holes for i in (-1, 0, 1) for j in (-1, 0, 1)}
    return near.intersection(HOLES) - set(holes)


def _canoes() -> Iterable[Canoe]:
    for bit, hole in enumerate(HOLES):
        for shape, offsets in enumerate(SHAPES):
            row, column = hole[0] - offsets[1][0], hole[1] - offsets[1][1]
            canoe = [(row + r, column + c) for r, c in offsets]
            if all(place in HOLES for place in canoe):
                yield Canoe(4 * bit + shape, bits(canoe), bits(around(canoe)))


NEIGHBOURS = [bits(around([hole])) for hole in HOLES]
CANOES = tuple(_canoes())
_LYING = [(canoe, canoe.pegs, canoe.around) for canoe in CANOES]
"""The same, unpacked: every move at a table searches them."""


@lru_cache(maxsize=1024)
def along(canoe: Canoe) -> tuple[str, ...]:
    """The names of its holes from one end to the other."""
    first, shape = divmod(canoe.number, 4)
    offsets = SHAPES[shape]
    row, column = HOLES[first][0] - offsets[1][0], HOLES[first][1] - offsets[1][1]
    return tuple(NAMES[HOLES.index((row + r, column + c))] for r, c in offsets)


@lru_cache(maxsize=1024)
def lying(pegs: int) -> tuple[Canoe, ...]:
    """The canoes among the pegs of one colour, each apart from all its other pegs."""
    return tuple([
        canoe for canoe, own, around in _LYING if pegs & own == own and not pegs & around
    ])
