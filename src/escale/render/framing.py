"""The part of a scene that a still picture shows: all of it, or the place of an event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from escale.game.examples import Example
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position
from escale.game.scene import Panel, Scene
from escale.game.viewer import viewer_on_turn

TALLEST = 1.25
"""The shape of a part of a long scene: at most this many times as high as it is wide."""
MARGIN = 70.0
"""The margin above and below the pieces."""


def _with_refusal(
    scene: Scene, position: Position, tried: Sequence[str], cells: Sequence[str]
) -> Scene:
    """A refused attempt: what was tried and the cells of the refusal, but those that must be chosen
    instead are shown as such; then what was tried is crossed out.
    """
    legal = 0
    while legal < len(tried) and position.choices().after(*tried[:legal + 1]) is not None:
        legal += 1
    node = position.choices().after(*tried[:legal])
    instead = [cell for cell in cells if node is not None and cell in node.next]
    wrong = [cell for cell in cells if cell not in instead]
    if instead:
        wrong += tried[legal:legal + 1] or tried[-1:]
    return scene.lit("chosen", tried).lit("next", instead).lit("refused", wrong)


def figure_scene(example: Example, box: Game[Any]) -> Scene:
    """The position of an example, its move or attempt highlighted, in its frame."""
    position = box.position(example.position, line=example.line)
    scene = position.scene(viewer_on_turn(position.turn))
    if example.attempt is not None:
        scene = _with_refusal(scene, position, box.split(example.attempt), example.cells)
    elif example.move is not None:
        move = position.find(example.move)
        first, *rest = move.atoms
        scene = scene.lit("next", [*rest, *touched_places(scene, move)]).lit("chosen", [first])
    else:
        scene = scene.lit("next", position.choices().next)
    if example.whole and scene.panels:
        return framed(scene, scene.panels[0])
    return with_frame(scene, lit_spots(scene))


def touched_places(scene: Scene, move: Move) -> set[str]:
    """The place on a board with a table beside it where a move has its effect."""
    board = {cell.id for cell in scene.cells if scene.panels}
    return board & {place for change in move.changes for place in (change.at, change.to) if place}


def lit_spots(scene: Scene) -> list[tuple[float, float]]:
    """The highlighted places, without those of the last move."""
    lit = {at for at, reason in scene.highlights.items() if reason != "last"}
    return [(cell.x, cell.y) for cell in scene.cells if cell.id in lit] + [
        (piece.x, piece.y) for piece in scene.pieces if {piece.at, piece.atom} & lit
    ]


def with_frame(scene: Scene, spots: Iterable[tuple[float, float]]) -> Scene:
    """The scene with one panel: all of it, or the place where something happens."""
    if not scene.panels:
        return framed(scene, Panel("frame", 0, 0, scene.width, scene.height))
    board, *beside = scene.panels
    points = list(spots)
    on_board = [point for point in points if inside(board, *point)]
    if on_board or not beside:
        return framed(scene, stretch(board, on_board))
    return framed(scene, table_beside(scene, beside, points))


def table_scenes(scenes: Sequence[Scene]) -> list[Scene]:
    """The scenes of a table in one frame: of a long board, the part with the seats' pieces."""
    first = scenes[0]
    if not first.panels:
        return [with_frame(scene, ()) for scene in scenes]
    board = first.panels[0]
    taken = [
        (piece.x, piece.y) for scene in scenes for piece in scene.pieces
        if piece.owner is not None and inside(board, piece.x, piece.y)
    ]
    frame = stretch(board, taken or [*board.focus] or [(board.x, board.y + board.height)])
    return [framed(scene, frame) for scene in scenes]


def framed(scene: Scene, panel: Panel) -> Scene:
    """The scene with this panel alone, as `frame`."""
    return replace(scene, panels=(replace(panel, id="frame"),))


def stretch(board: Panel, points: list[tuple[float, float]]) -> Panel:
    """The needed part of a long board, and a little more."""
    down = [y for _, y in points] or [board.y]
    low, high = min(down), max(down)
    height = min(board.height, max(TALLEST * board.width, high - low + 200))
    top = min(max(board.y, (low + high - height) / 2), board.y + board.height - height)
    return Panel("frame", board.x, top, board.width, height)


def table_beside(scene: Scene, panels: list[Panel], points: list[tuple[float, float]]) -> Panel:
    """The part beside the board, from the first highlighted thing on."""
    here = [
        piece for piece in scene.pieces
        if any(inside(panel, piece.x, piece.y) for panel in panels)
    ]
    seats = [piece.y for piece in here if piece.owner is not None or piece.atom]
    down = [y for _, y in points] + seats
    bottom = max([*down, *(piece.y for piece in here)]) + MARGIN
    top = min(down) - MARGIN
    left = min(panel.x for panel in panels)
    right = max(panel.x + panel.width for panel in panels)
    return Panel("frame", left, top, right - left, bottom - top)


def inside(panel: Panel, x: float, y: float) -> bool:
    return panel.x <= x <= panel.x + panel.width and panel.y <= y <= panel.y + panel.height
