"""The pages in a real house: from a form to a table, its page, the lobby, and what is refused."""

from __future__ import annotations

import json
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest
from starlette.testclient import TestClient

from escale.game.texts import LANGUAGES
from escale.games import games
from escale.web.script_words import script_words
from tests.server.pages.test_pages import HOSTILE, PREFIX, read, said

SVG = "{http://www.w3.org/2000/svg}"


def sit_down(client: TestClient, **fields: str) -> tuple[str, str]:
    """The address of a new table, and the token of one's seats."""
    answer = client.post("/tables", data=fields)
    assert answer.status_code == 303, answer.text
    where = urlsplit(answer.headers["location"])
    assert not where.query
    name, token = where.fragment.split("=")
    assert name == "seat"
    return where.path, token


@pytest.mark.parametrize("slug", [box.slug for box in games()])
def test_a_table_is_shown_as_those_who_watch_see_it(client: TestClient, slug: str) -> None:
    path, token = sit_down(client, game=slug, way="screen", lang="fr")
    for lang in LANGUAGES:
        answer = client.get(PREFIX[lang] + path)
        assert answer.status_code == 200
        assert token not in answer.text
        root = read(answer.text)
        assert root.get("lang") == lang
        main = root.find(".//main[@id='table']")
        assert main is not None
        assert main.get("data-table") == path.removeprefix("/t/")
        assert main.get("data-game") == slug
        words = root.find(".//script[@id='words']")
        assert words is not None
        assert json.loads(words.text or "") == script_words(lang, "table.js")
        ids = {e.get("id") for e in root.iter() if e.get("id")}
        used = {e.get("href", "") for e in root.iter() if e.tag == f"{SVG}use" or e.tag == "use"}
        assert used
        assert {name.removeprefix("#") for name in used} <= ids


def test_the_token_opens_the_seats_of_the_form(client: TestClient) -> None:
    path, token = sit_down(client, game="canyon-1997", way="link", seats="4", lang="en",
                           **{"seat-1": "me", "seat-2": "mousse"}, name=HOSTILE)
    assert path.startswith("/en/t/")
    id = path.removeprefix("/en/t/")
    state = client.get(f"/api/tables/{id}", headers={"authorization": f"Bearer {token}"}).json()
    assert state["you"]["seats"] == [0, 1]
    assert [seat["status"] for seat in state["seats"]] == ["person", "person", "computer", "open"]


def test_the_lobby_shows_public_tables_only(client: TestClient) -> None:
    shown, token = sit_down(client, game="canoe", way="link", public="on", name=HOSTILE)
    hidden, _ = sit_down(client, game="canoe", way="link")
    answer = client.get("/lobby")
    assert shown in answer.text
    assert hidden not in answer.text
    assert token not in answer.text
    assert "<script>alert" not in answer.text
    assert "<script>alert(1)</script>" in "".join(read(answer.text).itertext())


def test_a_form_of_another_site_is_refused_with_a_page(client: TestClient) -> None:
    fields = {"game": "canoe", "way": "screen"}
    for headers in (
        {"origin": "https://elsewhere.example"}, {"origin": "null"},
        {"sec-fetch-site": "cross-site", "origin": "null"},
    ):
        answer = client.post("/tables", data=fields, headers=headers)
        assert answer.status_code == 403, headers
        assert read(answer.text).find(".//h1") is not None
    for headers in (
        {"origin": "http://localhost"}, {"sec-fetch-site": "same-origin", "origin": "null"},
    ):
        assert client.post("/tables", data=fields, headers=headers).status_code == 303


def test_a_form_without_end_is_refused_with_a_page(client: TestClient) -> None:
    answer = client.post("/tables", data={"game": "canoe", "name": "x" * 30_000})
    assert answer.status_code == 413
    assert len(said(read(answer.text))) > 40


def test_pages_and_programs_get_their_own_kind_of_error(client: TestClient) -> None:
    page = client.get("/t/no-such-table")
    assert page.status_code == 404
    root = read(page.text)
    assert isinstance(root, ET.Element)
    assert "table" in said(root)
    answer = client.get("/api/tables/no-such-table")
    assert answer.status_code == 404
    assert answer.json()["code"] == "unknown-table"
    assert client.get("/tables").status_code == 405


def test_every_request_of_the_interface_is_on_its_page(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    for lang in LANGUAGES:
        root = read(client.get(f"{PREFIX[lang]}/api").text)
        summaries = {said(summary) for summary in root.iter("summary")}
        assert summaries == {
            f"{verb.upper()} {path}" for path, verbs in document["paths"].items() for verb in verbs
        }
        ids = {element.get("id") for element in root.iter()}
        assert {f"shape-{name}" for name in document["components"]["schemas"]} <= ids
        for link in root.iter("a"):
            if link.get("href", "").startswith("#"):
                assert link.get("href", "")[1:] in ids


def test_every_page_has_the_policy(client: TestClient) -> None:
    for path in ("/", "/g/canoe", "/lobby", "/nothing", "/cover/canoe.svg"):
        policy = client.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_pages_are_sent_compressed_and_answers_for_programs_are_not(client: TestClient) -> None:
    for path in ("/g/canoe/rules", "/cover/canoe.svg", "/static/css/base.css"):
        answer = client.get(path, headers={"accept-encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip"
        better = client.get(path, headers={"accept-encoding": "gzip, br"})
        assert better.headers["content-encoding"] == "br"
        assert "accept-encoding" in better.headers["vary"].lower()
        assert better.text == answer.text
        size, usual = (int(one.headers["content-length"]) for one in (better, answer))
        assert size < usual
    plain = client.get("/g/canoe/rules", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in client.get("/api/games").headers


def test_static_files_are_compressed_and_have_few_headers(client: TestClient) -> None:
    path, _ = sit_down(client, game="canoe", way="screen", lang="fr")
    root = read(client.get(path).text)
    asked = [link for link in root.iter("link")
             if link.get("rel") in ("stylesheet", "modulepreload", "preload")]
    assert len(asked) > 30
    for link in asked:
        answer = client.get(link.get("href", ""), headers={"accept-encoding": "gzip"})
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "content-security-policy" not in answer.headers      # it is no document
        packed = answer.headers.get("content-encoding") == "gzip"
        assert packed == (link.get("as") != "font")
        better = client.get(link.get("href", ""), headers={"accept-encoding": "gzip, br"})
        assert better.text == answer.text
        if packed:
            assert better.headers["content-encoding"] == "br"
            size, usual = (int(one.headers["content-length"]) for one in (better, answer))
            assert size < usual
    icon = client.get("/static/icons/escale.svg")
    assert "default-src" in icon.headers["content-security-policy"]
    plain = client.get("/static/css/base.css", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    tag = {"if-none-match": plain.headers["etag"]}
    assert client.get("/static/css/base.css", headers=tag).status_code == 304
