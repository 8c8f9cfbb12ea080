"""An evening over HTTP: who may do what, and what follows from it."""

from __future__ import annotations

import asyncio
import csv
import io
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from starlette.testclient import TestClient

from escale.server.app import create_app
from escale.server.edge.limits import Limits
from escale.server.evening import evenings
from escale.server.evening.evenings import EveningLog, Evenings
from escale.server.evening.events import Started
from escale.server.evening.pairing import next_round
from escale.server.evening.standings import standings
from escale.server.settings import Settings
from tests.server.people.test_notebooks import HERE, device
from tests.sizes import PATIENCE_SECONDS

T = TypeVar("T")


class Party:
    """An evening, its host and its guests, each with a browser of their own."""

    def __init__(self, house: TestClient, **plan: Any) -> None:
        self.house = house
        self.host = device(house)
        answer = self.host.post("/evening", data={
            "title": "Jeudi", "games": "tortuga", "format": "swiss", "rounds": "3", "lang": "en",
            **plan,
        })
        assert answer.status_code == 303, answer.text
        self.id = id_of(answer)
        self.guests: dict[str, TestClient] = {}

    @property
    def log(self) -> EveningLog:
        found: EveningLog | None = self.run(self.evenings.of(self.id))
        assert found is not None
        return found

    @property
    def evenings(self) -> Evenings:
        found: Evenings = self.house.app.state.evenings     # type: ignore[attr-defined]
        return found

    def run(self, work: Any) -> Any:
        """Run something on the event loop of the house."""
        loop = self.house.app.state.house.loop              # type: ignore[attr-defined]
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    def join(self, name: str) -> TestClient:
        guest = self.guests[name] = device(self.house)
        self.act(guest, do="join", name=name)
        return guest

    def act(
        self, who: TestClient, *, status: int = 303, more: dict[str, str] | None = None,
        **fields: Any,
    ) -> str:
        sent = {"lang": "en", **fields, **(more or {})}
        answer = who.post(f"/evening/{self.id}", data=sent)
        assert answer.status_code == status, said(answer.text)
        return said(answer.text)

    def lead(self, *, status: int = 303, **fields: Any) -> str:
        answer = self.host.post(f"/evening/{self.id}/host", data={"lang": "en", **fields})
        assert answer.status_code == status, said(answer.text)
        return said(answer.text)

    def page(self, who: TestClient, more: str = "") -> str:
        answer = who.get(f"/en/evening/{self.id}{more}")
        assert answer.status_code == 200, answer.text
        return str(answer.text)

    def standings(self) -> dict[str, int]:
        evening = self.log.evening
        return {evening.guests[row.who].name: row.points for row in standings(evening)}


def id_of(answer: Any) -> str:
    """The evening to which an answer leads."""
    found = re.search(r"/evening/([\w-]+)", answer.headers["location"])
    assert found
    return found[1]


def said(page: str) -> str:
    """What a page says went wrong."""
    found = re.search(r'role="alert">([^<]*)<', page)
    return found[1] if found else ""


def wait_for(find: Callable[[], T | None]) -> T:
    """What is found, as soon as there is something."""


    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        if found := find():
            return found
        time.sleep(0.02)
    raise AssertionError("it never came")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(
        database=f"sqlite:///{tmp_path}/escale.db", workers=1, limits=Limits.none()
    )
    with TestClient(create_app(settings), HERE, follow_redirects=False) as client:
        yield client


def test_guests_join_by_code_or_by_the_hosts_hand_and_names_are_told_apart(
    house: TestClient
) -> None:
    party = Party(house)
    code = party.log.code
    guest = device(house)
    for typed in (code, code.lower(), f"{code[:3]} {code[3:]}"):
        answer = guest.post("/e", data={"code": typed, "lang": "en"})
        assert answer.headers["location"] == f"/en/evening/{party.id}"
    assert guest.get(f"/en/e/{code}").headers["location"] == f"/en/evening/{party.id}"
    assert guest.get("/en/e/AAAAAA").status_code == 404
    ana = party.join("Ana")
    assert "You are in" in party.page(ana)
    assert "already joined" in party.act(ana, do="join", name="Ana again", status=409)
    assert "already a" in party.act(device(house), do="join", name="ANA", status=409)
    assert party.lead(do="add", name="Zoé") == ""
    assert "name is missing" in party.lead(do="add", name=" ", status=409)
    assert party.lead(do="computer", level="mousse") == ""
    assert party.lead(do="computer", level="mousse") == ""
    assert party.lead(do="computer", level="grandmaster", status=422)
    page = party.page(party.host, "/host")
    assert all(name in page for name in ("Ana", "Zoé", "no phone", "computer"))
    assert [guest.phone for guest in party.log.evening.guests.values()] == \
        [True, False, False, False]
    assert "Jeudi" in ana.get("/en/evening").text


