"""Kills, damage and full disks: what the house does about them, and what it says."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from escale.server.tables.due import CLOCK_RUNS, NOW
from escale.server.tables.names import fingerprint
from escale.store import database
from tests.server.hosting import MOUSSE, OPEN, Hosted, SetClock, Table, hosted, person
from tests.server.tables.test_tables import SOUTH, two_people
from tests.sizes import PATIENCE_SECONDS

ID = "a-word-that-nobody-guesses"


def change(folder: Path, *statements: str) -> None:
    """Write to the database behind the house's back."""
    with closing(sqlite3.connect(folder / "house.sqlite3", timeout=20)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def rows(folder: Path, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(folder / "house.sqlite3", timeout=20)) as connection:
        return connection.execute(question).fetchall()


# ---- seats and orders ----


def test_a_seat_that_was_taken_for_nobody_heals(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        south = house.create("tortuga", person("Ana"), OPEN, **SOUTH)
    change(tmp_path, "INSERT INTO tokens (table_id, sha256, seats) "
           f"VALUES ('{south.id}', '{fingerprint('lost')}', '[1]')")
    with hosted(tmp_path) as house:
        table = Table(house, south.id, south.token)
        assert table.get()["seats"][1]["status"] == "open"
        assert table.sit(1, name="Bo").play(0, "d2-d3", status=403)
        assert table.get()["begun"]
        lost = house.client.get(f"/api/tables/{south.id}", headers={"authorization": "Bearer lost"})
        assert lost.json()["you"]["seats"] == []
    assert len(rows(tmp_path, "SELECT * FROM tokens")) == 2


def test_who_is_expected_by_name_keeps_the_seat(tmp_path: Path) -> None:
    later = {"kind": "person", "name": "Ana", "later": True}
    with hosted(tmp_path) as house:
        made = house.create("tortuga", later, MOUSSE)
    with hosted(tmp_path) as house:
        table = Table(house, made.id, made.token)
        assert table.get()["seats"][0]["awaited"]
        table.act("sit", 0, value="pebble")
        assert table.get()["begun"]


def test_a_seat_asked_for_twice_under_one_id_is_taken_once(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        south = house.create("tortuga", person("Ana"), OPEN, **SOUTH)
        first = south.sit(1, name="Bo", id=ID)
        assert south.sit(1, name="Bo", id=ID).token == first.token
    with hosted(tmp_path) as house:                         # its answer was lost with the house
        table = Table(house, south.id, None)
        again = table.sit(1, name="Bo", id=ID)
        assert again.token == first.token
        assert again.get()["you"]["seats"] == [1]
        path = f"/api/tables/{south.id}/seats/1"
        for other in ({"id": ID.upper()}, {}):
            assert house.client.post(path, json=other).json()["code"] == "seat-taken"
        assert house.client.post(path, json={"id": "short"}).json()["code"] == "bad-request"
    assert len(rows(tmp_path, "SELECT * FROM events WHERE entry LIKE '%\"do\":\"sit\"%'")) == 1


def test_a_table_ordered_twice_under_one_id_is_set_up_once(tmp_path: Path) -> None:
    order = {"game": "tortuga", "seats": [person("Ana"), OPEN], "id": ID}
    with hosted(tmp_path) as house:
        first = house.client.post("/api/tables", json=order).json()
        assert house.client.post("/api/tables", json=order).json() == first
    with hosted(tmp_path) as house:
        assert house.client.post("/api/tables", json=order).json() == first
        other = house.client.post("/api/tables", json={**order, "game": "canoe"})
        assert (other.status_code, other.json()["code"]) == (409, "not-now")
        answers: list[Any] = []
        fresh = {**order, "id": ID[::-1]}

        def ask() -> None:
            answers.append(house.client.post("/api/tables", json=fresh).json())

        together = [threading.Thread(target=ask) for _ in range(4)]
        for thread in together:
            thread.start()
        for thread in together:
            thread.join()
        assert answers == [answers[0]] * 4
        assert answers[0]["table"] != first["table"]
    assert rows(tmp_path, "SELECT count(*) FROM tables") == [(2,)]


# ---- the rematch ----


def test_a_rematch_is_promised_first_and_survives_a_kill_at_any_point(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        south, north = two_people(house)
        south.act("resign", 0)
        [ended] = [item for item in south.get()["log"] if item["do"] == "end"]
        south.act("offer", 0, what="rematch", value="pebble")
    with hosted(tmp_path) as house:                         # the offer and its value are kept
        south, north = Table(house, south.id, south.token), Table(house, south.id, north.token)
        north.act("answer", 1, yes=True, value="shell")
        following = south.get("/events", since=6, wait=20)["state"]["next"]
        state = Table(house, following, south.token).get()
        assert state["commitment"] == ended["rematch"]
        assert state["values"] == ["shell", "pebble"]
        assert state["you"]["seats"] == [1]
    # Killed after the rematch was agreed to, before any client has its address.
    last = max(n for (n,) in rows(tmp_path, f"SELECT n FROM events WHERE table_id = '{south.id}'"))
    change(tmp_path,
           f"DELETE FROM events WHERE table_id = '{south.id}' AND n = {last}",
           f"UPDATE tables SET due = {NOW} WHERE id = '{south.id}'",
           f"DELETE FROM events WHERE table_id = '{following}'",
           f"DELETE FROM tokens WHERE table_id = '{following}'",
           f"DELETE FROM tables WHERE id = '{following}'")
    with hosted(tmp_path) as house:                         # it is woken without a visitor
        table = Table(house, following, south.token)
        until = time.monotonic() + PATIENCE_SECONDS
        while following not in house.house.tables:
            assert time.monotonic() < until
            time.sleep(0.02)
        again = table.get()
        assert again["commitment"] == ended["rematch"]
        assert again["values"] == ["shell", "pebble"]
        assert Table(house, south.id, None).get()["next"] == following


# ---- opening ----


def test_only_what_is_due_is_woken_when_the_house_opens(tmp_path: Path) -> None:
    clock = SetClock()
    with hosted(tmp_path, now=clock) as house:
        quiet, _ = two_people(house)
        quiet.play(0, "d2-d3")
        over, _ = two_people(house)
        over.act("resign", 0)
        clocked = {"clock": {"initial": 60, "increment": 0}}
        waiting = house.create("tortuga", person("Ana"), OPEN, **clocked)
        live, _ = two_people(house, **clocked)
        live.play(0, "d2-d3")
        days, _ = two_people(house, clock={"days": 2})
        computer = house.create("tortuga", person("Ana"), MOUSSE, **SOUTH)
        computer.play(0, "d2-d3")
        computer.wait_for(turn=0)
    due = dict(rows(tmp_path, "SELECT id, due FROM tables"))
    assert due == {
        quiet.id: None, over.id: None, waiting.id: None, live.id: CLOCK_RUNS, computer.id: None,
        days.id: clock.now + 2 * 86_400_000,
    }
    change(tmp_path, f"UPDATE tables SET due = {NOW} WHERE id = '{computer.id}'")

    def woken(house: Hosted, *tables: Table) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while not {table.id for table in tables} <= set(house.house.tables):
            assert time.monotonic() < until
            time.sleep(0.02)
        time.sleep(0.1)
        assert set(house.house.tables) == {table.id for table in tables}

    with hosted(tmp_path, now=clock) as house:
        woken(house, live, computer)
    assert rows(tmp_path, f"SELECT due FROM tables WHERE id = '{computer.id}'") == [(None,)]
    clock.now += 3 * 86_400_000
    with hosted(tmp_path, now=clock) as house:
        woken(house, live, days)
        forgiven = Table(house, days.id, None).get()       # the house was closed: it counts not
        assert forgiven["outcome"] is None
        assert forgiven["clock"]["remaining"][0] > 86_400_000


def test_a_table_whose_clock_has_days_need_not_stay_in_memory(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        days, _ = two_people(house, clock={"days": 2})
        live, _ = two_people(house, clock={"initial": 600, "increment": 0})
        live.play(0, "d2-d3")
        tables = house.house.tables
        assert (tables[days.id].needed, tables[live.id].needed) == (False, True)


# ---- damage ----


def test_a_damaged_table_is_closed_and_the_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with hosted(tmp_path) as house:
        spoilt, _ = two_people(house, public=True, clock={"initial": 60, "increment": 0})
        spoilt.play(0, "d2-d3")
        wrong, _ = two_people(house, public=True, clock={"initial": 60, "increment": 0})
        wrong.play(0, "d2-d3")
        sound, _ = two_people(house, public=True, clock={"initial": 60, "increment": 0})
        sound.play(0, "d2-d3")
    change(tmp_path,
           f"UPDATE events SET entry = 'garbage' WHERE table_id = '{spoilt.id}' AND n = 2",
           f"UPDATE events SET entry = replace(entry, 'd2-d3', 'a1-a7') "
           f"WHERE table_id = '{wrong.id}'",
           f"UPDATE tables SET created = 'long ago' WHERE id = '{spoilt.id}'")
    with caplog.at_level(logging.ERROR, "escale"), hosted(tmp_path) as house:
        for table in (spoilt, wrong):
            for _ in range(2):
                answer = house.client.get(f"/api/tables/{table.id}")
                assert (answer.status_code, answer.json()["code"]) == (500, "damaged")
                assert "damaged" in answer.json()["message"]
                assert "detail" not in answer.json()
            page = house.client.get(f"/en/t/{table.id}")
            assert page.status_code == 500
            assert "This table is damaged." in page.text
            with Table(house, table.id, None).live() as ear:
                assert ear.next("refused")["code"] == "damaged"
        lobby = house.client.get("/en/lobby")
        assert lobby.status_code == 200
        assert f"/t/{sound.id}" in lobby.text
        assert Table(house, sound.id, sound.token).get()["ply"] == 1
        assert [one["table"] for one in house.client.get("/api/tables").json()] == [sound.id]
    said = [record.getMessage() for record in caplog.records]
    for table in (spoilt, wrong):
        assert sum(f"table {table.id} is damaged" in one for one in said) == 1


# ---- a disk that is full, a database that is locked ----


def fill(house: Hosted) -> None:
    """From now on there is no room."""
    connection = house.house.store._writer._connection
    with connection.begin():
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")


def test_a_full_disk_is_no_fault_of_the_form(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        fill(house)
        for _ in range(200):
            fields = {"game": "tortuga", "lang": "en", "way": "screen"}
            answer = house.client.post("/tables", data=fields, follow_redirects=False)
            if answer.status_code != 303:
                break
        assert answer.status_code == 503
        assert "The house is not ready." in answer.text
        assert "full" not in answer.text.partition("<main")[2].partition("It is starting")[0]
        assert house.client.get("/en/lobby").status_code == 200


def test_a_locked_database_keeps_no_reader_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All are answered while it is locked: the writer, and the readers of the same table."""
    monkeypatch.setattr(database, "LOCK_SECONDS", 0.3)
    with hosted(tmp_path) as house:
        south, _ = two_people(house)
        n = south.get()["n"]
        with closing(
            sqlite3.connect(tmp_path / "house.sqlite3", isolation_level=None)
        ) as other:
            other.execute("BEGIN IMMEDIATE")
            answers: list[Any] = []
            path = f"/api/tables/{south.id}"
            reader = threading.Thread(target=lambda: answers.append(house.client.get(path)))
            writer = threading.Thread(
                target=lambda: south.act("play", 0, status=503, n=n, move="d2-d3")
            )
            writer.start()
            reader.start()
            reader.join(PATIENCE_SECONDS)
            writer.join(PATIENCE_SECONDS)
            assert not reader.is_alive()
            assert not writer.is_alive()
            # Events that could not be stored are shown to no client.
            assert (answers[0].status_code, answers[0].json()["ply"]) == (200, 0)
            assert south.get()["ply"] == 0
            other.execute("ROLLBACK")
        with south.live() as ear:
            ear.next("state")
            south.act("play", 0, n=n, move="d2-d3")
            assert ear.next("events")
        assert south.get()["ply"] == 1
