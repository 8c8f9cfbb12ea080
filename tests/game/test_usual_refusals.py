"""The refusals that most games share: the right reason first, with a sentence in every language."""

from __future__ import annotations

from typing import Any

import pytest

import escale
from escale.game.texts import LANGUAGES, house
from escale.game.usual_refusals import KEYS, usual_refusal

GAME = escale.game("tortuga")
START = GAME.start(first="south")
FORCED = START.play("d2-d3").play("d6-d5").play("d3-d4")
PARAGRAPHS = dict.fromkeys(KEYS, "turn")

CASES: dict[str, tuple[escale.Position, tuple[str, ...], dict[str, Any]]] = {
    "nobody-there": (START, ("d4", "d5"), {}),
    "not-yours": (START, ("d7", "d6"), {}),
    "must-capture": (START, ("d2", "d3"), {"captures": ["c1-c3"]}),
    "cannot-move": (FORCED, ("c6", "c5"), {"own": "north"}),
    "where-to": (START, ("d2",), {}),
    "occupied": (START, ("d2", "c1"), {"reach": ["c1", "d3"]}),
    "not-adjacent": (START, ("d2", "a4"), {"reach": ["c1", "d3"]}),
}


@pytest.mark.parametrize("key", KEYS)
def test_each_reason_is_found_and_said(key: str) -> None:
    position, atoms, more = CASES[key]
    refusal = usual_refusal(position, atoms, PARAGRAPHS, **{"own": "south", **more})
    assert refusal is not None
    assert (refusal.key, refusal.rule) == (key, "tortuga#turn")
    # The house's own sentence: Tortuga says some of these better.
    said = [house().say(f"refusal.{key}", lang, **refusal.values) for lang in LANGUAGES]
    assert len(set(said)) == len(LANGUAGES)


def test_a_reason_without_a_paragraph_is_left_to_the_game() -> None:
    assert usual_refusal(START, ("d4", "d5"), {}, own="south") is None
