"""Qenj 1, 2, 3 and 4: pieces that belong to no seat, on a ring of columns.

One engine, `rules.py`, has the four games in one table, `geometry.py`. Each game's own rules pages,
examples, sentences and art are in the folder of its name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

from escale.game.changes import Change
from escale.game.definition import Countdown, Ending, Field
from escale.game.game import Game
from escale.game.moves import Atoms
from escale.game.options import Option, Options
from escale.game.position import Position
from escale.game.prompts import Prompt, Situation
from escale.game.refusals import Refusal
from escale.game.scene import Cells, Scene
from escale.game.slots import Slot
from escale.game.texts import Texts, house
from escale.games.qenj import moves, positions, refusals
from escale.games.qenj.board import board, empty_board, printed, scene
from escale.games.qenj.box import LETTERS, Box, cell
from escale.games.qenj.evaluation import Qenj1Evaluation, QenjEvaluation
from escale.games.qenj.mirrors import mirrors
from escale.games.qenj.moves import SEATS, SIDES
from escale.games.qenj.ring import PHASES
from escale.games.qenj.rules import QenjState
from escale.kernel import CHANCE, Evaluation

#: The prompts: in the set-up, then for single pieces, stacks or handfuls of pebbles.
PLACING = (Prompt("colour", "colour fill repeat?"),)
CHOOSING = (Prompt("side", "side"),)
PASSING = (Prompt("pass", "pass"),)
SINGLE = (
    Prompt("piece", "piece"),
    Prompt("land", "empty", path="piece"),
)
STACKS = (
    Prompt("stack", "piece"),
    Prompt("column", "column", path="piece"),
    Prompt("first-down", "piece", path="piece column"),
    Prompt("next-down", "piece", path="piece column *"),
    Prompt("land-side", "side", path="piece column"),
    Prompt("land-named", "side", path="piece column * piece"),
    Prompt("next-side", "side", path="piece column *"),
)
HANDFULS = (
    Prompt("pebble", "piece"),
    Prompt("land-pebble", "empty", path="piece"),
    Prompt("next-pebble", "piece", path="piece empty"),
    Prompt("take-out", "empty piece", path="piece empty *"),
    Prompt("land-next", "empty", path="piece empty *"),
)

PEBBLE_THEMES = MappingProxyType({
    "end-stuck-ahead": "stuck", "passed": "pass", "forced": "proxime", "closed-up": "closing",
    "taken": "out", "stack": "distance", "threat": "taken", "quiet": "landing",
})

SETUP = Option("setup", ("full", "quick"))
QUICK = MappingProxyType({"setup": "quick"})

NORTH = Field("north", SEATS)


class Qenj(Game[QenjState]):
    """The part that the four games share."""

    box: ClassVar[Box]
    direction: ClassVar[str] = "direction"
    """The paragraph on the direction in which pieces go."""

    authors = ("Claude Leroy",)
    publisher = ""
    age = 8
    mechanisms = ("ring", "shared")
    search = "alphabeta"
    ways_in_atoms = False
    evaluates: ClassVar[type[Evaluation]] = QenjEvaluation
    seat_names = SEATS

    def begin(self, options: Options, seats: int) -> QenjState:
        """An empty table, and the columns to shuffle, the colours to choose or the deal."""
        phase = "shuffle" if self.box.number == 0 else "colours"
        quick = options.get("setup") == "quick"
        placing = phase == "colours" and self.box.forces and not quick
        return QenjState(
            self.box.number, (), 0 if placing else CHANCE, PHASES.index(phase),
            quick=quick, free=options.get("unstack") == "free",
        )

    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> QenjState:
        """See `positions`."""
        return positions.set_up(self.box, cells, turn, options, counts)

    def counts(self, state: QenjState) -> dict[str, str]:
        """The seat in the North, the pieces taken out, the dots."""
        return positions.counts(self.box, state)

    def write_board(self, cells: Cells) -> str:
        """Column by column."""
        return positions.write_board(self.box, cells)

    def read_board(self, text: str) -> Cells:
        """Read the text that `write_board` has written."""
        return positions.read_board(self.box, text)

    def cells(self, state: QenjState) -> Cells:
        """Pieces by colour and force, dots by column, the seat in the North, pieces out."""
        cells: Cells = {
            cell(column, row): self.box.name(word >> 5 * row & 31)
            for column, word in enumerate(state.words())
            for row in moves.occupied(word, self.box.cells)
        }
        for column in range(self.box.columns):
            if dot := state.dots >> 3 * column & 7:
                cells[LETTERS[column]] = cell(column, dot - 1)
        if state.north >= 0:
            cells["north"] = SEATS[state.north]
        if self.box.goal:
            cells |= {"A out": state.out_a, "B out": state.out_b}
        return cells

    def slots(self) -> tuple[Slot, ...]:
        """The dots of Qenj 1, the seat in the North, the pieces that each seat has taken out."""
        letters = LETTERS[:self.box.columns] if self.box.number == 0 else ""
        dots = (
            Slot(letter, tuple(cell(column, row) for row in range(self.box.cells)))
            for column, letter in enumerate(letters)
        )
        out = (Slot(f"{seat} out", most=self.box.goal) for seat in SEATS if self.box.goal)
        return (*dots, Slot("north", SEATS), *out)

    def atoms(self, state: QenjState, move: int) -> Atoms:
        """See `moves`."""
        [atoms] = moves.spelled(self.box, state, [move])
        return atoms

    def spelled(self, state: QenjState, codes: Sequence[int]) -> list[Atoms]:
        """The columns are read once for all of them."""
        return moves.spelled(self.box, state, codes)

    def gist(self, move: int) -> int:
        """The pieces and their targets: ways differ only in the order of landing."""
        return move & 255

    def situation(self, state: QenjState) -> Situation:
        """The place for the next piece of the set-up."""
        if PHASES[state.phase] != "colours":
            return Situation()
        return Situation("", {"cell": cell(*self.box.spot(state.dots, state.step))})

    def changes(self, state: QenjState, move: int) -> Iterator[Change]:
        """See `moves`."""
        return moves.changes(self.box, state, move)

    def ending_cells(self, state: QenjState, ending: str) -> Iterator[str]:
        """The column that was filled, or the pieces taken out by the seat with the most of them."""
        if ending == "filled":
            for column, word in enumerate(state.words()):
                if len(moves.occupied(word, self.box.cells)) == self.box.cells:
                    yield from (cell(column, row) for row in range(self.box.cells))
        elif state.out_a != state.out_b:
            yield "A out" if state.out_a > state.out_b else "B out"

    def countdowns(self, state: QenjState) -> Iterator[Countdown]:
        """Three hundred plies; Qenj 2 needs no limit."""
        if self.has_ending("length"):
            yield Countdown("length", state.plies_left())

    def emblem(self, seat: int, cells: Cells) -> str:
        """The side on which the seat plays, once that is known."""
        if "north" not in cells:
            return "side"
        return "side-north" if cells["north"] == SEATS[seat] else "side-south"

    def near(self, cells: Cells) -> int:
        """The seat in the South; before the sides are known, A."""
        return 1 if cells.get("north") == SEATS[0] else 0

    def scene(self, cells: Cells, *, turn: int | None, options: Options) -> Scene:
        """The columns that remain, side by side, with the neighbour round the ring at each end."""
        return scene(self.box, self.board, cells, turn=turn)

    def empty_board(self) -> Scene:
        """All columns, in their order."""
        return empty_board(self.box, self.board)

    def mirrors(self, cells: Cells, turn: int) -> Iterator[tuple[Cells, int]]:
        """See `mirrors`."""
        return mirrors(self.box, cells, turn, both_ways=self.box.stacks)

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """See `refusals`."""
        return refusals.refuse(self.box, self.direction, position, atoms)

    def word(self, atom: str, lang: str) -> str:
        """Within a move a column is its letter."""
        return atom if atom in LETTERS else super().word(atom, lang)

    @cached_property
    def groups(self) -> Mapping[str, Collection[str]]:      # type: ignore[override]
        """Sides, colours, and the columns where a stack may arrive."""
        return {"side": SIDES, "colour": self.box.colours, "column": LETTERS}

    @cached_property
    def folder(self) -> Path:
        """The folder of its own name within the family's."""
        return Path(__file__).with_name(self.slug)

    @cached_property
    def texts(self) -> Texts:
        """Its own sentences, then the family's, then the house's."""
        family = Texts.read(Path(__file__).with_name("texts.toml"), house())
        return Texts.read(self.folder / "texts.toml", family)


