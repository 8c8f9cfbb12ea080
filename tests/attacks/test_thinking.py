"""Very many computers at the tables of one address: those of another are not kept waiting."""

from __future__ import annotations

import time
from pathlib import Path

import httpx2
import pytest

from tests.attacks.victim import Victim, honest, victim


def fill_with_admirals(house: Victim, tables: int) -> None:
    """Six seats, five of them the strongest level, and one's own handed to it as well."""
    with httpx2.Client(base_url=house.url, timeout=60) as client:
        admiral = {"kind": "computer", "level": "amiral"}
        order = {"game": "canyon-1997", "seats": [{"kind": "person"}, *[admiral] * 5]}
        for number in range(tables):
            made = client.post("/api/tables", json=order).json()
            hand = {"do": "hand", "seat": 0, "id": f"h{number}", "level": "amiral"}
            client.post(f"/api/tables/{made['table']}/events", json=hand,
                        headers={"authorization": f"Bearer {made['token']}"})


def reply_times(house: Victim, moves: int) -> list[float]:
    """How long an honest player waits for each move of the quickest level."""
    waits = []
    with honest(house) as client:
        order = {"game": "tortuga", "options": {"first": "south"},
                 "seats": [{"kind": "person"}, {"kind": "computer", "level": "mousse"}]}
        made = client.post("/api/tables", json=order).json()
        client.headers["authorization"] = f"Bearer {made['token']}"
        table = f"/api/tables/{made['table']}"
        for number in range(moves):
            state = client.get(table).json()
            if state["outcome"]:
                break
            move = client.get(f"{table}/moves").json()["moves"][0]["text"]
            play = {"do": "play", "seat": 0, "id": f"m{number}", "n": state["n"], "move": move}
            began = time.perf_counter()
            n = client.post(f"{table}/events", json=play).json()["n"]
            while client.get(table).json()["turn"] == 1:
                n = client.get(f"{table}/events", params={"since": n, "wait": 20}).json()["n"]
            waits.append(time.perf_counter() - began)
    return waits


@pytest.mark.parametrize(("tables", "moves"), [
    (12, 4), pytest.param(60, 10, marks=pytest.mark.exhaustive),
])
def test_computers_of_one_address_do_not_keep_others_waiting(
    tables: int, moves: int, tmp_path: Path
) -> None:
    with victim(tmp_path) as house:
        reply_times(house, 1)                   # the worker has started
        fill_with_admirals(house, tables)
        waits = reply_times(house, moves)
        print("answers after", " ".join(f"{1000 * wait:.0f}" for wait in waits), "ms")
        assert sorted(waits)[len(waits) // 2] < 8           # they were dozens of seconds
