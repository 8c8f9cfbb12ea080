"""Pictures that pages show: a cover for each game, a figure for each example, a table.

They take long to draw: ask `drawing.draw` for them, which does it off the event loop.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Any

from escale.game.errors import IllegalMove
from escale.game.examples import Example
from escale.game.game import Game
from escale.game.position import Position
from escale.game.refusals import Refusal
from escale.game.scene import Panel, Scene
from escale.game.viewer import SPECTATOR, viewer_on_turn
from escale.render.svg import svg
from escale.render.text import text_board
from escale.server.drawing import draw

TALLEST = 1.25
"""What part of a long scene shows: at most this many times as high as it is wide."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing that stands alone."""

    svg: str
    width: int
    height: int
    tag: str
    """Its fingerprint, for browsers that have it already."""


@cache
def cover(box: Game[Any]) -> Picture:
    """The table before the first move, as the card of the game shows it."""
    start = box.start_with(dict(box.quick), seed=box.slug)
    scene = _with_frame(start.scene(viewer_on_turn(start.turn)), ())
    return _drawn(box, scene, coordinates=False)


@cache
def figure(box: Game[Any], name: str) -> Picture:
    """The position of an example, with what its move or its attempt touches; or KeyError."""
    example = {example.id: example for example in box.examples}[name]
    position = example.reach(box)
    scene = position.scene(viewer_on_turn(position.turn))
    if example.attempt is not None:
        scene = scene.lit("chosen", box.split(example.attempt)).lit("refused", example.cells)
    elif example.move is not None:
        first, *rest = position.find(example.move).atoms
        scene = scene.lit("next", rest).lit("chosen", [first])
    else:
        scene = scene.lit("next", position.choices().next)
    everywhere = [(0.0, 0.0), (scene.width, scene.height)]
    spots = everywhere if example.whole else _spots(scene) or everywhere
    return _drawn(box, _with_frame(scene, spots))


@dataclass(frozen=True, slots=True)
class Board:
    """A drawing that stands in a page which has the game's symbols."""

    position: Position
    svg: str
    panels: tuple[Panel, ...]


class TablePictures:
    """The boards of tables as spectators see them, kept while their position stands."""

    def __init__(self, most: int = 200) -> None:
        self._most = most
        self._kept: OrderedDict[str, Board] = OrderedDict()

    async def board(self, table: str, position: Position) -> Board:
        """The board of a table."""
        board = self._kept.get(table)
        if board is None or board.position is not position:
            scene = position.scene(SPECTATOR)
            board = await draw.named((table, id(position)), lambda: _board(position, scene))
            self._kept[table] = board
        self._kept.move_to_end(table)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return board


def _board(position: Position, scene: Scene) -> Board:
    box = position.game
    drawing = svg(scene, box.art, defs=False, title=box.title, description=text_board(scene))
    return Board(position, drawing, scene.panels)


def refusal_of(box: Game[Any], example: Example) -> Refusal:
    """Why the attempt of an example is refused."""
    try:
        example.reach(box).find(example.attempt or "")
    except IllegalMove as no:
        return no.refusal
    raise ValueError(f"the example {example.id} of {box.slug} attempts nothing illegal")


def _drawn(box: Game[Any], scene: Scene, *, coordinates: bool = True) -> Picture:
    frame = scene.panels[0]
    drawing = svg(
        scene, box.art, panel=frame.id, coordinates=coordinates,
        title=box.title, description=text_board(scene), width=round(frame.width),
    )
    return Picture(
        drawing, round(frame.width), round(frame.height),
        sha256(drawing.encode()).hexdigest()[:16],
    )


def _spots(scene: Scene) -> list[tuple[float, float]]:
    """Where something is lit, the last move apart."""
    lit = {at for at, reason in scene.highlights.items() if reason != "last"}
    return [(cell.x, cell.y) for cell in scene.cells if cell.id in lit] + [
        (piece.x, piece.y) for piece in scene.pieces if {piece.at, piece.atom} & lit
    ]


def _with_frame(scene: Scene, spots: Iterable[tuple[float, float]]) -> Scene:
    """The scene with one panel: all of it, or the stretch of its board in which it happens."""
    points = list(spots)
    if not scene.panels or not all(_inside(scene.panels[0], *point) for point in points):
        return replace(scene, panels=(Panel("frame", 0, 0, scene.width, scene.height),))
    part = scene.panels[0]
    down = [y for _, y in points] or [part.y]
    low, high = min(down), max(down)
    height = min(part.height, max(TALLEST * part.width, high - low + 200))
    top = min(max(part.y, (low + high - height) / 2), part.y + part.height - height)
    return replace(scene, panels=(Panel("frame", part.x, top, part.width, height),))


def _inside(panel: Panel, x: float, y: float) -> bool:
    return panel.x <= x <= panel.x + panel.width and panel.y <= y <= panel.y + panel.height
