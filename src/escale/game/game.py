"""A game as programs use it: positions, notation, texts, derived from its definition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from escale import kernel
from escale.game.changes import Change
from escale.game.definition import Countdown, Definition, StateT
from escale.game.errors import BadSetup, Impossible
from escale.game.examples import Example
from escale.game.fair_random import FairRandom
from escale.game.languages import SOURCE, catalogue_name, languages, said_in
from escale.game.moves import Atoms
from escale.game.notation_cache import NotationCache
from escale.game.options import Options
from escale.game.position import Position
from escale.game.rules_page import RulesPage, rule_sentences, translate
from escale.game.scene import Cells, Tally
from escale.game.texts import LANGUAGES, Texts, house, plain
from escale.kernel.weights import read_weights

SEPARATORS = r"\s\-–—→>,"
"""The characters that may stand between the atoms of a typed move."""


class Game(Definition[StateT]):
    """One game on the shelf: its author's `Definition`, and everything derived from it.

    Each class has one instance, so that games can be compared by identity.
    """

    def __init__(self) -> None:
        _INSTANCES[type(self)] = self

    @property
    def hides(self) -> bool:
        """Whether a seat may know less than everything."""
        return type(self).seen is not Definition.seen

    @property
    def has_exercises(self) -> bool:
        """Whether its puzzles have another task than to win."""
        return type(self).exercise is not Definition.exercise

    def start(
        self, *, seats: int | None = None, seed: int | str | None = None, **options: str
    ) -> Position:
        """The position before the first move.

        With a `seed` every chance outcome is drawn from it, now and later; without one, chance has
        its turns.
        """
        return self.start_with(options, seats=seats, seed=seed)

    def start_with(
        self, options: Mapping[str, str], *, seats: int | None = None,
        seed: int | str | None = None,
    ) -> Position:
        """`start`, for options from outside the program."""
        start = self._start(self.seat_count(seats), *options.items())
        if seed is None:
            return start
        state: Any = start.kernel()
        return self._position(state, start.options, FairRandom(str(seed)))

    @lru_cache(maxsize=256)  # noqa: B019 - a game lives as long as the program
    def _start(self, seats: int, *options: tuple[str, str]) -> Position:
        """The one position, a value, with which all games with these options begin."""
        chosen = self.choose(dict(options))
        return self._position(self.begin(chosen, seats), chosen, None)

    def position(
        self, text: str, *, options: Mapping[str, str] | None = None,
        seed: int | str | None = None, line: Iterable[str] = (),
    ) -> Position:
        """The position that a `Position.text` describes; `options` add to those in the text.

        With a `line`, the position after these moves.
        """
        fair_random = None if seed is None else FairRandom(str(seed))
        words = [f"{name}={value}" for name, value in (options or {}).items()]
        position = self._position(*self.read(" ".join([text, *words])), fair_random)
        for move in line:
            position = position.play(move)
        return position

    def choose(self, chosen: Mapping[str, str]) -> Options:
        """A value for every option; BadSetup lists the possible values."""
        return Options(self.options, chosen)

    def seat_count(self, wanted: int | None) -> int:
        """The number of seats; BadSetup lists the possible numbers."""
        fewest, most = self.seats
        if wanted is None:
            return fewest
        if not fewest <= wanted <= most:
            key = "seats" if fewest == most else "seats-between"
            raise BadSetup(key, title=self.title, fewest=fewest, most=most, wanted=wanted)
        return wanted

    def _position(
        self, state: StateT, options: Options, fair_random: FairRandom | None
    ) -> Position:
        return Position(self, options, state, fair_random=fair_random).settled()

    # ---- the text of a position: board, turn, plies, then the values that differ from the usual
    # ones ----

    def write(self, cells: Cells, state: StateT, options: Options) -> str:
        """One line that sets up `cells` again, with the turn and the counts of `state`."""
        words = [self.write_board(cells), self.turn_name(state.turn), str(state.plies)]
        if state.occurrences > 1:
            words.append(f"seen={state.occurrences}")
        words += [f"{name}={value}" for name, value in self.counts(state).items()]
        return " ".join([*words, *options.words()])

    def read(self, text: str) -> tuple[StateT, Options]:
        """The position and the options that a text describes; Impossible says what is wrong."""
        try:
            return self._read(text)
        except Impossible as error:
            raise error.said_by(self.texts) from None

    def _read(self, text: str) -> tuple[StateT, Options]:
        words = text.split()
        extra: dict[str, str] = {}
        while words and "=" in words[-1]:
            name, value = words.pop().split("=", 1)
            if extra.setdefault(name, value) != value:
                raise Impossible("both", name=name[:40], one=value[:40], other=extra[name][:40])
        seen = extra.pop("seen", "1")
        counts = {name: extra.pop(name) for name in self.counters if name in extra}
        if len(words) != 3:
            raise Impossible("words", example=self.start().text, got=text)
        board, turn, plies = words
        turns = [self.turn_name(seat) for seat in (*range(self.seats[1]), kernel.CHANCE)]
        if turn not in turns:
            raise Impossible("turn-name", known=turns, got=turn[:40])
        if not re.fullmatch("[0-9]{1,6}", plies):
            raise Impossible("plies", got=plies[:40])
        if seen not in ("1", "2", "3"):
            raise Impossible("seen", got=seen[:40])
        if seen != "1" and not self.recurs:
            raise Impossible("again", title=self.title, seen=seen)
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
        """Read the text that `write_board` has written."""
        names = {kind.letter: name for name, kind in self.board.kinds.items()}
        rows = text.split("/")
        if len(rows) != len(self.board.rows):
            raise Impossible("rows", wanted=len(self.board.rows), count=len(rows), got=text)
        cells: Cells = {}
        for number, (row, places) in enumerate(zip(rows, self.board.rows, strict=True), 1):
            spelled = re.sub("[0-9]{1,2}", lambda run: "." * int(run[0]), row)
            if len(spelled) != len(places):
                raise Impossible("row", number=number, cells=len(places), got=row[:60])
            for letter, place in zip(spelled, places, strict=True):
                if letter == ".":
                    continue
                if letter not in names:
                    raise Impossible("letter", number=number, known=list(names), got=letter)
                cells[place] = names[letter]
        return cells

    def turn_name(self, turn: int) -> str:
        """The seat's name in texts, or `chance`."""
        return self.seat_names[turn] if turn >= 0 else "chance"

    # ---- notation ----

    @cached_property
    def notation_cache(self) -> NotationCache:
        """The moves that texts have meant so far."""
        return NotationCache()

    def join(self, atoms: Atoms) -> str:
        """A move's text."""
        return "-".join(atoms)

    def split(self, text: str) -> Atoms:
        """The atoms of a typed move: capitals, accents, spaces, commas and arrows are forgiven.

        Atoms may be written as in notation, or as people call them in any language.
        """
        typed = self._names.sub(lambda found: self.names[found[0]], plain(text))
        return tuple(re.findall(rf"[^{SEPARATORS}]+", typed))

    @cached_property
    def names(self) -> dict[str, str]:
        """All names that atoms may have in a typed move, each with its atom."""
        known = self.vocabulary(self.choose({}))
        names = {
            plain(form): atom
            for atom in sorted(known) for lang in LANGUAGES for form in self.forms(atom, lang)
        }
        return {name: atom for name, atom in names.items() if name not in known}

    @cached_property
    def _names(self) -> re.Pattern[str]:
        """The pattern that finds these names in a typed move."""
        longest = sorted(map(re.escape, self.names), key=len, reverse=True) or ["(?!)"]
        return re.compile(rf"(?<![^{SEPARATORS}])(?:{'|'.join(longest)})(?![^{SEPARATORS}])")

    def forms(self, atom: str, lang: str) -> tuple[str, ...]:
        """All ways to write an atom in one language; moves are shown with the first."""
        return self.word(atom, lang), self.label(atom, lang)

    def word(self, atom: str, lang: str) -> str:
        """The name of an atom within a move: a short word, if its label is longer."""
        key = f"word.{atom}"
        return self.texts.say(key, lang) if key in self.texts else self.label(atom, lang)

    def label(self, atom: str, lang: str) -> str:
        """The label of an atom: a cell has its name, all others have labels in the texts."""
        areas = {area.atom: area.id for area in self.board.areas}
        said = self.called(atom, lang, ("atom", "seat", "area"))
        unnamed = said == atom and f"atom.{atom}" not in self.texts
        return self.called(areas[atom], lang) if unnamed and atom in areas else said

    @lru_cache(maxsize=2000)  # noqa: B019 - a game lives as long as the program
    def spell(self, atoms: Atoms, lang: str) -> str:
        """A move as people read it: its notation, in words of their language."""
        words = tuple(self.word(atom, lang) for atom in atoms)
        return " – ".join(words) if any(" " in word for word in words) else self.join(words)

    @cache  # noqa: B019 - a game lives as long as the program
    def _words(self) -> frozenset[str]:
        places = [cell.id for cell in self.board.cells] + [area.atom for area in self.board.areas]
        return frozenset([*places, *self.buttons])

    @cached_property
    def cell_names(self) -> frozenset[str]:
        """Every cell of the board."""
        return frozenset(cell.id for cell in self.board.cells)

    def vocabulary(self, options: Options) -> frozenset[str]:
        """Every atom that can occur."""
        return self._words()

    # ---- texts ----

    @cached_property
    def folder(self) -> Path:
        """The folder with the game's files."""
        return Path(str(files(type(self).__module__)))

    @cached_property
    def texts(self) -> Texts:
        """The game's sentences, then the house's."""
        return Texts.read(self.folder / "texts.toml", house())

    @cached_property
    def rules(self) -> dict[str, RulesPage]:
        """The rules page in every language."""
        return {
            lang: RulesPage.parse(self._rules_text(lang), lang, self.texts) for lang in LANGUAGES
        }

    def _rules_text(self, lang: str) -> str:
        """A rules page in Markdown: as authored, or translated sentence by sentence."""
        path = self.folder / f"rules.{languages()[lang].fallback}.md"
        text = path.read_text("utf-8")
        if languages()[lang].folder is None:
            return text
        source = rule_sentences((self.folder / f"rules.{SOURCE}.md").read_text("utf-8"))
        name = catalogue_name(self.folder)
        known = {key: said_in(lang, name, f"rules.{key}", source.get(key, "")) for key in source}
        return translate(text, {key: said for key, said in known.items() if isinstance(said, str)})

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

    def called(self, word: str, lang: str, branches: tuple[str, ...] = ("seat", "area")) -> str:
        """The name of a place, a piece, a seat or an atom for people, from the texts."""
        for branch in branches:
            if f"{branch}.{word}" in self.texts:
                return self.texts.say(f"{branch}.{word}", lang)
        return word

    def seat_name(self, seat: int, lang: str) -> str:
        """The name of a seat for people."""
        return self.texts.say(f"seat.{self.seat_names[seat]}", lang)

    def emblem_name(self, seat: int, cells: Cells, lang: str) -> str:
        """The description of a seat's emblem: the name of its piece, or the text under `emblem`."""
        return self._symbol_name(self.emblem(seat, cells), lang)

    @cache  # noqa: B019 - a game lives as long as the program
    def _symbol_name(self, symbol: str, lang: str) -> str:
        names = [name for name, kind in self.board.kinds.items() if kind.symbol == symbol]
        return self.texts.say(f"piece.{names[0]}" if names else f"emblem.{symbol}", lang)

    @lru_cache(maxsize=500)  # noqa: B019 - a game lives as long as the program
    def tally_words(self, tally: Tally, lang: str) -> str:
        """A tally of a seat, in words."""
        return self.texts.count(f"tally.{tally.name}", lang, tally.number, of=tally.of)

    def countdown_words(self, countdown: Countdown, lang: str) -> str:
        """A countdown, in a sentence."""
        return self.texts.say(f"countdown.{countdown.name}", lang, left=countdown.left)

    def has_ending(self, name: str) -> bool:
        """Whether the game can end with the ending of this name."""
        return any(ending.name == name for ending in self.endings)

    def narrate(self, change: Change, lang: str) -> str:
        """A change as a sentence."""
        return self._sentence(change.kind, change.piece, change.at, change.to, change.over, lang)

    @lru_cache(maxsize=1000)  # noqa: B019 - a game lives as long as the program
    def _sentence(
        self, kind: str, piece: str | None, at: str | None, to: str | None, over: str | None,
        lang: str,
    ) -> str:
        places = {"at": at, "to": to, "over": over}
        values = {name: self.called(place, lang) for name, place in places.items() if place}
        if piece is not None:
            values["piece"] = self.called(piece, lang, ("piece",))
        sentence = self.texts.say(f"change.{kind}", lang, **values)
        return sentence[:1].upper() + sentence[1:]

    def __reduce__(self) -> tuple[Any, ...]:
        return _only_one, (type(self),)

    def __repr__(self) -> str:
        return f"<Game {self.slug}>"


_INSTANCES: dict[type[Game[Any]], Game[Any]] = {}


def _only_one(kind: type[Game[Any]]) -> Game[Any]:
    """The game of a pickle: the instance of this process."""
    return _INSTANCES[kind]
