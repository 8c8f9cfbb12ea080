"""Games of two sides on a `Grid`: what follows from a `SidesState` is written once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from escale import kernel
from escale.game.changes import Change
from escale.game.definition import Supply
from escale.game.errors import Impossible
from escale.game.game import Game
from escale.game.grids import Grid
from escale.game.moves import Atoms
from escale.game.options import Options
from escale.game.scene import Cells, Kind
from escale.game.symmetry import Symmetry
from escale.kernel.sides import SidesState

SidesT = TypeVar("SidesT", bound=SidesState)


class SidesGame(Game[SidesT]):
    """A game for two, each with one kind of piece on a grid; its rules are a `SidesState`.

    `grid`, `pieces` and `begins` say what there is. Board, seats, set-up, the pieces for setting
    up by hand, cells, atoms and changes follow from them, and may be overridden.
    """

    grid: ClassVar[Grid]
    pieces: ClassVar[Mapping[str, Kind]]
    """The kind of piece of each seat, by the seat's name, in order of play."""
    begins: ClassVar[type[Any]]
    """The compiled rules; without arguments, the position before the first move."""

    def __init_subclass__(cls, **words: Any) -> None:
        super().__init_subclass__(**words)
        if "pieces" in cls.__dict__:
            cls.board = cls.grid.board(cls.pieces)
            cls.seat_names = tuple(cls.pieces)
            if "supplies" not in cls.__dict__:
                first = cls.begins()
                cls.supplies = tuple(
                    Supply(seat, max(pieces.bit_count(), 1))
                    for seat, pieces in zip(cls.pieces, (first.own, first.enemy), strict=True)
                )

    def begin(self, options: Options, seats: int) -> SidesT:
        """The first position of the rules."""
        return self.begins()        # type: ignore[no-any-return]

    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> SidesT:
        """Pieces of both sides anywhere; a game refuses here what cannot be."""
        if turn == kernel.CHANCE:
            raise Impossible("chance")
        for supply in self.supplies or ():
            count = self.grid.holding(cells, supply.piece).bit_count()
            if count > supply.most:
                raise Impossible("too-many", piece=supply.piece, most=supply.most, count=count)
        own, enemy = (self.grid.holding(cells, self.seat_names[seat]) for seat in (turn, 1 - turn))
        return self.begins(own, enemy, turn)        # type: ignore[no-any-return]

    def cells(self, state: SidesT) -> Cells:
        """Each piece under the name of its seat."""
        mine, theirs = self.seat_names[state.turn], self.seat_names[1 - state.turn]
        return {
            **dict.fromkeys(self.grid.named(state.own), mine),
            **dict.fromkeys(self.grid.named(state.enemy), theirs),
        }

    def atoms(self, state: SidesT, move: int) -> Atoms:
        """The cell that a piece leaves and the one it comes to; once where they are the same."""
        leaves, comes = move & 63, move >> 6 & 63
        ends = (leaves,) if leaves == comes else (leaves, comes)
        return tuple(self.grid.names[bit] for bit in ends)

    def changes(self, state: SidesT, move: int) -> Iterator[Change]:
        """What a piece meets on its straight way is captured, and so is what stands where it ends.

        A move that leaves and comes to the same cell takes the own piece there away.
        """
        mine, theirs = self.seat_names[state.turn], self.seat_names[1 - state.turn]
        at, *rest = self.atoms(state, move)
        if not rest:
            yield Change.captured(mine, at)
            return
        way, enemies = self.way(at, rest[0]), set(self.grid.named(state.enemy))
        if rest[0] in enemies:
            yield Change.captured(theirs, rest[0])
        for over, to in itertools.pairwise(way):
            if over in enemies:
                yield Change.jumped(mine, at, to, over)
                yield Change.captured(theirs, over)
                at = to
        if at != rest[0]:
            yield Change.moved(mine, at, rest[0])

    def way(self, start: str, end: str) -> list[str]:
        """The cells of a straight line, without the first one; only the end if there is none."""
        for direction in self.grid.directions:
            way, cell = [], self.grid.step(start, direction)
            while cell is not None:
                way.append(cell)
                if cell == end:
                    return way
                cell = self.grid.step(cell, direction)
        return [end]

    @classmethod
    def exchanged(cls, places: Mapping[str, str]) -> Symmetry:
        """The symmetry by which cells go to other places and the seats change sides."""
        first, second = cls.pieces
        return Symmetry(places=places, pieces={first: second, second: first}, swaps=True)
