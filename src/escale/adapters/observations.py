"""Observations: what a viewer sees, as one vector of numbers from 0 to 1.

A layout is derived from what a game declares: its board (a plane of cells for every kind of piece),
its slots (hands, bids, areas, counts), its seats and options. No code is written for a single game.
Tests check on many positions that views that differ give vectors that differ, and that nothing
hidden changes one.

```python
>>> import escale
>>> from escale.adapters.actions import Decision
>>> from escale.adapters.observations import layout_of
>>> position = escale.game("canoe").start()
>>> layout = layout_of(position.game, position.options)
>>> [(part.name, part.shape) for part in layout.parts][:3]
[('cells', (2, 61)), ('light reserve', (14,)), ('dark reserve', (14,))]
>>> vector = layout.vector(Decision(position), escale.Seat(0))
>>> layout.find_part("dark reserve").of(vector)[-1]
1.0

```
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from escale.adapters.actions import Decision, actions_of
from escale.game.game import Game
from escale.game.options import Options
from escale.game.slots import Slot
from escale.game.viewer import ALL, HIDDEN, SPECTATOR, Seat, Viewer
from escale.kernel.batch import add_atom, write_tail

ONE_HOT_LIMIT = 16
"""Numbers up to this have one entry for each value; larger ones are written as a fraction."""


class Numbers(Protocol):
    """Something to write numbers to: an array of this library, or of NumPy."""

    def __setitem__(self, index: int, number: float, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Part:
    """A named part of a vector."""

    name: str
    start: int
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of its entries."""
        return math.prod(self.shape)

    def of(self, vector: Sequence[float]) -> Sequence[float]:
        """Its numbers in a vector."""
        return vector[self.start: self.start + self.size]


class Layout:
    """The layout of the vectors of one game.

    - `cells`: for every kind of piece, 1 on each cell where one stands;
    - each slot of the game, by its name: 1 for every word that is there, then the number;
    - `plies`; `seen`, how often the position has occurred, where it can come again; `over`;
    - `turn`: the seat to move, or at the end chance; `viewer`: the seat that sees this, or at the
      end a viewer who sees everything;
    - each option, by `option NAME`: its value;
    - `move`: the atoms of a half-made move, for the seat that makes it. The last one counts a half,
      the one before a quarter, and so on, added up where an atom comes again.
    """

    def __init__(self, game: Game[Any], options: Options) -> None:
        self.game = game
        self.slots = game.slots()
        kinds = game.standing or tuple(game.board.kinds)
        cells = [cell.id for cell in game.board.cells]
        self._cells = {name: number for number, name in enumerate(cells)}
        self._kinds = {kind: number * len(cells) for number, kind in enumerate(kinds)}
        self._actions = actions_of(game, options)
        seats = game.seats[1]
        shapes: list[tuple[str, tuple[int, ...]]] = [("cells", (len(kinds), len(cells)))]
        shapes += [(slot.name, (_size(slot),)) for slot in self.slots]
        self.own = sum(math.prod(shape) for _, shape in shapes)
        """The number of entries of the game; those after them are alike in all games."""
        shapes += [("plies", (1,)), ("seen", (1,)), ("over", (1,))]
        shapes += [("turn", (seats + 1,)), ("viewer", (seats + 1,))]
        shapes += [(f"option {option.name}", (len(option.values),)) for option in game.options]
        shapes += [("move", (len(self._actions),))]
        parts, start = [], 0
        for name, shape in shapes:
            parts.append(Part(name, start, shape))
            start += parts[-1].size
        self.parts = tuple(parts)
        self.size = start
        self._named = {part.name: part for part in parts}
        self.option_values = array("f", [
            value == options[option.name] for option in game.options for value in option.values
        ])
        """The parts for options, which every observation has."""

    def find_part(self, name: str) -> Part:
        """The part of a name."""
        return self._named[name]

    def vector(self, decision: Decision, viewer: Viewer) -> array[float]:
        """The observation of a viewer; only the seat that makes a half-made move sees its atoms."""
        vector = array("f", bytes(4 * self.size))
        position = decision.position
        state = position.kernel()
        self.write_own(vector, state, viewer)
        seats = self.game.seats[1]
        seat = viewer.number if isinstance(viewer, Seat) else -1 if viewer is SPECTATOR else seats
        over = position.turn is None
        write_tail(vector, self.own, state, seats, seat, over, self.option_values)
        if viewer in (ALL, Seat(state.turn)):
            move = self.find_part("move")
            for atom in decision.chosen:
                add_atom(vector, move.start, move.size, self._actions.numbers[atom])
        return vector

    def write_own(self, vector: Numbers, state: Any, viewer: Viewer) -> None:
        """Write what a viewer sees on the cells and in the slots into a vector of zeros."""
        said = self.game.counts(state) | self.game.seen(self.game.cells(state), viewer)
        for name, value in said.items():
            if name in self._cells:
                for kind in [value] if value in self._kinds else str(value).split():
                    vector[self._kinds[str(kind)] + self._cells[name]] = 1
        for slot in self.slots:
            if slot.name in said:
                _write(vector, self._named[slot.name].start, slot, said[slot.name])


def layout_of(game: Game[Any], options: Options) -> Layout:
    """The layout of a game's vectors with these options: always the same object."""
    return _layout(game, *options.items())


@lru_cache(maxsize=256)
def _layout(game: Game[Any], *options: tuple[str, str]) -> Layout:
    return Layout(game, game.choose(dict(options)))


def _size(slot: Slot) -> int:
    number = 0 if slot.most is None else slot.most + 1 if slot.most <= ONE_HOT_LIMIT else 1
    return len(slot.words) + slot.numbers * number


def _write(vector: Numbers, start: int, slot: Slot, value: str | int) -> None:
    """Write the content of a slot: all 0 if it is empty, any number if it is hidden."""
    words = str(value).split() if slot.words and isinstance(value, str) else []
    for word in words:
        vector[start + slot.words.index(word)] = 1
    if slot.most is None:
        return
    start += len(slot.words)
    if value == HIDDEN:
        for number in range(slot.most + 1):
            vector[start + number] = 1
        return
    numbers = [len(words)] if slot.words and isinstance(value, str) else [
        int(number) for number in str(value).split(",")
    ]
    for number in numbers:
        if number > slot.most:
            raise ValueError(f"{slot.name}: at most {slot.most} were declared, not {number}")
        if slot.most <= ONE_HOT_LIMIT:
            vector[start + number] = 1
            start += slot.most + 1
        else:
            vector[start] = (number + 1) / (slot.most + 1)
            start += 1
