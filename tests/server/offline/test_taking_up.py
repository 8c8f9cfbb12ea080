"""Tables that were played on a device: the house takes them up, whole, once, and within bounds."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.server.offline.keeping import Browser
from tests.server.offline.test_device import opened, play_on


def played(moves: int, *, way: str = "screen") -> dict[str, Any]:
    """A table of a device after some moves, as its browser sends it."""
    async def play() -> dict[str, Any]:
        browser = Browser()
        page, order = await opened(browser.device(), f"game=tortuga&way={way}&lang=en")
        await play_on(page, order["table"], order["seats"], moves)
        kept = browser.tables[order["table"]]
        return {
            "table": order["table"], "token": order["token"], "secret": kept["secret"],
            "lines": kept["lines"], "next_secret": kept.get("next_secret"),
        }

    return asyncio.run(play())


def send(client: TestClient, kept: dict[str, Any]) -> Any:
    """The answer of the house, as JSON."""
    return client.post("/api/tables/kept?lang=en", json=kept).json()


def lines_of(client: TestClient, table: str, token: str) -> list[dict[str, Any]]:
    """The transcript of a table in the house, without the ids of requests."""
    answer = client.get(
        f"/api/tables/{table}/transcript", headers={"Authorization": f"Bearer {token}"}
    )
    return without_ids(answer.text.splitlines())


def without_ids(lines: list[str]) -> list[dict[str, Any]]:
    """Lines of a transcript as they are shown to others than the sender."""
    return [{key: value for key, value in json.loads(line).items() if key != "id"}
            for line in lines]


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    """A table that was played to its end."""
    return played(400)


def test_a_finished_game_is_taken_up_once(client: TestClient, whole: dict[str, Any]) -> None:
    first = send(client, whole)
    assert first["how"] == "new"
    assert first["table"].startswith("from-")
    assert lines_of(client, first["table"], whole["token"]) == without_ids(whole["lines"])
    again = send(client, whole)
    assert again == {"table": first["table"], "how": "known"}
    state = client.get(
        f"/api/tables/{first['table']}?lang=en",
        headers={"Authorization": f"Bearer {whole['token']}"},
    ).json()
    assert state["outcome"] is not None
    assert state["you"]["seats"] == [0, 1]
    assert client.get(f"/en/t/{first['table']}").status_code == 200


def test_a_running_game_goes_on_in_the_house(client: TestClient) -> None:
    kept = played(6)
    shorter = {**kept, "lines": kept["lines"][:-2]}
    table = send(client, shorter)["table"]
    assert send(client, kept) == {"table": table, "how": "more"}
    assert send(client, shorter) == {"table": table, "how": "known"}
    seats = {"Authorization": f"Bearer {kept['token']}"}
    state = client.get(f"/api/tables/{table}", headers=seats).json()
    turn = state["choosing"][0]
    moves = client.get(f"/api/tables/{table}/moves?as={turn}", headers=seats).json()
    move = {"do": "play", "seat": turn, "n": state["n"], "id": "gone-on-1",
            "move": moves["moves"][0]["text"]}
    assert client.post(f"/api/tables/{table}/events", json=move, headers=seats).status_code == 200


def test_where_both_have_gone_on_both_are_kept(client: TestClient) -> None:
    kept = played(6)
    events = kept["lines"]
    last = max(i for i, line in enumerate(events) if json.loads(line).get("do") == "play")
    one, other = events[: last + 1], events[:last]
    seat = json.loads(events[last])["seat"]
    other.append(json.dumps({"do": "resign", "n": last, "seat": seat}))
    table = send(client, {**kept, "lines": one})["table"]
    beside = send(client, {**kept, "lines": other})
    assert beside["how"] == "beside"
    assert beside["table"] != table
    assert lines_of(client, table, kept["token"]) == without_ids(one)
    assert lines_of(client, beside["table"], kept["token"])[-1]["do"] in ("resign", "end")


def test_what_a_device_may_not_bring_is_refused(
    client: TestClient, whole: dict[str, Any]
) -> None:
    taken = send(client, whole)
    header, *events = whole["lines"]
    plain = json.loads(header)
    bot = json.dumps({**plain, "seats": [{"name": "R", "bot": True}, plain["seats"][1]]})
    clock = json.dumps({**plain, "clock": {"kind": "live", "minutes": 1}})
    move = next(i for i, line in enumerate(whole["lines"]) if '"play"' in line)
    wrong = [*whole["lines"]]
    wrong[move] = json.dumps({**json.loads(wrong[move]), "move": "a1-a9"})
    cases = {
        "another secret": {**whole, "secret": "0" * 32},
        "no secret": {key: value for key, value in whole.items() if key != "secret"},
        "another token": {**whole, "token": "stranger-stranger-stranger"},
        "an impossible move": {**whole, "table": "here-impossible", "lines": wrong},
        "a bot": {**whole, "table": "here-abcdefgh", "lines": [bot, *events]},
        "a clock": {**whole, "table": "here-abcdefgh", "lines": [clock, *events]},
        "an open seat": {**whole, "table": "here-abcdefgh", "lines": [
            json.dumps({**plain, "seats": [{"open": True}, {"open": True}]})
        ]},
        "the future": {**whole, "table": "here-abcdefgh", "lines": [
            header, *(json.dumps({**json.loads(line), "at": (1 << 53) - 1}) for line in events)
        ]},
        "no line": {**whole, "lines": []},
        "too many lines": {**whole, "lines": whole["lines"] * 400},
        "a name of the house": {**whole, "table": taken["table"]},
    }
    for what, case in cases.items():
        answer = client.post("/api/tables/kept?lang=en", json=case)
        assert 400 <= answer.status_code < 500, what
        assert answer.json()["message"], what
    long = client.post("/api/tables/kept", content=b"x" * 400_001)
    assert long.status_code == 413
    assert client.post("/api/tables", content=b"x" * 20_001).status_code == 413
