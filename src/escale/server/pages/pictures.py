"""Pictures that pages show: a cover for each game, a figure for each example, a table.

Drawing takes long: call these functions through `drawing.draw`, which works off the event loop.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

from escale.game.errors import IllegalMove
from escale.game.examples import Example
from escale.game.game import Game
from escale.game.position import Position
from escale.game.refusals import Refusal
from escale.game.scene import Scene
from escale.game.viewer import ALL, SPECTATOR, Viewer, viewer_on_turn
from escale.render.framing import figure_scene, framed, table_beside, table_scenes, with_frame
from escale.render.svg import svg
from escale.render.text import board_in_words, text_board
from escale.server.workers.drawing import draw
from escale.study.lessons import lesson
from escale.study.puzzles import puzzles_of


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing that stands alone."""

    svg: str
    width: int
    height: int
    tag: str
    """Its fingerprint, so that browsers which have it already get no copy."""


@cache
def cover(box: Game[Any]) -> Picture:
    """The table before the first move, as the card of the game shows it."""
    start = box.start_with(dict(box.quick), seed=box.slug)
    scene = start.scene(viewer_on_turn(start.turn))
    far_end = [(panel.x, panel.y) for panel in scene.panels[:1]]
    return _drawn(box, with_frame(scene, far_end), coordinates=False)


@cache
def figure(box: Game[Any], name: str) -> Picture:
    """The position of an example, with the atoms of its move or attempt lit; or KeyError."""
    example = {example.id: example for example in box.examples}[name]
    return _drawn(box, figure_scene(example, box))


@cache
def lesson_figure(box: Game[Any], name: str) -> Picture:
    """The position of a step of a lesson, before anything is done; or KeyError."""
    taught = lesson(box)
    step = {step.id: step for step in (taught.steps if taught else ())}[name]
    position = step.reach(box)
    scene = position.scene(viewer_on_turn(position.turn))
    touched = [*step.point, *box.split(step.hint(box) or "")]
    spots = [(cell.x, cell.y) for cell in scene.cells if cell.id in touched]
    return _drawn(box, with_frame(scene, spots))


@lru_cache(maxsize=200)
def puzzle(box: Game[Any], name: str) -> Picture:
    """The position of a puzzle, with everything open; or KeyError."""
    position = puzzles_of(box)[name].start(box)
    scene = position.scene(ALL)
    if is_far(position, position.turn):
        scene = scene.turned(2)
    if not scene.panels:
        return _drawn(box, with_frame(scene, ()))
    _, *beside = scene.panels
    return _drawn(box, framed(scene, table_beside(scene, beside, [])))


def is_far(position: Position, seat: int | None) -> bool:
    """Whether a seat sits opposite, above the board as it is drawn."""
    opposite = position.game.seats == (2, 2) and not position.scene(SPECTATOR).panels
    return opposite and seat in (0, 1) and position.game.near(position.cells) != seat


def table(
    position: Position, viewer: Viewer, *, defs: bool = True, lang: str | None = None
) -> Picture:
    """A table as a viewer sees it; of a long board, where the pieces of seats are.

    Without `defs` it is for a page that has the game's symbols; with `lang` it has a description in
    words.
    """
    scene = position.scene(viewer)
    words = None if lang is None else board_in_words(position.game, scene, lang)
    [scene] = table_scenes([scene])
    return _drawn(position.game, scene, defs=defs, words=words)


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
    # No description: pages in all languages share it, and describe the board beside it.
    drawing = svg(scene, box.art, defs=False, title=box.title)
    return Board(position, drawing)


def refusal_of(box: Game[Any], example: Example) -> Refusal:
    """The reason why the attempt of an example is refused."""
    try:
        box.position(example.position, line=example.line).find(example.attempt or "")
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
