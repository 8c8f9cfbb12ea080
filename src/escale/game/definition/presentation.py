"""The parts of a game that its author writes: its presentation on the shelf and at the table."""

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
    """The number of them in the box."""


@dataclass(frozen=True, slots=True)
class Field:
    """A fact that a position's text states in addition to the board, by its name in `counters`.

    Its label is the game's text `field.NAME`.
    """

    name: str
    values: tuple[str, ...] = ()
    """Its possible values, one of which may be empty; without any, the value is typed."""


class Presentation(Rules[StateT]):
    """How a game looks, what its players are asked, and how positions are set up by hand."""

    title: ClassVar[str]
    authors: ClassVar[tuple[str, ...]]
    publisher: ClassVar[str]
    year: ClassVar[int | None]
    minutes: ClassVar[tuple[int, int]]
    age: ClassVar[int]
    mechanisms: ClassVar[tuple[str, ...]]
    """Its mechanisms; each has a name in the house's texts."""
    quick: ClassVar[Mapping[str, str]] = {}
    """Options that pages suggest for a new table, if they differ from the defaults.

    People can choose the defaults with one click; programs that name no options get the defaults.
    """
    seat_colours: ClassVar[tuple[str, ...]] = (
        "#2f7f93", "#b65a3a", "#7d9a2f", "#7a4fa0", "#b58a1a", "#5b6b75",
    )
    """The colour of each seat's pieces, for curves and bars; others where pieces belong to none."""
    groups: ClassVar[Mapping[str, Collection[str]]] = {}
    """Groups of atoms with the same prompts, by their names: see `Prompt`."""
    prompts: ClassVar[tuple[Prompt, ...]] = ()
    """The questions to players; the first that fits is asked. Each has a sentence in the texts."""
    supplies: ClassVar[tuple[Supply, ...] | None] = None
    """The pieces that may be put on cells when a position is set up by hand; None if positions are
    more than pieces on cells, and cannot be set up so.
    """
    fields: ClassVar[tuple[Field, ...]] = ()
    """The other facts of such a position, one for each of `counters`."""
    models: ClassVar[tuple[str, ...]] = ()
    """If positions are not set up by hand: examples whose texts show how positions are written. The
    game's texts `writing.…` explain this in the same order.
    """
    printed: ClassVar[PrintedBox | None] = None
    """The box to print and cut out, for playing without a screen; None if that is impossible."""
    follows: ClassVar[bool] = False
    """Whether consequences follow a decision, so that two moves may have the same last changes; the
    first change then distinguishes them.
    """
    ways_in_atoms: ClassVar[bool] = True
    """Whether the cells among the atoms of every move are the way of the piece that it moves; if
    they are not, browsers get the ways with the moves.
    """

    def situation(self, state: StateT) -> Situation:
        """The facts that the prompts need beyond the atoms, such as that the seat to move must
        jump.

        Nothing of it may be hidden from that seat.
        """
        return Situation()

    def emblem(self, seat: int, cells: Cells) -> str:
        """The symbol of the art that stands for a seat: its piece, if it has a kind of its own.

        If pieces belong to no seat, the art has another symbol for the seat; it may depend on those
        `cells` that all viewers know.
        """
        kinds = self.board.kinds.values()
        return next((kind.symbol for kind in kinds if kind.owner == seat), "")

    def near(self, cells: Cells) -> int:
        """Of two seats that sit opposite, the one below the board as it is drawn."""
        return 0

    def scene(self, cells: Cells, *, turn: int | None, options: Options) -> Scene:
        """The scene of a viewer who knows `cells`."""
        return self.board.scene(cells, turn=turn)

    def empty_board(self) -> Scene:
        """The board as it comes out of the box, for printing: no piece stands on it."""
        return self.board.scene({}, turn=None)
