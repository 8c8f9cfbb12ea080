"""Figures, puzzles and tables in frames of other sites: only where the host allows it."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import escale
from escale.server.app import create_app
from escale.server.edge.limits import Limits
from escale.server.settings import Settings
from escale.study.puzzles import puzzles_of

GAME = escale.game("tortuga")
PUZZLE = next(iter(puzzles_of(GAME)))
FIGURE = f"/embed/figure/tortuga/{GAME.examples[0].id}"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A house that a club may show."""
    folder: Path = tmp_path_factory.mktemp("embed")
    settings = Settings(
        database=f"sqlite:///{folder}/escale.db", workers=1, limits=Limits.none(),
        embed=("https://club.example",),
    )
    with TestClient(create_app(settings), "http://localhost", follow_redirects=False) as client:
        client.headers["accept-language"] = "fr"
        yield client


def new_table(client: TestClient, *, public: bool = False) -> tuple[str, str]:
    """A table at one screen, and its token."""
    order = {"game": "tortuga", "public": public,
             "seats": [{"kind": "person", "name": "A"}, {"kind": "person", "name": "B"}]}
    opened = client.post("/api/tables", json=order).json()
    return opened["table"], opened["token"]


def resign(client: TestClient, table: str, token: str) -> None:
    seats = {"Authorization": f"Bearer {token}"}
    done = client.post(f"/api/tables/{table}/events", headers=seats,
                       json={"do": "resign", "seat": 0, "id": "resign-1"})
    assert done.status_code == 200, done.text


def test_without_the_hosts_consent_nothing_is_shown(client: TestClient) -> None:
    for path in (FIGURE, f"/embed/puzzle/tortuga/{PUZZLE}", "/embed/table/anything"):
        answer = client.get(path, headers={"accept-language": "fr"})
        assert answer.status_code == 404
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-frame-options"] == "DENY"
    page = client.get(f"/puzzles/tortuga/{PUZZLE}", headers={"accept-language": "fr"}).text
    assert "iframe" not in page


@pytest.mark.parametrize("path", [FIGURE, f"/embed/puzzle/tortuga/{PUZZLE}"])
def test_only_named_sites_may_frame(shown: TestClient, path: str) -> None:
    answer = shown.get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors https://club.example" in policy
    assert "script-src 'self'" in policy
    assert "x-frame-options" not in answer.headers
    assert '<base target="_blank">' in answer.text
    for page in ("/", f"/puzzles/tortuga/{PUZZLE}", "/g/tortuga"):
        other = shown.get(page)
        assert "frame-ancestors 'none'" in other.headers["content-security-policy"]
        assert other.headers["x-frame-options"] == "DENY"


def test_the_snippet_has_no_script(shown: TestClient) -> None:
    page = shown.get(f"/puzzles/tortuga/{PUZZLE}").text
    assert f'<iframe src="http://localhost/embed/puzzle/tortuga/{PUZZLE}"' in html.unescape(page)
    assert "<iframe" not in page
    framed = shown.get(f"/embed/puzzle/tortuga/{PUZZLE}").text
    assert "iframe" not in framed


def test_private_tables_are_shown_when_they_are_over(shown: TestClient) -> None:
    table, token = new_table(shown)
    assert shown.get(f"/embed/table/{table}").status_code == 404
    resign(shown, table, token)
    assert shown.get(f"/embed/table/{table}").status_code == 200
    public, _ = new_table(shown, public=True)
    assert shown.get(f"/embed/table/{public}").status_code == 200
    assert shown.get("/embed/table/nothing").status_code == 404
    assert shown.get("/embed/figure/tortuga/nothing").status_code == 404


def test_a_frame_holds_no_seat_whatever_it_sends(shown: TestClient) -> None:
    table, token = new_table(shown, public=True)
    kept = shown.post("/api/notebook/seats", json={"table": table, "token": token})
    assert kept.status_code == 200, "the browser has a notebook from now on"
    hello = json.dumps({"do": "hello", "token": token})
    with shown.websocket_connect(f"ws://localhost/api/tables/{table}/live") as mine:
        mine.send_text(hello)
        assert mine.receive_json()["you"]["seats"] == [0, 1]
    with shown.websocket_connect(f"ws://localhost/api/tables/{table}/live?watch=1") as framed:
        framed.send_text(hello)
        assert framed.receive_json()["you"]["seats"] == []
