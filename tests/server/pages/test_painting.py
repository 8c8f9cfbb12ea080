"""Pictures are painted elsewhere, once, and not without end."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace

import pytest

import escale
from escale.game.viewer import SPECTATOR
from escale.render.svg import svg
from escale.server.edge.limits import Limits
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.pages.painting import Painter, PaintJob
from escale.server.workers.pool import WorkerPool


def drawing(width: int = 900) -> str:
    game = escale.game("tortuga")
    return svg(game.start().scene(SPECTATOR), game.art, width=width)


def test_the_event_loop_goes_on_while_a_picture_is_painted() -> None:
    async def watch() -> None:
        workers = WorkerPool(RateLimiter(Limits()))
        painter = Painter(workers)
        try:
            await painter.paint(drawing(10), "here")            # the process is there
            painting = asyncio.create_task(painter.paint(drawing(), "here"))
            ticks = 0
            while not painting.done():
                await asyncio.sleep(0)
                ticks += 1
            assert (await painting).startswith(b"\x89PNG")
            assert ticks > 100                                  # painted here, there would be one
        finally:
            await workers.close()

    asyncio.run(watch())


def test_a_picture_is_painted_once_and_the_oldest_is_forgotten() -> None:
    async def ask() -> None:
        limiter = RateLimiter(Limits(work=0, work_burst=100))
        workers = WorkerPool(limiter)
        painter = Painter(workers)
        try:
            first, again, other = await asyncio.gather(*(
                painter.paint(drawing(40), address) for address in ("here", "here", "there")
            ))
            assert first is again is other
            assert limiter.left("work", "there") == 100         # the first to ask has paid
            spent = limiter.left("work", "here")
            assert spent < 100
            assert await painter.paint(drawing(40), "here") is first
            assert limiter.left("work", "here") == spent
            painter._room = 10
            await painter.paint(drawing(41), "here")
            assert len(painter._made) == 1
            assert await painter.paint(drawing(40), "here") == first    # painted once more
        finally:
            await workers.close()

    asyncio.run(ask())


def test_an_address_has_a_budget_and_a_process_that_hangs_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def ask() -> None:
        workers = WorkerPool(RateLimiter(Limits(work=0, work_burst=0.0001)))
        painter = Painter(workers)
        try:
            await painter.paint(drawing(40), "here")
            with pytest.raises(Problem) as refused:
                await painter.paint(drawing(41), "here")
            assert refused.value.code == "too-many"
            await painter.paint(drawing(40), "here")            # what is there costs nothing
            [worker] = workers._lanes[PaintJob.lane.name]._workers
            assert worker.process is not None
            os.kill(worker.process.pid, signal.SIGSTOP)
            patience = PaintJob.lane
            monkeypatch.setattr(PaintJob, "lane", replace(patience, grace_seconds=-1.8))
            with pytest.raises(Problem) as late:
                await painter.paint(drawing(42), "there")
            assert late.value.code == "unavailable"
            monkeypatch.setattr(PaintJob, "lane", patience)
            assert await painter.paint(drawing(42), "elsewhere")
        finally:
            await workers.close()

    asyncio.run(ask())
