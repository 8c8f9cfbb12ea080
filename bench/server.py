"""How many tables the house can hold, and how fast a move is delivered.

The house runs in its own process, as usual, with durable writes. All players are in this process,
with two live connections for each table. Their moves are computed in advance, and their WebSocket
code is minimal: they share the machine with the house and should take little time from it.
"""

from __future__ import annotations

import asyncio
import base64
import gc
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import perf_counter

import escale
from escale.game.errors import EscaleError

GAMES = 20
"""Different games; several tables play the same one."""
MOST_MOVES = 600
"""The most moves of a game that are computed."""
CLOCK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
TEXT, PING, PONG = 1, 9, 10
"""Kinds of frames."""
_NEWS = re.compile(rb'\{"type":"events","n":(\d+),')


class NoHouse(EscaleError):
    """The house to be measured did not open."""


@dataclass(frozen=True, slots=True)
class Load:
    """What the house was asked to do, and how fast it was."""

    game: str
    tables: int
    think: float
    scenes: bool
    processes: int
    """How many the house has."""
    seconds: float
    moves: int
    p50: float
    """Milliseconds from sending a move to its arrival at the opponent: the median …"""
    p99: float
    """… and the 99th percentile."""
    bytes: float
    """Sent by the house for each move to each of the two players."""
    cores: float | None
    """Processors that the house used, if the system tells."""
    busy: float | None
    """The load average of the machine over the last minute."""

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.moves / self.seconds

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {**asdict(self), "rate": round(self.rate, 1)}


def game_lines(slug: str) -> list[list[str]]:
    """Moves of random games."""
    chance = random.Random(1)
    box = escale.game(slug)
    lines: list[list[str]] = []
    for _ in range(GAMES):
        position = box.start_with(box.quick)
        line: list[str] = []
        while position.turn is not None and len(line) < MOST_MOVES:
            if position.turn == escale.CHANCE:
                raise NoHouse(
                    f"{box.title} leaves something to chance: choose another game, or other options"
                )
            move = chance.choice(position.moves())
            line.append(move.text)
            position = position.play(move)
        lines.append(line)
    return lines


class Player(asyncio.Protocol):
    """One live connection, and one seat."""

    def __init__(self, seat: int, table: Playing, path: str, hello: bytes) -> None:
        self.seat, self.table = seat, table
        self.ready = asyncio.get_running_loop().create_future()
        self._path, self._hello = path, hello
        self._read = bytearray()
        self._open = False
        self._closing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Split what has arrived into messages."""
        read = self._read
        read += data
        if not self._open:
            end = read.find(b"\r\n\r\n")
            if end < 0:
                return
            if b" 101 " not in read[:20]:
                self.ready.set_exception(NoHouse(f"no connection: {bytes(read[:80])!r}"))
                return
            del read[: end + 4]
            self._open = True
            self.send(self._hello)
        while len(read) >= 2:
            size, start = read[1] & 127, 2
            if size == 126:
                size, start = struct.unpack_from(">H", read, 2)[0] if len(read) > 3 else 1 << 40, 4
            elif size == 127:
                size, start = struct.unpack_from(">Q", read, 2)[0] if len(read) > 9 else 1 << 40, 10
            if len(read) < start + size:
                return
            self.table.bytes += start + size
            kind, message = read[0] & 15, bytes(read[start: start + size])
            del read[: start + size]
            if kind == PING:                # without an answer the house closes the connection
                self.send(message, PONG)
            elif kind == TEXT:
                self._received(message)

    def _received(self, message: bytes) -> None:
        found = _NEWS.match(message)
        if found:
            self.table.received(self.seat, int(found[1]))
        elif not self.ready.done():
            self.ready.set_result(None)
        elif message.startswith(b'{"type":"refused"'):
            self.table.failed = message

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        """Send a text; masked, as clients must, with a mask of zeros."""
        first, size = 0x80 | kind, len(payload)
        head = bytes([first, 0x80 | size]) if size < 126 else struct.pack(">BBH", first, 0xFE, size)
        self._transport.write(head + b"\0\0\0\0" + payload)

    def connection_lost(self, error: Exception | None) -> None:
        """The house has closed the connection."""
        if not self.ready.done():
            self.ready.set_exception(NoHouse("the house closed the connection"))
        elif not self._closing:
            self.table.failed = b"the house closed a connection"

    def close(self) -> None:
        """Close the connection."""
        self._closing = True
        self._transport.close()


class Playing:
    """One table: two players who move in turn."""

    def __init__(
        self, line: list[str], think: float, times: list[float], over: asyncio.Event
    ) -> None:
        """`over` is set when the game has no more moves."""
        self.line = line
        self.think = think
        self.times = times
        self.players: list[Player] = []
        self.failed: bytes | None = None
        self.first = 0
        self.bytes = 0
        """What both players have received."""
        self.going = True
        self._over = over
        self._done = 0
        self._sent = 0.0

    def move(self) -> None:
        """The player to move plays the next move."""
        if self._done >= len(self.line):
            self._over.set()
        elif self.going:
            self._send_move()

    def _send_move(self) -> None:
        text = self.line[self._done]
        seat = self._done % 2
        action = (f'{{"do":"play","seat":{seat},"id":"{self._done}",'
                  f'"n":{self.first + self._done},"move":"{text}"}}')
        self._sent = perf_counter()
        self.players[seat].send(action.encode())

    def received(self, seat: int, n: int) -> None:
        """A move has arrived; the player who did not make it thinks, then replies."""
        if n != self.first + self._done + 1 or seat == self._done % 2:
            return
        self.times.append(perf_counter() - self._sent)
        self._done += 1
        if self.think:
            asyncio.get_running_loop().call_later(self.think, self.move)
        else:
            self.move()


@contextmanager
def measured_house(database: str, processes: int) -> Iterator[tuple[int, int]]:
    """A house started for the measurement: its process id and its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "escale", "serve", "--no-browser", "--no-limits", "--port", "0",
         "--database", database, "--processes", str(processes), "--lang", "en"],
        stdout=subprocess.PIPE, text=True,
    )
    try:
        assert process.stdout
        found = re.search(r"http://[^:]+:(\d+)/", process.stdout.readline())
        if found is None:
            raise NoHouse("the house did not open")
        yield process.pid, int(found[1])
    finally:
        process.terminate()
        process.communicate()


