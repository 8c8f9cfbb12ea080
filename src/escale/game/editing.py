"""Setting a position up by hand: the pieces that may be put on cells, and the other facts of its
text.

A game lists the pieces in its box (`Definition.supplies`) and the other facts of a position
(`Definition.fields`). Only its rules decide which positions are possible: a composed position is
written as a position's text and read like any other, and `Impossible` says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from escale.game.errors import Impossible
from escale.game.game import Game
from escale.game.position import Position
from escale.game.scene import Cells
from escale.kernel import CHANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """A position that was set up by hand."""

    cells: Mapping[str, str]
    """The pieces, by the names of their cells."""
    turn: str
    """A seat's name, or `chance`."""
    plies: int = 0
    seen: int = 1
    """The number of times that it has occurred."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """The other facts of its text; those left out have their usual values."""
    options: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, position: Position) -> Composition:
        """The composition that gives a position."""
        box = position.game
        pieces = {supply.piece for supply in box.supplies or ()}
        state: Any = position.kernel()
        return cls(
            cells={
                cell: str(piece) for cell, piece in position.cells.items()
                if cell in box.cell_names and piece in pieces
            },
            turn=box.turn_name(state.turn), plies=state.plies, seen=state.occurrences,
            fields=box.counts(state), options=position.options.changed,
        )


def compose(box: Game[Any], composed: Composition) -> Position:
    """The position that was set up; Impossible says why there is none."""
    try:
        return box.position(_text(box, composed))
    except Impossible as error:
        raise error.said_by(box.texts) from None


def _text(box: Game[Any], composed: Composition) -> str:
    if box.supplies is None:
        raise Impossible("no-editor")
    pieces = {supply.piece for supply in box.supplies}
    cells: Cells = {}
    for cell, piece in composed.cells.items():
        if cell not in box.cell_names:
            raise Impossible("unknown-cell", cell=cell[:40])
        if piece not in pieces:
            raise Impossible("unknown-piece", piece=piece[:40])
        cells[cell] = piece
    known = {one.name for one in box.fields}
    words = [f"seen={composed.seen}"] if composed.seen != 1 else []
    words += [f"{name}={value}" for name, value in composed.fields.items()
              if name in known and value and not set(" =") & set(value)]
    options = box.choose(composed.options)
    board = box.write_board(cells)
    return " ".join([board, composed.turn, str(composed.plies), *words, *options.words()])


def turns(box: Game[Any]) -> list[str]:
    """The turns that a position may have: a seat's, or chance's where a game can begin with it."""
    found = [box.turn_name(seat) for seat in range(box.seats[0])]
    chosen = [{}, *({one.name: value} for one in box.options for value in one.values)]
    if any(box.start_with(options).turn == CHANCE for options in chosen):
        found.append(box.turn_name(CHANCE))
    return found
