"""A scene in two parts: the constant board, and the state of play.

The `BoardPart` of a game depends on its options and the number of its seats alone. It has a
fingerprint, is sent once and may be kept for ever. A viewer's `Scene` at some moment is described
relative to it, and then by its differences from the moment before:

>>> import escale
>>> from escale.game.viewer import SPECTATOR
>>> before = escale.game("canoe").start().play("a4")
>>> after = before.play("b4")
>>> part = board_part(before.game, before.options, 2)
>>> changed = difference(*(part.state_of_play(one.scene(SPECTATOR)) for one in (before, after)))
>>> changed["pieces"]
{'out': [25], 'in': [[1, ('b4', 'dark')]]}

The browser puts the parts together again in `state_of_play.js`, as `join` and `merge` do here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any

from msgspec import json

from escale.game.game import Game
from escale.game.moves import Atoms, Move
from escale.game.options import Options
from escale.game.scene import Area, Caption, Cell, Label, Panel, Piece, Scene, Tally
from escale.game.viewer import SPECTATOR

Play = dict[str, Any]
"""The state of play as plain data, or its differences; null stands for the board's value."""

SIZES = ("width", "height", "quarters", "places")
OF_KIND = ("symbol", "glyph", "owner", "facing")
MORE = ("label", "atom", "faded", "extra")
"""The fields of a piece beyond its kind and its place; mostly empty."""
KEPT_BOARDS = 64
"""The number of boards that are kept in memory."""
KEPT_PIECES = 5000
"""The number of pieces whose short form a board remembers."""

Spots = tuple[tuple[float, float], ...]


@lru_cache(maxsize=KEPT_BOARDS)
def _board_part(game: Game[Any], seats: int, options: tuple[tuple[str, str], ...]) -> BoardPart:
    start = game.start_with(dict(options), seats=seats)
    return BoardPart(game, start.scene(SPECTATOR))


def board_part(game: Game[Any], options: Mapping[str, str], seats: int) -> BoardPart:
    """The board of a game with these options and seats; BadSetup lists the possible values."""
    chosen = options if isinstance(options, Options) else game.choose(options)
    return _board_part(game, game.seat_count(seats), tuple(chosen.changed.items()))


