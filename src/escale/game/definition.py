"""What the author of a game writes: its facts, and the few methods that say its rules.

`Game` derives everything else from it. A game's folder has one subclass of `Game` with these class
attributes and methods; five of the methods must be written, the others have a usual answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from escale import kernel
from escale.game.changes import Change
from escale.game.editing import Field, Supply
from escale.game.moves import Atoms
from escale.game.options import Option, Options
from escale.game.prompts import Prompt, Situation
from escale.game.scene import Board, Cells, Scene
from escale.game.slots import Slot
from escale.game.symmetry import Symmetry
from escale.game.viewer import Viewer

if TYPE_CHECKING:
    from escale.game.position import Position
    from escale.game.refusals import Refusal


StateT = TypeVar("StateT", bound=kernel.State)
"""A game's compiled position."""


NEAR = 20
"""How many plies before its end a game begins to count them down."""


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
    """After how many more plies, unless something else happens meanwhile; None where this position
    ends the game when it comes again, whenever that is."""

    @property
    def near(self) -> bool:
        """Whether players should be told."""
        return self.left is None or self.left <= NEAR


@dataclass(frozen=True, slots=True)
class Merit:
    """Something that speaks for a move; its sentence is in the game's texts, under `merit`."""

    name: str
    count: int = 1
    """Of what the sentence speaks of one or several."""
    values: Mapping[str, str | int] = field(default_factory=dict)
    """What fills the gaps of the sentence; words are names of places, cards and the like."""


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
    """Options that everything one clicks to play suggests, where they differ from the defaults.

    What the default is stays one click away; programs that say nothing get the defaults.
    """
    endings: ClassVar[tuple[Ending, ...]]
    """In the order of the numbers that the compiled rules return."""
    recurs: ClassVar[bool] = True
    """Whether a position can come again, so that its text may have to say how often it has."""
    buttons: ClassVar[tuple[str, ...]] = ()
    """Atoms that are not places on the board: each has a label in the game's texts."""
    groups: ClassVar[Mapping[str, Collection[str]]] = {}
    """Atoms that are asked for alike, by a name for them: see `Prompt`."""
    prompts: ClassVar[tuple[Prompt, ...]] = ()
    """What is asked where, the first that fits; each has a sentence in the game's texts."""
    counters: ClassVar[tuple[str, ...]] = ()
    """Words `name=value` that a position's text may have in addition to options: see `counts`."""
    supplies: ClassVar[tuple[Supply, ...] | None] = None
    """The pieces that may be put on cells when a position is set up by hand; None where positions
    are more than pieces on cells, and are not set up like that."""
    fields: ClassVar[tuple[Field, ...]] = ()
    """What can be said of such a position besides, one for each of `counters`."""
    models: ClassVar[tuple[str, ...]] = ()
    """Where positions are not set up by hand: examples whose texts show how they are written. The
    game's texts `writing.…` say it in words, in their order."""
    moving: ClassVar[str]
    """The paragraph to cite when no better reason for a refusal is known."""
    drawing: ClassVar[str | None] = None
    """The paragraph on what is left to chance; None in a game without chance."""
    cites: ClassVar[frozenset[str]]
    """The paragraphs that the game's own refusals cite; each needs an example."""
    follows: ClassVar[bool] = False
    """Whether more follows a move than what was decided, so that two moves may end alike; the first
    change then tells them apart."""
    ways_in_atoms: ClassVar[bool] = True
    """Whether the cells among the atoms of every move are the way of the piece that it moves; where
    they are not, browsers are told the ways."""
    board: ClassVar[Board]
    standing: ClassVar[tuple[str, ...]] = ()
    """The kinds of pieces that stand on cells; none are named where all do."""
    search: ClassVar[str] = "mcts"
    """How the computer thinks about it: `mcts`, `alphabeta` where that wins matches, or `ismcts`
    where something is hidden."""
    evaluates: ClassVar[type[kernel.Evaluation]] = kernel.Evaluation
    """What a search asks how good a position is; its numbers are in `weights.toml`."""
    symmetries: ClassVar[tuple[Symmetry, ...]] = ()
    """What leaves the rules as they are, all but staying the same: see `mirrors`."""
    themes: ClassVar[Mapping[str, str]] = {}
    """What its puzzles may be about, the rarest first, each with the paragraph of the rules that a
    hint cites; each has a phrase in the game's texts or the study's. See `study/themes.py`."""

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
        """What a player points at to make a move."""

    @abstractmethod
    def changes(self, state: StateT, move: int) -> Iterable[Change]:
        """What happens on the table during a move."""

    # ---- what has a usual answer ----

    def counts(self, state: StateT) -> dict[str, str]:
        """What a position's text must say in addition to the cells, by the names in `counters`.

        A count that has its usual value is left out.
        """
        return {}

    def slots(self) -> tuple[Slot, ...]:
        """All that `cells` and `counts` may say but what stands on cells, whatever the options.

        By default the areas beside the board. What is said both by `cells` and by `counts` need be
        named once.
        """
        return tuple(Slot(area.id, most=len(area.spots)) for area in self.board.areas)

    def spelled(self, state: StateT, codes: Sequence[int]) -> list[Atoms]:
        """The atoms of several moves of a position; for a game that can do these faster at once."""
        return [self.atoms(state, code) for code in codes]

    def other_ways(self, state: StateT, moves: Collection[int]) -> Iterable[tuple[Atoms, int]]:
        """Other ways of making one of `moves` than the way of its notation, each with that move.

        By default those that the compiled rules list when `every_way` is set. A game whose moves do
        not say how they are made overrides this.
        """
        ways = [code for code in state.ways() if code not in moves]
        if ways:
            alike = {self.gist(code) for code in ways}
            others = [code for code in moves if self.gist(code) in alike]
            same = dict(zip(state.keys_after(others), others, strict=True))
            keys = state.keys_after(ways)
            for atoms, key in zip(self.spelled(state, ways), keys, strict=True):
                yield atoms, same[key]

    def gist(self, move: int) -> int:
        """A number that all ways of making a move share, so that fewer moves must be compared."""
        return 0

    def situation(self, state: StateT) -> Situation:
        """What the prompts must know beyond the atoms, such as that the seat to move must jump.

        Nothing of it may be hidden from that seat.
        """
        return Situation()

    def scores(self, state: StateT) -> tuple[int, ...]:
        """The points of each seat, where points decide; otherwise empty."""
        return ()

    def ending_cells(self, state: StateT, ending: str) -> Iterable[str]:
        """The cells and areas that show why a game that is over ended so: the row of three.

        None where what ended it cannot be seen on the table, such as a count of plies, or where it
        is the whole table. All viewers are told.
        """
        return ()

    def countdowns(self, state: StateT) -> Iterable[Countdown]:
        """What ends the game by itself after a number of plies, however far away that is.

        That a position has occurred twice need not be told here: see `Position.countdowns`.
        """
        return ()

    def emblem(self, seat: int, cells: Cells) -> str:
        """The symbol of the art that stands for a seat: its piece, where it has a kind of its own.

        Where pieces belong to nobody, the art has a symbol for what the seat stands for; it may
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

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """A hint: which rule forbids these atoms; all are known, but they are no legal move."""
        return None

    def seen(self, cells: Cells, viewer: Viewer) -> Cells:
        """The part of `cells` that a viewer may know; by default everything."""
        return cells

    def seen_chance(self, text: str, viewer: Viewer) -> str:
        """The text of a chance outcome, as far as a viewer may know it."""
        return text

    def unshown(self, state: StateT) -> int:
        """How many of the latest moves nobody knows yet but the seats that made them.

        For choices that are made in secret and then shown together. Meanwhile others are told what
        `seen_move` and `seen_change` leave of them.
        """
        return 0

    def seen_move(self, text: str, viewer: Viewer) -> str:
        """The text of a move that is not shown yet, as far as anybody may know it but its seat."""
        return text

    def seen_change(self, change: Change, viewer: Viewer) -> Change:
        """A change, as far as a viewer may know it."""
        return change

    def imagine(self, state: StateT, seat: int, random: kernel.Random) -> StateT:
        """A position that a seat cannot distinguish from `state`, all of them equally likely.

        What others have chosen in secret is hidden, too: any legal choice is as likely as another.
        Where nothing is hidden, that is `state` itself.
        """
        return state

    def merits(
        self, cells: Cells, seat: int, atoms: Atoms, others: Sequence[Atoms]
    ) -> Iterable[Merit]:
        """What speaks for a move rather than for the `others` of its seat, the best first.

        For games that hide something: `cells` are those that the seat may know, and whatever is
        said must follow from them and the rules. Where nothing is hidden, the study finds reasons
        by itself.
        """
        return ()

    def mirrors(self, cells: Cells, turn: int) -> Iterable[tuple[Cells, int]]:
        """Tables that are the same to the rules, each with the seat to move.

        A table that no list of `symmetries` describes, such as a ring of columns, overrides this.
        """
        return (symmetry.of(cells, turn) for symmetry in self.symmetries)

    def exercise(self, state: StateT, move: int) -> Collection[int] | None:
        """The seats that have done what puzzles ask for, once `move` has ended what they are about.

        None as long as that goes on, and nobody where there is nothing to ask for. Only for a game
        whose puzzles ask for something else than the win, such as a hand of cards played as
        announced.
        """
        return None

    def motifs(self, state: StateT, move: int) -> Iterable[str]:
        """What only this game sees in a move, by names that `themes` may have: ruffing a trick."""
        return ()

    def faults(self) -> Iterable[str]:
        """What is wrong with the game's own data, such as a map, for `escale check`."""
        return ()

