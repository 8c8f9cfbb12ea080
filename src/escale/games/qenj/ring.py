"""The content of `ring.pxd` for uncompiled code; the comments are there."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

OVER = 0x88880

#: The phases: the set-up, then play.
PHASES = ("shuffle", "colours", "forces", "sides", "play")
SHUFFLE, COLOURS, FORCES, SIDES, PLAY = range(len(PHASES))

#: Moves that are no piece's, and their names.
WORDS = {5: "fill", 6: "repeat", 7: "redraw", 15: "pass"}
FILL, REPEAT, REDRAW, PASS = WORDS


def tally_of(piece: int) -> int:
    """The number that a piece adds to a column's tally, without its row."""
    return 1 + (1 << (piece & 28))


def onwards(place: int, steps: int, count: int) -> int:
    """The place `steps` steps East, or West when negative, round a ring of `count`."""
    return (place + steps) % count


def nearest(rows: int, north: bool) -> int:
    """The row nearest to a seat, of those that are marked."""
    return (rows & -rows if north else rows).bit_length() - 1


def proxime(column: int, tally: int, north: bool) -> int:
    """The piece of a column, which has some, that is nearest to a seat."""
    return column >> 5 * nearest(tally >> 20, north) & 31


def target_of(
    move: int, columns: Sequence[int], tally: Sequence[int], width: int, forces: int, north: bool
) -> int:
    """The column, of `width`, where the pieces of a move arrive."""
    target, distance = move & 15, (move >> 4 & 7) + 1
    if forces:
        distance = proxime(columns[target], tally[target], north) & 3
    while distance:
        target = onwards(target, -1 if move >> 7 & 1 else 1, width)
        distance -= tally[target] != 0
    return target


def occupied(tally: Sequence[int], columns: int, ring: MutableSequence[int]) -> int:
    """The number of columns with pieces; these columns, round the ring, are written to `ring`."""
    found = [i for i in range(columns) if tally[i]]
    ring[:len(found)] = found
    return len(found)


def together(held: int, load: int, k: int, cells: int, alike: int, least: int) -> int:
    """The number of pieces in a column when k more come to it; 0 if they may not."""
    total = (held & 15) + k
    if total > cells or total <= least:
        return 0
    return 0 if (held + load + alike) & OVER else total
