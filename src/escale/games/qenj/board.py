"""A Qenj table as it is drawn: the columns that remain, side by side, closed into a ring."""

from __future__ import annotations

from typing import Any

from escale.games.qenj.box import LETTERS, Box
from escale.games.qenj.rules import SPOTS
from escale.play.scene import Area, Board, Cell, Cells, Kind, Piece, Scene

# How far apart cells are, across and down, in each game; then the margins.
PITCH = ((84, 92), (84, 84), (100, 94), (100, 94))
EDGE = 48.0                             # beside the outermost columns, for the rows' numbers
TOP = 74.0
BOTTOM = 108.0
TRAY = 110.0                            # below, while pieces wait to be placed

#: What each colour looks like in a text board; the art has the same shapes.
SHAPES = {
    "red": "●", "blue": "■", "green": "▲", "yellow": "◆",
    "black": "●", "white": "○",
}


def glyph(box: Box, name: str) -> str:
    """A piece in characters: a shape for its colour, and its force."""
    colour, _, force = name.partition(" ")
    if not box.forces:
        return "◆" if colour == "red" else SHAPES[colour]
    return SHAPES[colour] + (force or "?")


def size(box: Box) -> tuple[float, float]:
    """The whole table, with room for a column shown again at each end."""
    across, down = PITCH[box.number]
    return (box.columns + 2) * across + 2 * EDGE, box.cells * down + TOP + BOTTOM


def place(box: Box, letter: str, row: int, slot: float, **more: Any) -> Cell:
    """A cell drawn in the slot of that number from the West, the first remaining column's 0."""
    across, down = PITCH[box.number]
    x, y = EDGE + (slot + 1.5) * across, TOP + (row + 0.5) * down
    half, tall = across / 2, down / 2
    outline = (
        (x - half, y - tall), (x + half, y - tall), (x + half, y + tall), (x - half, y + tall)
    )
    return Cell(f"{letter}{row + 1}", x, y, outline, **more)


def board(box: Box) -> Board:
    """The table before the first move, and what can lie on it."""
    width, height = size(box)
    kinds = {
        name: Kind(name.replace(" ", "-"), glyph(box, name), box.letters(name))
        for name in box.pieces
    }
    areas: tuple[Area, ...] = ()
    if box.forces:
        areas = tuple(
            Area(colour, colour, colour, pile(box, number))
            for number, colour in enumerate(box.colours)
        )
    else:
        kinds["out"] = Kind("out", "o", "o")
        areas = tuple(
            Area(f"{seat} out", f"{seat}-out", "out", beside(box, north=north))
            for seat, north in (("A", False), ("B", True))
        )
    return Board(
        width=width, height=height, kinds=kinds, areas=areas,
        cells=tuple(
            place(box, letter, row, slot)
            for slot, letter in enumerate(LETTERS[:box.columns]) for row in range(box.cells)
        ),
        rows=tuple(
            tuple(f"{letter}{row + 1}" for row in range(box.cells))
            for letter in LETTERS[:box.columns]
        ),
    )


def pile(box: Box, number: int) -> tuple[tuple[float, float], ...]:
    """Where the pieces of a colour wait to be placed."""
    width, height = size(box)
    share = (width - 2 * EDGE) / len(box.colours)
    left = EDGE + share * number + 50
    step = (share - 100) / max(1, box.fact("pieces") - 1)
    return tuple((left + step * i, height + TRAY / 2 - 10) for i in range(box.fact("pieces")))


def beside(box: Box, *, north: bool) -> tuple[tuple[float, float], ...]:
    """Where the pieces lie that a seat has taken out."""
    width, height = size(box)
    y = TOP / 2 - 2 if north else height - BOTTOM / 2 + 18
    return tuple((width - EDGE - 90 + 62 * i, y) for i in range(-box.goal + 1, 1))


