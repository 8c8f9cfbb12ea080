"""A lesson in a terminal: the same steps as on its page, by ear."""

from __future__ import annotations

from typing import Any

import pytest

import escale
from escale.cli.learn import teach
from escale.game.errors import BadOption
from escale.game.game import Game
from escale.study.lessons import lesson
from tests.cli.test_terminal import Typing


def taught(game: Game[Any], *lines: str, lang: str = "fr") -> str:
    console = Typing(iter(lines), 200)
    teach(game, lang=lang, console=console)
    return console.shown


@pytest.mark.parametrize("game", escale.games(), ids=lambda game: str(game.slug))
def test_a_whole_lesson_is_typed(game: Game[Any]) -> None:
    found = lesson(game)
    assert found is not None
    lines = []
    for step in found.steps:
        if step.point or step.refused:
            lines.append(step.hint(game) or "")
            continue
        answers = step.answers(game)
        while True:
            text, reply = next(iter(answers.items()))
            lines.append(text)
            if reply is None:
                break
            answers = reply.then
    shown = taught(game, *lines, lang="en")
    assert all(step.done["en"] in shown for step in found.steps)
    assert "You can play!" in shown


def test_what_else_is_typed_is_answered() -> None:
    tortuga = escale.game("tortuga")
    shown = taught(
        tortuga, "passer", "d4-d5", "d4-d3", "?", "d2-d4", "retour", "retour", "d4", "q"
    )
    assert "Un pas très convenable" in shown                # legal, but not what was asked
    assert "une tortue ne va que vers l’avant. (Règle 9.)" in shown
    assert "Par exemple\xa0: d2-d4." in shown
    assert shown.count("Étape 3 sur 8") == 2                # and back again
    assert "Où va la tortue en d4\u202f?" in shown or "Où saute la tortue en d4\u202f?" in shown


def test_a_place_is_pointed_at_by_its_name() -> None:
    shown = taught(escale.game("canyon-1972"), "a1", "h8")
    assert "le coin d’en face." in shown
    assert "h8 vaut 15 pour vous" in shown


def test_a_game_without_a_lesson_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("escale.cli.learn.lesson", lambda game: None)
    with pytest.raises(BadOption, match="no lesson of Tortuga"):
        teach(escale.game("tortuga"), lang="fr")
