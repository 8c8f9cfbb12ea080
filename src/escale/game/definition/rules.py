"""The parts of a game that its author writes: its rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from escale import kernel
from escale.game.changes import Change
from escale.game.moves import Atoms
from escale.game.options import Option, Options
from escale.game.refusals import Refusal
from escale.game.scene import Board, Cells
from escale.game.slots import Slot
from escale.game.viewer import Viewer

if TYPE_CHECKING:
    from escale.game.position import Position


StateT = TypeVar("StateT", bound=kernel.State)
"""A game's compiled position."""


NEAR_PLIES = 20
"""The number of plies before its end at which a game begins to count down."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A way in which a game can end; its sentence is in the game's texts."""

    name: str
    paragraph: str
    """The paragraph of the rules page that says so, by its name."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """Something that ends a game by itself; its sentence is in the game's texts."""

    name: str
    """The ending that it leads to."""
    left: int | None = None
    """The number of plies until then, unless something else happens before; None if this position
    ends the game when it occurs again, whenever that is.
    """

    @property
    def near(self) -> bool:
        """Whether players should see it."""
        return self.left is None or self.left <= NEAR_PLIES


class Rules(ABC, Generic[StateT]):
    """The facts of a game and its rules: five methods must be written."""

    slug: ClassVar[str]
    """Its name in addresses and commands."""
    seat_names: ClassVar[tuple[str, ...]]
    """The seats, in order of play; each has a name in the game's texts."""
    seats: ClassVar[tuple[int, int]] = (2, 2)
    """The fewest and the most seats."""
    options: ClassVar[tuple[Option, ...]] = ()
    endings: ClassVar[tuple[Ending, ...]]
    """The endings, in the order of the numbers that the compiled rules return."""
    recurs: ClassVar[bool] = True
    """Whether a position can occur again, so that its text may have the number of occurrences."""
    buttons: ClassVar[tuple[str, ...]] = ()
    """Atoms that are not places on the board: each has a label in the game's texts."""
    counters: ClassVar[tuple[str, ...]] = ()
    """Words `name=value` that a position's text may have in addition to options: see `counts`."""
    moving: ClassVar[str]
    """The paragraph to cite when no better reason for a refusal is known."""
    drawing: ClassVar[str | None] = None
    """The paragraph on what is left to chance; None in a game without chance."""
    cites: ClassVar[frozenset[str]]
    """The paragraphs that the game's own refusals cite; each needs an example."""
    board: ClassVar[Board]
    standing: ClassVar[tuple[str, ...]] = ()
    """The kinds of pieces that stand on cells; empty if all do."""

    # ---- methods that must be written ----

    @abstractmethod
    def begin(self, options: Options, seats: int) -> StateT:
        """The compiled position before the first move."""

    @abstractmethod
    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> StateT:
        """The compiled position with these `cells`; BadPosition says why it is impossible."""

    @abstractmethod
    def cells(self, state: StateT) -> Cells:
        """The content of the cells and areas."""

    @abstractmethod
    def atoms(self, state: StateT, move: int) -> Atoms:
        """The atoms of a move: the things at which a player points to make it."""

    @abstractmethod
    def changes(self, state: StateT, move: int) -> Iterable[Change]:
        """The changes on the table during a move."""

    # ---- methods with a usual answer ----

    def counts(self, state: StateT) -> dict[str, str]:
        """The facts that a position's text states in addition to the cells, by the names in
        `counters`.

        A count that has its usual value is left out.
        """
        return {}

    def slots(self) -> tuple[Slot, ...]:
        """Everything that `cells` and `counts` may say beyond the cells of the board, with any
        options.

        By default the areas beside the board. A fact that is both in `cells` and in `counts` is
        named once.
        """
        return tuple(Slot(area.id, most=len(area.spots)) for area in self.board.areas)

    def spelled(self, state: StateT, codes: Sequence[int]) -> list[Atoms]:
        """The atoms of several moves of a position; for games that compute them faster together."""
        return [self.atoms(state, code) for code in codes]

    def other_ways(self, state: StateT, moves: Collection[int]) -> Iterable[tuple[Atoms, int]]:
        """Other ways to make one of `moves` than the way of its notation, each with its move.

        By default those that the compiled rules list when `every_way` is set. A game whose moves do
        not say how they are made overrides this.
        """
        every = state.ways()
        if len(every) > len(moves):
            ways = [code for code in every if code not in moves]
            alike = {self.gist(code) for code in ways}
            others = [code for code in moves if self.gist(code) in alike]
            same = dict(zip(state.keys_after(others), others, strict=True))
            keys = state.keys_after(ways)
            for atoms, key in zip(self.spelled(state, ways), keys, strict=True):
                yield atoms, same[key]

    def gist(self, move: int) -> int:
        """A number that all ways of making a move share, so that fewer moves must be compared."""
        return 0

    def scores(self, state: StateT) -> tuple[int, ...]:
        """The points of each seat, if points decide; otherwise empty."""
        return ()

    def ending_cells(self, state: StateT, ending: str) -> Iterable[str]:
        """The cells and areas that show why a game that is over ended so: the row of three.

        None if the reason cannot be seen on the table, such as a count of plies, or if it is the
        whole table. All viewers see these cells.
        """
        return ()

    def countdowns(self, state: StateT) -> Iterable[Countdown]:
        """The endings that the game reaches by itself after a number of plies, however many.

        `Position.countdowns` adds positions that have occurred twice.
        """
        return ()

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """A hint: the rule that forbids these existing atoms, which are no legal move."""
        return None

    def seen(self, cells: Cells, viewer: Viewer) -> Cells:
        """The part of `cells` that a viewer may know; by default everything."""
        return cells

    def seen_chance(self, text: str, viewer: Viewer) -> str:
        """The text of a chance outcome, as far as a viewer may know it."""
        return text

    def unshown(self, state: StateT) -> int:
        """The number of latest moves that only the seats which made them know yet.

        This is for choices that are made in secret and then shown together. Until then, other
        viewers see of them only what `seen_move` and `seen_change` return.
        """
        return 0

    def choosing(self, state: StateT) -> tuple[int, ...]:
        """The seats that have to choose now, the seat to move first; asked only of seats' turns.

        There are several if they choose at the same time, each in secret; then `with_turn` and
        `mover` have to be overridden, too, and the order of their moves must not matter.
        """
        return (state.turn,)

    def with_turn(self, state: StateT, seat: int) -> StateT:
        """A copy of `state` in which `seat`, one of `choosing`, is the seat to move.

        Its moves can be played in `state`, too, so their numbers include the seat. In `state` the
        atoms of a move out of turn begin with the name of its seat.
        """
        raise NotImplementedError

    def mover(self, state: StateT, move: int) -> int:
        """The seat whose move this is."""
        return int(state.turn)

    def seen_move(self, text: str, viewer: Viewer) -> str:
        """The text of a move that is not shown yet, as far as other seats may know it."""
        return text

    def seen_change(self, change: Change, viewer: Viewer) -> Change:
        """A change, as far as a viewer may know it."""
        return change

    def imagine(self, state: StateT, seat: int, random: kernel.Random) -> StateT:
        """A position that a seat cannot distinguish from `state`, all of them equally likely.

        Secret choices of others are hidden, too: all legal choices are equally likely. If nothing
        is hidden, the result is `state` itself.
        """
        return state

    def faults(self) -> Iterable[str]:
        """Faults in the game's own data, such as a map, for `escale check`."""
        return ()
