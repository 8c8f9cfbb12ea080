# cython: annotation_typing=False
"""Moves, as people and programs see them.

This is compiled, because programs that play request moves at every ply; the fields are declared in
`moves.pxd`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cython

from escale.game.changes import Change, retell
from escale.game.scene import Scene
from escale.game.viewer import Viewer

if TYPE_CHECKING:
    from escale.game.position import Position
    from escale.kernel.core import Moves

Atoms = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pause:
    """A moment within a move at which the table is shown unchanged for a while."""

    after: int
    """The number of the move's changes before it."""
    scene: Scene


@cython.final
@cython.freelist(64)
@cython.cclass
class Move:
    """A whole turn of one seat, every jump and every choice in it included.

    Moves compare equal when they are the same move of equal positions.
    """

    def __init__(self, position: Position, code: int, atoms: Atoms | None = None) -> None:
        self.position = position
        self.code = code
        """Its number in the kernel."""
        self._atoms: Atoms | None = atoms
        self._changes: tuple[Change, ...] | None = None

    @property
    def atoms(self) -> Atoms:
        """The atoms that make it, in order."""
        if self._atoms is None:             # most moves of a position are never examined
            self._atoms = self.position.spell(self.code)
        return self._atoms

    @property
    def text(self) -> str:
        """Its notation, such as `d2-d3`."""
        return self.position.game.join(self.atoms)

    @property
    def seat(self) -> int:
        """The seat that makes it; `escale.CHANCE` for a chance outcome."""
        return self.position.mover(self.code)

    def label(self, lang: str) -> str:
        """The move in words, such as `d5 – colonne f – au nord`."""
        return self.position.game.spell(self.atoms, lang)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes on the table."""
        if self._changes is None:
            position = self.position
            self._changes = tuple(position.game.changes(position.kernel(), self.code))
        return self._changes

    @property
    def ways(self) -> list[tuple[str, ...]]:
        """For each piece that the player moves from cell to cell, the cells that it goes through.

        The changes of other players' pieces are left out.
        """
        board, turn = self.position.game.board, self.position.turn
        cells = board.cell_names
        found: list[list[str]] = []
        for change in self.changes:
            if change.at not in cells or change.to not in cells or change.piece is None:
                continue
            if board.kinds[change.piece].owner not in (None, turn):
                continue
            going = next((way for way in found if way[-1] == change.at), None)
            if going is None:
                found.append(going := [change.at])
            going += [*change.way, change.to]
        return [tuple(way) for way in found]

    @property
    def way_in_atoms(self) -> bool:
        """Whether the cells among its atoms are the way of the one piece that it moves, if any."""
        names = self.position.game.board.cell_names
        cells = tuple(atom for atom in self.atoms if atom in names)
        return self.ways == ([cells] if len(cells) > 1 else [])

    def seen_by(self, viewer: Viewer) -> tuple[Change, ...]:
        """The changes as a viewer may know them."""
        game = self.position.game
        return tuple(game.seen_change(change, viewer) for change in self.changes)

    def pauses(self, viewer: Viewer) -> Iterator[Pause]:
        """The moments at which a viewer should see the table before the move goes on."""
        position, changes = self.position, self.seen_by(viewer)
        for number, change in enumerate(changes):
            if change.look:
                cells = retell(position.game.seen(position.cells, viewer), changes[:number])
                scene = position.game.scene(cells, turn=position.turn, options=position.options)
                yield Pause(number, scene.lit("look", change.look))

    def narrate(self, lang: str, viewer: Viewer) -> str:
        """The move in a sentence, for the log and for people who do not see the board."""
        game = self.position.game
        return " ".join(game.narrate(change, lang) for change in self.seen_by(viewer))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self.code == other.code and (
            self.position is other.position or self.position == other.position
        )

    def __hash__(self) -> int:
        return hash(self.code)

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self.position, self.code)

    def __repr__(self) -> str:
        return f"<Move {self.text}>"


def move_of(position: Position, code: int) -> Move:
    """The move of a position with this number in the kernel, made without a call from Python."""
    move = Move.__new__(Move)
    move.position = position
    move.code = code
    move._atoms = move._changes = None
    return move


@cython.final
@cython.freelist(64)
@cython.cclass
class LegalMoves:
    """The legal moves of a position, in order: a sequence that behaves like a list of `Move`.

    It keeps the kernel's numbers and creates a `Move` on request, so that choosing one of a hundred
    costs no more than choosing one of ten. It never changes: `list(moves)` can be sorted or
    shuffled.
    """

    def __init__(self, position: Position, codes: Moves) -> None:
        self.position = position
        self.codes = codes
        """Their numbers in the kernel."""

    def __len__(self) -> int:
        return self.codes.count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            start, stop, step = index.indices(self.codes.count)
            return [move_of(self.position, self.codes[i]) for i in range(start, stop, step)]
        number = index
        if number < 0:
            number += self.codes.count
        return move_of(self.position, self.codes[number])

    def __iter__(self) -> Iterator[Move]:
        return iter(self[:])

    def __reversed__(self) -> Iterator[Move]:
        return iter(self[::-1])

    def __contains__(self, move: object) -> bool:
        return self.count(move) > 0

    def index(self, move: object) -> int:
        """The index of a move; ValueError if it is not there."""
        found: int = self[:].index(move)
        return found

    def count(self, move: object) -> int:
        """1 if a move is legal here, else 0."""
        found: int = self[:].count(move)
        return found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LegalMoves | list):
            return NotImplemented
        same: bool = self[:] == other[:]
        return same

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.position,)

    def __repr__(self) -> str:
        return repr(self[:])


Sequence.register(LegalMoves)


def _again(position: Position) -> Sequence[Move]:
    """The moves of a position that comes out of a pickle."""
    return position.moves()
