"""Ratings of people: for those who want one, and the same whenever they are computed."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

import escale
from escale.server.people.ratings import Fold, Ratings
from escale.store import RatedGame, Store
from tests.server.hosting import MOUSSE, person
from tests.server.people.test_notebooks import act, create, device, keep
from tests.server.people.test_notices import Later, move, opened


def want_rating(client: TestClient) -> None:
    answer = client.post("/notebook", data={"do": "rate", "yes": "yes"})
    assert answer.status_code == 303


def players(house: TestClient, *rated: bool) -> list[TestClient]:
    found = []
    for yes in rated:
        client = device(house)
        client.post("/api/notebook", json={})
        if yes:
            want_rating(client)
        found.append(client)
    return found


def finish(house: TestClient, ana: TestClient, bo: TestClient, **more: Any) -> dict[str, Any]:
    """A game that Bo resigns after a few moves."""
    table = create(house, person("Ana"), {"kind": "open"}, **more)
    sat = house.post(f"/api/tables/{table['table']}/seats/1", json={"name": "Bo"}).json()
    keep(ana, table)
    keep(bo, {"table": table["table"], "token": sat["token"]})
    for _ in range(2):
        move(house, {**table, "other": sat["token"]})
    act(bo, table, "resign", 1)
    return table


def rated_tables(path: Path) -> list[str]:
    with closing(sqlite3.connect(path / "escale.db")) as connection:
        return [row[0] for row in connection.execute("SELECT table_id FROM rated_games")]


def test_games_of_two_who_want_a_rating_count(tmp_path: Path) -> None:
    with opened(tmp_path, Later()) as house:
        ana, bo, other = players(house, True, True, False)
        table = finish(house, ana, bo)
        finish(house, ana, other)                           # the other wants none
        assert rated_tables(tmp_path) == [table["table"]]
        page = ana.get("/en/notebook").text
        assert "± " in page
        assert "still uncertain" in page
        ratings: Ratings = cast(Any, house.app).state.notebooks.ratings
        assert house.portal is not None
        found = house.portal.call(ratings.all)
        winner, loser = sorted(found.values(), key=lambda one: -one.value)
        assert winner.value > 1500 > loser.value
        assert winner.deviation < 350
        assert "± " not in other.get("/en/notebook").text


def test_the_lobby_shows_the_ratings_of_those_who_want_one(tmp_path: Path) -> None:
    with opened(tmp_path, Later()) as house:
        ana, bo, other = players(house, True, True, False)
        finish(house, ana, bo)
        for client, name in ((ana, "Ana"), (other, "Zoe")):
            keep(client, create(house, person(name), {"kind": "open"}, public=True))
        page = house.get("/en/lobby").text
        shown = dict(re.findall(r"<li>(Ana|Zoe)(.*?)</li>", page))
        assert "±" in shown["Ana"]
        assert "±" not in shown["Zoe"]


@pytest.mark.parametrize("more", [{"hints": True}, {"position": "composed"}])
def test_games_with_hints_or_a_position_of_ones_own_do_not_count(
    tmp_path: Path, more: dict[str, Any]
) -> None:
    with opened(tmp_path, Later()) as house:
        ana, bo = players(house, True, True)
        if "position" in more:
            start = escale.game("tortuga").start(first="south")
            more = {"position": start.play(start.moves()[0]).text}
        finish(house, ana, bo, **more)
        assert rated_tables(tmp_path) == []


def test_games_with_a_stand_in_or_against_oneself_do_not_count(tmp_path: Path) -> None:
    with opened(tmp_path, Later()) as house:
        ana, bo = players(house, True, True)
        table = create(house, person("Ana"), {"kind": "open"})
        sat = house.post(f"/api/tables/{table['table']}/seats/1", json={"name": "Bo"}).json()
        keep(ana, table)
        keep(bo, {"table": table["table"], "token": sat["token"]})
        for _ in range(2):
            move(house, {**table, "other": sat["token"]})
        act(bo, table, "hand", 1, level="mousse")
        act(bo, table, "take", 1)
        act(bo, table, "resign", 1)
        alone = create(house, person("Ana"), person("Ana"))
        keep(ana, alone)
        for _ in range(2):
            move(house, {**alone, "other": alone["token"]})
        act(ana, alone, "resign", 1)
        computer = create(house, person("Ana"), MOUSSE)
        keep(ana, computer)
        act(ana, computer, "resign", 0)
        assert rated_tables(tmp_path) == []


def test_ratings_are_the_same_whenever_they_are_computed(tmp_path: Path) -> None:
    async def main() -> None:
        store = Store(str(tmp_path / "escale.db"))
        ratings = Ratings(store.outbox)
        assert await ratings.all() == {}
        games = [
            RatedGame(f"t{number}", number // 3, "tortuga", ("a", "b", "c")[: 2 + number % 2],
                      (1.0, 0.0, 0.0)[: 2 + number % 2]) for number in range(30)
        ]
        fold = Fold()
        fold.add(games)
        with closing(sqlite3.connect(tmp_path / "escale.db")) as connection:
            for at in (20, 30, 10):                         # the last ones are found late
                for game in games[at - 10: at]:
                    connection.execute("INSERT INTO rated_games VALUES (?, ?, ?, ?, ?)", (
                        game.table, game.at, game.game, json.dumps(game.players),
                        json.dumps(game.shares),
                    ))
                connection.commit()
                await ratings.all()
        ordered = sorted(games, key=lambda one: (one.at, one.table))
        again = Fold()
        again.add(ordered)
        assert await ratings.all() == again.ratings == await Ratings(store.outbox).all()
        store.close()

    asyncio.run(main())


def test_an_erased_notebook_leaves_the_ratings_of_others_as_they_are(tmp_path: Path) -> None:
    with opened(tmp_path, Later()) as house:
        ana, bo = players(house, True, True)
        finish(house, ana, bo)
        ratings: Ratings = cast(Any, house.app).state.notebooks.ratings
        assert house.portal is not None
        before = sorted(one.value for one in house.portal.call(ratings.all).values())
        bo.post("/notebook", data={"do": "erase", "sure": "yes"})
        after = house.portal.call(ratings.all)
        assert sorted(one.value for one in after.values()) == before
        assert sum(who.startswith("gone-") for who, _ in after) == 1
