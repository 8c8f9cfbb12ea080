"""Headers, origins, sizes, rates, hostile requests, and what never gets into a log."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from escale.server.edge.limits import Limits
from escale.server.edge.security import HEADERS
from tests.server.hosting import OPEN, Hosted, hosted, person

ORDER = {"game": "tortuga", "seats": [{"kind": "person"}, {"kind": "open"}]}
MEAN = "<script>alert(1)</script>\"'&"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    with hosted(tmp_path_factory.mktemp("house"), limits=Limits(requests=1e6)) as running:
        yield running


def sound(answer: httpx2.Response) -> dict[str, Any]:
    """A refusal that helps and tells nothing of the inside."""
    assert 400 <= answer.status_code < 500, answer.text
    for secret in ("Traceback", "site-packages", "/src/", "sqlalchemy", ".py"):
        assert secret not in answer.text
    body: dict[str, Any] = answer.json()
    assert body["code"]
    assert body["message"]
    return body


@pytest.mark.parametrize("path", [
    "/", "/api/games", "/api/tables/none", "/none", "/t/none", "/api/openapi.json", "/lobby",
    "/static/none.js",
])
def test_every_answer_carries_the_headers(house: Hosted, path: str) -> None:
    answer = house.client.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("headers", [
    {"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"}, {"origin": "http://127.0.0.1:1"},
    {"origin": "http://[bad"}, {"origin": "https://HOUSE"},
])
def test_other_sites_cannot_post(house: Hosted, headers: dict[str, str]) -> None:
    own = house.url.partition("//")[2]
    headers = {name: value.replace("HOUSE", own) for name, value in headers.items()}
    answer = house.client.post("/api/tables", json=ORDER, headers=headers)
    assert (answer.status_code, sound(answer)["code"]) == (403, "elsewhere")


def test_the_house_itself_can(house: Hosted) -> None:
    own = {"origin": house.url, "sec-fetch-site": "same-origin"}
    assert house.client.post("/api/tables", json=ORDER, headers=own).status_code == 201


@pytest.mark.parametrize("body", [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 9000, b'{"game":' * 2000,
    b'{"game": "tortuga", "seats": NaN}', b'{"game": "\\ud800", "seats": []}',
    b'{"game": "tortuga", "seats": [' + b'{"kind": "person"},' * 9 + b'{"kind": "person"}]}',
    b'{"game": 7, "seats": [{"kind": "person"}, {"kind": "open"}]}',
    b'{"game": "tortuga", "seats": [{"kind": "person"}, {"kind": "ghost"}]}',
    b'{"game": "tortuga", "seats": [{"kind": "open"}, {"kind": "open"}], "clock": {"days": 1e9}}',
    b'{"game": "tortuga", "seats": [{"kind": "open"}, {"kind": "open"}], "value": "a b"}',
    b'{"game": "tortuga", "seats": [{"kind": "open"}, {"kind": "person", "name": "\\u0000"}]}',
    b'{"game": "tortuga", "seats": [{"kind": "open"}, {"kind": "person", "name": "\\ud800"}]}',
    b'{"game": "tortuga", "seats": [{"kind": "open"}, {"kind": "open"}], "options": {"a": "b"}}',
    b'{"game": "chess", "seats": [{"kind": "open"}, {"kind": "open"}]}',
    b'{"game": "../../etc/passwd", "seats": [{"kind": "open"}, {"kind": "open"}]}',
    b'{"game": "tortuga", "seats": [{"kind": "computer", "level": "mousse"}, '
    b'{"kind": "computer", "level": "mousse"}]}',
    b'{"game": "tortuga", "seats": [{"kind": "open"}, {"kind": "computer", "level": "god"}]}',
    b"1" * 5000, b" " * 30_000,
])
def test_hostile_orders_are_refused(house: Hosted, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    sound(house.client.post("/api/tables", content=body, headers=headers))


def test_a_body_without_a_length_has_its_limit_too(house: Hosted) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(50):
            yield b" " * 1000

    answer = house.client.post(
        "/api/tables", content=endless(), headers={"content-type": "application/json"}
    )
    assert sound(answer)["code"] == "too-large"


@pytest.mark.parametrize("path", [
    "/api/tables/%2e%2e%2f%2e%2e", "/api/tables/' OR 1=1 --", "/api/tables/a%00b",
    "/api/tables/x/plies/99999999999999999999", "/api/tables/x?as=-1",
    "/api/tables/x/events?since=1e9", "/api/tables/x/events?since=0&wait=1e300",
    "/api/games/..%2f..", "/api/tables/" + "x" * 3000,
])
def test_hostile_addresses_are_refused(house: Hosted, path: str) -> None:
    sound(house.client.get(path))


def test_names_and_chat_come_back_as_they_are_and_pages_escape_them(house: Hosted) -> None:
    table = house.create("tortuga", person(MEAN), OPEN, public=True)
    table.act("say", 0, text=MEAN)
    assert table.get()["seats"][0]["name"] == MEAN
    assert table.get()["log"][-1]["text"] == MEAN
    for page in (f"/en/t/{table.id}", "/en/lobby"):
        shown = house.client.get(page).text
        assert "<script>alert" not in shown


def test_errors_outside_the_api_are_pages(house: Hosted) -> None:
    answer = house.client.get("/en/nothing-here")
    assert answer.status_code == 404
    assert "text/html" in answer.headers["content-type"]


def test_something_broken_says_so_and_no_more(
    house: Hosted, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("the secret is Xyzzy in /src/escale/store.py")

    monkeypatch.setattr(house.house, "public_tables", broken)
    answer = house.client.get("/api/tables")
    assert (answer.status_code, answer.json()["code"]) == (500, "broken")
    assert "Xyzzy" not in answer.text
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "the secret is Xyzzy" in caplog.text            # whoever hosts the house can read it


def test_tokens_are_in_no_log_and_no_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with hosted(tmp_path) as house:
        table = house.create("tortuga", person(), OPEN)
        other = table.sit(1)
        table.get()
        with other.live() as ear:
            ear.next("state")
        table.act("say", 0, text="hello")
    tokens = [table.token or "", other.token or ""]
    assert "GET /api/tables/" in caplog.text
    for token in tokens:
        assert len(token) >= 32
        assert token not in caplog.text
        for file in tmp_path.iterdir():
            assert token.encode() not in file.read_bytes()


def test_too_many_requests_are_slowed_down(tmp_path: Path) -> None:
    few = Limits(requests=0.001, request_burst=5)
    with hosted(tmp_path, limits=few) as house:
        answers = [house.client.get("/api/games") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429] * 2
        assert answers[-1].headers["retry-after"]
        assert answers[-1].json()["code"] == "too-many"
        assert house.client.get("/lobby").status_code == 429


def test_too_many_tables_and_actions_are_refused(tmp_path: Path) -> None:
    few = Limits(tables=0.001, table_burst=2, actions=0.001, action_burst=3)
    with hosted(tmp_path, limits=few) as house:
        table = house.create("tortuga", person(), OPEN)
        house.create("tortuga", person(), OPEN)
        assert house.client.post("/api/tables", json=ORDER).status_code == 429
        assert house.client.post("/tables", data={"game": "tortuga"}).status_code == 429
        for _ in range(3):
            table.act("say", 0, text="so")
        assert table.act("say", 0, 429, text="so")["code"] == "too-many"
        with table.live() as ear:                       # a seat's limit is the same everywhere
            ear.next("state")
            ear.send(do="say", seat=0, id="x", text="so")
            assert ear.next("refused")["code"] == "too-many"


def test_json_never_breaks_out_of_the_page(house: Hosted) -> None:
    table = house.create("tortuga", person("</script>"), OPEN)
    page = house.client.get(f"/en/t/{table.id}").text
    for block in page.split('type="application/json"')[1:]:
        inside = block.partition(">")[2].partition("</script>")[0]
        assert json.loads(inside) is not None


@pytest.mark.parametrize(("body", "is_json"), [
    (b"{", False), (b"\xff", False), (b"", False), (b"{]", False),
    (b"[]", True), (b"{}", True), (b'{"game": 5}', True), (b"null", True),
])
def test_what_is_json_is_not_called_anything_else(
    house: Hosted, body: bytes, is_json: bool
) -> None:
    answer = house.client.post("/api/tables", content=body)
    assert answer.status_code == 400
    assert ("must be JSON" in answer.json()["message"]) is not is_json
    page = house.client.post("/lobby/seek", data={"game": "tortuga", "strength": "godlike"})
    assert (page.status_code, "JSON" in page.text) == (400, False)
