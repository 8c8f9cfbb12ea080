"""Computer seats: workers that die or are late, and a move all the same."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

import escale
from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import Limit
from escale.match.match import Match
from escale.opponents.client import AsyncEngine
from escale.opponents.line_process import EngineError, LineProcess
from escale.server.tables import computers
from escale.server.tables.computers import Thinkers
from escale.server.workers.processes import Worker
from tests.sizes import PATIENCE_SECONDS


def match(*moves: str) -> Match:
    found = Match(escale.game("tortuga").start(first="south"))
    for move in moves:
        found.play(found.turn or 0, move)
    return found


def think(thinkers: Thinkers, table: Match, level: str = "mousse") -> str:
    async def choose() -> str:
        try:
            return await thinkers.choose(table, level)
        finally:
            await thinkers.close()

    return asyncio.run(choose())


def test_a_worker_follows_the_line_wherever_it_goes() -> None:
    async def run() -> None:
        thinkers = Thinkers(1, 5.0)
        try:
            table = match("d2-d3", "d6-d5")
            for _ in range(3):
                table.play(table.turn or 0, await thinkers.choose(table, "mousse"))
            table.propose(0, "takeback")
            table.answer(1, True)
            assert await thinkers.choose(table, "mousse")
            other = match("a1-a2")
            assert other.position.find(await thinkers.choose(other, "mousse"))
            assert 0 <= await thinkers.share(other, 0) <= 1
        finally:
            await thinkers.close()

    asyncio.run(run())


def test_a_worker_that_dies_is_replaced() -> None:
    async def run() -> None:
        thinkers = Thinkers(1, 5.0)
        try:
            table = match()
            await thinkers.choose(table, "mousse")
            [worker] = thinkers._quick._workers
            assert worker.process is not None
            process = worker.process._process
            os.kill(process.pid, signal.SIGKILL)
            await process.wait()
            assert table.position.find(await thinkers.choose(table, "mousse"))
        finally:
            await thinkers.close()

    asyncio.run(run())


LINE = {"do": "line", "game": "tortuga", "position": match().start.text, "moves": []}


def one_worker() -> Worker[AsyncEngine]:
    return Worker(computers._start_own, AsyncEngine.close)


def test_a_worker_speaks_the_line_protocol() -> None:
    async def run() -> None:
        worker = one_worker()
        table = match("d2-d3")
        move = await worker.use(
            lambda engine: engine.play(table.position, Limit(seconds=0.9), level="mousse", seed=1)
        )
        assert move in table.position.moves()
        shown = await worker.use(lambda engine: engine.ask("show", seconds=20))
        assert shown["position"] == table.position.text
        with pytest.raises(EngineError):
            await worker.use(lambda engine: engine.ask("dance", seconds=20))
        await worker.end()

    asyncio.run(run())


def test_a_worker_whose_house_is_gone_goes_in_silence() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "escale.opponents.engine"], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(json.dumps(LINE) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["result"] == {"turn": 0}
        process.stdout.close()
        process.stdin.write(json.dumps({"do": "think", "level": "mousse"}) + "\n")
        process.stdin.close()
        assert process.stderr.read() == ""
        assert process.wait(PATIENCE_SECONDS) == -signal.SIGPIPE


@pytest.mark.parametrize("script", [
    "import sys; sys.exit(1)", "import time; time.sleep(60)", "print('nonsense', flush=True)",
])
def test_without_any_worker_a_legal_move_is_played(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: Any = LineProcess.start

    async def broken(command: list[str], **settings: Any) -> LineProcess:
        process: LineProcess = await started([sys.executable, "-c", script], **settings)
        return process

    monkeypatch.setattr(LineProcess, "start", broken)
    monkeypatch.setattr(computers, "START_SECONDS", 0.5)
    monkeypatch.setattr(computers, "GRACE_SECONDS", 0.2)
    monkeypatch.setattr(computers, "QUICK_SECONDS", 0.1)
    table = match("d2-d3", "d6-d5", "d3-d4")
    assert think(Thinkers(1, 0.2), table) == "d5-d3"


def test_nobody_gets_an_answer_to_another_question() -> None:
    async def run() -> None:
        worker, position = one_worker(), match().position
        await worker.start()
        asking = asyncio.create_task(
            worker.use(lambda engine: engine.play(position, level="amiral"))
        )
        await asyncio.sleep(0)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert worker.process is None
        with pytest.raises(EngineError):
            await worker.use(lambda engine: engine.ask("line", game="chess", position=""))
        await worker.end()

    asyncio.run(run())


# ---- many who wait ----


async def nothing_to_start() -> object:
    return object()


def test_the_quickest_level_does_not_wait_for_long_thoughts(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        go = asyncio.Event()
        asked: list[tuple[str, float]] = []

        async def play(
            engine: AsyncEngine, position: Position, limit: Limit, *, level: str, **more: Any
        ) -> Move:
            asked.append((level, limit.seconds or 0))
            if level != "mousse":
                await go.wait()
            return position.find("d2-d3")

        monkeypatch.setattr(AsyncEngine, "play", play)
        monkeypatch.setattr(computers, "_start_own", nothing_to_start)
        thinkers = Thinkers(1, 5.0)
        greedy = [asyncio.create_task(thinkers.choose(match(), "amiral", "greedy"))
                  for _ in range(8)]
        await asyncio.sleep(0)
        assert await asyncio.wait_for(thinkers.choose(match(), "mousse", "ana"), 5) == "d2-d3"
        ana = asyncio.create_task(thinkers.choose(match(), "amiral", "ana"))
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(*greedy, ana)
        levels = [level for level, _ in asked]
        assert levels == ["amiral", "mousse", *["amiral"] * 8]
        # The first of the greedy was alone; then each gets less time, as long as the rest waits.
        times = [seconds for level, seconds in asked if level == "amiral"]
        assert times[0] == 5
        assert times[1] < times[2]              # the third is ana's: others' wishes count as one
        assert times[-1] == 5

    asyncio.run(run())


def test_an_address_that_has_thought_much_thinks_for_a_short_time(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        now = [0.0]
        times: list[float | None] = []

        async def play(
            engine: AsyncEngine, position: Position, limit: Limit, **more: Any
        ) -> Move:
            times.append(limit.seconds)
            now[0] += 50
            return position.find("d2-d3")

        monkeypatch.setattr(AsyncEngine, "play", play)
        monkeypatch.setattr(computers, "_start_own", nothing_to_start)
        monkeypatch.setattr(computers, "BUDGET_SHARE", 0.1)
        thinkers = Thinkers(2, 5.0, clock=lambda: now[0])
        for _ in range(5):
            await thinkers.choose(match(), "amiral", "greedy")
        await thinkers.choose(match(), "amiral", "ana")
        assert times == [5, 5, 5, 0.3, 0.3, 5]
        now[0] += 10_000
        await thinkers.choose(match(), "amiral", "greedy")
        assert times[-1] == 5

    asyncio.run(run())
