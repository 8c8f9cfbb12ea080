"""A notice is in the outbox exactly when its event is in the database, whenever the house dies."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.sizes import PATIENCE_SECONDS

WRITER = """
import asyncio, sys
from contextlib import suppress
from escale import game
from escale.game.fair_random import FairRandom
from escale.match.events import Said
from escale.match.match import Match, Player
from escale.store import Conflict, NewTable, OutboxRow, Store

async def main(path, n):
    store = Store(path)
    if n == 1:
        match = Match(game("tortuga").start(), players=[Player("A"), Player("B")],
                      fair_random=FairRandom("secret"))
        with suppress(Conflict):        # the one before was killed after this
            await store.create(NewTable("t", match.header, "secret"))
    print("open", flush=True)
    while True:
        await store.append("t", [Said(seat=0, text="x", n=n, at=n)],
                           notices=[OutboxRow("ana", n if n % 2 == 0 else None),
                                    OutboxRow("bo", n if n % 2 == 1 else None)])
        n += 1

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_no_notice_is_lost_or_doubled_by_a_kill(tmp_path: Path, kills: int) -> None:
    path, chance, events = tmp_path / "escale.db", random.Random(1), 0
    for kill in range(kills):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(events + 1)], stdout=subprocess.PIPE
        )
        assert writer.stdout is not None
        with writer.stdout as output:
            began = output.readline()
            time.sleep(chance.random() / 20)
            writer.kill()
            writer.wait(PATIENCE_SECONDS)
        assert began == b"open\n"
        with closing(sqlite3.connect(path)) as connection:
            [(events,)] = connection.execute("SELECT coalesce(max(n), 0) FROM events")
            notices = connection.execute("SELECT endpoint_id, n FROM outbox").fetchall()
        told = [] if not events else [("ana" if events % 2 == 0 else "bo", events)]
        assert notices == told, f"after kill {kill}, at event {events}"
    assert events >= kills
