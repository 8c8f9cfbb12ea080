"""Breakthrough once more, word by word: a literal witness, too plain to be wrong."""

from __future__ import annotations

SEATS = ("south", "north")
Cells = dict[str, str]


def successors(cells: Cells, turn: int) -> list[Cells]:
    """The tables after every move, read off the rules."""
    found, up = [], (1, -1)[turn]
    for cell in [cell for cell, piece in cells.items() if piece == SEATS[turn]]:
        for aside in (-1, 0, 1):
            file, rank = ord(cell[0]) - ord("a") + aside, int(cell[1]) + up
            if not (0 <= file < 8 and 1 <= rank <= 8):
                continue
            to = "abcdefgh"[file] + str(rank)
            if cells.get(to) == SEATS[turn] or (aside == 0 and to in cells):
                continue
            after = {where: piece for where, piece in cells.items() if where != cell}
            found.append({**after, to: SEATS[turn]})
    return found


def outcome(cells: Cells, turn: int, plies: int) -> tuple[float, float] | None:
    """A piece on the far rank wins, and so does the last one who has pieces."""
    for seat, far in ((0, "8"), (1, "1")):
        own = [cell for cell, piece in cells.items() if piece == SEATS[seat]]
        if any(cell[1] == far for cell in own) or len(own) == len(cells):
            return (1.0 - seat, 0.0 + seat)
    return None
