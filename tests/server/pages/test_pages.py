"""The pages as a browser gets them, without a network: whole, valid, escaped, in two languages."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit
from xml.etree import ElementTree as ET

import html5lib
import pytest
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient

from escale import game, server
from escale.game.errors import BadSetup
from escale.game.game import Game
from escale.game.rules_page import ASIDE, BRIEF, TIPS
from escale.game.texts import LANGUAGES
from escale.games import games
from escale.match.reading import tag
from escale.opponents import LEVELS
from escale.server.bots import pages as bot_pages
from escale.server.pages import files, printing, routes
from escale.server.pages.page_context import error_page
from escale.server.people import lobby
from escale.server.people import pages as people_pages
from escale.server.settings import Settings
from escale.server.study import analysis_routes, lessons, puzzle_routes
from escale.server.tables.house import Created
from escale.server.tables.orders import Order
from escale.store import Bot
from escale.study.puzzles import puzzles_of
from escale.web import STATIC, TEMPLATES

HOSTILE = "<script>alert(1)</script>\"'&{{7*7}}\u202e"
PREFIX = {"fr": "", "en": "/en"}

every_game = pytest.mark.parametrize("box", games(), ids=lambda box: str(box.slug))
in_every_language = pytest.mark.parametrize("lang", LANGUAGES)


class QuietBots:
    """Accounts of bots, and the names of those that listen."""

    def __init__(self) -> None:
        self.accounts: list[Bot] = []
        self.awake: set[str] = set()

    async def all(self) -> list[Bot]:
        return self.accounts

    def listens(self, bot: Bot) -> bool:
        return bot.name in self.awake

    async def must_listen(self, name: str) -> None:
        if name not in self.awake:
            raise BadSetup("bot-away", name=name)


class QuietNotebooks:
    """Notebooks of a house where no visitor has one."""

    notice_service = SimpleNamespace(kinds=["push", "webhook"], push_key="", base=lambda: "")

    async def of(self, request: Request) -> None:
        return None

    async def holder(self, cookies: Mapping[str, str]) -> None:
        return None

    async def sought(self, tables: Sequence[str]) -> dict[str, str]:
        return {}

    def now(self) -> int:
        return time.time_ns() // 1_000_000


class QuietLobby:
    """A lobby where nothing changes."""

    async def version(self) -> str:
        return "0"

    def note(self, listed: list[dict[str, object]]) -> str:
        return str(len(listed))


class QuietHouse:
    """A house with two public tables, which takes down what is ordered."""

    settings = Settings()

    def __init__(self) -> None:
        self.orders: list[Order] = []
        self.bots = QuietBots()
        self.tables: dict[str, object] = {}

    async def create(self, order: Order, who: str = "") -> Created:
        self.orders.append(order)
        return Created("t4ble", "t0-k_en", ())

    async def table(self, id: str) -> None:
        return None

    async def public_tables(self, lang: str) -> list[dict[str, Any]]:
        person = {"status": "person", "name": HOSTILE, "label": "A", "level_name": None,
                  "seat": 0, "awaited": False}
        robot = {**person, "name": "Walker", "bot": True}
        free = {"status": "open", "name": None, "label": "B", "seat": 1, "awaited": False}
        now = time.time() * 1000
        more = {"dealt_by_hand": None, "n": 1, "clock": None}
        return [
            {"table": "full", "game": games()[-1].slug, "seats": [person, robot], "moves": 1,
             **more, "at": now - 3 * 3_600_000},
            {"table": "free", "game": games()[0].slug, "seats": [person, free], "moves": 0,
             **more, "at": now},
        ]


@pytest.fixture
def house() -> QuietHouse:
    return QuietHouse()


@pytest.fixture
def client(house: QuietHouse) -> Iterator[TestClient]:
    app = FastAPI()
    app.state.bots, app.state.room = house.bots, None
    app.include_router(routes.router)
    app.include_router(bot_pages.router)
    app.include_router(people_pages.router)
    app.include_router(lobby.router)
    app.state.notebooks, app.state.lobby = QuietNotebooks(), QuietLobby()
    app.include_router(puzzle_routes.pages)
    app.include_router(lessons.router)
    app.include_router(analysis_routes.pages)
    app.include_router(files.router)
    app.include_router(printing.router)
    app.state.house = house
    app.state.bots_at, app.state.listening_bots = bot_pages.bots_at, bot_pages.listening_bots

    async def missing(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return error_page(request, error.status_code)

    app.add_exception_handler(HTTPException, missing)
    with TestClient(app, "http://localhost", follow_redirects=False) as client:
        yield client


def read(text: str) -> ET.Element:
    """The page as strictly as html5lib can read it."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    root = parser.parse(text)
    assert isinstance(root, ET.Element)
    return root