def test_only_the_host_leads_and_a_link_makes_another_device_the_hosts(house: TestClient) -> None:
    party = Party(house)
    ana = party.join("Ana")
    assert ana.get(f"/en/evening/{party.id}/host").status_code == 403
    answer = ana.post(f"/evening/{party.id}/host", data={"do": "pair", "lang": "en"})
    assert answer.status_code == 403
    assert party.log.evening.rounds == []
    answer = party.host.post(f"/evening/{party.id}/host", data={"do": "link", "lang": "en"})
    found = re.search(r"/host#([\w-]+)", answer.text)
    assert found
    for link, status in (("x" * 22, 404), (found[1], 303)):
        answer = ana.post(
            f"/evening/{party.id}/host", data={"do": "open", "link": link, "lang": "en"}
        )
        assert answer.status_code == status
    assert ana.get(f"/en/evening/{party.id}/host").status_code == 200
    assert found[1] not in party.page(ana)


def test_a_round_opens_tables_whose_seats_the_guests_notebooks_hold(house: TestClient) -> None:
    party = Party(house)
    for name in ("Ana", "Zoé"):
        party.join(name)
    party.lead(do="pair")
    assert "Go to your table" in party.page(party.guests["Ana"])
    party.lead(do="start")
    page = party.page(party.guests["Ana"])
    found = re.search(r'href="/en/t/([\w-]+)\?evening=', page)
    assert found
    table = found[1]
    mine = {
        name: guest.get(f"/api/tables/{table}").json()["you"]["seats"]
        for name, guest in party.guests.items()
    }
    assert sorted(mine.values()) == [[0], [1]]
    assert device(house).get(f"/api/tables/{table}").json()["you"]["seats"] == []
    # The result of the match is the result of the evening.
    for name, seats in mine.items():
        guest = party.guests[name]
        act = {"do": "sit", "id": f"s{name}", "seat": seats[0]}
        assert guest.post(f"/api/tables/{table}/events", json=act).status_code == 200
    resigns = next(name for name, seats in mine.items() if seats == [0])
    act = {"do": "resign", "id": "r", "seat": 0}
    assert party.guests[resigns].post(
        f"/api/tables/{table}/events", json=act
    ).status_code == 200
    winner = next(name for name in mine if name != resigns)
    assert wait_for(lambda: party.standings()[winner]) == 120
    assert party.log.evening.rounds[0].games[0].by == "house"


def test_a_real_board_needs_both_players_or_the_host(house: TestClient) -> None:
    party = Party(house, board="real")
    for name in ("Ana", "Zoé"):
        party.join(name)
    party.lead(do="pair")
    party.lead(do="start")
    game = party.log.evening.rounds[0].games[0]
    told: dict[str, Any] = {"do": "report", "round": 1, "table": 1}
    party.act(party.guests["Ana"], **told, places="1-2")
    assert not game.over
    assert "Zoé" in party.page(party.guests["Zoé"])
    assert "entered" in party.page(party.guests["Zoé"])
    party.act(party.guests["Zoé"], **told, places="1-2")
    assert party.log.evening.rounds[0].games[0].by == "players"
    stranger = device(house)
    assert "Join the evening" in party.act(stranger, **told, places="1-2", status=409)
    party.lead(do="result", round=1, table=1, places="1-1")
    assert party.standings() == {"Ana": 60, "Zoé": 60}
    last = party.log.evening.undoable()
    assert last is not None
    party.lead(do="undo", n=last.n)
    assert max(party.standings().values()) == 120
    assert "Ask the referee" not in party.page(party.guests["Ana"])


def test_a_form_that_is_sent_twice_is_done_once(house: TestClient) -> None:
    party = Party(house)
    for _ in range(2):
        party.lead(do="add", name="Ana", id="one")
    assert len(party.log.evening.guests) == 1


def test_computers_fill_empty_seats_if_wanted(house: TestClient) -> None:
    party = Party(house, fill="mousse")
    for name in ("Ana", "Zoé", "Léo"):
        party.join(name)
    party.lead(do="pair")
    evening = party.log.evening
    assert [guest.level for guest in evening.guests.values()] == [None, None, None, "mousse"]
    assert evening.rounds[0].byes == []
    party.lead(do="start")
    game = next(game for game in party.log.evening.rounds[0].games if 4 in game.seats)
    table = party.log.table_of(game)
    seats = house.get(f"/api/tables/{table}").json()["seats"]
    assert sorted(seat["status"] for seat in seats) == ["computer", "person"]


