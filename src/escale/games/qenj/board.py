"""Drawing a Qenj table: the columns that remain, side by side, closed into a ring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from escale.game.printed import PrintedBoard, PrintedBox, PrintedToken
from escale.game.scene import Area, Board, Cell, Cells, Kind, Label, Piece, Scene, Tally
from escale.games.qenj.box import LETTERS, Box
from escale.games.qenj.geometry import SPOTS

# The distances between cells, across and down, in each game.
PITCH = ((84, 92), (84, 84), (100, 94), (100, 94))
# Above and below the columns. In Qenj 2 they are narrow: on a phone that board needs its width for
# cells. In Qenj 3 and 4 the pieces that were taken out lie there.
MARGINS = ((72.0, 84.0), (52.0, 62.0), (74.0, 106.0), (74.0, 106.0))
EDGE = 48.0                             # beside the outermost columns, for the rows' numbers
SIDE = 40.0                             # from the corner to the labels of North and South
TRAY = 110.0                            # below, while pieces wait to be placed

#: The character of each colour in a text board; the art of Qenj 1 and 2 has the same shapes.
SHAPES = {"red": "●", "blue": "■", "green": "▲", "yellow": "◆"}
PEBBLES = {"black": "●", "white": "○", "red": "◆"}


class Plan:
    """The points of everything on the table of one game."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.across, self.down = PITCH[box.number]
        # At each end there is room for a column shown a second time.
        self.width = (box.columns + 2) * self.across + 2 * EDGE
        self.top, bottom = MARGINS[box.number]
        self.height = self.top + box.cells * self.down + bottom
        # Close to the columns where pieces lie below.
        self.names = self.height - bottom + (28 if box.goal else 40)

    def x(self, slot: float) -> float:
        """The middle of a column's slot; slots count from 0 in the West."""
        return EDGE + (slot + 1.5) * self.across

    def y(self, row: int) -> float:
        """The middle of a row."""
        return self.top + (row + 0.5) * self.down

    def cell(self, letter: str, row: int, slot: float, **more: Any) -> Cell:
        """A cell of a column in that slot."""
        x, y, half, tall = self.x(slot), self.y(row), self.across / 2, self.down / 2
        corners = ((x - half, y - tall), (x + half, y - tall), (x + half, y + tall),
                   (x - half, y + tall))
        return Cell(f"{letter}{row + 1}", x, y, corners, **more)

    def slots(self, remain: Sequence[str]) -> dict[str, float]:
        """The slots of the columns that remain, closed up in the middle."""
        return {
            letter: (self.box.columns - len(remain)) / 2 + i for i, letter in enumerate(remain)
        }

    def heads(self, remain: Sequence[str]) -> tuple[Area, ...]:
        """The columns' names, at which players point to choose where a stack arrives."""
        return tuple(
            Area(letter, letter, self.box.colours[0], ((self.x(slot), self.names),))
            for letter, slot in self.slots(remain).items() if self.box.stacks
        )

    def piles(self) -> tuple[Area, ...]:
        """The points of the pieces of each colour that are still to be placed."""
        share = (self.width - 2 * EDGE) / len(self.box.colours)
        count = self.box.fact("pieces")
        return tuple(
            Area(colour, colour, colour, tuple(
                (EDGE + share * number + 50 + (share - 100) / (count - 1) * i,
                 self.height + TRAY / 2 - 10)
                for i in range(count)
            ))
            for number, colour in enumerate(self.box.colours) if self.box.forces
        )

    def taken_out(self, north: str) -> tuple[Area, ...]:
        """The points of the pieces that each seat has taken out, on its own side."""
        levels = {seat: 35 if seat == north else self.height - 31 for seat in ("A", "B")}
        return tuple(
            Area(f"{seat} out", f"{seat}-out", "out", tuple(
                (self.width - EDGE - 90 - 62 * i, y) for i in range(self.box.goal)
            ))
            for seat, y in levels.items() if self.box.goal
        )


