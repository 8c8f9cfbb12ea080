"""The drawing of Tortuga's board, and the turtles that stand on it at first."""

from __future__ import annotations

from escale.game.printed import PrintedBoard, PrintedBox, PrintedToken
from escale.game.scene import Cells, Kind
from escale.games.tortuga.geometry import GRID

FORMATIONS: dict[str, Cells] = {
    name: {**dict.fromkeys(south.split(), "south"), **dict.fromkeys(north.split(), "north")}
    for name, south, north in (
        ("edges", "d1 c1 e1 b1 f1 a1 g1 d2", "d7 c6 e6 b5 f5 a4 g4 d6"),
        ("compact", "d1 d2 c1 c2 e1 e2 b1 f1", "d7 d6 c6 c5 e6 e5 b5 f5"),
    )
}

BOARD = GRID.board({
    "south": Kind("turtle-south", "▲", "S", owner=0, facing=0),
    "north": Kind("turtle-north", "▽", "N", owner=1, facing=180),
    "neutral": Kind("turtle-back", "o", "x", facing=0),
})

#: A turtle's owner is recognised by the way it faces: all sixteen are alike.
PRINTED = PrintedBox(
    boards=(PrintedBoard(name="board", unit_mm=26, frame=(0, 0, BOARD.width, BOARD.height)),),
    tokens=(
        PrintedToken(name="turtle", front="turtle-south", back="turtle-back", count=16,
                     ground="#f4e3b6"),
    ),
    disc_mm=21,
)
