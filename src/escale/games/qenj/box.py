"""The contents of the box of each game of the family: columns, pieces and their names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from escale.game.definition import Supply
from escale.games.qenj.geometry import FAMILY, SPOTS

LETTERS = "abcdefghijkl"


def cell(column: int, row: int) -> str:
    """A cell's name, from numbers that start at 0."""
    return f"{LETTERS[column]}{row + 1}"


@dataclass(frozen=True)
class Box:
    """The contents of the box of one game of the family."""

    number: int
    """Its place in the family, from 0."""
    colours: tuple[str, ...]

    def fact(self, name: str) -> int:
        """The entries of the table of the family (`FAMILY`) for this game."""
        return FAMILY[name][self.number]

    @cached_property
    def columns(self) -> int:
        """The number of columns at the start."""
        return self.fact("columns")

    @cached_property
    def cells(self) -> int:
        """The number of cells in a column."""
        return self.fact("cells")

    @cached_property
    def forces(self) -> int:
        """The number of pieces of each force in a colour; 0 if pieces have no force."""
        return self.fact("forces")

    @cached_property
    def goal(self) -> int:
        """The number of pieces to take out; 0 if filling a column wins."""
        return self.fact("out")

    @cached_property
    def stacks(self) -> bool:
        """Whether pieces travel as a stack behind the proxime."""
        return bool(self.forces) and self.fact("taken") > 1

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The names of all kinds of pieces; a piece whose force is hidden has a name without it."""
        return tuple(
            f"{colour} {force}" if force else colour
            for colour in self.colours
            for force in range(4 if self.forces else 1)
        )

    @cached_property
    def supplies(self) -> tuple[Supply, ...]:
        """The number of pieces of each kind."""
        return tuple(
            Supply(name, self.forces if " " in name else self.fact("pieces"))
            for name in self.pieces
        )

    def name(self, piece: int) -> str:
        """The name of a piece, from its number in the compiled rules."""
        colour = self.colours[(piece >> 2) - 1]
        return f"{colour} {piece & 3}" if piece & 3 else colour

    def code(self, name: str) -> int:
        """The number of a piece in the compiled rules."""
        colour, _, force = name.partition(" ")
        return self.colours.index(colour) + 1 << 2 | int(force or 0)

    def letters(self, name: str) -> str:
        """A piece as a position's text writes it: the colour's initial and the force."""
        colour, _, force = name.partition(" ")
        return colour[0] + force

    def spot(self, dots: int, step: int) -> tuple[int, int]:
        """The place of the set-up's piece with this number, as column and row."""
        column, row = SPOTS[self.number][step]
        return (column, (dots >> 3 * step & 7) - 1) if self.number == 0 else (column, row)
