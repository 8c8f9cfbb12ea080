"""A house that opens on many stored tables.

    python -m tests.attacks.recovery 20000

fills a database with so many tables, half of them over, and says what it takes to open the house
and to wake what is due.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import escale
from escale.game.fair_random import FairRandom
from escale.match.clock import Pace
from escale.match.events import as_json
from escale.match.match import Match, Player
from escale.server.settings import Settings
from escale.server.tables.due import due
from escale.server.tables.house import House
from escale.store import Store

NOW = 1_800_000_000_000
CLOCKED, THINKING = 50, 20
"""How many tables wait for a clock, and how many for the computer."""


def played(game: str, *, plies: int, over: bool, pace: Pace | None, level: str | None) -> Match:
    """A match some moves after its beginning."""
    players = [Player("Ana"), Player("Bo")]
    match = Match(escale.game(game).start(), players=players, fair_random=FairRandom("deep"),
                  pace=pace)
    match.draw_chance(at=NOW)
    for _ in range(plies):
        if match.turn is not None:
            match.play(match.turn, match.position.moves()[0], at=NOW)
            match.draw_chance(at=NOW)
    if over and match.outcome is None:
        match.resign(0, at=NOW)
    elif level is not None and match.turn is not None:
        match.sit(match.turn, Player("", level), at=NOW)
    return match


def fill(database: Path, tables: int) -> None:
    """So many tables, half of them over; of the others some have a clock or a computer's turn."""
    Store(str(database)).close()
    kinds = {
        "over": [played(game, plies=30, over=True, pace=None, level=None)
                 for game in ("canoe", "tortuga", "canyon-1972")],
        "quiet": [played(game, plies=20, over=False, pace=None, level=None)
                  for game in ("canoe", "canyon-1972")],
        "clocked": [played("canoe", plies=20, over=False, pace=Pace.live(3600, 5), level=None)],
        "thinking": [played("canyon-1972", plies=5, over=False, pace=None, level="mousse")],
    }
    with closing(sqlite3.connect(database)) as kept, kept:
        for number in range(tables):
            kind = (
                "clocked" if number < CLOCKED else "thinking" if number < CLOCKED + THINKING
                else "over" if number % 2 else "quiet"
            )
            match = kinds[kind][number % len(kinds[kind])]
            name = f"table{number}"
            kept.execute(
                "INSERT INTO tables (id, header, secret, public, over, created, due) "
                "VALUES (?, ?, 'deep', 0, ?, ?, ?)",
                (name, json.dumps(as_json(match.header)), match.ended, NOW, due(match, NOW)),
            )
            kept.executemany(
                "INSERT INTO events (table_id, n, at, entry) VALUES (?, ?, ?, ?)",
                [(name, event.n, NOW, json.dumps(as_json(event))) for event in match.events],
            )


def memory() -> int:
    """Resident bytes of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


async def opened(database: Path) -> dict[str, float]:
    """Open a house there and wait until all is awake that has to be."""
    before, cpu, began = memory(), time.process_time(), time.perf_counter()
    house = House(Settings(database=str(database), workers=1))
    await house.open()
    opening = time.perf_counter() - began
    while len(house.tables) < CLOCKED + THINKING:
        await asyncio.sleep(0.01)
    found = {
        "seconds to open": opening, "seconds until all is awake": time.perf_counter() - began,
        "processor seconds": time.process_time() - cpu,
        "megabytes": (memory() - before) / 1e6, "tables in memory": len(house.tables),
    }
    await house.close()
    return found


def report(database: Path) -> dict[str, float]:
    """What a process of its own finds."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.attacks.recovery", str(database)],
        capture_output=True, text=True, timeout=600, check=True, env=dict(os.environ),
    )
    found: dict[str, float] = json.loads(ran.stdout)
    return found


if __name__ == "__main__":
    if sys.argv[1].isdigit():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "house.sqlite3"
            fill(path, int(sys.argv[1]))
            for what, amount in report(path).items():
                print(f"{amount:8.2f} {what}")
    else:
        print(json.dumps(asyncio.run(opened(Path(sys.argv[1])))))
