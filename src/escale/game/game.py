"""The contract of a game: what its author writes, and what everybody gets from it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from escale import kernel
from escale.game.changes import Change
from escale.game.errors import BadOption, BadPosition
from escale.game.examples import Example
from escale.game.fair_random import FairRandom
from escale.game.moves import Atoms
from escale.game.notation_cache import NotationCache
from escale.game.options import Option, Options
from escale.game.rules_page import RulesPage
from escale.game.scene import Board, Cells, Scene
from escale.game.texts import LANGUAGES, Texts, house
from escale.game.viewer import Viewer
from escale.kernel.weights import read_weights

if TYPE_CHECKING:
    from escale.game.position import Position
    from escale.game.refusals import Refusal


StateT = TypeVar("StateT", bound=kernel.State)
"""A game's compiled position."""


@dataclass(frozen=True, slots=True)
class Ending:
    """A way in which a game can end; its sentence is in the game's texts."""

    name: str
    paragraph: int


class Game(ABC, Generic[StateT]):
    """One box on the shelf.

    A game's folder has one subclass, with its facts as class attributes and the few methods below
    that are marked as the author's. The rest is shared.
    """

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
    moving: ClassVar[int]
    """The paragraph to cite when no better reason for a refusal is known."""
    drawing: ClassVar[int | None] = None
    """The paragraph on drawing lots, for a game that has any."""
    board: ClassVar[Board]
    search: ClassVar[str] = "mcts"
    """How the computer thinks about it: `mcts`, `alphabeta` where that wins matches, or `ismcts`
    where something is hidden."""
    evaluates: ClassVar[type[kernel.Evaluation]] = kernel.Evaluation
    """What a search asks how good a position is; its numbers are in `weights.toml`."""

    # ---- what the author writes ----

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
        """A position that a seat cannot tell from `rules`, drawn evenly from all there are.

        With nothing hidden, that is `rules` itself.
        """
        return state

    def faults(self) -> Iterable[str]:
        """What is wrong with the game's own data, such as a map, for `escale check`."""
        return ()

    def called(self, word: str, lang: str, branches: tuple[str, ...] = ("seat", "area")) -> str:
        """What people call a place, a piece, a seat or an atom: looked up in the texts."""
        for branch in branches:
            if f"{branch}.{word}" in self.texts:
                return self.texts.say(f"{branch}.{word}", lang)
        return word

    # ---- what follows from it ----

    @property
    def hides(self) -> bool:
        """Whether a seat may know less than everything."""
        return type(self).seen is not Game.seen

    def start(
        self, *, seats: int | None = None, seed: int | str | None = None, **options: str
    ) -> Position:
        """The position before the first move.

        With a `seed` every lot is drawn from it, now and later; without, chance has its turns.
        """
        return self.start_with(options, seats=seats, seed=seed)

    def start_with(
        self, options: Mapping[str, str], *, seats: int | None = None,
        seed: int | str | None = None,
    ) -> Position:
        """`start`, for options that come from outside the program."""
        chosen = self.choose(options)
        seated = self.seat_count(seats)
        fair_random = None if seed is None else FairRandom(str(seed))
        return self._position(self.begin(chosen, seated), chosen, fair_random)

    def position(
        self, text: str, *, options: Mapping[str, str] | None = None,
        seed: int | str | None = None,
    ) -> Position:
        """The position that a `Position.text` describes; `options` adds to those it names."""
        fair_random = None if seed is None else FairRandom(str(seed))
        words = [f"{name}={value}" for name, value in (options or {}).items()]
        return self._position(*self.read(" ".join([text, *words])), fair_random)

    def choose(self, chosen: Mapping[str, str]) -> Options:
        """A value for every option; BadOption lists what there is."""
        return Options(self.options, chosen)

    def seat_count(self, wanted: int | None) -> int:
        """How many seats; BadOption says what is possible."""
        fewest, most = self.seats
        if wanted is None:
            return fewest
        if not fewest <= wanted <= most:
            possible = str(most) if fewest == most else f"{fewest} to {most}"
            raise BadOption(f"{self.title} has {possible} seats, not {wanted}")
        return wanted

    def _position(
        self, state: StateT, options: Options, fair_random: FairRandom | None
    ) -> Position:
        from escale.game.position import Position

        return Position(self, options, state, fair_random=fair_random).settled()

    # ---- the text of a position: board, turn, plies, then what is unusual ----

    def write(self, cells: Cells, state: StateT, options: Options) -> str:
        """One line that sets up `cells` again, with the turn and the counts of `rules`."""
        words = [self.write_board(cells), self.turn_name(state.turn), str(state.plies)]
        if state.occurrences > 1:
            words.append(f"seen={state.occurrences}")
        words += [f"{name}={value}" for name, value in self.counts(state).items()]
        return " ".join([*words, *options.words()])

    def read(self, text: str) -> tuple[StateT, Options]:
        """The position and the options that a text describes."""
        words = text.split()
        extra: dict[str, str] = {}
        while words and "=" in words[-1]:
            name, value = words.pop().split("=", 1)
            if extra.setdefault(name, value) != value:
                raise BadPosition(f"{name[:40]} cannot be both {value[:40]} and {extra[name][:40]}")
        seen = extra.pop("seen", "1")
        counts = {name: extra.pop(name) for name in self.counters if name in extra}
        if len(words) != 3:
            raise BadPosition(
                f"expected 'BOARD TURN PLIES [option=value …]', such as "
                f"{self.start().text!r}; got {text[:200]!r}"
            )
        board, turn, plies = words
        turns = [self.turn_name(seat) for seat in (*range(self.seats[1]), kernel.CHANCE)]
        if turn not in turns:
            raise BadPosition(f"whose turn? expected one of {', '.join(turns)}; got {turn[:40]!r}")
        if not re.fullmatch("[0-9]{1,6}", plies):
            raise BadPosition(f"expected the number of plies played; got {plies[:40]!r}")
        if seen not in ("1", "2", "3"):
            raise BadPosition(f"expected seen=1, 2 or 3; got seen={seen[:40]}")
        options = self.choose(dict(reversed(extra.items())))
        seat = kernel.CHANCE if turn == turns[-1] else turns.index(turn)
        state = self.set_up(self.read_board(board), seat, options, counts)
        state.resume(int(plies), int(seen))
        return state, options

    def write_board(self, cells: Cells) -> str:
        """The board as rows of letters, runs of empty cells as numbers."""
        letters = {name: kind.letter for name, kind in self.board.kinds.items()}
        rows = (
            "".join(letters[str(cells[cell])] if cell in cells else "." for cell in row)
            for row in self.board.rows
        )
        return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)

    def read_board(self, text: str) -> Cells:
        """What `write_board` wrote."""
        names = {kind.letter: name for name, kind in self.board.kinds.items()}
        rows = text.split("/")
        if len(rows) != len(self.board.rows):
            raise BadPosition(f"expected {len(self.board.rows)} rows with '/' between; "
                              f"got {len(rows)} in {text[:200]!r}")
        cells: Cells = {}
        for number, (row, places) in enumerate(zip(rows, self.board.rows, strict=True), 1):
            spelled = re.sub("[0-9]{1,2}", lambda run: "." * int(run[0]), row)
            if len(spelled) != len(places):
                raise BadPosition(f"row {number} has {len(places)} cells; {row[:60]!r} does not")
            for letter, place in zip(spelled, places, strict=True):
                if letter == ".":
                    continue
                if letter not in names:
                    raise BadPosition(f"row {number}: expected {', '.join(names)} or a number of "
                                      f"empty cells; got {letter!r}")
                cells[place] = names[letter]
        return cells

    def turn_name(self, turn: int) -> str:
        """The seat's name in texts, or `chance`."""
        return self.seat_names[turn] if turn >= 0 else "chance"

    # ---- notation ----

    @cached_property
    def notation_cache(self) -> NotationCache:
        """What texts of moves have meant so far."""
        return NotationCache()

    def join(self, atoms: Atoms) -> str:
        """A move's text."""
        return "-".join(atoms)

    def split(self, text: str) -> Atoms:
        """The atoms of a typed move: capitals, spaces, commas and arrows are forgiven."""
        return tuple(re.findall(r"[^\s\-–—→>,]+", text.lower()))

    @cache  # noqa: B019 - a game lives as long as the program
    def _words(self) -> frozenset[str]:
        places = [cell.id for cell in self.board.cells] + [area.atom for area in self.board.areas]
        return frozenset([*places, *self.buttons])

    def vocabulary(self, options: Options) -> frozenset[str]:
        """Every atom there can be."""
        return self._words()

    # ---- texts ----

    @cached_property
    def folder(self) -> Path:
        """Where the game's files are."""
        return Path(str(files(type(self).__module__)))

    @cached_property
    def texts(self) -> Texts:
        """The game's sentences, then the house's."""
        return Texts.read(self.folder / "texts.toml", house())

    @cached_property
    def rules(self) -> dict[str, RulesPage]:
        """The rules page in every language."""
        return {
            lang: RulesPage.parse((self.folder / f"rules.{lang}.md").read_text("utf-8"), lang)
            for lang in LANGUAGES
        }

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        """Positions that show the rules: tests, figures and lessons at once."""
        return Example.read(self.folder / "examples.toml")

    @cached_property
    def evaluation(self) -> kernel.Evaluation:
        """The computer's opinion of positions."""
        weights = self.folder / "weights.toml"
        return self.evaluates(read_weights(weights) if weights.exists() else None)

    @cached_property
    def art(self) -> str:
        """The drawings: symbols for the pieces and the board."""
        return (self.folder / "art.svg").read_text("utf-8")

    def seat_name(self, seat: int, lang: str) -> str:
        """What a seat is called."""
        return self.texts.say(f"seat.{self.seat_names[seat]}", lang)

    def narrate(self, change: Change, lang: str) -> str:
        """A change as a sentence."""
        values = {
            name: self.called(value, lang, ("piece",) if name == "piece" else ("seat", "area"))
            for name, value in change.as_json().items() if name != "kind"
        }
        sentence = self.texts.say(f"change.{change.kind}", lang, **values)
        return sentence[:1].upper() + sentence[1:]

    def __repr__(self) -> str:
        return f"<Game {self.slug}>"


def _key_after(state: kernel.State, move: int) -> int:
    """The key of the position that a move leads to."""
    after = state.copy()
    after.play(move)
    return int(after.key())
