"""Several processes on one PostgreSQL: killed, cut off, and asked through a real proxy."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

import escale
from escale.server.cluster.news import POLL_SECONDS
from escale.server.edge.problems import Problem
from escale.server.settings import Settings
from escale.server.tables.house import House
from escale.server.tables.orders import Order, Sitting
from escale.store import StoreError
from escale.store.backup import back_up
from escale.store.database import database_url
from tests.attacks.histories import TABLES, History, Lost, Refused, events_of, gather, judge, kept
from tests.attacks.house_process import free_port
from tests.attacks.proxied import Proxied, caddy
from tests.attacks.relay import relay_to
from tests.server.cluster.test_two_processes import action, at, cluster, houses, until
from tests.sizes import PATIENCE_SECONDS

TAKEOVER = 5.0
"""Seconds in which another process goes on with what a dead one did …"""
SLACK = PATIENCE_SECONDS
"""… and what a busy machine may need in addition: to start a process that thinks, to answer."""


async def persist(question: Any, *about: Any, **more: Any) -> dict[str, Any]:
    """Ask until there is an answer."""
    while True:
        try:
            found: dict[str, Any] = await question(*about, **more)
            return found
        except Refused as no:
            if no.code not in ("unavailable", "stale", "not-your-turn", "over"):
                raise
            if no.code != "unavailable":
                return {}
        except Lost:
            pass
        await asyncio.sleep(0.02)


async def against_the_computer(house: Proxied, done: asyncio.Event) -> list[float]:
    """A player against a computer, one game after another; returns how long moves took."""
    waits: list[float] = []
    number = itertools.count()
    while not done.is_set():
        made = await persist(house.create, {
            "game": "tortuga", "id": f"{house.random.getrandbits(100):032x}",
            "seats": [{"kind": "person"}, {"kind": "computer", "level": "mousse"}],
        })
        table, token = made["table"], made["token"]
        since = time.monotonic()
        while not done.is_set():
            state = await persist(house.state, table, token)
            if state["outcome"] is not None:
                break
            if state["turn"] != 0:
                assert house.waited(since) < TAKEOVER + SLACK, "the computer does not go on"
                await asyncio.sleep(0.02)
                continue
            waits.append(house.waited(since))
            moves = await persist(
                house.ask, "GET", f"/{table}/moves",
                headers={"authorization": f"Bearer {token}"},
            )
            if moves["moves"] and moves["turn"] == 0:
                play = {"do": "play", "seat": 0, "id": f"p{next(number)}", "n": moves["n"],
                        "move": moves["moves"][0]["text"]}
                await persist(house.act, table, token, play)
            since = time.monotonic()
    return waits


async def against_the_clock(house: Proxied, done: asyncio.Event) -> list[float]:
    """Games in which a player's time runs out; returns how late that was noticed."""
    late: list[float] = []
    while not done.is_set():
        made = await persist(house.create, {
            "game": "tortuga", "options": {"first": "south"},
            "clock": {"initial": 1, "increment": 0},
            "id": f"{house.random.getrandbits(100):032x}",
            "seats": [{"kind": "person"}, {"kind": "person"}],
        })
        table, token = made["table"], made["token"]
        state = await persist(house.state, table, token)
        first = escale.game("tortuga").start(first="south").moves()[0].text
        play = {"do": "play", "seat": 0, "id": "first", "n": state["n"], "move": first}
        await persist(house.act, table, token, play)
        began = time.monotonic()
        while (await persist(house.state, table, token))["outcome"] is None:
            assert house.waited(began + 1) < TAKEOVER + SLACK, "nobody looks at the clock"
            await asyncio.sleep(0.05)
        late.append(max(0.0, house.waited(began + 1)))
    return late