class Qenj1(Qenj):
    """Twelve slats of four cells: one of each colour in a column wins."""

    slug = "qenj1"
    title = "Qenj 1"
    year = 2011
    minutes = (15, 30)
    box = Box(0, ("red", "blue", "green", "yellow"))
    board = board(box)
    printed = printed(box)
    evaluates = Qenj1Evaluation
    themes = MappingProxyType({
        "passed": "pass", "forced": "proxime", "closed-up": "closing", "threat": "filled",
        "quiet": "landing",
    })
    options = (SETUP,)
    quick = QUICK
    counters = ("north", "dots")
    supplies = box.supplies
    fields = (NORTH, Field("dots"))
    buttons = ("fill", "north", "south", "pass", "1", "2", "3")
    prompts = (*PLACING, *CHOOSING, *SINGLE, *PASSING)
    direction = "distance"
    moving = "distance"
    cites = frozenset({
        "pieces", "place", "sides", "proxime", "distance", "landing", "alike", "closing",
        "pass",
    })
    endings = (
        Ending("filled", "filled"),
        Ending("stuck", "stuck"),
        Ending("repetition", "draw"),
        Ending("length", "draw"),
    )


class Qenj2(Qenj):
    """Twelve columns of nine cells, and stacks: three of each colour in a column win."""

    slug = "qenj2"
    title = "Qenj 2"
    year = 2011
    minutes = (30, 30)
    box = Box(1, ("red", "blue", "yellow"))
    board = board(box)
    printed = printed(box)
    themes = MappingProxyType({
        "passed": "pass", "stack": "stack", "closed-up": "closing", "threat": "filled",
        "quiet": "landing",
    })
    options = (SETUP, Option("unstack", ("bottom", "free")))
    quick = QUICK
    counters = ("north",)
    supplies = box.supplies
    fields = (NORTH,)
    buttons = ("fill", "repeat", "north", "south", "pass", "1", "2", "3")
    prompts = (*PLACING, *CHOOSING, *STACKS, *PASSING)
    moving = "distance"
    cites = frozenset({
        "pieces", "place", "repeat", "sides", "proxime", "distance", "landing", "outgrow",
        "alike", "room", "closing", "pass",
    })
    endings = (
        Ending("filled", "filled"),
        Ending("stuck", "stuck"),
    )
    recurs = False                      # the sum of the squares of the columns' sizes always grows