def cpu_seconds(process: int) -> float | None:
    """Processor time that a process and those it started have used, if the system tells."""
    with suppress(OSError, IndexError, ValueError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        return (int(fields[11]) + int(fields[12])) / CLOCK + sum(
            cpu_seconds(int(child)) or 0 for child in children
        )
    return None


def _post(port: int, path: str, body: object) -> dict[str, str]:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        found: dict[str, str] = json.load(answer)
        return found


async def _sit_down(
    port: int, slug: str, scenes: bool, playing: Playing
) -> None:
    """Open a table over the API, and connect both players."""
    box = escale.game(slug)
    order = {"game": box.slug, "options": dict(box.quick),
             "seats": [{"kind": "person"}, {"kind": "open"}]}
    made = await asyncio.to_thread(_post, port, "/api/tables", order)
    sat = await asyncio.to_thread(_post, port, f"/api/tables/{made['table']}/seats/1", {})
    path = f"/api/tables/{made['table']}/live"
    playing.first = 2                                    # a player sat down, and the game began
    for seat, token in enumerate((made["token"], sat["token"])):
        hello = json.dumps({"do": "hello", "token": token, "lang": "en", "lean": not scenes})
        _, player = await asyncio.get_running_loop().create_connection(
            partial(Player, seat, playing, path, hello.encode()), "127.0.0.1", port
        )
        playing.players.append(player)
        await player.ready


async def _play(
    process: int, port: int, slug: str, tables: int, think: float, seconds: float, scenes: bool,
    processes: int,
) -> Load:
    times: list[float] = []
    lines = game_lines(slug)
    chance = random.Random(1)
    over = asyncio.Event()
    all_playing = [
        Playing(lines[number % GAMES], think, times, over) for number in range(tables)
    ]
    for playing in all_playing:
        await _sit_down(port, slug, scenes, playing)
    loop = asyncio.get_running_loop()
    for playing in all_playing:
        loop.call_later(chance.uniform(0, max(think, 0.05)), playing.move)
    await asyncio.sleep(max(1.0, think))                 # until all tables are playing
    gc.freeze()                                          # no garbage collection among the players
    times.clear()
    for playing in all_playing:
        playing.bytes = 0
    before, began = cpu_seconds(process), perf_counter()
    with suppress(TimeoutError):                         # a table at rest would lower the rate
        async with asyncio.timeout(seconds):
            await over.wait()
    received = sum(playing.bytes for playing in all_playing)
    found, lasted, after = sorted(times), perf_counter() - began, cpu_seconds(process)
    for playing in all_playing:
        playing.going = False
        if playing.failed:
            raise NoHouse(f"a table failed: {playing.failed[:200].decode()}")
    for playing in all_playing:
        for player in playing.players:
            player.close()
    if not found:
        raise NoHouse("the games were over too soon: more tables last longer")
    return Load(
        slug, tables, think, scenes, processes, lasted, len(found),
        1000 * found[len(found) // 2], 1000 * found[int(len(found) * 0.99)],
        received / len(found) / 2,
        None if before is None or after is None else (after - before) / lasted,
        os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    )


def measure(
    slug: str, tables: int, think: float, seconds: float, scenes: bool,
    database: str | None = None, processes: int = 1,
) -> Load:
    """Measure a house while `tables` tables play: until a game ends, or for `seconds` seconds."""
    with tempfile.TemporaryDirectory() as folder, measured_house(
        database or str(Path(folder) / "house.sqlite3"), processes
    ) as (process, port):
        return asyncio.run(_play(process, port, slug, tables, think, seconds, scenes, processes))
