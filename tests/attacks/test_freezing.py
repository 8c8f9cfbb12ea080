"""Small requests that take long to answer: others do not notice."""

from __future__ import annotations

import threading
from pathlib import Path

import httpx2
import pytest

from tests.attacks.victim import Victim, Visitor, victim
from tests.server.study.test_position_jobs import question


def ask_for_much(house: Victim, threads: int, each: int) -> list[int]:
    """A line of moves spelled unusually, in a position with forty thousand of them."""
    asked = question(["b9"], line=5)
    statuses: list[int] = []

    def ask() -> None:
        with httpx2.Client(base_url=house.url, timeout=120) as client:
            statuses.extend(
                client.post("/api/games/qenj2/explain", json=asked).status_code
                for _ in range(each)
            )

    asking = [threading.Thread(target=ask) for _ in range(threads)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    return statuses


@pytest.mark.parametrize(("threads", "each"), [
    (3, 3), pytest.param(20, 30, marks=pytest.mark.exhaustive),
])
def test_one_request_does_not_freeze_the_house(threads: int, each: int, tmp_path: Path) -> None:
    with victim(tmp_path) as house, Visitor(house, pause=0.02) as visitor:
        visitor.wait_for(5)
        statuses = ask_for_much(house, threads, each)
        print({status: statuses.count(status) for status in set(statuses)}, visitor)
        assert set(statuses) <= {200, 422, 429}
        assert len(statuses) == threads * each
        # It was half a minute; a machine under test may be busy with much else.
        assert max(visitor.waits) < 8


def test_a_table_with_very_many_moves_does_not_freeze_the_house(tmp_path: Path) -> None:
    """The same in live play: the choices of such a position are worked out beside the loop."""
    with victim(tmp_path) as house, Visitor(house, pause=0.02) as visitor, \
            httpx2.Client(base_url=house.url, timeout=60) as client:
        order = {"game": "qenj2", "seats": [{"kind": "person"}] * 2,
                 "options": {"unstack": "free", "setup": "quick"}}
        made = client.post("/api/tables", json=order).json()
        table = f"/api/tables/{made['table']}"
        client.headers["authorization"] = f"Bearer {made['token']}"
        most = 0
        for _ in range(12):
            state = client.get(table).json()
            if state["outcome"]:
                break
            found = client.get(f"{table}/moves", params={"as": state["turn"]}).json()
            most = max(most, found["total"])
            assert len(found["moves"]) <= 1000
            move = found["moves"][len(found["moves"]) // 2]["text"]
            client.post(f"{table}/events", json={
                "do": "play", "seat": state["turn"], "id": f"m{state['n']}", "n": state["n"],
                "move": move,
            })
        print(most, "moves at most;", visitor)
        assert max(visitor.waits) < 8
