"""Konane once more, word by word: a literal witness, too plain to be wrong."""

from __future__ import annotations

SEATS = ("black", "white")
Cells = dict[str, str]
FILES = "abcdefgh"


def beside(cell: str, step: int, way: tuple[int, int]) -> str:
    """The cell some steps away; an empty name beyond the edge."""
    file, rank = FILES.index(cell[0]) + step * way[0], int(cell[1]) + step * way[1]
    return f"{FILES[file]}{rank}" if 0 <= file < 8 and 1 <= rank <= 8 else ""


WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def successors(cells: Cells, turn: int) -> list[Cells]:
    """The tables after every legal move of a seat."""
    own = [cell for cell, stone in cells.items() if stone == SEATS[turn]]
    gone = [f + r for f in FILES for r in "12345678" if f + r not in cells]
    if not gone:
        return [_without(cells, cell) for cell in own if cell in ("a1", "d4", "e5", "h8")]
    if len(gone) == 1:
        near = [beside(gone[0], 1, way) for way in WAYS]
        return [_without(cells, cell) for cell in own if cell in near]
    found = []
    for cell in own:
        for way in WAYS:
            at, after = cell, cells
            while True:
                over, to = beside(at, 1, way), beside(at, 2, way)
                if not to or after.get(over) != SEATS[1 - turn] or to in after:
                    break
                after = {**_without(after, at, over), to: SEATS[turn]}
                found.append(after)
                at = to
    return found


def outcome(cells: Cells, turn: int, plies: int) -> tuple[float, float] | None:
    """A seat that cannot move has lost."""
    return None if successors(cells, turn) else (0.0 + turn, 1.0 - turn)


def _without(cells: Cells, *gone: str) -> Cells:
    return {cell: stone for cell, stone in cells.items() if cell not in gone}