class Qenj3(Qenj):
    """Nine columns of six cells: the third pebble taken out wins."""

    slug = "qenj3"
    title = "Qenj 3"
    year = 2014
    minutes = (30, 30)
    box = Box(2, ("black", "white", "red"))
    board = board(box)
    printed = printed(box)
    themes = PEBBLE_THEMES
    counters = ("north", "out")
    supplies = box.supplies
    fields = (NORTH, Field("out"))
    buttons = (*box.colours, "redraw", "north", "south", "pass")
    prompts = (*CHOOSING, *HANDFULS, *PASSING)
    moving = "distance"
    cites = frozenset({
        "sides", "proxime", "distance", "direction", "landing", "alike", "room",
        "closing", "pass", "out",
    })
    endings = (
        Ending("taken", "taken"),
        Ending("stuck", "stuck"),
        Ending("repetition", "repetition"),
        Ending("length", "repetition"),
        Ending("stuck-ahead", "stuck"),
        Ending("repetition-ahead", "repetition"),
        Ending("length-ahead", "repetition"),
    )


class Qenj4(Qenj):
    """Nine leather bands of six cells: the second pebble taken out wins."""

    slug = "qenj4"
    title = "Qenj 4"
    year = 2015
    minutes = (20, 30)
    box = Box(3, ("black", "white", "red"))
    board = board(box)
    printed = printed(box)
    themes = PEBBLE_THEMES
    counters = ("out",)
    supplies = box.supplies
    fields = (Field("out"),)
    buttons = (*box.colours, "pass")
    prompts = (*HANDFULS, *PASSING)
    moving = "distance"
    cites = frozenset({
        "proxime", "distance", "direction", "landing", "alike", "room", "closing", "pass",
        "out",
    })
    endings = (
        Ending("taken", "taken"),
        Ending("stuck", "stuck"),
        Ending("repetition", "repetition"),
        Ending("length", "repetition"),
        Ending("stuck-ahead", "stuck"),
        Ending("repetition-ahead", "repetition"),
        Ending("length-ahead", "repetition"),
    )


GAMES = (Qenj1(), Qenj2(), Qenj3(), Qenj4())
