"""The client of engines: good ones are understood, and no bad one can harm who asks."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import escale
from escale import AsyncEngine, Engine, EngineError, Limit
from escale.kernel import Random
from escale.opponents import client, think
from escale.opponents.client import line_request
from escale.opponents.line_process import EngineLate
from tests.opponents.engines import ESCALE, EXAMPLE, FAULTS, HOSTILE, written
from tests.sizes import PATIENCE_SECONDS

START = escale.game("tortuga").start(first="south")
PATIENT = Limit(seconds=PATIENCE_SECONDS)


def test_our_own_engine_thinks_the_same_over_the_protocol() -> None:
    position = START.play("d2-d3").play("d6-d5")
    with Engine.open(ESCALE) as engine:
        assert engine.about.name == "Escale"
        assert "tortuga" in (engine.about.games or ())
        there = engine.think(position, Limit(nodes=500), seed=3, lines=2)
        here = think(position, limit=Limit(nodes=500), seed=3, lines=2)
        assert [line.moves for line in there.lines] == [line.moves for line in here.lines]
        assert there.shares == pytest.approx(here.shares, abs=1e-4)
        assert (there.method, there.nodes, there.depth) == (here.method, here.nodes, here.depth)
        assert there.simulations == 0
        assert engine.play(position, level="mousse", seed=1) in position.moves()
        assert engine.ask("perft", depth=1)["nodes"] == len(position.moves())
        with pytest.raises(escale.EngineRefused, match="expected \"do\""):
            engine.ask("dance")
        assert engine.analyse(position, Limit(simulations=50))[0].moves[0] in position.moves()
        with pytest.raises(escale.BadOption, match="needs a level or a limit"):
            engine.play(position)
        with pytest.raises(escale.BadOption, match="depth"):
            engine.play(position, Limit(depth=3))
    with pytest.raises(escale.EngineDied, match="closed"):
        engine.play(position, Limit(nodes=5))
    engine.quit()


def test_no_engine_is_told_what_its_seat_may_not_know() -> None:
    game = escale.game("canyon-1997")
    position = game.start(seed=5)
    for _ in range(12):
        position = position.play(position.moves()[0])
    seat = position.turn
    assert seat is not None
    sent = line_request(position, 9, frozenset(["moves", "cells"]))
    imagined = game.position(sent["position"])
    assert imagined.text_for(escale.Seat(seat)) == position.text_for(escale.Seat(seat))
    assert sent["position"] == position.imagine(seat, Random(9)).text
    assert len({line_request(position, seed)["position"] for seed in range(20)}) > 1
    assert sent["moves"] == []
    assert sent["cells"] == position.seen_by(escale.Seat(seat)).cells
    with Engine.open(ESCALE) as engine:
        assert engine.play(position, level="mousse", seed=2) in position.moves()


def test_an_engine_that_knows_no_rules_plays_every_game() -> None:
    with Engine.open([sys.executable, str(EXAMPLE)]) as engine:
        assert engine.about.wants == {"moves"}
        for game in escale.games():
            position = game.start(seed=1)
            for seed in range(6):
                if position.turn is None:
                    break
                move = engine.play(position, PATIENT, seed=seed)
                position = position.play(move)
        with pytest.raises(escale.EngineRefused, match="cannot perft"):
            engine.ask("perft", depth=1)
        assert engine.think(START, PATIENT).shares == ()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_engine_is_told_by_its_fault(name: str, tmp_path: Path) -> None:
    command = written(tmp_path, name, HOSTILE[name])
    with Engine.open(command, memory=512, grace=1.0) as engine:
        pid = engine._engine._process.pid
        with pytest.raises(EngineError) as failed:
            engine.play(START, Limit(seconds=0.2 if name == "silence" else PATIENCE_SECONDS))
        assert failed.value.fault == FAULTS[name]
        if name == "death":
            assert "out of ideas" in str(failed.value)
        if name == "memory":
            assert "MemoryError" in str(failed.value)
        if name == "illegal":
            assert engine.ask("hello")["name"] == "Test"        # it goes on
        else:
            with pytest.raises(EngineError):
                engine.play(START, Limit(seconds=1))
    assert gone(pid)


def gone(group: int) -> bool:
    """Whether all processes of a group have ended; those that nobody waits for may linger."""
    for _ in range(20 * PATIENCE_SECONDS):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_a_program_that_cannot_be_started_or_says_nothing(tmp_path: Path) -> None:
    for command in ("/nowhere/engine --fast", [str(tmp_path)]):
        with pytest.raises(escale.EngineDied, match="No such file|Permission"):
            Engine.open(command)
    with pytest.raises(EngineLate):
        Engine.open([sys.executable, "-c", "import time; time.sleep(60)"], start=0.3)
    with pytest.raises(escale.EngineNonsense):
        Engine.open(["echo", "hello"])
    with pytest.raises(escale.BadOption, match="command"):
        Engine.open("")


def test_an_engine_that_uses_too_much_of_a_processor_is_ended(tmp_path: Path) -> None:
    command = written(tmp_path, "busy", "while True: pass")
    with Engine.open(command, cpu=1) as engine, pytest.raises(escale.EngineDied, match="SIG"):
        engine.play(START, PATIENT)


def test_an_engine_ends_with_who_asked_it(tmp_path: Path) -> None:
    asleep = written(tmp_path, "asleep", HOSTILE["silence"])
    asker = subprocess.Popen(
        [sys.executable, "-c",
         "import sys, escale\n"
         "engine = escale.Engine.open(sys.argv[1:])\n"
         "print(engine._engine._process.pid, flush=True)\n"
         "engine.play(escale.game('tortuga').start(seed=1), escale.Limit(seconds=600))\n",
         *asleep],
        stdout=subprocess.PIPE, text=True,
    )
    assert asker.stdout is not None
    pid = int(asker.stdout.readline())
    asker.send_signal(signal.SIGKILL)
    asker.communicate()
    assert gone(pid)


def test_an_engine_is_told_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ESCALE_ADMIN_TOKEN", "hush")
    monkeypatch.setenv("ESCALE_DATABASE", "postgresql://me:hush@db/escale")
    nosy = "say(request, {'move': 'hush' if 'hush' in str(os.environ) else move})"
    with Engine.open(written(tmp_path, "nosy", nosy)) as engine:
        engine.play(START, PATIENT)


def test_with_an_event_loop(tmp_path: Path) -> None:
    async def run() -> None:
        async with await AsyncEngine.open([sys.executable, str(EXAMPLE)]) as engine:
            moves = await asyncio.gather(
                *(engine.play(START, PATIENT, seed=seed) for seed in range(8))
            )
            assert len(set(moves)) > 1          # one after another, each its own answer
        asleep = await AsyncEngine.open(written(tmp_path, "asleep", HOSTILE["silence"]))
        asking = asyncio.create_task(asleep.play(START, Limit(seconds=600)))
        await asyncio.sleep(0.1)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        with pytest.raises(EngineError):
            await asleep.play(START, Limit(seconds=1))
        await asleep.quit()

    asyncio.run(run())


def test_an_engine_that_will_not_quit_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "QUIT_SECONDS", 0.2)
    stubborn = written(tmp_path, "stubborn", "pass")
    file = Path(stubborn[-1])
    file.write_text(file.read_text("utf-8") + "while True: time.sleep(1)\n", "utf-8")
    engine = Engine.open(stubborn)
    pid = engine._engine._process.pid
    engine.quit()
    assert gone(pid)
