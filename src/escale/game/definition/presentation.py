"""What the author of a game writes: how people see it on the shelf and at the table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar

from escale.game.definition.rules import Rules, StateT
from escale.game.options import Options
from escale.game.printed import PrintedBox
from escale.game.prompts import Prompt, Situation
from escale.game.scene import Cells, Scene


@dataclass(frozen=True, slots=True)
class Supply:
    """A kind of piece that can be put on the board when a position is set up by hand."""

    piece: str
    most: int
    """How many of them there are."""


@dataclass(frozen=True, slots=True)
class Field:
    """Something that a position's text says besides the board, by its name in `counters`.

    Its label is the game's text `field.NAME`.
    """

    name: str
    values: tuple[str, ...] = ()
    """What it may be, or nothing; where there are none, it is typed."""


class Presentation(Rules[StateT]):
    """How a game looks, what players are asked, and how positions are set up by hand."""

    title: ClassVar[str]
    authors: ClassVar[tuple[str, ...]]
    publisher: ClassVar[str]
    year: ClassVar[int | None]
    minutes: ClassVar[tuple[int, int]]
    age: ClassVar[int]
    mechanisms: ClassVar[tuple[str, ...]]
    """What kind of game it is; each has a name in the house's texts."""
    quick: ClassVar[Mapping[str, str]] = {}
    """Options that everything one clicks to play suggests, where they differ from the defaults.

    What the default is stays one click away; programs that say nothing get the defaults.
    """
    groups: ClassVar[Mapping[str, Collection[str]]] = {}
    """Atoms that are asked for alike, by a name for them: see `Prompt`."""
    prompts: ClassVar[tuple[Prompt, ...]] = ()
    """The questions to players; the first that fits is asked. Each has a sentence in the texts."""
    supplies: ClassVar[tuple[Supply, ...] | None] = None
    """The pieces that may be put on cells when a position is set up by hand; None where positions
    are more than pieces on cells, and are not set up like that."""
    fields: ClassVar[tuple[Field, ...]] = ()
    """What can be said of such a position besides, one for each of `counters`."""
    models: ClassVar[tuple[str, ...]] = ()
    """Where positions are not set up by hand: examples whose texts show how they are written. The
    game's texts `writing.…` say it in words, in their order."""
    printed: ClassVar[PrintedBox | None] = None
    """What people print and cut out to play without a screen; None where that is not possible."""
    follows: ClassVar[bool] = False
    """Whether more follows a move than what was decided, so that two moves may end alike; the first
    change then tells them apart."""
    ways_in_atoms: ClassVar[bool] = True
    """Whether the cells among the atoms of every move are the way of the piece that it moves; where
    they are not, browsers get the ways with the moves."""

    def situation(self, state: StateT) -> Situation:
        """What the prompts must know beyond the atoms, such as that the seat to move must jump.

        Nothing of it may be hidden from that seat.
        """
        return Situation()

    def emblem(self, seat: int, cells: Cells) -> str:
        """The symbol of the art that stands for a seat: its piece, where it has a kind of its own.

        Where pieces belong to no seat, the art has a symbol for what the seat stands for; it may
        depend on what all may know of `cells`.
        """
        kinds = self.board.kinds.values()
        return next((kind.symbol for kind in kinds if kind.owner == seat), "")

    def near(self, cells: Cells) -> int:
        """The seat that sits below the board as it is drawn, of two that sit opposite."""
        return 0

    def scene(self, cells: Cells, *, turn: int | None, options: Options) -> Scene:
        """What the table looks like when a seat sees `cells`."""
        return self.board.scene(cells, turn=turn)

    def empty_board(self) -> Scene:
        """The board as it comes out of the box, for printing: no piece stands on it."""
        return self.board.scene({}, turn=None)
