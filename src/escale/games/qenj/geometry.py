"""The four games of Qenj on one page: each box, the first places of pieces, and their landings.

A cell is a column and a row, both from 0; row 0 is North.
"""

from __future__ import annotations

#: The four games on one page.
FAMILY = {
    #                            Qenj 1  Qenj 2  Qenj 3  Qenj 4
    "columns":                  (12,     12,     9,      9),
    "cells":                    (4,      9,      6,      6),        # in a column
    "colours":                  (4,      3,      3,      3),
    "pieces":                   (3,      12,     7,      6),        # of each colour
    "forces":                   (1,      4,      0,      0),        # of each colour, each force
    "alike":                    (1,      3,      2,      2),        # of a colour in one column
    "taken":                    (1,      8,      3,      3),        # in one move, at most
    "both ways":                (0,      1,      0,      0),        # round the ring
    "outgrow":                  (0,      1,      0,      0),        # the source, or no move
    "out":                      (0,      0,      3,      2),        # pieces to take out and win
    "chooser":                  (1,      1,      0,      -1),       # of a side: A 0, B 1
    "first":                    (0,      0,      1,      1),        # to move
}
#: The gold cells of Qenj 3, North above.
GOLD = (
    ". . . . . . . . .",
    ". G . . . . . G .",
    "G G G G G G G G G",
    "G G G G G G G G G",
    ". . . . G . . . .",
    ". . . . . . . . .",
)

#: The first places of the pieces of each game, as (column, row) from 0, in the order of the deal.
#: In Qenj 1 a column's row is that of its dot.
SPOTS = (
    [(column, 0) for column in range(12)],
    [(column, row) for column in range(12) for row in (3, 4, 5)],
    [(column, row) for column in range(9) for row in range(6) if GOLD[row][2 * column] == "G"],
    [(column, row) for column in range(9) for row in (2, 3)],
)


def landings(occupied: int, pieces: int, cells: int) -> list[tuple[int, tuple[int, ...]]]:
    """Every order of rows in which pieces can land, each next to an occupied cell.

    Each comes with the number of choices in it, since a move's text names these choices.
    """
    if pieces == 0:
        return [(0, ())]
    free = [
        row for row in range(cells)
        if not occupied >> row & 1 and (occupied << 1 | occupied >> 1) >> row & 1
    ]
    return sorted(
        (choices + (len(free) > 1), (row, *rows))
        for row in free
        for choices, rows in landings(occupied | 1 << row, pieces - 1, cells)
    )


class Landings:
    """The rows on which pieces can land, for the compiled rules.

    For a game, the occupied rows of a column and a number of pieces, a slot holds the rows on which
    they can be set down one by one: in every order in `ways`, in one order for each set of rows in
    `sets`; four bits a row. The rows of a slot begin at its number in `first_way` or `first_set`.
    """

    def __init__(self) -> None:
        self.offsets: list[int] = []            # the first slot of each game
        self.first_way: list[int] = []
        self.first_set: list[int] = []
        self.ways: list[int] = []
        self.sets: list[int] = []
        for game in range(3):
            self._add(game)
        self.offsets.append(self.offsets[2])    # the columns of Qenj 4 are those of Qenj 3
        self._begin_slot()

    def _add(self, game: int) -> None:
        cells, taken, goal = (FAMILY[name][game] for name in ("cells", "taken", "out"))
        self.offsets.append(len(self.first_way))
        for occupied in range(1 << cells):
            block = f"{occupied:b}".strip("0")
            for pieces in range(1, 9):
                self._begin_slot()
                if occupied == 0 or pieces > taken or ("0" in block and goal == 0):
                    continue
                met = set()
                for _, rows in landings(occupied, pieces, cells):
                    code = sum(row << 4 * i for i, row in enumerate(rows))
                    self.ways.append(code)
                    if frozenset(rows) not in met:
                        met.add(frozenset(rows))
                        self.sets.append(code)

    def _begin_slot(self) -> None:
        self.first_way.append(len(self.ways))
        self.first_set.append(len(self.sets))


LANDINGS = Landings()