def visit(client: TestClient, path: str, status: int = 200) -> ET.Element:
    answer = client.get(path)
    assert answer.status_code == status, (path, answer.status_code)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return read(answer.text)


def paths(lang: str) -> list[str]:
    plain = ["/", "/lobby", "/mine", "/about", "/host", "/api", "/puzzles", "/bots",
             "/notebook", "/notebook/erased", "/open"]
    plain += [f"/puzzles/{box.slug}/{next(iter(puzzles_of(box)))}" for box in games()]
    rooms = ("", "/rules", "/learn", "/analyse", "/print")
    plain += [f"/g/{box.slug}{room}" for box in games() for room in rooms]
    return [PREFIX[lang] + path if path != "/" else PREFIX[lang] or "/" for path in plain]


def said(root: ET.Element) -> str:
    return " ".join(" ".join(root.itertext()).split())


# ---- all pages ----


@in_every_language
def test_every_page_is_whole_and_valid(client: TestClient, lang: str) -> None:
    for path in paths(lang):
        root = visit(client, path)
        assert root.get("lang") == lang, path
        ids = [element.get("id") for element in root.iter() if element.get("id")]
        assert len(ids) == len(set(ids)), path
        assert len(root.findall(".//h1")) == 1, path
        assert len(root.findall(".//main")) == 1, path
        title = root.find(".//title")
        assert title is not None
        assert title.text
        levels = [int(e.tag[1]) for e in root.iter() if re.fullmatch("h[1-6]", str(e.tag))]
        start = levels.index(1)
        assert all(b - a <= 1 for a, b in zip(levels[start:], levels[start + 1:], strict=False))
        for field in root.iter():
            if field.tag in ("input", "select") and field.get("type") != "hidden":
                labels = [e for e in root.iter("label")
                          if e.get("for") == field.get("id") or field in e.iter()]
                assert labels, (path, field.attrib)
        for image in root.iter("img"):
            assert image.get("alt") is not None
            assert image.get("width")


@in_every_language
def test_nothing_that_the_policy_would_block(client: TestClient, lang: str) -> None:
    for path in paths(lang):
        for element in visit(client, path).iter():
            assert element.tag != "style"
            for name, value in element.items():
                assert name != "style"
                assert not name.startswith("on")
                if name in ("src", "href", "action") and element.get("rel") != "alternate":
                    assert value.startswith(("/", "#")), (path, value)
            if element.tag == "script" and not element.get("src"):
                assert element.get("type") == "application/json"
                json.loads(element.text or "")


def test_every_link_leads_somewhere(client: TestClient) -> None:
    everything = {path: visit(client, path) for lang in LANGUAGES for path in paths(lang)}
    ids = {path: {e.get("id") for e in root.iter()} for path, root in everything.items()}
    checked = {"", "/api/openapi.json", "/tables", "/lobby/seek", "/lobby/sit"}
    for path, root in everything.items():
        links = [e.get(name, "") for e in root.iter() if e.tag != "use"
                 for name in ("href", "src", "action")]
        for target in map(urlsplit, links):
            if target.fragment and "=" not in target.fragment:      # else it is for the script
                assert target.fragment in ids[target.path or path], (path, target.fragment)
            if target.netloc:
                assert target.netloc == "localhost"
            # Other tests ask for these.
            if target.path.endswith((".pdf", "/evening")) or "/picture/table/" in target.path:
                continue
            if target.path not in checked and "/t/" not in target.path:
                checked.add(target.path)
                answer = client.get(target.path, params=target.query)
                assert answer.status_code in (200, 303), (path, target.path)
                client.cookies.clear()


