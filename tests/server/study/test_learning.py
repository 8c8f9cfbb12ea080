"""The page of a lesson: to be read without scripts, and what its script is told."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

import escale
from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.server.study.lessons import lesson_facts
from escale.study.lessons import lesson
from tests.server.pages import test_pages as pages

house, client = pages.house, pages.client


@pytest.mark.parametrize("game", escale.games(), ids=lambda game: str(game.slug))
def test_the_steps_can_be_read_with_their_figures(game: Game[Any], client: TestClient) -> None:
    taught = lesson(game)
    assert taught is not None
    for lang in LANGUAGES:
        text = " ".join(pages.visit(client, f"{pages.PREFIX[lang]}/g/{game.slug}/learn").itertext())
        for step in taught.steps:
            assert step.ask[lang] in text
            assert step.done[lang] in text
    for step in taught.steps:
        answer = client.get(f"/figure/{game.slug}/lesson/{step.id}.svg")
        assert (answer.status_code, answer.text[:4]) == (200, "<svg")
    assert client.get(f"/figure/{game.slug}/lesson/nothing.svg").status_code == 404


@pytest.mark.parametrize("game", escale.games(), ids=lambda game: str(game.slug))
def test_the_script_knows_what_is_right(game: Game[Any]) -> None:
    taught = lesson(game)
    assert taught is not None
    facts = lesson_facts(game, "fr")
    assert facts["say"].keys() == {"step", "task", "example", "reply"}
    for step, told in zip(taught.steps, facts["steps"], strict=True):
        answers, position = step.answers(game), step.reach(game)
        right = told["right"]
        assert told["seat"] == position.turn
        assert told["hint"]
        assert (right["shown"] is not None) == bool(answers)
        if right["any"]:
            assert answers.keys() == {move.text for move in position.moves()}
        else:
            assert right["moves"].keys() == answers.keys()
        for text, reply in right["moves"].items():
            if reply is not None:
                after = position.play(text).play(reply["move"])
                assert after.find(reply["then"]["shown"]["text"])


def test_the_box_leads_to_the_lesson_first(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = pages.visit(client, "/en/g/tortuga")
    links = [link.get("href") for link in root.findall(".//article//a")]
    assert links.index("/en/g/tortuga/learn") < links.index("/en/g/tortuga/rules")
    # A game of another package may have none.
    monkeypatch.setattr("escale.server.pages.routes.lesson", lambda game: None)
    monkeypatch.setattr("escale.server.study.lessons.lesson", lambda game: None)
    links = [link.get("href") for link in pages.visit(client, "/en/g/tortuga").findall(".//a")]
    assert "/en/g/tortuga/learn" not in links
    pages.visit(client, "/en/g/tortuga/learn", 404)
    pages.visit(client, "/g/nothing/learn", 404)
