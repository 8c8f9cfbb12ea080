"""What people read: in their language, every word once, and French as it is set."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.game.errors import BadSetup
from escale.game.game import Game
from escale.game.position import Position
from escale.game.refusals import explain
from escale.game.texts import LANGUAGES, Texts
from escale.game.viewer import ALL
from escale.kernel import CHANCE

SOURCES = Path(escale.__file__).parent
CATALOGUES = sorted(SOURCES.rglob("texts.toml"))
GAMES = escale.games()

BREAKABLE = re.compile(r" [:;!?»]|« ")
"""A space of French punctuation at which a line might be broken."""


def name(game: Game[Any]) -> str:
    return game.slug


def positions(game: Game[Any], count: int) -> Iterator[Position]:
    """Positions of random games, chance included."""
    chance = random.Random(f"texts of {game.slug}")
    for _ in range(count):
        position = game.start_with({
            option.name: chance.choice(option.values) for option in game.options
        })
        while position.moves():
            yield position
            position = position.play(chance.choice(position.moves()))


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: str(path.relative_to(SOURCES)))
def test_no_line_of_a_french_text_begins_with_a_colon(path: Path) -> None:
    texts = Texts.read(path)
    assert [key for key in texts if BREAKABLE.search(texts.sentence(key, "fr"))] == []


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_no_line_of_a_french_rules_page_begins_with_a_colon(game: Game[Any]) -> None:
    page = game.rules["fr"]
    read = [page.title, page.introduction, *(paragraph.text for paragraph in page.paragraphs),
            *(section.heading for section in page.sections),
            *(item for section in page.sections for item in section.items),
            *(example.caption["fr"] for example in game.examples)]
    assert [text for text in read if BREAKABLE.search(text)] == []


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_told_sentences_say_no_word_twice_and_break_at_no_colon(game: Game[Any]) -> None:
    for position in positions(game, 3):
        if position.last is None:
            continue
        for lang in LANGUAGES:
            told = [position.last.narrate(lang, ALL), position.last.label(lang)]
            refusal = explain(position, "zz")
            told.append(refusal.text(lang))
            for sentence in told:
                assert not re.search(r"\b([^\W\d_]+) \1\b", sentence, re.IGNORECASE), sentence
                assert lang != "fr" or not BREAKABLE.search(sentence), sentence


def test_an_empty_column_is_called_a_column_once() -> None:
    for slug in ("qenj1", "qenj2", "qenj3", "qenj4"):
        game = escale.game(slug)
        change = escale.Change(kind="closed-up", at="b")
        assert game.narrate(change, "fr").startswith("La colonne b est vide")
        assert game.narrate(change, "en").startswith("Column b is empty")


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_moves_are_read_in_the_language_of_the_reader(game: Game[Any]) -> None:
    """And may be typed as they are read: both ways lead to the same move."""
    cells = {cell.id for cell in game.board.cells}
    seen: set[str] = set()
    for position in positions(game, 2):
        for move in position.moves()[:40]:
            fresh = set(move.atoms) - seen
            if not fresh or position.turn == CHANCE:
                continue
            seen |= fresh
            for lang in LANGUAGES:
                label = move.label(lang)
                if set(move.atoms) <= cells:
                    assert label == move.text
                assert position.find(label) == move
                assert position.find(label.upper()) == move
                assert position.find(label.replace(" – ", "-")) == move
            for atom in fresh - cells:
                assert game.label(atom, "fr") != atom, "French has a word of its own for it"


@pytest.mark.parametrize(("slug", "line", "label"), [
    ("qenj2", "d6-f-south", "d6 – colonne f – au sud"),
    ("canyon-1972", "a1-c3-stop", "a1 – c3 – s’arrêter ici"),
    ("canyon-1997", "bid1", "1 levée"),
    ("canyon-1997", "red10", "10 rouge"),
    ("tortuga", "d2-d3", "d2-d3"),
])
def test_a_move_as_people_read_it(slug: str, line: str, label: str) -> None:
    game = escale.game(slug)
    assert game.spell(game.split(line), "fr") == label
    assert game.split(label) == game.split(line)


def test_a_refusal_lists_what_is_possible_in_the_language_of_the_reader() -> None:
    position = escale.game("qenj2").start(setup="quick", seed=2)
    refusal = explain(position, "zz")
    assert "au nord, au sud" in refusal.text("fr")
    assert "North, South" in refusal.text("en")


def test_a_bad_option_is_told_in_every_language() -> None:
    with pytest.raises(BadSetup) as caught:
        escale.game("qenj2").start(setup="slow")
    assert caught.value.text("fr").startswith("L’option setup ne peut être")
    assert "full, quick" in caught.value.text("fr")
    assert caught.value.text("en") == str(caught.value)