def test_a_guest_without_a_phone_plays_on_the_phone_of_the_table(house: TestClient) -> None:
    party = Party(house)
    ana = party.join("Ana")
    party.lead(do="add", name="Zoé")
    party.lead(do="pair")
    party.lead(do="start")
    table = party.log.table_of(party.log.evening.rounds[0].games[0])
    assert ana.get(f"/api/tables/{table}").json()["you"]["seats"] == [0, 1]


def test_free_play_begins_where_guests_choose(house: TestClient) -> None:
    party = Party(house, format="free", games="tortuga,canyon-1997")
    for name in ("Ana", "Zoé", "Léo", "Max"):
        party.join(name)
    party.act(party.guests["Ana"], do="sit", game="tortuga", board="real", more={"with-2": "2"})
    assert "already playing" in party.act(
        party.guests["Léo"], do="sit", game="tortuga", status=409, more={"with-1": "1"}
    )
    assert "3 to 6" in party.act(
        party.guests["Léo"], do="sit", game="canyon-1997", status=409, more={"with-4": "4"}
    )
    party.lead(do="result", round=1, table=1, places="2-1")
    party.act(party.guests["Léo"], do="sit", game="canyon-1997", board="real",
              more={"with-1": "1", "with-2": "2", "with-4": "4"})
    places = {f"place-{seat}": place for seat, place in enumerate((1, 2, 2, 3))}
    party.lead(do="result", round=2, table=1, **places)
    assert party.log.evening.rounds[1].games[0].places == [1, 2, 2, 4]


def test_results_are_a_table_a_picture_and_a_season(house: TestClient) -> None:
    party = Party(house, board="real", games=["tortuga"])
    for name in ("Ana", "=Zoé()"):
        party.join(name)
    party.lead(do="pair")
    party.lead(do="start")
    party.lead(do="result", round=1, table=1, places="1-2")
    party.lead(do="close")
    answer = house.get(f"/evening/{party.id}/results.csv?lang=en")
    rows = list(csv.reader(io.StringIO(answer.text.lstrip("\ufeff"))))
    assert rows[0][:3] == ["round", "table", "game"]
    assert {row[5] for row in rows[1:]} == {"Ana", "'=Zoé()"}
    assert sorted(row[7] for row in rows[1:]) == ["0", "1"]
    picture = house.get(f"/evening/{party.id}/en.png")
    assert picture.content.startswith(b"\x89PNG")
    plan = {"title": "Jeudi 2", "games": "tortuga", "format": "swiss", "series": party.id}
    answer = party.host.post("/evening", data=plan)
    second = id_of(answer)
    assert party.run(party.evenings.of(second)).series == party.log.series
    other = id_of(party.guests["Ana"].post("/evening", data=plan))
    assert party.run(party.evenings.of(other)).series != party.log.series
    page = house.get(f"/en/evening/{second}/season").text
    assert "Ana" in page
    assert re.search(r"<b>10</b>", page)


def test_an_evening_is_deleted_with_everything_in_it(house: TestClient) -> None:
    party = Party(house)
    for name in ("Ana", "Zoé"):
        party.join(name)
    party.lead(do="pair")
    party.lead(do="start")
    table = party.log.table_of(party.log.evening.rounds[0].games[0])
    assert house.get(f"/api/tables/{table}").status_code == 200
    assert "Tick the box" in party.lead(do="delete", status=409)
    party.lead(do="delete", sure="yes")
    assert house.get(f"/api/tables/{table}").status_code == 404
    assert house.get(f"/evening/{party.id}").status_code == 404
    assert house.get(f"/api/evenings/{party.id}").json()["code"] == "unknown-evening"


def test_those_who_wait_hear_of_every_change_and_of_moves(house: TestClient) -> None:
    party = Party(house)
    for name in ("Ana", "Zoé"):
        party.join(name)
    path = f"/api/evenings/{party.id}"
    before = house.get(path).json()["version"]
    party.lead(do="pair")
    after = house.get(f"{path}?since={before}&wait=25").json()["version"]
    assert after != before
    party.lead(do="start")
    before = house.get(path).json()["version"]
    table = party.log.table_of(party.log.evening.rounds[0].games[0])
    act = {"do": "sit", "id": "s", "seat": 0}
    seat0 = next(guest for guest in party.guests.values()
                 if guest.get(f"/api/tables/{table}").json()["you"]["seats"] == [0])
    seat0.post(f"/api/tables/{table}/events", json=act)
    assert house.get(f"{path}?since={before}&wait=25").json()["version"] != before