@pytest.mark.parametrize("kills", [3, pytest.param(100, marks=pytest.mark.exhaustive)])
def test_either_process_may_be_killed_under_play(
    folder: Path, postgres_database: str, kills: int
) -> None:
    ports = free_port(), free_port()

    async def under_fire(proxy: int) -> tuple[int, list[float], list[float]]:
        house = Proxied(postgres_database, proxy, ports, random)
        try:
            return await play_on(house)
        finally:
            await house.end()

    async def play_on(house: Proxied) -> tuple[int, list[float], list[float]]:
        await house.open()
        done = asyncio.Event()
        thinking = asyncio.ensure_future(against_the_computer(house, done))
        flagging = asyncio.ensure_future(against_the_clock(house, done))
        histories: list[History] = []
        while house.kills < kills:
            tables = asyncio.gather(*(
                gather(house, Random(random.random()), moments) for _ in range(TABLES // 2)
            ))
            while not tables.done():
                watched: list[asyncio.Future[Any]] = [tables, thinking, flagging]
                await asyncio.wait(watched, timeout=random.uniform(0.3, 3),
                                   return_when=asyncio.FIRST_EXCEPTION)
                for task in (thinking, flagging):
                    if task.done():
                        task.result()
                await house.kill()
                await house.open()
            histories += await tables
        done.set()
        waits, late = await asyncio.gather(thinking, flagging)
        await house.close()
        [(others,)] = kept(
            postgres_database, "SELECT count(*) FROM tables WHERE header LIKE ? OR header LIKE ?",
            '%"level":"mousse"%', '%"clock":{%',
        )
        judge(postgres_database, histories, others)
        acknowledged = sum(
            asked.answered is not None and asked.code is None
            for history in histories for asked in history.asked
        )
        print(f"{house.kills} kills, {acknowledged} acknowledged")
        return acknowledged, waits, late

    random, moments = Random(kills), itertools.count()
    with caddy(folder, *ports) as proxy:
        acknowledged, waits, late = asyncio.run(under_fire(proxy))
    assert acknowledged > 20 * kills
    print(f"the computer answered {len(waits)} times, after {max(waits):.1f} s at most; "
          f"{len(late)} flags fell, {max(late):.1f} s late at most")
    assert len(waits) > kills / 2
    assert len(late) > kills / 10


# ---- cut off from the database ----


def through(database: str, port: int) -> str:
    """The same database, over a relay at a port."""
    name = urlsplit(database).path.strip("/")
    return f"postgresql://escale@127.0.0.1:{port}/{name}"


@pytest.mark.parametrize("way", ["hang", "cut"])
def test_a_process_that_is_cut_off_says_so_and_comes_back(
    postgres_database: str, way: str
) -> None:
    [folder] = parse_qs(urlsplit(postgres_database).query)["host"]

    async def told(question: Any) -> str:
        """The answer to a request while nothing comes through."""
        with pytest.raises((Problem, StoreError)) as caught:
            async with asyncio.timeout(20):
                await question
        problem = Problem.of(caught.value)
        assert problem.code == "unavailable"
        return problem.message("fr")

    async def test() -> None:
        with relay_to(f"{folder}/.s.PGSQL.5432") as (relay, port):
            cut_off = House(Settings(database=through(postgres_database, port), workers=1))
            async with houses(postgres_database, 1) as (well,):
                await cut_off.open()
                await until(lambda: len(cluster(well).alive) == 2)
                made = await cut_off.create(msgspec.convert({
                    "game": "tortuga", "options": {"first": "south"},
                    "seats": [{"kind": "person"}, {"kind": "open"}],
                }, Order))
                token = "a-token-that-nobody-guesses"
                await (await at(well, made.table)).sit(1, Sitting("Bo"), token)
                here = await at(cut_off, made.table)
                said = [await here.do(action(0, "say", id=f"s{n}", text="a"), (0,))
                        for n in range(3)]
                relay.hang()
                if way == "cut":
                    relay.cut()
                began = time.monotonic()
                takeover = asyncio.create_task(
                    until(lambda: len(cluster(well).alive) == 1)
                )
                sentence = await told(here.do(action(0, "say", id="lost", text="b"), (0,)))
                print(f"{way}: told after {time.monotonic() - began:.1f} s")
                assert sentence == Problem("unavailable").message("fr")
                # From now on no request waits, and the other process goes on alone within seconds.
                await until(lambda: cut_off.store._writer.unreachable)
                later = time.monotonic()
                await told(at(cut_off, made.table))
                print(f"then after {time.monotonic() - later:.1f} s")
                took = await takeover
                print(f"the other has taken over after {took:.1f} s")
                assert took < TAKEOVER + SLACK
                there = await at(well, made.table)
                said += [await there.do(action(1, "say", id=f"t{n}", text="c"), (1,))
                         for n in range(3)]
                relay.heal()
                if way == "hang":
                    relay.cut()                     # what was sent into the void stays there
                healed = await until(lambda: not cut_off.store._writer.unreachable)
                print(f"back after {healed:.1f} s")
                await until(lambda: len(cluster(well).alive) == 2)
                again = await at(cut_off, made.table)
                done = await again.do(action(0, "say", id="lost", text="b"), (0,))
                _, events = events_of(postgres_database, made.table)
                assert [event["n"] for event in events if event["do"] == "say"] == sorted(
                    {*said, done}
                )
                assert len(again.match.events) == len(events)
                await cut_off.close()

    asyncio.run(test())


# ---- `escale serve --processes` ----


class Served:
    """A house in several processes, as a host starts it."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port = process, port
        self.url = f"http://127.0.0.1:{port}"

    def children(self) -> list[int]:
        """The processes that serve."""
        found = []
        for task in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(task.read_text().rpartition(")")[2].split()[1])
                command = (task.parent / "cmdline").read_text()
            except OSError:
                continue
            if parent == self.process.pid and "spawn_main" in command:
                found.append(int(task.parent.name))
        return sorted(found)


@contextmanager
def served(database: str, *options: str, errors: Any = None) -> Iterator[Served]:
    with subprocess.Popen(
        [sys.executable, "-m", "escale", "serve", "--no-browser", "--port", "0", "--lang", "en",
         "--trusted-proxy", "127.0.0.1", "--database", database, *options],
        stdout=subprocess.PIPE, stderr=errors, text=True,
    ) as process:
        try:
            assert process.stdout
            found = re.search(r"http://[^:]+:(\d+)/", process.stdout.readline())
            assert found
            yield Served(process, int(found[1]))
        finally:
            process.kill()


@contextmanager
def greet(url: str, table: str, token: str, process: str) -> Iterator[ClientConnection]:
    """A player at a table, through the process of that name."""
    with connect(f"{url.replace('http', 'ws')}/api/tables/{table}/live",
                 additional_headers={"X-Process": process}, max_size=None) as socket:
        socket.send(json.dumps({"do": "hello", "token": token, "lean": True}))
        yield socket


def hear(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(socket.recv(PATIENCE_SECONDS))
        if message["type"] == kind:
            return message


@pytest.mark.skipif(sys.platform != "linux", reason="LINUX IS NEEDED to find the processes")
def test_a_house_in_two_processes(folder: Path, postgres_database: str) -> None:
    """Two players on different processes through a proxy; a child that dies; closing."""
    with served(postgres_database, "--processes", "2") as two, \
            served(postgres_database) as third, caddy(folder, two.port, third.port) as proxy:
        url = f"http://127.0.0.1:{proxy}"
        client = httpx2.Client(base_url=url, timeout=PATIENCE_SECONDS)
        for _ in range(100):
            try:
                client.get("/api/games")
                break
            except httpx2.TransportError:
                time.sleep(0.05)
        made = client.post("/api/tables", json={
            "game": "tortuga", "options": {"first": "south"},
            "seats": [{"kind": "person"}, {"kind": "open"}],
        }).json()
        sat = client.post(f"/api/tables/{made['table']}/seats/1", json={}).json()
        position, delays = escale.game("tortuga").start(first="south"), []
        with greet(url, made["table"], made["token"], "one") as ana, \
                greet(url, made["table"], sat["token"], "two") as bo:
            for socket in (ana, bo):
                hear(socket, "state")
            for turn in range(30):
                move = position.moves()[0]
                mover, other = (ana, bo) if turn % 2 == 0 else (bo, ana)
                began = time.perf_counter()
                mover.send(json.dumps({"do": "play", "seat": turn % 2, "id": f"m{turn}",
                                       "n": 2 + turn, "move": move.text}))
                while hear(other, "events")["n"] < 3 + turn:
                    pass
                delays.append(time.perf_counter() - began)
                position = position.play(move)
        delays.sort()
        print(f"from one process to another: median {1000 * delays[15]:.1f} ms, "
              f"longest {1000 * delays[-1]:.1f} ms")
        assert delays[15] < POLL_SECONDS / 5        # by notices, not by looking
        before = two.children()
        assert len(before) == 2
        os.kill(before[0], signal.SIGKILL)
        for _ in range(400):
            after = two.children()
            if len(after) == 2 and before[0] not in after:
                break
            time.sleep(0.05)
        assert before[1] in after
        assert len(after) == 2
        state = client.get(f"/api/tables/{made['table']}", headers={"X-Process": "one"}).json()
        assert state["n"] == 32
        client.close()
        two.process.terminate()
        out, _ = two.process.communicate(timeout=PATIENCE_SECONDS)
        assert two.process.returncode == 0
        assert "The house is closed" in out
        assert two.children() == []


def test_a_file_serves_one_process(tmp_path: Path) -> None:
    for lang, sentence in (("fr", "Plusieurs processus"), ("en", "Several processes")):
        ran = subprocess.run(
            [sys.executable, "-m", "escale", "serve", "--processes", "2", "--no-browser", "--port",
             "0", "--database", str(tmp_path / "house.sqlite3"), "--lang", lang],
            capture_output=True, text=True, timeout=60,
        )
        assert ran.returncode == 2
        assert ran.stderr.startswith(f"escale: {sentence}")


@pytest.mark.skipif(sys.platform != "linux", reason="LINUX IS NEEDED to find the processes")
def test_a_host_of_several_processes(
    tmp_path: Path, postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """systemd is told once by the parent; each child is ready, has figures and says who it is."""
    notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notified.bind(str(tmp_path / "notify"))
    notified.settimeout(60)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    log, first = tmp_path / "log", free_ports_in_a_row()
    options = ("--processes", "2", "--log-json", "--access-log", "--metrics-port", str(first))
    with closing(notified), log.open("w") as errors, \
            served(postgres_database, *options, errors=errors) as house:
        assert notified.recv(100) == b"READY=1"         # and so each of them answers
        children = house.children()
        figures = [
            httpx2.get(f"http://127.0.0.1:{first + place}/metrics", timeout=PATIENCE_SECONDS).text
            for place in range(2)
        ]
        assert all("escale_tables 0.0" in text for text in figures)
        seen: set[int] = set()
        until = time.monotonic() + PATIENCE_SECONDS
        while seen != set(children):                    # which child answers, the system decides
            assert time.monotonic() < until
            ready = httpx2.get(f"{house.url}/readyz", timeout=PATIENCE_SECONDS)
            assert set(ready.json()["checks"]) == {"store", "thinker"}
            if ready.status_code == 200:
                seen |= {line["process"] for line in map(json.loads, log.read_text().splitlines())
                         if line.get("status") == 200}
        made = httpx2.post(f"{house.url}/api/tables", timeout=PATIENCE_SECONDS, json={
            "game": "tortuga", "seats": [{"kind": "person"}, {"kind": "open"}]}).json()
        report = back_up(database_url(postgres_database), tmp_path / "house.backup")
        assert (report.tables, report.sound) == (1, True)
        assert made["table"]
        house.process.terminate()
        house.process.communicate(timeout=PATIENCE_SECONDS)
        assert house.process.returncode == 0
        assert notified.recv(100) == b"STOPPING=1"
        notified.setblocking(False)
        with pytest.raises(BlockingIOError):            # no other client has said anything
            notified.recv(100)


def free_ports_in_a_row() -> int:
    """The first of two free ports."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port: int = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port


def test_options_that_cannot_be_are_said_once_before_any_child_starts(
    postgres_database: str
) -> None:
    for options, token, sentence in (
        ((), "short", "16 letters or more"),
        (("--metrics-port", "65535"), "", "cannot listen for Prometheus on 127.0.0.1, port 65536"),
    ):
        ran = subprocess.run(
            [sys.executable, "-m", "escale", "serve", "--processes", "2", "--no-browser", "--port",
             "0", "--database", postgres_database, *options], capture_output=True, text=True,
            timeout=60, env={**os.environ, "ESCALE_ADMIN_TOKEN": token},
        )
        assert (ran.returncode, ran.stderr.count("\n")) == (2, 1), ran.stderr
        assert sentence in ran.stderr
