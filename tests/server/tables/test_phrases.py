"""Tables that are safe for children: set phrases for chat, and names from a list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from escale.game.texts import LANGUAGES
from escale.match.match import Match
from escale.server.pages.forms import order
from escale.server.tables.phrases import PHRASES, listed_names, phrase_words
from tests.server.hosting import OPEN, Hosted, hosted, person
from tests.server.tables.test_tables import SOUTH, two_people


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    with hosted(tmp_path_factory.mktemp("house")) as house:
        yield house


def test_a_phrase_is_read_in_the_language_of_the_reader(house: Hosted) -> None:
    south, north = two_people(house)
    south.act("phrase", 0, phrase="well-played")
    north.act("say", 1, text="Thanks")                  # free chat, where no one forbade it
    for lang, words in (("fr", "Bien joué\u202f!"), ("en", "Well played!")):
        item = south.get("/log", before=1000, lang=lang)["log"][-2]
        assert (item["do"], item["phrase"], item["label"]) == ("phrase", "well-played", words)
        assert words in item["sentence"]
    refused = south.act("phrase", 0, status=400, phrase="you-are-bad")
    assert refused["detail"].startswith("phrase:")
    assert Match.replay(south.get("/transcript")).events[-2].id is None


def test_where_children_play_there_is_no_free_text(house: Hosted) -> None:
    south = house.create("tortuga", person("Dauphin"), OPEN, phrases=True, **SOUTH)
    answer = house.client.post(f"/api/tables/{south.id}/seats/1", json={"name": "call 555 123"})
    assert (answer.status_code, answer.json()["code"]) == (422, "listed-name")
    assert "Dolphin" in answer.json()["detail"]
    assert south.get()["seats"][1]["status"] == "open"
    north = south.sit(1, name="Otter")
    assert south.get()["phrases"]
    assert south.act("say", 0, status=409, text="where do you live?")["code"] == "phrases-only"
    assert north.act("rename", 1, status=422, name="call 555 123")["code"] == "listed-name"
    north.act("rename", 1, name="Mouette")
    north.act("phrase", 1, phrase="hello")
    assert json.loads(south.get("/transcript").splitlines()[0])["phrases"]
    order = {"game": "tortuga", "seats": [person("call 555 123"), OPEN], "phrases": True}
    assert house.client.post("/api/tables", json=order).json()["code"] == "listed-name"


def test_a_rematch_is_for_children_too(house: Hosted) -> None:
    south = house.create("tortuga", person("Otter"), OPEN, phrases=True, **SOUTH)
    north = south.sit(1, name="Seal")
    south.act("resign", 0)
    south.act("offer", 0, what="rematch")
    north.act("answer", 1, yes=True)
    other = south.wait_for(outcome=south.get()["outcome"])["next"] \
        or south.get("/events", since=south.get()["n"], wait=5)["state"]["next"]
    assert house.client.get(f"/api/tables/{other}").json()["phrases"]


def test_a_house_may_ask_for_it_everywhere(tmp_path: Path) -> None:
    with hosted(tmp_path) as free:
        before = two_people(free)[0]
    with hosted(tmp_path, phrases_only=True) as house:
        old = before.__class__(house, before.id, before.token)
        assert old.get()["phrases"]                     # also where people sat down before
        assert old.act("say", 0, status=409, text="a word")["code"] == "phrases-only"
        new = house.create("tortuga", person("Guest"), OPEN, **SOUTH)
        assert new.get()["phrases"]
        page = house.client.get("/en/g/tortuga").text
        assert "<option>Dolphin</option>" in page
        assert "data-my-name" not in page
        sent = house.client.post("/tables", data={"game": "tortuga", "way": "computer",
                                                  "name": "call 555 123", "lang": "en"})
        assert sent.status_code == 303
        table = sent.headers["location"].split("/t/")[1].partition("#")[0]
        names = [seat["name"] for seat in house.client.get(f"/api/tables/{table}").json()["seats"]]
        assert "call 555 123" not in names


def test_the_form_on_a_box_drops_a_name_that_is_on_no_list() -> None:
    import escale

    box = escale.game("tortuga")
    fields = {"way": "link", "phrases": "on", "name": "call 555 123"}
    asked = order(box, fields, "fr", "Invité")
    assert (asked.phrases, asked.seats[0].name) == (True, "Invité")   # type: ignore[union-attr]
    listed = order(box, fields | {"name": "Otter"}, "fr", "Invité")
    assert listed.seats[0].name == "Otter"                            # type: ignore[union-attr]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_a_dozen_phrases_and_enough_names(lang: str) -> None:
    assert len(PHRASES) == 12
    assert len(set(phrase_words(lang).values())) == 12
    assert len(set(listed_names(lang))) == 24