def scene(box: Box, board: Board, cells: Cells, *, turn: int | None) -> Scene:
    """The columns that remain, side by side, and at each end the one that follows round the ring.

    While pieces wait to be placed, all columns are there.
    """
    width, height = board.width, board.height
    waiting = {
        colour: box.fact("pieces") - sum(
            str(piece).partition(" ")[0] == colour for place, piece in cells.items() if place[1:]
        )
        for colour in box.colours
    }
    out = int(cells.get("A out", 0)) + int(cells.get("B out", 0))
    placing = sum(waiting.values()) > out
    remain = [
        letter for letter in LETTERS[:box.columns]
        if placing or any(f"{letter}{row + 1}" in cells for row in range(box.cells))
    ]
    middle = (box.columns - len(remain)) / 2
    slots = [(letter, middle + i, False) for i, letter in enumerate(remain)]
    slots = [
        (remain[-1], middle - 1, True), *slots, (remain[0], middle + len(remain), True)
    ]
    places = [
        place(box, letter, row, slot, symbol=symbol(box, cells, remain, letter, row), extra=extra)
        for letter, slot, extra in slots for row in range(box.cells)
    ]
    pieces = [
        piece_at(board, cell.id, str(cells[cell.id]), cell.x, cell.y, extra=cell.extra)
        for cell in places if cell.id in cells
    ]
    labels = [
        (EDGE + (slot + 1.5) * PITCH[box.number][0], height - BOTTOM + 42,
         f"({letter})" if extra else letter)
        for letter, slot, extra in slots
    ]
    labels += [
        (EDGE / 2 + middle * PITCH[box.number][0], place(box, "a", row, 0).y, str(row + 1))
        for row in range(box.cells)
    ]
    if box.stacks:
        places += [
            Cell(letter, x, y, symbol="head", extra=True)
            for (letter, _, extra), (x, y, _) in zip(slots, labels, strict=False) if not extra
        ]
    labels += seats(box, board, cells)
    following = {}
    if placing and box.forces:
        following = dict.fromkeys(next_spot(box, cells), "chosen")
        height += TRAY
        pieces += [
            piece_at(board, area.id, area.kind, x, y)
            for area in board.areas for x, y in area.spots[: waiting[area.id]]
        ]
    if box.goal:
        pieces += [
            piece_at(board, f"{seat} out", "out", x, y)
            for seat in ("A", "B")
            for x, y in beside(box, north=cells.get("north") == seat)[: int(cells[f"{seat} out"])]
        ]
    return Scene(
        width, height, tuple(places), tuple(pieces), tuple(labels), turn=turn, highlights=following
    )


def next_spot(box: Box, cells: Cells) -> list[str]:
    """Where the next piece of the set-up goes, if that is known yet."""
    for column, row in SPOTS[box.number]:
        letter = LETTERS[column]
        spot = str(cells.get(letter, "")) if box.number == 0 else f"{letter}{row + 1}"
        if spot not in cells:
            return [spot] if spot else []
    return []


def symbol(box: Box, cells: Cells, remain: list[str], letter: str, row: int) -> str:
    """What a cell looks like: the ends of a column, the dot of a slat, the gold of the mat, the
    notch in the cloth."""
    if box.number == 0 and cells.get(letter) == f"{letter}{row + 1}":
        return f"dot-{row + 1}"
    if box.number == 1 and row == 0 and letter == remain[len(remain) // 2]:
        return "notch"
    if box.number == 2:
        return f"ground-{'gold' if (LETTERS.index(letter), row) in SPOTS[2] else 'black'}"
    return "top" if row == 0 else "bottom" if row == box.cells - 1 else "middle"


def piece_at(
    board: Board, at: str, name: str, x: float, y: float, *, extra: bool = False
) -> Piece:
    """A piece of that name on a spot."""
    kind = board.kinds[name]
    return Piece(at, name, kind.symbol, kind.glyph, kind.owner, x, y, kind.facing, extra)


def seats(box: Box, board: Board, cells: Cells) -> list[tuple[float, float, str]]:
    """N and S, and who sits there once that is known."""
    north = cells.get("north")
    names = ("N", "S") if north is None else (f"N : {north}", f"S : {'AB'[north == 'A']}")
    middle = board.width / 2
    return [(middle, TOP / 2 - 12, names[0]), (middle, board.height - 24, names[1])]
