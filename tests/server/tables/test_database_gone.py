"""A PostgreSQL that is stopped in the middle of play, and started again."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from escale.server.admin import health
from tests.postgres import postgres_server
from tests.server.hosting import MOUSSE, Table, hosted, person
from tests.server.tables.test_tables import SOUTH, two_people
from tests.sizes import PATIENCE_SECONDS

SENTENCE = "The house cannot save moves at the moment. Nothing is lost: try again shortly."


def wait_for_the_house(table: Table) -> None:
    """It asks for its database every second, and refuses at once meanwhile."""
    until = time.monotonic() + PATIENCE_SECONDS
    while table.hosted.client.get(f"/api/tables/{table.id}").status_code == 503:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_database_that_goes_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    with postgres_server() as server:
        if server is None:
            pytest.skip("NO POSTGRESQL HERE")
        with hosted(tmp_path, database=server.url) as house:
            south, north = two_people(house)
            computer = house.create("tortuga", person("Ana"), MOUSSE, **SOUTH)
            south.play(0, "d2-d3")
            n = south.get()["n"]
            until = time.monotonic() + PATIENCE_SECONDS
            while (found := house.client.get("/readyz")).status_code != 200:
                assert time.monotonic() < until, found.text
                time.sleep(0.1)
            assert set(found.json()["checks"]) == {"store", "thinker"}   # its disk is not ours
            with north.live() as ear:
                ear.next("state")
                server.stop()
                ear.send(do="play", seat=1, id="while-gone", n=n, move="d6-d5")
                assert ear.next("refused")["message"] == SENTENCE
            # The table has left the memory, and cannot be read: that is said, too.
            answer = house.client.get(f"/api/tables/{south.id}")
            assert (answer.status_code, answer.json()["message"]) == (503, SENTENCE)
            assert "connection" not in answer.text
            page = house.client.get(f"/en/t/{south.id}")
            assert (page.status_code, "Nothing is lost" in page.text) == (503, True)
            with north.live() as ear:
                assert ear.next("refused")["message"] == SENTENCE
                with pytest.raises(Exception, match="1012"):            # come back later
                    ear.next("state")
            computer.act("play", 0, status=503, n=1, move="d2-d3")
            ready = house.client.get("/readyz")
            assert (ready.status_code, ready.json()["checks"]["store"]["ok"]) == (503, False)
            assert house.client.get("/en").status_code == 200
            server.start()
            # The same action under the same id is done once, whatever became of the first attempt.
            path, body = f"/api/tables/{south.id}/events", {
                "do": "play", "seat": 1, "id": "while-gone", "n": n, "move": "d6-d5"}
            wait_for_the_house(south)
            for _ in range(2):
                answer = house.client.post(path, json=body, headers=north.headers)
                assert answer.status_code == 200, answer.text
                assert answer.json() == {"n": n + 1}
            assert [item["move"] for item in south.get()["log"] if item["do"] == "play"] == [
                "d2-d3", "d6-d5"]
            computer.act("play", 0, n=computer.get()["n"], move="d2-d3")
            computer.wait_for(turn=0, ply=2)
            assert house.client.get("/readyz").status_code == 200
            # Many at once find it gone, and each is told; all of them find it again.
            tables = [two_people(house)[0] for _ in range(8)]
            n = tables[0].get()["n"]
            server.stop()
            told: list[str] = []

            def play(table: Table) -> None:
                told.append(table.act("play", 0, status=503, n=n, move="d2-d3")["code"])

            threads = [threading.Thread(target=play, args=(table,)) for table in tables]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(PATIENCE_SECONDS)
            assert told == ["unavailable"] * 8
            server.start()
            wait_for_the_house(tables[0])
            for table in tables:
                table.play(0, "d2-d3")
