"""A house with very many tables: at rest, and when it opens.

    python -m bench idle-tables --tables 10000 --finished 20000

Opens tables with two live connections each, without players, and says what each takes of the
house's memory, and of its processor. Then the house is opened again: on an empty database, on this
one, and on one with so many tables besides that are over.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sqlite3
import tempfile
from contextlib import closing
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import escale
from bench.server import Player, Playing, cpu_seconds, measured_house

GAME = "canoe"
AT_REST = 20.0
"""Seconds for which nothing happens and the processor's time is taken."""
OTHER_FILES = 600
"""That a process needs besides its connections."""
OPENINGS = 5
"""How often the house is opened, to find the median."""


class Client:
    """Requests over one connection: thousands of short ones would use up all ports."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port)

    def post(self, path: str, body: object, token: str = "") -> Any:
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = f"Bearer {token}"
        self._connection.request("POST", path, json.dumps(body), headers)
        return json.load(self._connection.getresponse())


def resident(process: int) -> float:
    """Megabytes of memory that a process has in use."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("the system does not tell")


async def sit(client: Client, port: int, number: int) -> Playing:
    """A table with both its players; their connections come from several addresses."""
    order = {"game": GAME, "options": dict(escale.game(GAME).quick),
             "seats": [{"kind": "person"}, {"kind": "open"}]}
    made = client.post("/api/tables", order)
    sat = client.post(f"/api/tables/{made['table']}/seats/1", {})
    playing = Playing([], 1, [], asyncio.Event())
    for seat, token in enumerate((made["token"], sat["token"])):
        hello = json.dumps({"do": "hello", "token": token, "lang": "en", "lean": False})
        _, player = await asyncio.get_running_loop().create_connection(
            partial(Player, seat, playing, f"/api/tables/{made['table']}/live", hello.encode()),
            "127.0.0.1", port, local_addr=(f"127.0.0.{2 + number % 8}", 0),
        )
        playing.players.append(player)
        await player.ready
    return playing


async def at_rest(process: int, port: int, tables: int) -> None:
    client = Client(port)
    await sit(client, port, 0)                             # what everything needs once
    before, began = resident(process), perf_counter()
    sitting = [await sit(client, port, number) for number in range(tables)]
    seconds = perf_counter() - began
    await asyncio.sleep(2)
    used = resident(process) - before
    spent = cpu_seconds(process)
    await asyncio.sleep(AT_REST)
    now = cpu_seconds(process)
    assert spent is not None
    assert now is not None
    failed = [playing.failed for playing in sitting if playing.failed]
    print(f"{tables} tables, {2 * tables} live connections, opened in {seconds:.0f} s: "
          f"{used:.0f} MB more than the {before:.0f} MB before, "
          f"{1024 * used / tables:.1f} kB a table; at rest the house uses "
          f"{(now - spent) / AT_REST:.1%} of a processor; {len(failed)} failed.")


def add_finished(database: Path, tables: int) -> None:
    """Many copies of a match that is over."""
    with closing(sqlite3.connect(database)) as kept, kept:
        [(one,)] = kept.execute("SELECT id FROM tables WHERE over LIMIT 1")
        for name, key in (("tables", "id"), ("events", "table_id")):
            columns = [row[1] for row in kept.execute(f"PRAGMA table_info({name})")]
            taken = ", ".join("? || number" if column == key else column for column in columns)
            kept.execute(
                f"WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 "
                f"FROM numbers WHERE number < ?) INSERT INTO {name} ({', '.join(columns)}) "
                f"SELECT {taken} FROM {name}, numbers WHERE {key} = ?", (tables, "over", one),
            )


def finish_one(port: int, plies: int = 20) -> None:
    """Play some moves at a table, and resign."""
    client = Client(port)
    box = escale.game(GAME)
    made = client.post("/api/tables", {
        "game": GAME, "options": dict(box.quick), "seats": [{"kind": "person"}] * 2,
    })
    position = box.start_with(dict(box.quick))
    for number in range(plies + 1):
        move = position.moves()[0]
        action = {"do": "play", "move": move.text} if number < plies else {"do": "resign"}
        answer = client.post(
            f"/api/tables/{made['table']}/events",
            {**action, "seat": position.turn, "id": str(number), "n": 1 + number}, made["token"],
        )
        assert "code" not in answer, answer
        position = position.play(move)


def openings(database: Path) -> str:
    """How long the house takes from its start until it answers."""
    times = []
    for _ in range(OPENINGS):
        began = perf_counter()
        with measured_house(str(database), 1) as (process, port):
            Client(port).post("/api/tables", {})
            times.append(perf_counter() - began)
            sleep(1)
            memory = resident(process)
    return f"{sorted(times)[OPENINGS // 2]:.2f} s, {memory:.0f} MB"


def main(tables: int = 10_000, finished: int = 20_000) -> None:
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))   # the house inherits it
    most = (files - OTHER_FILES) // 2
    if most < tables:
        tables = most
        print(f"The system allows {files} open files: {tables} tables instead.")
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "house.sqlite3"
        print(f"Opened on an empty database: {openings(database)}.")
        with measured_house(str(database), 1) as (process, port):
            finish_one(port)
            asyncio.run(at_rest(process, port, tables))
        print(f"Opened on {tables} tables that are not over: {openings(database)}.")
        add_finished(database, finished)
        print(f"Opened on {finished} more that are over: {openings(database)}.")
