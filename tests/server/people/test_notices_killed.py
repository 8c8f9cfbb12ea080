"""A house that is killed with signal 9 between an event and its notice loses and doubles none."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from tests.server.people.test_notices import Sink
from tests.sizes import PATIENCE_SECONDS

HOUSE = """
import asyncio, sys, time
from escale.match.events import Play
from escale.server.people.notebooks import Notebooks
from escale.server.settings import Settings
from escale.server.tables.house import House
from escale.server.tables.orders import OpenSeat, Order, PersonSeat, Sitting
from escale.store.records import Endpoint

async def main(path, address, ahead, turns):
    settings = Settings(database=f"sqlite:///{path}", workers=1, notices_anywhere=True)
    house = House(settings, now=lambda: time.time_ns() // 1_000_000 + ahead)
    notebooks = Notebooks(house)
    await notebooks.open()
    await house.open()
    service = notebooks.notice_service
    service._gather = 0
    if not service._endpoints:
        own, _ = await notebooks.create("ana", "en")
        await service._store.add(Endpoint("ana", own.id, "hook", address, 0))
        await service.learn()
    own = await notebooks.by_id(service._endpoints and next(iter(service._endpoints)))
    print("open", flush=True)
    while True:
        while await service._store.waiting(house.now() + 10**9):
            await service.send_waiting()
        if turns == 0:
            print("done", flush=True)
            return await house.close()
        turns -= 1
        held, _ = await notebooks.tables(own, over=False)
        if not held:
            order = Order(game="tortuga", seats=[PersonSeat("Ana"), OpenSeat()],
                          options={"first": "south"})
            created = await house.create(order)
            table = await house.table(created.table)
            await notebooks.keep(own, table, created.token)
            await table.sit(1, Sitting("Bo"), "seat of bo")
            print("turn", flush=True)
            continue
        table = await house.table(held[0].id)
        for _ in range(2):
            if table.match.outcome is None and table.match.choosing:
                [seat] = table.match.choosing
                n = len(table.match.events)
                move = table.match.position.moves()[0].text
                await table.do(Play(id=f"p{n}", seat=seat, n=n, move=move), (seat,))
                if seat == 1:
                    print("turn", flush=True)
                    break

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
"""
A_QUARTER_OF_AN_HOUR = 900_000
"""Longer than a message of a killed house is kept from being sent again."""


def expected(path: Path) -> set[str]:
    """The names of the notices of all turns of Ana, by the events."""
    names = set()
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT table_id, n, entry FROM events ORDER BY table_id, n")
        for table, n, entry in rows:
            if '"do":"begin"' in entry or ('"do":"play"' in entry and '"seat":1' in entry):
                over = connection.execute(
                    "SELECT 1 FROM events WHERE table_id = ? AND n = ? AND entry LIKE "
                    "'%\"do\":\"end\"%'", (table, n + 1)
                ).fetchone()
                if over is None:
                    names.add(sha256(msgspec.json.encode(["ana", [(table, n)]])).hexdigest()[:32])
    return names


@pytest.mark.parametrize("kills", [4, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_none_is_lost_or_doubled(tmp_path: Path, kills: int) -> None:
    path, chance, sink = tmp_path / "escale.db", random.Random(1), Sink()
    for kill in range(kills + 1):
        last = kill == kills
        house = subprocess.Popen(
            [sys.executable, "-c", HOUSE, str(path), sink.address,
             str(kill * A_QUARTER_OF_AN_HOUR), "3" if last else "-1"],
            stdout=subprocess.PIPE,
        )
        assert house.stdout is not None
        with house.stdout as output:
            assert output.readline() == b"open\n"
            if last:
                assert output.read().endswith(b"done\n")
            else:
                assert output.readline() == b"turn\n"
                time.sleep(chance.random() / 30)    # before, while, or after it is sent
                house.kill()
            house.wait(PATIENCE_SECONDS)
    got = [message["id"] for message in sink.got]
    assert set(got) == expected(path)
    assert len(got) - len(set(got)) <= kills        # killed after sending: again, by the same name
    assert len(set(got)) > kills / 2
    sink.close()
