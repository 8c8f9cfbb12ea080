"""The lobby: who seeks the same finds each other, and the list follows what happens."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

import escale
from escale.server.app import create_app
from escale.server.edge.limits import Limits
from escale.server.people import lobby
from escale.server.settings import Settings
from tests.server.people.test_notebooks import HERE, create, device, keep, seats


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(
        database=f"sqlite:///{tmp_path}/escale.db", workers=1, limits=Limits.none()
    )
    with TestClient(create_app(settings), HERE, follow_redirects=False) as client:
        yield client


def seek(client: TestClient, *, status: int = 303, **fields: Any) -> dict[str, str]:
    """What a form of the lobby leads to: a table, and the token of a seat at it."""
    answer = client.post("/lobby/seek", data={"game": "tortuga", **fields})
    assert answer.status_code == status, answer.text
    if status != 303:
        return {}
    there = urlsplit(answer.headers["location"])
    return {"table": there.path.rsplit("/", 1)[1], "token": there.fragment.removeprefix("seat=")}


def test_two_who_seek_the_same_play_together(house: TestClient) -> None:
    ana, ulysse = device(house), device(house)
    first = seek(ana, name="Ana")
    keep(ana, first)
    assert seek(ana, name="Ana")["table"] != first["table"]     # nobody plays against themselves
    second = seek(ulysse, name="Ulysse")
    assert second["table"] == first["table"]
    keep(ulysse, second)
    assert (seats(ana, first), seats(ulysse, first)) == ([0], [1])


@pytest.mark.parametrize(("one", "other", "meet"), [
    ({"clock": "5"}, {"clock": "15"}, False), ({"game": "canoe"}, {}, False),
    ({"strength": "beginner"}, {"strength": "skilled"}, False),
    ({"strength": "beginner"}, {"strength": "any"}, True),
    ({"strength": "beginner", "clock": "days"}, {"strength": "beginner", "clock": "days"}, True),
])
def test_game_clock_and_strength_must_fit(
    house: TestClient, one: dict[str, Any], other: dict[str, Any], meet: bool
) -> None:
    assert (seek(device(house), **one)["table"] == seek(device(house), **other)["table"]) is meet


def test_those_who_seek_are_not_led_to_a_position_that_was_set_up(house: TestClient) -> None:
    game = escale.game("canyon-1997")
    composed = create(house, {"kind": "person", "name": "Ana"}, {"kind": "open"}, {"kind": "open"},
                      public=True, game=game.slug, position=game.start(seats=3, seed=4).text)
    assert composed["table"] in house.get("/en/lobby").text
    assert seek(device(house), game=game.slug)["table"] != composed["table"]


def test_what_cannot_be_sought_is_said(house: TestClient) -> None:
    seek(device(house), status=404, game="chess")
    seek(device(house), status=422, clock="sundial")
    seek(device(house), status=400, strength="godlike")


def test_sitting_down_takes_one_request_and_a_taken_seat_is_said(house: TestClient) -> None:
    open_table = seek(device(house), name="Ana")
    ulysse = device(house)
    ulysse.post("/api/notebook", json={"name": "Ulysse"})
    answer = ulysse.post("/lobby/sit", data={"table": open_table["table"], "lang": "en"})
    assert answer.headers["location"].startswith(f"/en/t/{open_table['table']}#seat=")
    told = ulysse.get(f"/api/tables/{open_table['table']}").json()
    assert [seat["name"] for seat in told["seats"]] == ["Ana", "Ulysse"]
    late = device(house).post("/lobby/sit", data={"table": open_table["table"], "lang": "en"})
    assert late.status_code == 409
    assert "has just been taken" in late.text


def test_a_table_that_is_not_public_is_no_table_of_the_lobby(house: TestClient) -> None:
    hidden = create(house, {"kind": "person", "name": "Ana"}, {"kind": "open"})
    assert house.post("/lobby/sit", data={"table": hidden["table"]}).status_code == 409


def test_those_who_wait_hear_that_the_list_is_another(house: TestClient) -> None:
    version = house.get("/api/lobby").json()["version"]
    assert house.get(f"/api/lobby?since={version}&wait=0").json()["version"] == version
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(device(house).get, f"/api/lobby?since={version}&wait=25")
        table = seek(device(house))
        assert waiting.result().json()["version"] != version
    page = device(house).get("/en/lobby").text
    assert f"/picture/table/{table['table']}.svg" in page


def test_however_many_ask_the_list_is_read_once_in_a_while(
    house: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "LOOK_SECONDS", 3600)
    store = house.app.state.house.store                     # type: ignore[attr-defined]
    read, readings = store.public, 0

    async def counted(since: int) -> Any:
        nonlocal readings
        readings += 1
        return await read(since)

    monkeypatch.setattr(store, "public", counted)
    version = house.get("/api/lobby").json()["version"]
    table = seek(device(house))
    before = readings
    for _ in range(20):
        assert house.get("/api/lobby?since=other").json()["version"] == version
    assert readings == before
    assert table["table"] in house.get("/en/lobby").text    # the page itself is never outdated
    assert readings == before + 1
    assert house.get("/api/lobby").json()["version"] != version