@in_every_language
def test_a_page_names_itself_in_the_other_language(client: TestClient, lang: str) -> None:
    root = visit(client, f"{PREFIX[lang]}/g/canoe")
    alternates = {
        link.get("hreflang"): urlsplit(link.get("href", "")).path
        for link in root.iter("link") if link.get("rel") == "alternate"
    }
    assert alternates == {"fr": "/g/canoe", "en": "/en/g/canoe", "x-default": "/g/canoe"}


# ---- languages ----


def test_the_first_visit_is_in_the_browser_s_language(client: TestClient) -> None:
    english = {"accept-language": "en-GB,en;q=0.9,fr;q=0.4"}
    answer = client.get("/g/canoe?x=1", headers=english)
    assert answer.status_code == 302
    assert answer.headers["location"] == "/en/g/canoe?x=1"
    assert "accept-language" in answer.headers["vary"]
    assert client.get("/", headers=english).headers["location"] == "/en"
    assert client.get("/g/canoe", headers={"accept-language": "fr-BE"}).status_code == 200
    assert client.get("/en/g/canoe", headers={"accept-language": "fr"}).status_code == 200


def test_a_choice_of_language_is_remembered(client: TestClient) -> None:
    answer = client.get("/lang/en", params={"to": "/g/canoe?x=1"})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/en/g/canoe?x=1"
    assert client.get("/").headers["location"] == "/en"
    back = client.get("/lang/fr", params={"to": "/en/g/canoe"})
    assert back.headers["location"] == "/g/canoe"
    assert client.get("/", headers={"accept-language": "en"}).status_code == 200


def test_the_language_switch_leads_to_the_same_page(client: TestClient) -> None:
    root = visit(client, "/en?q=leroy")
    switch = next(a for a in root.iter("a") if "tongue" in a.get("class", ""))
    answer = client.get(switch.get("href", ""))
    assert answer.headers["location"] == "/?q=leroy"


@pytest.mark.parametrize("to", [
    "//elsewhere.example", "https://elsewhere.example", "/\\x", "", "/en//elsewhere.example",
])
def test_a_choice_of_language_leads_nowhere_else(client: TestClient, to: str) -> None:
    assert client.get("/lang/en", params={"to": to}).headers["location"] == "/en"
    assert client.get("/lang/xx", params={"to": to}).headers["location"] == "/"


def test_french_punctuation_does_not_break(client: TestClient) -> None:
    text = client.get("/g/tortuga/rules").text
    assert "<b>But\xa0:</b>" in text


# ---- the shelf ----


def found(client: TestClient, query: str) -> list[str]:
    root = visit(client, f"/{query}")
    links = [a.get("href", "") for a in root.findall(".//h2/a")]
    return [link.removeprefix("/g/") for link in links if link.startswith("/g/")]


def test_all_boxes_are_on_the_shelf(client: TestClient) -> None:
    assert found(client, "") == [box.slug for box in games()]


SEARCHES: list[dict[str, Any]] = [
    {"players": 0},
    *({"players": game.seats[1]} for game in games()),
    *({"minutes": game.minutes[1]} for game in games()),
    *({"kind": game.mechanisms[0]} for game in games()),
    *({"kind": game.mechanisms[0], "minutes": game.minutes[1]} for game in games()),
]


@pytest.mark.parametrize("asked", SEARCHES, ids=urlencode)
def test_looking_for_a_game(client: TestClient, asked: dict[str, Any]) -> None:
    assert found(client, f"?{urlencode(asked)}") == [
        game.slug for game in games()
        if game.seats[0] <= asked.get("players", game.seats[0]) <= game.seats[1]
        and game.minutes[1] <= asked.get("minutes", 10_000)
        and asked.get("kind", game.mechanisms[0]) in game.mechanisms
    ]


def test_looking_for_what_there_is_not(client: TestClient) -> None:
    assert found(client, "?q=zzz") == []


@every_game
def test_a_game_is_found_by_its_title_and_its_author_in_any_letters(
    client: TestClient, box: Game[Any]
) -> None:
    words = quote_plus(f"{box.title.upper()} {box.authors[0].split()[-1].lower()}")
    assert box.slug in found(client, f"?q={words}")


def test_nonsense_in_a_search_hides_nothing(client: TestClient) -> None:
    assert len(found(client, "?players=many&minutes=²")) == len(games())


