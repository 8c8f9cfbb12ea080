"""Playing in a terminal: words of the reader's language, and lines that break where they may."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pytest
from rich.console import Console

import escale
from escale.cli.terminal import Terminal, print_text
from escale.game.position import Position
from escale.match.events import Played


class Typing(Console):
    """A console at which a person types these lines."""

    def __init__(self, lines: Iterator[str], width: int = 80) -> None:
        super().__init__(file=io.StringIO(), width=width, highlight=False)
        self.lines = lines

    def input(self, prompt: object = "", **_: object) -> str:
        self.print(prompt, end="", markup=False)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    @property
    def shown(self) -> str:
        """All that was printed."""
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


def played(
    start: Position, *lines: str, lang: str = "fr", width: int = 80
) -> tuple[str, list[str]]:
    """What the terminal shows, and the moves as the match keeps them."""
    console = Typing(iter(lines), width)
    table = Terminal.open(start, levels={}, seed=1, lang=lang, console=console)
    table.run()
    moves = [event.move for event in table.match.events if isinstance(event, Played)]
    return console.shown, moves


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("typed", ["sud", "Au sud", "SOUTH", "south"])
def test_buttons_are_typed_in_any_language_and_shown_in_one(lang: str, typed: str) -> None:
    shown, moves = played(escale.game("qenj2").start(setup="quick"), typed, lang=lang)
    assert moves == ["south"]
    assert ("B joue sud." if lang == "fr" else "B plays south.") in shown


@pytest.mark.parametrize(("slug", "typed", "move"), [
    ("qenj1", "Completer", "fill"),
    ("qenj2", "compléter au hasard", "fill"),
])
def test_accents_may_be_left_out(slug: str, typed: str, move: str) -> None:
    shown, moves = played(escale.game(slug).start(), typed)
    assert moves == [move]
    assert "joue compléter." in shown


def test_what_is_possible_is_told_in_words_that_can_be_typed() -> None:
    game = escale.game("tortuga")
    board = game.write_board({"d2": "south", "d3": "neutral", "g4": "north"})
    start = game.position(f"{board} south 0")
    shown, _ = played(start, "?", "règle 8", "REGLE 8", "aide")
    assert "d2-d4-nord,  d2-d4-sud" in shown
    assert shown.count(" 8. ") == 2
    assert not re.search(r"\b(south|north)\b", shown)


@pytest.mark.parametrize(("lang", "goal", "asked", "then"), [
    ("fr", "But du jeu\xa0: mener une tortue à la base adverse, en face.",
     "Sud, à vous. Vous devez sauter\xa0: c2 ou e2.", "Où saute la tortue en c2\u202f?"),
    ("en", "The goal: bring a turtle to the enemy base, opposite you.",
     "South, your turn. You must jump: c2 or e2.", "Where does the turtle on c2 jump?"),
])
def test_it_says_what_to_do_and_what_for(lang: str, goal: str, asked: str, then: str) -> None:
    game = escale.game("tortuga")
    board = game.write_board({"c2": "south", "c3": "north", "e2": "south", "e3": "north"})
    shown, _ = played(game.position(f"{board} south 4"), "c2", lang=lang, width=120)
    places = [shown.index(words) for words in (goal, asked, then)]
    assert places == sorted(places)


@pytest.mark.parametrize("width", range(20, 60))
def test_no_line_breaks_at_a_space_of_punctuation(width: int) -> None:
    """A line never begins with a mark, nor ends with the space before one."""
    shown, _ = played(
        escale.game("canoe").start(), "?", "zz", "règle", "aide", "", "e4", "e4", width=width
    )
    for line in shown.splitlines():
        assert not re.match(r"\s*[:;!?»]", line), line
        assert not re.search(r"[\xa0\u202f«]$", line), line


def test_what_is_printed_is_never_markup() -> None:
    console = Typing(iter(()))
    print_text(console, "a [bold]b[/bold] c")
    assert console.shown == "a [bold]b[/bold] c\n"


@pytest.mark.parametrize(("lang", "line"), [
    ("fr", "réserve de Clair\xa0: ○"), ("en", "Light’s reserve: ○"),
])
def test_what_stands_beside_the_board_is_punctuated_as_in_its_language(
    lang: str, line: str
) -> None:
    shown, _ = played(escale.game("canoe").start(), lang=lang)
    assert line in shown


@pytest.mark.parametrize(("lang", "left", "where"), [
    ("fr", "il en reste 1, puis", "À voir sur le plateau\xa0: d7."),
    ("en", "1 left, then", "To be seen on the board: d7."),
])
def test_what_ends_a_game_is_counted_down_and_shown(lang: str, left: str, where: str) -> None:
    game = escale.game("tortuga")
    board = game.write_board({"d6": "south", "d2": "north"})
    shown, _ = played(game.position(f"{board} south 279"), "quitter", lang=lang)
    assert left not in shown
    assert "300" not in shown
    shown, moves = played(game.position(f"{board} south 299"), "d6-d7", lang=lang)
    assert moves == ["d6-d7"]
    assert left in shown
    assert where in shown


def test_a_hint_is_asked_for_in_a_word() -> None:
    start = escale.game("tortuga").start(first="south")
    for lang, word in (("fr", "Conseil"), ("en", "hint")):
        shown, moves = played(start, word, lang=lang)
        assert moves == []
        told = " ".join(shown.split())
        found = re.search(r"([a-g][1-7]-[a-g][1-7]) ?: \w", told)
        assert found is not None, told
        assert found[1] in [move.text for move in start.moves()]
        assert ("Suite probable" if lang == "fr" else "Probably followed by") in told
