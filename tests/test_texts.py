"""What people read: in their language, every word once, and French as it is set."""

from __future__ import annotations

import random
import re
import unicodedata
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
from escale.match.match import Match
from tests.codes import shown_codes
from tests.sizes import sized

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
def test_told_sentences_say_no_word_twice_no_code_and_break_at_no_colon(game: Game[Any]) -> None:
    for position in positions(game, sized(1, 3, 1)):
        if position.last is None or position.parent is None:
            continue
        for lang in LANGUAGES:
            told = [position.last.narrate(lang, ALL), position.last.label(lang)]
            tried = ("zz", "", *(move.text for move in position.parent.moves()[:5]))
            told += [explain(position, attempt).text(lang) for attempt in tried]
            for sentence in told:
                assert not shown_codes(game, sentence, lang), sentence
                assert not re.search(r"\b([^\W\d_]+) \1\b", sentence, re.IGNORECASE), sentence
                assert lang != "fr" or not BREAKABLE.search(sentence), sentence


@pytest.mark.parametrize(("slug", "column", "band"), [
    ("qenj1", "colonne", "Column"), ("qenj2", "colonne", "Column"),
    ("qenj3", "colonne", "Column"), ("qenj4", "bande", "Band"),
])
def test_an_empty_column_is_called_a_column_once(slug: str, column: str, band: str) -> None:
    game = escale.game(slug)
    change = escale.Change(kind="closed-up", at="b")
    assert game.narrate(change, "fr").startswith(f"La {column} b est vide")
    assert game.narrate(change, "en").startswith(f"{band} b is empty")


@pytest.mark.parametrize(("slug", "terms"), [
    ("qenj1", ("pion", "colonne", "flèches")),
    ("qenj2", ("pion", "colonne", "flèches")),
    ("qenj3", ("galet", "colonne", "lances")),
    ("qenj4", ("galet", "bande", "encoches")),
])
def test_games_of_a_family_call_things_by_their_own_words(
    slug: str, terms: tuple[str, str, str]
) -> None:
    game = escale.game(slug)
    piece, column, arrows = terms
    say = game.texts.say
    assert say("refusal.none-left", "fr").startswith(f"Il ne reste plus de {piece} ")
    assert say("refusal.no-room", "fr", column="c").endswith(f"dans la {column} c.")
    assert say("refusal.wrong-way", "fr", column="c").endswith(f"le sens des {arrows}.")


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_moves_are_read_in_the_language_of_the_reader(game: Game[Any]) -> None:
    """And may be typed as they are read: both ways lead to the same move."""
    cells = {cell.id for cell in game.board.cells}
    seen: set[str] = set()
    for position in positions(game, sized(1, 2, 1)):
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
                assert position.find(label.replace("-", " ")) == move
            for atom in fresh - cells:
                assert game.label(atom, "fr") != atom, "French has a word of its own for it"


@pytest.mark.parametrize(("slug", "line", "label"), [
    ("qenj2", "d6-f-south", "d6-f-sud"),
    ("qenj2", "fill", "compléter"),
    ("qenj2", "repeat", "répéter"),
    ("canoe", "e4-reserve", "e4-réserve"),
    ("canyon-1972", "a1-c3-stop", "a1-c3-arrêt"),
    ("canyon-1972", "pass", "passer"),
    ("canyon-1997", "bid1", "1 levée"),
    ("canyon-1997", "red10", "10 rouge"),
    ("tortuga", "d2-d3", "d2-d3"),
    ("tortuga", "d3-d5-south", "d3-d5-sud"),
])
def test_a_move_as_people_read_it(slug: str, line: str, label: str) -> None:
    game = escale.game(slug)
    assert game.spell(game.split(line), "fr") == label
    assert game.split(label) == game.split(line)


def test_a_refusal_lists_what_is_possible_in_the_language_of_the_reader() -> None:
    position = escale.game("qenj2").start(setup="quick", seed=2)
    refusal = explain(position, "zz")
    assert refusal.text("fr").endswith("Coups possibles\xa0: nord, sud.")
    assert refusal.text("en").endswith("Possible moves: north, south.")


@pytest.mark.parametrize(("typed", "meant"), [("nrod", "nord"), ("soutth", "sud")])
def test_a_word_that_is_misspelt_in_some_language_is_found_again(typed: str, meant: str) -> None:
    position = escale.game("qenj2").start(setup="quick", seed=2)
    assert f"Vouliez-vous dire\xa0: {meant}" in explain(position, typed).text("fr")


def without_accents(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_atoms_may_be_typed_in_every_language_without_accents_and_capitals(
    game: Game[Any]
) -> None:
    for atom in game.vocabulary(game.choose({})):
        if atom != atom.lower():
            continue                                    # an area that no move ever names
        assert game.split(atom) == (atom,)
        for lang in LANGUAGES:
            for form in game.forms(atom, lang):
                for typed in (form, form.upper(), without_accents(form), form.replace("’", "'")):
                    assert game.split(typed) == (atom,), f"{typed} is not {atom}"


@pytest.mark.parametrize(("slug", "typed", "text"), [
    ("tortuga", "d3 d5 Sud", "d3-d5-south"),
    ("tortuga", "d3-d5-pour nord (elle regarde vers sud)", "d3-d5-north"),
    ("qenj1", "COMPLETER", "fill"),
    ("qenj2", "d6, colonne f, au sud", "d6-f-south"),
    ("qenj2", "repeter", "repeat"),
    ("canyon-1972", "a1 c3 arret", "a1-c3-stop"),
    ("canyon-1972", "a1-c3-s'arreter ici", "a1-c3-stop"),
    ("canoe", "e4 reserve", "e4-reserve"),
    ("canyon-1997", "violet 7", "purple7"),
    ("canyon-1997", "7 violet", "purple7"),
    ("canyon-1997", "violet7", "purple7"),
    ("canyon-1997", "purple 7", "purple7"),
    ("canyon-1997", "3", "bid3"),
    ("canyon-1997", "3 levees", "bid3"),
])
def test_a_move_as_people_type_it(slug: str, typed: str, text: str) -> None:
    game = escale.game(slug)
    assert game.join(game.split(typed)) == text


def test_a_match_keeps_the_one_notation_whatever_was_typed() -> None:
    match = Match(escale.game("qenj2").start(setup="quick", seed=2))
    match.play(match.turn or 0, "Au Sud")
    assert '"move":"south"' in match.transcript(ALL).replace(" ", "")


def test_a_bad_option_is_told_in_every_language() -> None:
    with pytest.raises(BadSetup) as caught:
        escale.game("qenj2").start(setup="slow")
    assert caught.value.text("fr").startswith("L’option «\xa0setup\xa0» ne peut pas valoir")
    assert "full, quick" in caught.value.text("fr")
    assert caught.value.text("en") == str(caught.value)
