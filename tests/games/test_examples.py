"""Every example of every game: that it is right, and that together they show the rules.

What an example must keep is in `escale.devkit.examples`, for authors of other games too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import escale
from escale.devkit.examples import example_faults
from escale.game.examples import Example
from escale.game.game import Game
from tests.games import OURS

EVERY_GAME = pytest.mark.parametrize("game", OURS, ids=lambda game: str(game.slug))


@EVERY_GAME
def test_nothing_is_wrong_with_them(game: Game[Any]) -> None:
    assert list(example_faults(game)) == []


@EVERY_GAME
def test_there_are_enough(game: Game[Any]) -> None:
    assert len(game.examples) >= 15


@EVERY_GAME
def test_captions_are_neither_labels_nor_paragraphs(game: Game[Any]) -> None:
    for example in game.examples:
        for caption in example.caption.values():
            assert 20 <= len(caption) <= 250, example.id


def other(game: Game[Any], **changed: Any) -> list[str]:
    """What is wrong when the first attempt of a game's examples is another."""
    number = next(
        i for i, one in enumerate(game.examples)
        if one.attempt and not one.ending and set(one.cells) & set(game.split(one.attempt))
    )
    examples: list[Example] = list(game.examples)
    examples[number] = replace(examples[number], **changed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(game.__dict__, "examples", tuple(examples))
        return list(example_faults(game))


@pytest.mark.parametrize(("changed", "fault"), [
    ({"refused": None}, "an attempt needs the paragraph that refuses it"),
    ({"cells": ()}, "name the cells"),
    ({"rules": ()}, "rules must name the paragraphs that it shows"),
    ({"rules": ("nonsense",)}, "no paragraph nonsense"),
    ({"attempt": None, "refused": None}, "expected a move, an attempt or all legal moves"),
    ({"after": escale.game("tortuga").start(first="south").text}, "after needs a move"),
    ({"caption": {"fr": "Le même.", "en": "Le même."}}, "the same in two languages"),
    ({"caption": {"fr": "Sans point", "en": "A full stop."}}, "a caption is a sentence"),
    ({"caption": {"fr": "L'autre.", "en": "The other."}}, "straight apostrophe"),
], ids=lambda value: value if isinstance(value, str) else "-".join(value))
def test_what_is_wrong_is_found(changed: dict[str, Any], fault: str) -> None:
    faults = other(escale.game("tortuga"), **changed)
    assert any(fault in one for one in faults), faults


@EVERY_GAME
def test_what_is_not_shown_is_missed(game: Game[Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(game.__dict__, "examples", game.examples[:1])
        faults = list(example_faults(game))
    for ending in game.endings:
        assert f"no example ends by {ending.name}" in faults
    assert any(fault.startswith("no example shows the section") for fault in faults)
    assert any(fault.startswith("no example of an attempt") for fault in faults)
