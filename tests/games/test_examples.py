"""Every example of every game: that it is right, and that together they show the rules."""

from __future__ import annotations

from typing import Any

import pytest

from escale.devkit.check import citable
from escale.game.examples import Example
from escale.game.game import Game
from escale.game.texts import LANGUAGES
from tests.games import OURS

GAMES = OURS


def examples(game: Game[Any]) -> tuple[Example, ...]:
    """The game's examples; a game without any is found out by `test_there_are_enough`."""
    return game.examples if (game.folder / "examples.toml").exists() else ()


EVERY_GAME = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
EVERY_EXAMPLE = pytest.mark.parametrize(
    ("game", "example"),
    [
        pytest.param(game, example, id=f"{game.slug}-{example.id}")
        for game in GAMES
        for example in examples(game)
    ],
)


# ---- each one ----


@EVERY_EXAMPLE
def test_it_comes_out_as_it_says(game: Game[Any], example: Example) -> None:
    assert example.faults(game) == []


@EVERY_EXAMPLE
def test_its_texts_are_as_the_program_writes_them(game: Game[Any], example: Example) -> None:
    for text in (example.position, example.after):
        if text is not None:
            assert game.position(text).text == text


@EVERY_EXAMPLE
def test_it_shows_paragraphs_that_exist(game: Game[Any], example: Example) -> None:
    numbers = game.rules["fr"].numbers
    assert example.rules
    assert set(example.rules) <= numbers.keys()
    assert list(example.rules) == sorted(set(example.rules), key=numbers.__getitem__)


@EVERY_EXAMPLE
def test_it_asserts_something(game: Game[Any], example: Example) -> None:
    assert example.move or example.attempt or example.legal is not None
    assert (example.move is None) <= (example.after is None)


@EVERY_EXAMPLE
def test_an_attempt_is_refused_by_a_paragraph_shown(game: Game[Any], example: Example) -> None:
    assert (example.attempt is None) == (example.refused is None)
    if example.attempt is not None:
        assert example.refused in example.rules
        places = {cell.id for cell in game.board.cells}.intersection(game.split(example.attempt))
        if places and not example.ending:
            assert example.cells, "a refusal during the game lights something"


@EVERY_EXAMPLE
def test_it_has_a_caption_in_every_language(game: Game[Any], example: Example) -> None:
    captions = [example.caption[lang] for lang in LANGUAGES]
    assert len(set(captions)) == len(LANGUAGES)
    for caption in captions:
        assert 20 <= len(caption) <= 250
        assert caption.endswith((".", "!", "?"))
        assert "'" not in caption, "typographic apostrophes, please"


# ---- all together ----


@EVERY_GAME
def test_there_are_enough(game: Game[Any]) -> None:
    assert len(examples(game)) >= 15


@EVERY_GAME
def test_ids_are_unique(game: Game[Any]) -> None:
    ids = [example.id for example in examples(game)]
    assert len(ids) == len(set(ids))


@EVERY_GAME
def test_every_paragraph_that_forbids_has_an_attempt(game: Game[Any]) -> None:
    refused = {example.refused for example in examples(game)}
    assert citable(game) - refused == set()


@EVERY_GAME
def test_every_section_of_the_rules_is_shown(game: Game[Any]) -> None:
    shown = {name for example in examples(game) for name in example.rules}
    paragraphs = game.rules["fr"].paragraphs
    sections = {paragraph.section for paragraph in paragraphs}
    assert sections == {
        paragraph.section for paragraph in paragraphs if paragraph.id in shown
    }


@EVERY_GAME
def test_every_ending_is_shown(game: Game[Any]) -> None:
    shown = {example.ending for example in examples(game)}
    assert {ending.name for ending in game.endings} <= shown


@EVERY_GAME
def test_every_value_of_every_option_is_shown(game: Game[Any]) -> None:
    shown = {
        (name, value)
        for example in examples(game)
        for name, value in game.position(example.position).options.items()
    }
    assert shown == {(option.name, value) for option in game.options for value in option.values}