class BoardPart:
    """The constant part of a game's scenes."""

    def __init__(self, game: Game[Any], start: Scene) -> None:
        self.scene = replace(start, pieces=(), turn=None, highlights={}, tallies={}, hulls=())
        self.kinds = dict(game.board.kinds)
        self._cells = {cell.id: number for number, cell in reversed([*enumerate(start.cells)])}
        self._areas = {area.id: number for number, area in enumerate(start.areas)}
        self._labels = {label: number for number, label in enumerate(map(_hashed, start.labels))}
        self._same_labels = {id(label): number for number, label in enumerate(start.labels)}
        """The same for the objects of the first scene itself, which most games write again."""
        self._places = _places(start)
        self._short: dict[Piece, tuple[Any, ...]] = {}
        """The short forms of pieces, if the board is arranged as at first."""

    @cached_property
    def json(self) -> bytes:
        """The part as it is sent."""
        scene = self.scene
        return json.encode({
            **{name: getattr(scene, name) for name in SIZES},
            "cells": scene.cells, "areas": scene.areas, "labels": scene.labels,
            "panels": scene.panels, "kinds": self.kinds,
        })

    @cached_property
    def fingerprint(self) -> str:
        """A name for exactly this board."""
        return sha256(self.json).hexdigest()[:16]

    # ---- taking a scene apart ----

    def state_of_play(self, scene: Scene) -> Play:
        """The whole state of play; its pieces are tuples, so that they can be compared."""
        if scene.cells is self.scene.cells and scene.areas is self.scene.areas:
            short, places = self._short, self._places
        else:
            short, places = {}, _places(scene)
        pieces = []
        for piece in scene.pieces:
            found = short.get(piece)
            if found is None:
                found = short[piece] = self._piece(piece, places)
            pieces.append(found)
        if len(self._short) > KEPT_PIECES:
            self._short.clear()
        return {
            **self._unlike_board(scene), "turn": scene.turn, "highlights": scene.highlights,
            "tallies": scene.tallies, "pieces": pieces,
            **({"hulls": scene.hulls} if scene.hulls else {}),
        }

    def _unlike_board(self, scene: Scene) -> Play:
        """The present arrangement of the board, as far as it differs from the first one."""
        board = self.scene
        found: Play = {
            name: getattr(scene, name) for name in SIZES
            if getattr(scene, name) != getattr(board, name)
        }
        if scene.cells is not board.cells and scene.cells != board.cells:
            found["cells"] = self._in_runs(scene.cells)
        if scene.areas is not board.areas and scene.areas != board.areas:
            found["areas"] = [self._area(area) for area in scene.areas]
        if scene.labels is not board.labels and scene.labels != board.labels:
            found["labels"] = _runs(
                scene.labels, [self._label_number(label) for label in scene.labels]
            )
        if scene.panels != board.panels:
            known = {panel: number for number, panel in enumerate(board.panels)}
            found["panels"] = _runs(scene.panels, [known.get(panel) for panel in scene.panels])
        return found

    def _label_number(self, label: Label) -> int | None:
        number = self._same_labels.get(id(label))
        return self._labels.get(_hashed(label)) if number is None else number

    def _in_runs(self, cells: Sequence[Cell]) -> list[Any]:
        """The board's cells at their present places; cells that moved alike are listed together."""
        runs: list[Any] = []
        last: tuple[Any, ...] = ()
        for cell in cells:
            number = self._cells.get(cell.id)
            own = None if number is None else self.scene.cells[number]
            if number is None or own is None or not _moved(own, cell):
                runs.append(cell)
                last = ()
                continue
            how = (
                cell.x - own.x, cell.y - own.y, int(cell.extra),
                None if cell.symbol == own.symbol else cell.symbol,
                None if cell.glyph == own.glyph else cell.glyph,
            )
            if last and last[0] == number and last[1:] == how:
                runs[-1][1] += 1
            else:
                size = 5 if how[4] is not None else 4 if how[3] is not None else 3 if how[2] else 2
                runs.append([number, 1, *how[:size]])
            last = (number + 1, *how)
        return runs

    def _area(self, area: Area) -> Any:
        """An area of the board with its displacement; if it is another one, the area itself."""
        number = self._areas.get(area.id)
        if number is None:
            return area
        own: Area = self.scene.areas[number]
        dx, dy = (area.spots[0][i] - own.spots[0][i] for i in (0, 1))
        there = tuple((x + dx, y + dy) for x, y in own.spots)
        return [number, dx, dy] if area == replace(own, spots=there) else area

    def _piece(self, piece: Piece, places: Mapping[str, Spots]) -> tuple[Any, ...]:
        """A piece: its place, its kind, its point if that is not the place's, and other fields."""
        kind = self.kinds[piece.name]
        spots = places.get(f"{piece.at} " if piece.extra else piece.at, ())
        spot = (piece.x, piece.y)
        where: Any = spots.index(spot) if spot in spots else spot
        more = {name: value for name in MORE if (value := getattr(piece, name))}
        more |= {
            name: value for name in OF_KIND
            if (value := getattr(piece, name)) != getattr(kind, name)
        }
        short = (piece.at, piece.name)
        if more:
            return (*short, where, *((name, value) for name, value in more.items()))
        return (*short, where) if where else short

    # ---- putting it together again ----

    def join(self, play: Play) -> Scene:
        """The scene of a state of play that came from JSON."""
        board = self.scene
        given = {name: value for name, value in play.items() if value is not None}
        scene = replace(
            board, turn=play["turn"], highlights=play["highlights"],
            tallies={
                seat: tuple(Tally(*tally) for tally in tallies)
                for seat, tallies in play["tallies"].items()
            },
            **{name: given[name] for name in SIZES if name in given},
            hulls=tuple(map(tuple, given.get("hulls", ()))),
            cells=tuple(self._cells_of(given["cells"])) if "cells" in given else board.cells,
            areas=tuple(map(self._area_of, given["areas"])) if "areas" in given else board.areas,
            labels=tuple(_unrolled(given["labels"], board.labels, _label_of))
            if "labels" in given else board.labels,
            panels=tuple(_unrolled(given["panels"], board.panels, _panel_of))
            if "panels" in given else board.panels,
        )
        places = _places(scene)
        return replace(
            scene, pieces=tuple(self._piece_of(places, *piece) for piece in play["pieces"])
        )

    def _cells_of(self, runs: Iterable[Any]) -> Iterable[Cell]:
        for run in runs:
            if isinstance(run, dict):
                yield Cell(**{**run, "outline": tuple(map(tuple, run["outline"]))})
                continue
            first, count, dx, dy, extra, symbol, glyph = [*run, None, None, None][:7]
            for cell in self.scene.cells[first: first + count]:
                yield replace(
                    cell, x=cell.x + dx, y=cell.y + dy, extra=bool(extra),
                    outline=tuple((x + dx, y + dy) for x, y in cell.outline),
                    symbol=cell.symbol if symbol is None else symbol,
                    glyph=cell.glyph if glyph is None else glyph,
                )

    def _area_of(self, sent: Any) -> Area:
        if isinstance(sent, dict):
            return Area(**{**sent, "spots": tuple(map(tuple, sent["spots"]))})
        number, dx, dy = sent
        own: Area = self.scene.areas[number]
        return replace(own, spots=tuple((x + dx, y + dy) for x, y in own.spots))

    def _piece_of(
        self, places: Mapping[str, Spots], at: str, name: str, where: Any = 0,
        *facts: tuple[str, Any],
    ) -> Piece:
        kind, more = self.kinds[name], dict(facts)
        x, y = places[f"{at} " if more.get("extra") else at][where] \
            if isinstance(where, int) else where
        of_kind = {name: getattr(kind, name) for name in OF_KIND}
        return Piece(at, name, x=x, y=y, **{**of_kind, **more})


