"""The house is killed at any moment, again and again: nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from escale.match.events import as_json
from escale.match.match import Match
from tests.server.hosting import OPEN, person
from tests.sizes import PATIENCE_SECONDS, sized

KILLS = sized(2, 8, 2)
TABLES = 4
COMPUTERS = 2


class House:
    """The command itself, in its own process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def open(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "escale", "serve", "--no-browser", "--port", str(self.port),
             "--lang", "en"],
            stdout=subprocess.PIPE, text=True,
            env={**os.environ, "ESCALE_DATABASE": str(self.folder / "house.sqlite3"),
                 "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, line
        self.port = int(found[1])

    def kill(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()

    def close(self) -> str:
        assert self.process
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=PATIENCE_SECONDS)
        assert self.process.returncode == 0
        return said

    def client(self) -> httpx2.Client:
        return httpx2.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE_SECONDS)


class Bot:
    """Plays one seat by live connection, comes back when it is cut off, and takes notes."""

    def __init__(self, house: House, table: str, token: str, seat: int) -> None:
        self.house, self.table, self.token, self.seat = house, table, token, seat
        self.acknowledged: dict[int, str] = {}
        self.heard: dict[int, dict[str, Any]] = {}
        self.number = 0
        self.unanswered: dict[str, Any] | None = None

    async def run(self) -> None:
        while True:
            try:
                address = f"ws://127.0.0.1:{self.house.port}/api/tables/{self.table}/live"
                async with connect(address, max_size=None) as socket:
                    await self.talk(socket)
            except (OSError, WebSocketException, InvalidHandshake, EOFError):
                await asyncio.sleep(0.02)

    async def talk(self, socket: Any) -> None:
        hello = {"do": "hello", "token": self.token, "since": max(self.heard, default=0)}
        await socket.send(json.dumps(hello))
        choices: Any = None
        n = 0
        if self.unanswered is not None:         # the house knows whether it was done
            await socket.send(json.dumps(self.unanswered))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "events":
                for item in message["events"]:
                    known = self.heard.setdefault(item["n"], item)
                    assert known["do"] == item["do"]
                    assert known.get("move") == item.get("move")
                n = message["n"]
                choices = message["state"].get("choices", choices)
            elif message["type"] == "done":
                assert self.unanswered is not None
                self.acknowledged[message["n"]] = self.unanswered["move"]
                self.unanswered = None
            elif message["type"] == "refused":
                assert message["code"] in ("stale", "not-your-turn", "over"), message
                self.unanswered = None
                n = message["state"]["n"] if "state" in message else n
                choices = message["state"]["choices"] if "state" in message else None
            if choices and self.unanswered is None:
                tree, path = choices, []
                while isinstance(tree, dict):
                    atom, tree = random.choice(list(tree.items()))
                    path.append(atom)
                told = tree[0] if isinstance(tree, list) else tree
                self.number += 1
                self.unanswered = {"do": "play", "seat": self.seat, "id": f"m{self.number}",
                                   "n": n, "move": "-".join(path) if told == 1 else told}
                choices = None
                await asyncio.sleep(0.01)
                await socket.send(json.dumps(self.unanswered))


def set_up(house: House) -> list[Bot]:
    bots = []
    with house.client() as client:
        for number in range(TABLES + COMPUTERS):
            other = OPEN if number < TABLES else {"kind": "computer", "level": "mousse"}
            clock = {"initial": 3600, "increment": 5} if number % 2 else None
            order = {"game": "canyon-1972", "seats": [person(), other], "clock": clock}
            made = client.post("/api/tables", json=order).json()
            bots.append(Bot(house, made["table"], made["token"], 0))
            if other is OPEN:
                sat = client.post(f"/api/tables/{made['table']}/seats/1", json={}).json()
                bots.append(Bot(house, made["table"], sat["token"], 1))
    return bots


async def play_and_kill(house: House, bots: list[Bot]) -> None:
    tasks = [asyncio.create_task(bot.run()) for bot in bots]
    try:
        for kill in range(KILLS):
            had = sum(len(bot.acknowledged) for bot in bots)
            until = time.monotonic() + PATIENCE_SECONDS
            while sum(len(bot.acknowledged) for bot in bots) < had + 20:
                assert time.monotonic() < until, f"nobody plays after kill {kill}"
                assert not any(task.done() for task in tasks), [
                    task.exception() for task in tasks if task.done()
                ]
                await asyncio.sleep(random.uniform(0, 0.03))
            house.kill()
            await asyncio.to_thread(house.open)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def test_killing_the_house_loses_nothing(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.open()
    try:
        bots = set_up(house)
        asyncio.run(play_and_kill(house, bots))
        with house.client() as client:
            for bot in bots:
                path = f"/api/tables/{bot.table}"
                match = Match.replay(client.get(f"{path}/transcript").text)   # no broken table
                events = {event.n: as_json(event) for event in match.events}
                assert bot.acknowledged
                for n, move in bot.acknowledged.items():
                    assert (events[n]["move"], events[n]["seat"]) == (move, bot.seat)
                for n, item in bot.heard.items():                # nor was anything told in vain
                    assert events[n]["do"] == item["do"]
                    assert events[n].get("move") == item.get("move")
                names = [event.id for event in match.events if event.id is not None]
                assert len(names) == len(set(names))
            # Computers go on without visitors, and clocks do not count the time that was lost.
            for bot in [bot for bot in bots if bot.seat == 0][TABLES:]:
                until = time.monotonic() + PATIENCE_SECONDS
                headers = {"authorization": f"Bearer {bot.token}"}
                while True:
                    state = client.get(f"/api/tables/{bot.table}", headers=headers).json()
                    if state["turn"] in (0, None):
                        break
                    assert time.monotonic() < until, "the computer does not play on"
                    time.sleep(0.05)
            clocked = client.get(f"/api/tables/{bots[2].table}/transcript").text
            assert '"reopen"' in clocked
        assert "saved" in house.close()
    finally:
        if house.process and house.process.poll() is None:
            house.kill()
