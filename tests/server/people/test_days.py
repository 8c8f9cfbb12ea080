"""Games of days: holidays, friendly reminders, and time for which the house was closed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import escale
from escale.game.errors import NotNow
from escale.match.clock import DAY_MS, Pace
from escale.match.events import Nudged
from escale.match.ledger import MOST_PAUSED_MS
from escale.match.match import Match, Player
from tests.server.people.test_notebooks import device
from tests.server.people.test_notices import Later, Sink, ask, deliver, move, opened, seated

HOUR_MS = 3_600_000


def state(client: TestClient, table: dict[str, Any]) -> dict[str, Any]:
    return dict(client.get(f"/api/tables/{table['table']}?lang=en").json())


def match_of_days() -> Match:
    match = Match(
        escale.game("tortuga").start(first="south"), players=[Player("Ana"), Player("Bo")],
        pace=Pace.daily(3), waits=True,
    )
    match.begin(at=0)
    return match


# ---- the fold ----


def test_on_holiday_the_time_of_a_seat_stands_still() -> None:
    match = match_of_days()
    match.pause(0, 6 * DAY_MS, at=DAY_MS)
    reading = match.clock(5 * DAY_MS)
    assert reading is not None
    assert (reading.remaining[0], reading.paused) == (2 * DAY_MS, (DAY_MS, 0))
    assert reading.soonest == 3 * DAY_MS
    after = match.clock(7 * DAY_MS)
    assert after is not None
    assert (after.remaining[0], after.paused) == (DAY_MS, ())
    again = Match.replay(match.transcript(escale.ALL))
    assert again.clock(7 * DAY_MS) == after
    match.pause(0, 4 * DAY_MS, at=4 * DAY_MS)               # back early
    back = match.clock(5 * DAY_MS)
    assert back is not None
    assert back.remaining[0] == DAY_MS


def test_holidays_in_one_game_are_bounded() -> None:
    match = match_of_days()
    match.pause(0, MOST_PAUSED_MS, at=0)
    with pytest.raises(NotNow):
        match.pause(0, MOST_PAUSED_MS + DAY_MS, at=0)
    match.pause(0, DAY_MS, at=DAY_MS)                       # what is left is given back
    match.pause(0, MOST_PAUSED_MS, at=DAY_MS)
    live = Match(
        escale.game("tortuga").start(), players=[Player("Ana"), Player("Bo")],
        pace=Pace.live(60), waits=True,
    )
    live.begin(at=0)
    with pytest.raises(NotNow):
        live.pause(0, DAY_MS, at=0)


def test_one_reminder_a_turn_and_half_a_day_after_the_move() -> None:
    match = match_of_days()
    assert not match.may_nudge(1, 11 * HOUR_MS)
    assert match.may_nudge(1, 12 * HOUR_MS)
    assert not match.may_nudge(0, 12 * HOUR_MS)             # it is that seat's own turn
    match.add(Nudged(1, at=12 * HOUR_MS))
    with pytest.raises(NotNow):
        match.add(Nudged(1, at=2 * DAY_MS))
    match.play(0, match.position.moves()[0], at=2 * DAY_MS)
    assert match.may_nudge(0, 3 * DAY_MS)


# ---- in the house ----


def test_a_holiday_stops_all_clocks_of_a_person_and_the_others_see_it(tmp_path: Path) -> None:
    now = Later()
    now.ahead = 1000 * int(datetime(2031, 1, 5, tzinfo=UTC).timestamp()) - now()
    with opened(tmp_path, now) as house:
        ana, ulysse, table = seated(house, clock={"days": 1})
        answer = ana.post("/notebook", data={"do": "holiday", "days": "10", "lang": "en"})
        assert answer.status_code == 303
        now.ahead += 9 * DAY_MS
        seen = state(ulysse, table)
        assert seen["outcome"] is None
        assert seen["clock"]["paused"][0] > 0
        assert any("on holiday for 10 days" in item["sentence"] for item in seen["log"])
        assert "on holiday for one more day" in ana.get("/en/notebook").text
        # A game that begins meanwhile is paused, too.
        second = house.post("/api/tables", json={
            "game": "tortuga", "seats": [{"kind": "person", "name": "Ana"}, {"kind": "open"}],
            "clock": {"days": 1},
        }).json()
        ana.post("/api/notebook/seats", json={"table": second["table"], "token": second["token"]})
        house.post(f"/api/tables/{second['table']}/seats/1", json={"name": "Bo"})
        assert state(ana, second)["clock"]["paused"] != []
        # Back: the clocks go on.
        ana.post("/notebook", data={"do": "holiday", "days": "0", "lang": "en"})
        assert state(ulysse, table)["clock"]["paused"] == []
        assert ana.post("/notebook", data={"do": "holiday", "days": "99"}).status_code == 422
        assert ana.post("/notebook", data={"do": "holiday", "days": "30"}).status_code == 303
        now.ahead += 30 * DAY_MS
        refused = ana.post("/notebook", data={"do": "holiday", "days": "30", "lang": "en"})
        assert "60 days a year" in refused.text


def test_a_reminder_is_a_notice(tmp_path: Path) -> None:
    now, sink = Later(), Sink()
    with opened(tmp_path, now) as house:
        ana, ulysse, table = seated(house, clock={"days": 3})
        ask(ana, sink)
        move(house, table)
        move(house, table)                                  # Ulysse has moved: it is Ana's turn
        deliver(house, now)
        assert len(sink.got) == 2
        assert state(ulysse, table)["nudge"] == []
        now.ahead += 12 * HOUR_MS
        assert state(ulysse, table)["nudge"] == [1]
        body = {"do": "nudge", "seat": 1, "id": "n1"}
        address = f"/api/tables/{table['table']}/events?lang=en"
        assert ulysse.post(address, json=body).status_code == 200
        assert ulysse.post(address, json={**body, "id": "n2"}).status_code == 409
        deliver(house, now)
        assert sink.got[2]["title"] == "Your move is awaited: Tortuga, with Ulysse"
    sink.close()


def test_whoever_seeks_is_told_when_a_person_sits_down(tmp_path: Path) -> None:
    now, sink = Later(), Sink()
    with opened(tmp_path, now) as house:
        ana = device(house)
        there = ana.post("/lobby/seek", data={"game": "tortuga", "clock": "days", "name": "Ana"})
        path, _, token = there.headers["location"].partition("#seat=")
        table = path.rsplit("/", 1)[1]
        ana.post("/api/notebook/seats", json={"table": table, "token": token})
        seat = {"do": "sit", "seat": 0, "id": "s"}
        ana.post(f"/api/tables/{table}/events", json=seat)
        ask(ana, sink)
        house.post("/lobby/sit", data={"table": table, "name": "Ulysse"})
        now.ahead += 60_000                                 # Ana looks elsewhere
        deliver(house, now)
        assert len(sink.got) == 2
        assert sink.got[1]["title"].startswith(("The game begins: Tortuga", "Your turn: Tortuga"))
    sink.close()


def test_time_for_which_the_house_was_closed_counts_on_no_clock(tmp_path: Path) -> None:
    now = Later()
    with opened(tmp_path, now) as house:
        _, ulysse, table = seated(house, clock={"days": 1})
        before = state(ulysse, table)["clock"]["remaining"][0]
        cookies = dict(ulysse.cookies)
    now.ahead += 5 * DAY_MS
    with opened(tmp_path, now) as house:
        again = device(house)
        again.cookies.update(cookies)
        seen = state(again, table)
        assert seen["outcome"] is None
        left = seen["clock"]["remaining"][0]
        assert before - left < HOUR_MS
        assert [item["do"] for item in seen["log"]].count("reopen") == 1
        now.ahead += DAY_MS                                 # the house is open: this counts
        assert again.get(f"/api/tables/{table['table']}").json()["clock"]["remaining"][0] == 0
