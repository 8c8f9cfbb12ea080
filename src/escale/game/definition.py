"""What the author of a game writes: its facts, and the few methods that say its rules.

`Game` derives everything else from it. A game's folder has one subclass of `Game` with these class
attributes and methods; five of the methods must be written, the others have a usual answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from escale import kernel
from escale.game.changes import Change
from escale.game.moves import Atoms
from escale.game.options import Option, Options
from escale.game.scene import Board, Cells, Scene
from escale.game.viewer import Viewer

if TYPE_CHECKING:
    from escale.game.position import Position
    from escale.game.refusals import Refusal


StateT = TypeVar("StateT", bound=kernel.State)
"""A game's compiled position."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A way in which a game can end; its sentence is in the game's texts."""

    name: str
    paragraph: str
    """The paragraph of the rules page that says so, by its name."""


class Definition(ABC, Generic[StateT]):
    """A game as its author defines it."""

    # ---- the facts ----

    slug: ClassVar[str]
    """Its name in addresses and commands."""
    title: ClassVar[str]
    authors: ClassVar[tuple[str, ...]]
    publisher: ClassVar[str]
    year: ClassVar[int | None]
    minutes: ClassVar[tuple[int, int]]
    age: ClassVar[int]
    mechanisms: ClassVar[tuple[str, ...]]
    """What kind of game it is; each has a name in the house's texts."""
    seat_names: ClassVar[tuple[str, ...]]
    """The seats, in order of play; each has a name in the game's texts."""
    seats: ClassVar[tuple[int, int]] = (2, 2)
    """Fewest and most seats."""
    options: ClassVar[tuple[Option, ...]] = ()
    quick: ClassVar[Mapping[str, str]] = {}
    """The options with which one starts at once against the computer, where they differ."""
    endings: ClassVar[tuple[Ending, ...]]
    """In the order of the numbers that the compiled rules return."""
    buttons: ClassVar[tuple[str, ...]] = ()
    """Atoms that are no place: each has a label in the game's texts."""
    counters: ClassVar[tuple[str, ...]] = ()
    """Words `name=value` that a position's text may have besides options: see `counts`."""
    moving: ClassVar[str]
    """The paragraph to cite when no better reason for a refusal is known."""
    drawing: ClassVar[str | None] = None
    """The paragraph on what is left to chance, for a game in which anything is."""
    cites: ClassVar[frozenset[str]]
    """The paragraphs that the game's own refusals cite; each needs an example."""
    board: ClassVar[Board]
    search: ClassVar[str] = "mcts"
    """How the computer thinks about it: `mcts`, `alphabeta` where that wins matches, or `ismcts`
    where something is hidden."""

    # ---- what must be written ----

    @abstractmethod
    def begin(self, options: Options, seats: int) -> StateT:
        """The compiled position before the first move."""

    @abstractmethod
    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> StateT:
        """The compiled position in which `cells` stand; BadPosition says why it cannot be."""

    @abstractmethod
    def cells(self, state: StateT) -> Cells:
        """What stands where."""

    @abstractmethod
    def atoms(self, state: StateT, move: int) -> Atoms:
        """What one points at to make a move."""

    @abstractmethod
    def changes(self, state: StateT, move: int) -> Iterable[Change]:
        """What happens on the table during a move."""

    # ---- what has a usual answer ----

    def counts(self, state: StateT) -> dict[str, str]:
        """What a position's text must say besides what stands where, by the names in `counters`.

        A count that has its usual value is left out.
        """
        return {}

    def other_ways(self, state: StateT, moves: Collection[int]) -> Iterable[tuple[Atoms, int]]:
        """Ways of making one of `moves` besides the way that is its notation, each with that move.

        Those that the compiled rules list when `every_way` is set; a game whose moves do not say
        how they are made finds them itself.
        """
        ways = [code for code in state.ways() if code not in moves]
        if ways:
            alike = {self.gist(code) for code in ways}
            same = {_key_after(state, code): code for code in moves if self.gist(code) in alike}
            for way in ways:
                yield self.atoms(state, way), same[_key_after(state, way)]

    def gist(self, move: int) -> int:
        """Something that all ways of making a move share: it saves looking at other moves."""
        return 0

    def scores(self, state: StateT) -> tuple[int, ...]:
        """What each seat has, where points decide; else nothing."""
        return ()

    def scene(self, cells: Cells, *, turn: int | None, options: Options) -> Scene:
        """What the table looks like when a seat sees `cells`."""
        return self.board.scene(cells, turn=turn)

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """A hint: which rule forbids these known atoms, which are no legal move."""
        return None

    def seen(self, cells: Cells, viewer: Viewer) -> Cells:
        """What of `cells` a viewer may know; a game with nothing hidden shows everything."""
        return cells

    def seen_chance(self, text: str, viewer: Viewer) -> str:
        """What of the text of a chance outcome a viewer may know."""
        return text

    def seen_change(self, change: Change, viewer: Viewer) -> Change:
        """What of a change a viewer may know."""
        return change

    def imagine(self, state: StateT, seat: int, random: kernel.Random) -> StateT:
        """A position that a seat cannot tell from `state`, drawn evenly from all there are.

        With nothing hidden, that is `state` itself.
        """
        return state

    def faults(self) -> Iterable[str]:
        """What is wrong with the game's own data, such as a map, for `escale check`."""
        return ()

def _key_after(state: kernel.State, move: int) -> int:
    """The key of the position that a move leads to."""
    after = state.copy()
    after.make(move)
    return int(after.hash())