def board(box: Box) -> Board:
    """The table before the first move, with all kinds of pieces."""
    plan = Plan(box)
    letters = LETTERS[:box.columns]
    kinds = {
        name: Kind(name.replace(" ", "-"), glyph(box, name), box.letters(name))
        for name in box.pieces
    }
    if box.goal:
        kinds["out"] = Kind("out", "o", "o")
    rows = tuple(
        tuple(plan.cell(letter, row, slot) for row in range(box.cells))
        for letter, slot in plan.slots(letters).items()
    )
    return Board(
        width=plan.width, height=plan.height, kinds=kinds,
        cells=tuple(cell for column in rows for cell in column),
        rows=tuple(tuple(cell.id for cell in column) for column in rows),
        areas=(*plan.heads(letters), *plan.piles(), *plan.taken_out("B")),
        places=places(box),
    )


def places(box: Box) -> dict[str, tuple[str, ...]]:
    """Every cell of a column stands for the column, those of its halves for North and South.

    A middle row is of neither half.
    """
    letters = LETTERS[:box.columns]
    found: dict[str, tuple[str, ...]] = {}
    if box.stacks:
        found |= {
            letter: tuple(f"{letter}{row + 1}" for row in range(box.cells)) for letter in letters
        }
    if box.fact("chooser") >= 0:
        half = box.cells // 2
        for side, rows in (("north", range(half)), ("south", range(box.cells - half, box.cells))):
            found[side] = tuple(f"{letter}{row + 1}" for letter in letters for row in rows)
    return found


def glyph(box: Box, name: str) -> str:
    """A piece in characters: a shape for its colour, and its force."""
    colour, _, force = name.partition(" ")
    return SHAPES[colour] + (force or "?") if box.forces else PEBBLES[colour]


def scene(box: Box, board: Board, cells: Cells, *, turn: int | None) -> Scene:
    """The columns that remain, and at each end, faintly, the one that follows round the ring.

    While pieces wait to be placed, all columns are there.
    """
    plan = Plan(box)
    waiting = waiting_to_be_placed(box, cells)
    remain = [
        letter for letter in LETTERS[:box.columns]
        if waiting or any(f"{letter}{row + 1}" in cells for row in range(box.cells))
    ]
    slots = plan.slots(remain)
    west, east = min(slots.values()), max(slots.values())
    stands = [
        (remain[-1], west - 1, True), *((letter, slot, False) for letter, slot in slots.items()),
        (remain[0], east + 1, True),
    ]
    shown = tuple(
        plan.cell(
            letter, row, slot, symbol=symbol(box, cells, remain, letter, row), extra=extra,
            glyph="∘" if cells.get(letter) == f"{letter}{row + 1}" else "·",
        )
        for letter, slot, extra in stands for row in range(box.cells)
    )
    areas = (*plan.heads(remain), *plan.taken_out(str(cells.get("north"))))
    counts = {area.id: int(cells.get(area.id, 0)) for area in areas}
    height, lit = plan.height, {}
    if waiting and box.forces:
        height += TRAY
        areas += plan.piles()
        counts |= waiting
        lit = dict.fromkeys(next_spot(box, cells), "chosen")

    def piece(at: str, name: str, x: float, y: float, *, extra: bool = False) -> Piece:
        kind = board.kinds[name]
        return Piece(at, name, kind.symbol, kind.glyph, kind.owner, x, y, kind.facing, extra=extra)

    north = cells.get("north")
    sides = {} if north is None else {seat: "SN"[seat == north] for seat in ("A", "B")}
    names = {None: "side", "N": "north", "S": "south"}
    tallies = {
        seat: (
            Tally(names[sides.get(seat)]),
            *([Tally("out", int(cells.get(f"{seat} out", 0)), box.goal)] if box.goal else []),
        )
        for seat in ("A", "B")
    }
    return Scene(
        plan.width, height, shown,
        pieces=(
            *(piece(cell.id, str(cells[cell.id]), cell.x, cell.y, extra=cell.extra)
              for cell in shown if cell.id in cells),
            *(piece(area.id, area.kind, x, y)
              for area in areas for x, y in area.spots[: counts[area.id]]),
        ),
        areas=areas,
        labels=(
            *(Label(plan.x(slot), plan.names, f"({letter})" if extra else letter)
              for letter, slot, extra in stands),
            *(Label(plan.x(west - 1.5) - 24, plan.y(row), str(row + 1))
              for row in range(box.cells)),
            *seats(plan),
        ),
        turn=turn, highlights=lit, tallies=tallies, places=board.places,
    )