def difference(before: Play, after: Play) -> Play:
    """The differences between two states of play."""
    changed = {name: value for name, value in after.items() if before.get(name) != value}
    if "pieces" in changed:
        changed["pieces"] = _edits(before["pieces"], after["pieces"])
    return changed | dict.fromkeys(before.keys() - after.keys())


def _edits(before: list[Any], after: list[Any]) -> Any:
    """The pieces that go, and those that come; all pieces if that is not enough."""
    old, new = set(before), set(after)
    stay = [piece for piece in before if piece in new]
    if not stay or stay != [piece for piece in after if piece in old]:
        return after
    return {
        "out": [number for number, piece in enumerate(before) if piece not in new],
        "in": [[number, piece] for number, piece in enumerate(after) if piece not in old],
    }


def merge(play: Play, difference: Play) -> Play:
    """The state of play after a difference."""
    changed = {**play, **difference}
    edits = difference.get("pieces")
    if isinstance(edits, dict):
        gone = set(edits["out"])
        pieces = [piece for number, piece in enumerate(play["pieces"]) if number not in gone]
        for number, piece in edits["in"]:
            pieces.insert(number, piece)
        changed["pieces"] = pieces
    return changed


def short_ways(move: Move, path: Atoms) -> str | None:
    """The cells that pieces go through in a move whose atoms do not name them; else None.

    Such as `-2 4-1` for a3-c2 and a4-c1 after a3 and c; empty if no piece moves. A cell or its
    letter is left out if `path`, the atoms chosen so far, or the way before has it at the same
    place.
    """
    if move.way_in_atoms:
        return None
    before = path[:2]
    short = []
    for way in move.ways:
        short.append("-".join(map(_shorter, way, (*before, *[""] * len(way)))))
        before = way
    return " ".join(short)


def _shorter(cell: str, before: str) -> str:
    if cell == before:
        return ""
    return cell[1:] if cell[:1] == before[:1] and cell[1:2].isdigit() else cell


def _places(scene: Scene) -> dict[str, Spots]:
    """The points of pieces on every cell and in every area; a cell shown again ends in a space."""
    found: dict[str, Spots] = {
        f"{cell.id} " if cell.extra else cell.id: ((cell.x, cell.y),) for cell in scene.cells
    }
    found.update((area.id, area.spots) for area in scene.areas)
    return found


def _moved(own: Cell, cell: Cell) -> bool:
    """Whether a cell is the board's, except for its point, its symbol, and being shown again."""
    dx, dy = cell.x - own.x, cell.y - own.y
    return cell.outline == tuple((x + dx, y + dy) for x, y in own.outline) \
        and (own.x + dx, own.y + dy) == (cell.x, cell.y)


def _runs(items: Sequence[Any], numbers: Iterable[int | None]) -> list[Any]:
    """A list of items; those that follow one another on the board are `[first, count]`."""
    found: list[Any] = []
    goes_on: int | None = None
    for item, number in zip(items, numbers, strict=True):
        if number is None:
            found.append(item)
        elif number == goes_on:
            found[-1][1] += 1
        else:
            found.append([number, 1])
        goes_on = None if number is None else number + 1
    return found


def _unrolled(sent: Iterable[Any], board: Sequence[Any], read: Any) -> Iterable[Any]:
    for item in sent:
        if isinstance(item, list) and len(item) == 2:
            yield from board[item[0]: item[0] + item[1]]
        else:
            yield read(item)


def _label_of(sent: Sequence[Any]) -> Label:
    x, y, text, style = sent
    return Label(x, y, text if isinstance(text, str) else Caption(*text), style)


def _panel_of(sent: Mapping[str, Any]) -> Panel:
    return Panel(**{**sent, "focus": tuple(map(tuple, sent["focus"]))})


def _hashed(label: Label) -> Any:
    """A label as a key for a dictionary."""
    text = label.text
    if isinstance(text, Caption):
        return (*label[:2], text.key, repr(text.values), label.style)
    return label