def test_what_does_not_fit_is_said(house: TestClient) -> None:
    host = device(house)
    for fields, why in (
        ({"games": "tortuga"}, "name"), ({"title": "Jeudi"}, "one game"),
        ({"title": "J", "games": "canyon-1997", "format": "swiss"}, "more than two"),
        ({"title": "J", "games": "tortuga", "format": "ladder"}, "for two"),
        ({"title": "J", "games": "tortuga", "rounds": "many"}, ""),
        ({"title": "J", "games": "tortuga", "format": "knockout"}, ""),
    ):
        answer = host.post("/evening", data={"lang": "en", **fields})
        assert answer.status_code in (400, 409, 422), fields
        assert why in said(answer.text)
    assert host.post("/evening", data={"title": "J", "games": "chess"}).status_code == 404
    party = Party(house)
    assert "not enough people" in party.lead(do="pair", status=409)
    assert party.lead(do="dance", status=400)


def test_a_house_that_opens_again_goes_on_where_it_was(tmp_path: Path) -> None:
    """What follows from the log is done when it is read: tables are opened, results noted."""
    settings = Settings(
        database=f"sqlite:///{tmp_path}/escale.db", workers=1, limits=Limits.none()
    )
    with TestClient(create_app(settings), HERE, follow_redirects=False) as house:
        party = Party(house)
        cookies = {}
        for name in ("Ana", "Zoé"):
            cookies[name] = dict(party.join(name).cookies)
        party.lead(do="pair")
        # The round has begun, but the house dies before it opens the table.
        found = party.log
        party.evenings._open_tables = _nothing          # type: ignore[method-assign]
        party.run(party.evenings.act(found, lambda _: [Started(round=1)]))
        name, id = found.table_of(found.evening.rounds[0].games[0]), party.id
        assert house.get(f"/api/tables/{name}").status_code == 404
    with TestClient(create_app(settings), HERE, follow_redirects=False) as house:
        wait_for(lambda: house.get(f"/api/tables/{name}").status_code == 200)
        seats = house.get(f"/api/tables/{name}", headers={
            "cookie": "; ".join(f"{key}={value}" for key, value in cookies["Ana"].items())
        }).json()["you"]["seats"]
        assert len(seats) == 1
        assert house.get(f"/evening/{id}").status_code == 200


async def _nothing(found: EveningLog) -> None:
    """Stands in for opening tables in a house that dies before."""


def test_a_round_is_formed_anew_if_a_guest_comes_meanwhile(
    house: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = Party(house)
    party.join("Ana")
    party.join("Zoé")
    form, formed = next_round, [0]

    def slow(evening: Any) -> Any:
        formed[0] += 1
        if formed[0] == 1:
            party.join("Léo")
        return form(evening)

    monkeypatch.setattr(evenings, "next_round", slow)
    party.lead(do="pair")
    assert formed[0] == 2
    [round] = party.log.evening.rounds
    assert sorted([*round.games[0].seats, *round.byes]) == [1, 2, 3]


def test_tables_of_an_evening_count_like_others(tmp_path: Path) -> None:
    limits = replace(Limits.none(), tables=1e-9, table_burst=8)
    settings = Settings(database=f"sqlite:///{tmp_path}/escale.db", workers=1, limits=limits)
    with TestClient(create_app(settings), HERE, follow_redirects=False) as house:
        party = Party(house)                    # the evening, and the host's notebook
        for name in ("Ana", "Zoé", "Léo", "Lou"):
            party.join(name)                    # with a notebook each
        party.lead(do="pair")
        party.lead(do="start")                  # two tables: eight
        assert len(party.log.evening.running) == 2
        for _ in range(2):
            last = party.log.evening.undoable()
            assert last is not None
            party.lead(do="undo", n=last.n)
        party.lead(do="pair")
        assert "wait" in party.lead(do="start", status=429)
        assert not party.log.evening.running


def test_evenings_leave_the_memory_also_if_games_are_played_there(
    house: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evenings, "MOST_IN_MEMORY", 2)
    monkeypatch.setattr(evenings, "MOST_RUNNING", 3)
    parties = []
    for _ in range(5):
        party = Party(house)
        party.join("Ana")
        party.join("Zoé")
        party.lead(do="pair")
        party.lead(do="start")
        parties.append(party)
    kept = house.app.state.evenings                         # type: ignore[attr-defined]
    assert len(kept._logs) == 3
    assert len(kept._tables) == 3
    assert "Ana" in parties[0].page(parties[0].host, "/host")
    assert len(kept._logs) == 3
    assert house.get("/evening/%00").status_code == 404
