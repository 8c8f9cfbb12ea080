"""Pictures that pages show: a cover for each game, a figure for each example, a table.

They take long to draw: ask `drawing.draw` for them, which does it off the event loop.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

from escale.game.errors import IllegalMove
from escale.game.examples import Example
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position
from escale.game.refusals import Refusal
from escale.game.scene import Panel, Scene
from escale.game.viewer import ALL, SPECTATOR, Viewer, viewer_on_turn
from escale.render.svg import svg
from escale.render.text import board_in_words, text_board
from escale.server.workers.drawing import draw
from escale.study.lessons import lesson
from escale.study.puzzles import puzzles_of

TALLEST = 1.25
"""What part of a long scene shows: at most this many times as high as it is wide."""
MARGIN = 70.0
"""What shows above and below the things on the table."""


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
    scene = start.scene(viewer_on_turn(start.turn))
    far_end = [(panel.x, panel.y) for panel in scene.panels[:1]]
    return _drawn(box, _with_frame(scene, far_end), coordinates=False)


@cache
def figure(box: Game[Any], name: str) -> Picture:
    """The position of an example, with what its move or its attempt touches; or KeyError."""
    example = {example.id: example for example in box.examples}[name]
    position = example.reach(box)
    scene = position.scene(viewer_on_turn(position.turn))
    if example.attempt is not None:
        scene = scene.lit("chosen", box.split(example.attempt)).lit("refused", example.cells)
    elif example.move is not None:
        move = position.find(example.move)
        first, *rest = move.atoms
        scene = scene.lit("next", [*rest, *_touched(scene, move)]).lit("chosen", [first])
    else:
        scene = scene.lit("next", position.choices().next)
    if example.whole and scene.panels:
        return _drawn(box, _framed(scene, scene.panels[0]))
    return _drawn(box, _with_frame(scene, _spots(scene)))


@cache
def lesson_figure(box: Game[Any], name: str) -> Picture:
    """The position of a step of a lesson, before anything is done; or KeyError."""
    taught = lesson(box)
    step = {step.id: step for step in (taught.steps if taught else ())}[name]
    position = step.reach(box)
    scene = position.scene(viewer_on_turn(position.turn))
    touched = [*step.point, *box.split(step.hint(box) or "")]
    spots = [(cell.x, cell.y) for cell in scene.cells if cell.id in touched]
    return _drawn(box, _with_frame(scene, spots))


@lru_cache(maxsize=200)
def puzzle(box: Game[Any], name: str) -> Picture:
    """The position of a puzzle, with everything open; or KeyError."""
    position = puzzles_of(box)[name].start(box)
    scene = position.scene(ALL)
    if not scene.panels:
        return _drawn(box, _with_frame(scene, ()))
    _, *beside = scene.panels
    return _drawn(box, _framed(scene, _table(scene, beside, [])))


def table(
    position: Position, viewer: Viewer, *, defs: bool = True, lang: str | None = None
) -> Picture:
    """A table as a viewer sees it; of a long board, where the pieces of seats are.

    Without `defs` it is for a page that has the game's symbols; with `lang` it says in words what
    it shows.
    """
    scene = position.scene(viewer)
    words = None if lang is None else board_in_words(position.game, scene, lang)
    if not scene.panels:
        return _drawn(position.game, _with_frame(scene, ()), defs=defs, words=words)
    board = scene.panels[0]
    taken = [(piece.x, piece.y) for piece in scene.pieces if piece.owner is not None]
    taken = [point for point in taken if _inside(board, *point)]
    near_end = (board.x, board.y + board.height)
    frame = _stretch(board, taken or [*board.focus] or [near_end])
    return _drawn(position.game, _framed(scene, frame), defs=defs, words=words)


@dataclass(frozen=True, slots=True)
class Board:
    """A drawing that stands in a page which has the game's symbols."""

    position: Position
    svg: str


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
    # No description: pages in all languages share it, and say beside it what is on the board.
    drawing = svg(scene, box.art, defs=False, title=box.title)
    return Board(position, drawing)


def refusal_of(box: Game[Any], example: Example) -> Refusal:
    """Why the attempt of an example is refused."""
    try:
        example.reach(box).find(example.attempt or "")
    except IllegalMove as no:
        return no.refusal
    raise ValueError(f"the example {example.id} of {box.slug} attempts nothing illegal")


def _drawn(
    box: Game[Any], scene: Scene, *, coordinates: bool = True, defs: bool = True,
    words: str | None = None,
) -> Picture:
    frame = scene.panels[0]
    drawing = svg(
        scene, box.art, panel=frame.id, coordinates=coordinates,
        title=box.title, description=text_board(scene) if words is None else words,
        width=round(frame.width), defs=defs,
    )
    return Picture(
        drawing, round(frame.width), round(frame.height),
        sha256(drawing.encode()).hexdigest()[:16],
    )


def _touched(scene: Scene, move: Move) -> set[str]:
    """Where on a board with a table beside it something follows from a move."""
    board = {cell.id for cell in scene.cells if scene.panels}
    return board & {place for change in move.changes for place in (change.at, change.to) if place}


def _spots(scene: Scene) -> list[tuple[float, float]]:
    """Where something is lit, the last move apart."""
    lit = {at for at, reason in scene.highlights.items() if reason != "last"}
    return [(cell.x, cell.y) for cell in scene.cells if cell.id in lit] + [
        (piece.x, piece.y) for piece in scene.pieces if {piece.at, piece.atom} & lit
    ]


def _with_frame(scene: Scene, spots: Iterable[tuple[float, float]]) -> Scene:
    """The scene with one panel: all of it, or where it happens, on the board or beside it."""
    if not scene.panels:
        return _framed(scene, Panel("frame", 0, 0, scene.width, scene.height))
    board, *beside = scene.panels
    points = list(spots)
    on_board = [point for point in points if _inside(board, *point)]
    if on_board or not beside:
        return _framed(scene, _stretch(board, on_board))
    return _framed(scene, _table(scene, beside, points))


def _framed(scene: Scene, panel: Panel) -> Scene:
    return replace(scene, panels=(replace(panel, id="frame"),))


def _stretch(board: Panel, points: list[tuple[float, float]]) -> Panel:
    """As much of a long board as is needed, and a little more."""
    down = [y for _, y in points] or [board.y]
    low, high = min(down), max(down)
    height = min(board.height, max(TALLEST * board.width, high - low + 200))
    top = min(max(board.y, (low + high - height) / 2), board.y + board.height - height)
    return Panel("frame", board.x, top, board.width, height)


def _table(scene: Scene, panels: list[Panel], points: list[tuple[float, float]]) -> Panel:
    """What lies beside the board, from the first thing that is lit, a seat's or in a hand on."""
    here = [
        piece for piece in scene.pieces
        if any(_inside(panel, piece.x, piece.y) for panel in panels)
    ]
    seats = [piece.y for piece in here if piece.owner is not None or piece.atom]
    down = [y for _, y in points] + seats
    bottom = max([*down, *(piece.y for piece in here)]) + MARGIN
    top = min(down) - MARGIN
    left = min(panel.x for panel in panels)
    right = max(panel.x + panel.width for panel in panels)
    return Panel("frame", left, top, right - left, bottom - top)


def _inside(panel: Panel, x: float, y: float) -> bool:
    return panel.x <= x <= panel.x + panel.width and panel.y <= y <= panel.y + panel.height