def test_a_search_shows_what_it_was_asked(client: TestClient) -> None:
    players, kind = str(games()[0].seats[1]), games()[0].mechanisms[0]
    root = visit(client, f"/?players={players}&kind={kind}&q=canyon")
    assert root.find(".//input[@name='q']").get("value") == "canyon"  # type: ignore[union-attr]
    chosen = [option.get("value") or option.text for option in root.iter("option")
              if option.get("selected") is not None]
    assert chosen == [players, kind]


def test_a_hostile_search_is_only_text(client: TestClient) -> None:
    root = visit(client, "/?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
    assert root.find(".//input[@name='q']").get("value") == '"><script>alert(1)</script>'  # type: ignore[union-attr]


# ---- a box ----


@every_game
@in_every_language
def test_a_box_says_what_is_in_it(client: TestClient, box: Game[Any], lang: str) -> None:
    root = visit(client, f"{PREFIX[lang]}/g/{box.slug}")
    text = said(root)
    for author in box.authors:
        assert author in text
    for option in box.options:
        assert box.texts.say(f"option.{option.name}", "en") in text or lang == "fr"
        radios = root.findall(f".//input[@name='option-{option.name}']")
        assert len(radios) == 3 * len(option.values)
        chosen = {radio.get("value") for radio in radios if radio.get("checked") is not None}
        assert chosen == {box.quick.get(option.name, option.default)}
    levels = [radio.get("value") for radio in root.findall(".//input[@name='level']")]
    assert levels == list(LEVELS)
    assert root.find(f".//a[@href='{PREFIX[lang]}/g/{box.slug}/rules']") is not None


@every_game
def test_what_is_suggested_instead_of_the_default_stands_in_sight(
    client: TestClient, box: Game[Any]
) -> None:
    root = visit(client, f"/g/{box.slug}")
    for form in root.findall(".//form[@action='/tables']"):
        for option in box.options:
            details = [one for one in form.iter("details") if "fold" not in one.get("class", "")]
            hidden = any(
                one.find(f".//input[@name='option-{option.name}']") is not None for one in details
            )
            assert hidden == (option.name not in box.quick)


def submit(form: ET.Element) -> dict[str, str]:
    """What a browser without scripts sends when the form is submitted untouched."""
    fields: dict[str, str] = {}
    for field in form.iter():
        name = field.get("name")
        if name is None:
            continue
        kind = field.get("type", "text")
        if field.tag == "select":
            options = list(field.iter("option"))
            chosen = [o for o in options if o.get("selected") is not None] or options[:1]
            fields[name] = chosen[0].get("value") or chosen[0].text or ""
        elif kind not in ("radio", "checkbox") or field.get("checked") is not None:
            fields[name] = field.get("value", "on" if kind == "checkbox" else "")
    return fields


@every_game
@in_every_language
def test_each_way_to_play_is_one_click_without_scripts(
    client: TestClient, house: QuietHouse, box: Game[Any], lang: str
) -> None:
    root = visit(client, f"{PREFIX[lang]}/g/{box.slug}")
    forms = root.findall(".//form[@action='/tables']")
    assert len(forms) == 3
    for form in forms:
        assert len(form.findall(".//button")) == 1
        answer = client.post("/tables", data=submit(form))
        assert answer.status_code == 303, answer.text
        assert answer.headers["location"] == f"{PREFIX[lang]}/t/t4ble#seat=t0-k_en"
        coached = client.post("/tables", data={**submit(form), "coach": "on"})
        assert coached.headers["location"].endswith("#seat=t0-k_en&coach=on")
        house.orders.pop()
    assert len(house.orders) == 3
    for order in house.orders:
        box.start_with(order.options, seats=len(order.seats))
        assert order.options == dict(box.choose(box.quick))
    assert [{tag(type(seat)) for seat in order.seats} for order in house.orders] == [
        {"person", "computer"}, {"person"}, {"person", "open"},
    ]


def test_a_form_that_cannot_be_is_explained_in_place(client: TestClient) -> None:
    answer = client.post("/tables", data={"game": "canoe", "lang": "en", "seats": HOSTILE})
    assert answer.status_code == 422
    root = read(answer.text)
    assert root.get("lang") == "en"
    assert "expected a number" in said(root.find(".//*[@role='alert']"))  # type: ignore[arg-type]
    assert "<script>alert" not in answer.text


@pytest.mark.parametrize(("fields", "why"), [
    ({"option-first": "nobody"}, "L’option « first » ne peut pas valoir « nobody ». "
     "Valeurs possibles : chance, south, north."),
    ({"seats": "5"}, "Tortuga se joue à 2, pas à 5."),
])
def test_a_french_form_is_answered_in_french(
    fields: dict[str, str], why: str, client: TestClient
) -> None:
    answer = client.post("/tables", data={"game": "tortuga", "lang": "fr", **fields})
    assert answer.status_code == 422
    alert = read(answer.text).find(".//*[@role='alert']")
    assert alert is not None
    assert why in said(alert)
    assert alert.find(".//*[@lang='en']") is None


def test_a_form_for_no_game(client: TestClient) -> None:
    assert client.post("/tables", data={"game": HOSTILE}).status_code == 404


# ---- rules ----


@every_game
@in_every_language
def test_rules_have_numbers_and_figures(client: TestClient, box: Game[Any], lang: str) -> None:
    root = visit(client, f"{PREFIX[lang]}/g/{box.slug}/rules")
    rules = {e.get("id"): e for e in root.iter("div") if "rule" in e.get("class", "").split()}
    paragraphs = box.rules[lang].paragraphs
    assert list(rules) == [paragraph.id for paragraph in paragraphs]
    for paragraph in paragraphs:
        classes = [e.get("class", "") for e in rules[paragraph.id].iter()]
        marks = [name for name in classes if name.startswith("provenance")]
        assert marks == [f"provenance {paragraph.provenance}"]
        if paragraph.source:
            assert root.find(f".//*[@id='source-{paragraph.source}']") is not None
    figures = root.findall(".//figure")
    assert {f.get("data-example") for f in figures} == {e.id for e in box.examples}
    assert {f.get("data-game") for f in figures} == {box.slug}
    for example in box.examples:
        figure = root.find(f".//figure[@data-example='{example.id}']")
        assert figure is not None
        position = box.position(example.position, line=example.line)
        nobody_s_turn = position.turn is None or position.turn < 0
        assert (figure.get("data-still") is not None) == nobody_s_turn
        if example.beside is not None:
            assert figure in list(rules[example.beside].iter())
            continue
        assert not any(figure in list(rule.iter()) for rule in rules.values())
        names = [a.get("href") for a in figure.iter("a")]
        assert names == [f"#{name}" for name in example.rules]


@every_game
@in_every_language
def test_what_a_first_reading_can_do_without_is_folded(
    client: TestClient, box: Game[Any], lang: str
) -> None:
    root = visit(client, f"{PREFIX[lang]}/g/{box.slug}/rules")
    folded = {e for fold in root.iter("details") for e in fold.iter()}
    page = box.rules[lang]
    for section in page.sections:
        for paragraph in section.paragraphs:
            found = root.find(f".//div[@id='{paragraph.id}']")
            assert (found in folded) == (section.id in ASIDE)
    for example in box.examples:
        figure = root.find(f".//figure[@data-example='{example.id}']")
        assert (figure in folded) == (example.beside is None)
    for sentence in (*page.items(BRIEF), *page.items(TIPS)):
        assert " ".join(sentence.replace("*", "").split()) in said(root)


@in_every_language
def test_beside_a_table_the_rules_are_those_of_their_page(client: TestClient, lang: str) -> None:
    address = f"{PREFIX[lang]}/g/tortuga/rules"
    text = client.get(f"{address}/text", headers={"accept-language": lang}).text.strip()
    assert text.count('class="rule"') == len(game("tortuga").rules[lang].paragraphs)
    assert text in client.get(address, headers={"accept-language": lang}).text
    assert client.get("/g/nothing/rules/text").status_code == 404


def test_a_refused_example_says_why(client: TestClient) -> None:
    root = visit(client, "/en/g/canoe/rules")
    figure = root.find(".//figure[@data-example='move-too-far']")
    assert figure is not None
    assert "g5 is not a neighbouring hole" in said(figure)
    number = game("canoe").rules["en"].numbers["move"]
    assert f"(Rule {number}.)" in said(figure)


# ---- the lobby, and what is not there ----


@in_every_language
def test_open_seats_come_first_and_names_are_only_names(client: TestClient, lang: str) -> None:
    answer = client.get(f"{PREFIX[lang]}/lobby")
    assert "<script>alert" not in answer.text
    root = read(answer.text)
    links = [a.get("href") for a in root.findall(".//h2/a")]
    assert links == [f"{PREFIX[lang]}/t/free", f"{PREFIX[lang]}/t/full"]
    assert HOSTILE in "".join(root.itertext())
    assert ("robot Walker" if lang == "fr" else "bot Walker") in said(root)
    assert ("il y a 3 heures" if lang == "fr" else "3 hours ago") in said(root)


@pytest.mark.parametrize("path", [
    "/nothing", "/g/nothing", "/g/nothing/rules", "/t/nothing", "/cover/nothing.svg",
    "/figure/canoe/nothing.svg", "/figure/nothing/move.svg", "/static/nothing.css",
    "/static/../texts.toml", "/static/%2e%2e/texts.toml", "/g/%3Cscript%3E", "/en/nothing",
])
def test_what_is_not_there_is_said_kindly(client: TestClient, path: str) -> None:
    root = visit(client, path, 404)
    assert root.find(".//main//a") is not None
    assert "Traceback" not in said(root)
    assert "/src/" not in said(root)


def test_an_error_is_told_in_the_visitor_s_language(client: TestClient) -> None:
    answer = client.get("/nothing", headers={"accept-language": "en"})
    assert read(answer.text).get("lang") == "en"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 502, 503])