def waiting_to_be_placed(box: Box, cells: Cells) -> dict[str, int]:
    """The number of pieces of each colour still to be placed; empty after the set-up."""
    placed = [str(what).partition(" ")[0] for place, what in cells.items() if place[1:].isdigit()]
    out = int(cells.get("A out", 0)) + int(cells.get("B out", 0))
    if len(placed) + out == len(SPOTS[box.number]):
        return {}
    return {colour: box.fact("pieces") - placed.count(colour) for colour in box.colours}


def next_spot(box: Box, cells: Cells) -> list[str]:
    """The place for the next piece of the set-up, if it is known yet."""
    for column, row in SPOTS[box.number]:
        letter = LETTERS[column]
        spot = str(cells.get(letter, "")) if box.number == 0 else f"{letter}{row + 1}"
        if spot not in cells:
            return [spot] if spot else []
    return []


def symbol(box: Box, cells: Cells, remain: Sequence[str], letter: str, row: int) -> str:
    """The symbol of a cell: end of a column, dot of a slat, notch of the cloth, gold of the mat."""
    if box.number == 0 and cells.get(letter) == f"{letter}{row + 1}":
        return f"dot-{row + 1}"
    if box.number == 1 and row == 0 and letter == remain[len(remain) // 2]:
        return "notch"
    if box.number == 2:
        gold = (LETTERS.index(letter), row) in SPOTS[2]
        return "ground-gold" if gold else "ground-black"
    return "top" if row == 0 else "bottom" if row == box.cells - 1 else "middle"


def seats(plan: Plan) -> list[Label]:
    """N and S; the cards of the seats name their players.

    They are in corners as far from one edge as from the other: there they have room whichever way
    the board is turned.
    """
    return [Label(SIDE, SIDE, "N"), Label(SIDE, plan.height - SIDE, "S")]


#: For each game: the millimetres of 100 units, the diameter of its pieces, the colour below them.
PAPER = ((26.0, 18.0), (24.5, 17.0), (27.0, 21.0), (27.0, 21.0))
GROUNDS = {
    "red": "#f6d0c6", "blue": "#cfe0f3", "green": "#d3e9d0", "yellow": "#fbeebc",
    "black": "#d8d4cc", "white": "#fffdf6",
}


def printed(box: Box) -> PrintedBox:
    """The slats of Qenj 1, to be cut apart, or the mat; the pieces, their force on one face."""
    plan = Plan(box)
    unit, disc = PAPER[box.number]
    room = 28.0 if box.number == 0 else 10.0        # the ends of the slats
    left, top = plan.x(-0.5), plan.top - room
    wide, high = box.columns * plan.across, box.cells * plan.down + 2 * room
    return PrintedBox(
        boards=(PrintedBoard(
            name="slats" if box.number == 0 else "mat", unit_mm=unit, frame=(left, top, wide, high),
            cuts=tuple(
                (left + column * plan.across, top, 0, high) for column in range(1, box.columns)
            ) if box.number == 0 else (),
        ),),
        tokens=tuple(
            PrintedToken(
                name=f"{colour}-{force}" if force else colour,
                front=f"{colour}-{force}" if force else colour, back=colour,
                count=box.forces if force else box.fact("pieces"),
                spare=0 if force else 1, ground=GROUNDS[colour],
            )
            for colour in box.colours for force in (range(1, 4) if box.forces else (0,))
        ),
        disc_mm=disc,
    )


def empty_board(box: Box, board: Board) -> Scene:
    """All columns, without pieces; of the slats of Qenj 1 three with a dot in each row."""
    cells: Cells = {f"{letter}1": next(iter(board.kinds)) for letter in LETTERS[:box.columns]}
    if box.number == 0:
        share = box.columns // box.cells
        cells |= {
            letter: f"{letter}{number // share + 1}"
            for number, letter in enumerate(LETTERS[:box.columns])
        }
    return replace(scene(box, board, cells, turn=None), pieces=(), highlights={})