def test_every_error_has_a_sentence_that_helps(status: int) -> None:
    scope = {"type": "http", "path": "/", "query_string": b"", "headers": [], "method": "GET",
             "server": ("testserver", 80), "scheme": "http"}
    answer = error_page(Request(scope), status)
    assert answer.status_code == status
    root = read(bytes(answer.body).decode())
    lead = root.find(".//p[@class='lead']")
    assert lead is not None
    assert len(said(lead)) > 20


# ---- pictures and files ----


@every_game
def test_covers_and_figures_are_kept_by_browsers(client: TestClient, box: Game[Any]) -> None:
    for path in (f"/cover/{box.slug}.svg", f"/figure/{box.slug}/{box.examples[0].id}.svg"):
        answer = client.get(path)
        assert answer.headers["content-type"] == "image/svg+xml"
        ET.fromstring(answer.text)
        again = client.get(path, headers={"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304
        assert again.content == b""


def test_static_files_of_this_edition_are_kept_for_ever(client: TestClient) -> None:
    root = visit(client, "/")
    sheet = next(link.get("href", "") for link in root.iter("link")
                 if link.get("href", "").endswith("base.css"))
    answer = client.get(sheet)
    assert "immutable" in answer.headers["cache-control"]
    plain = client.get("/static/css/base.css")
    assert plain.text == answer.text
    assert plain.headers["cache-control"] == "no-cache"


@in_every_language
def test_the_house_can_be_installed(client: TestClient, lang: str) -> None:
    answer = client.get(f"{PREFIX[lang]}/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    assert manifest["lang"] == lang
    assert client.get(manifest["start_url"]).status_code == 200
    purposes = {(icon["sizes"], icon.get("purpose")) for icon in manifest["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= purposes
    for icon in manifest["icons"]:
        picture = client.get(icon["src"])
        assert picture.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":      # width and height are in the file's header
            size = int.from_bytes(picture.content[16:20], "big")
            assert icon["sizes"] == f"{size}x{size}"
    assert client.get("/favicon.ico").status_code == 200


def test_a_game_that_nobody_had_thought_of_needs_no_page() -> None:
    """Whatever pages show of a game comes from the game: no page knows one by its name."""
    sources = [*TEMPLATES.iterdir(), *STATIC.glob("*/*.css"), *STATIC.glob("*/*.js"),
               *Path(server.__file__).parent.rglob("*.py")]
    for path in sources:
        text = path.read_text("utf-8")
        code = re.sub(r"#[^\n]*|//[^\n]*|/\*.*?\*/|\"\"\".*?\"\"\"", "", text, flags=re.DOTALL)
        for box in games():
            assert not re.search(rf"\b{box.slug}\b", code), (path.name, box.slug)
