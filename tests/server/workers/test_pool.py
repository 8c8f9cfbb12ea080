"""Jobs in worker processes: one value after another, addresses in turn, within a budget."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from escale.server.edge.limits import Limits
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.workers.jobs import Job
from escale.server.workers.pool import WorkerPool
from tests.server.workers.odd_jobs import (
    QUICK,
    CountJob,
    DieJob,
    GameJob,
    HangJob,
    LongCountJob,
    WhoJob,
)


@asynccontextmanager
async def pool(limits: Limits | None = None) -> AsyncIterator[WorkerPool]:
    found = WorkerPool(RateLimiter(limits or Limits()))
    try:
        yield found
    finally:
        await found.close()


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def within() -> None:
        async with asyncio.timeout(60):
            await work()

    asyncio.run(within())


async def ask(workers: WorkerPool, job: Job, address: str = "me") -> Any:
    return json.loads((await workers.answer(job, address)).body)


async def refused(workers: WorkerPool, job: Job, address: str = "me") -> str:
    try:
        answer = await workers.answer(job, address)
    except Problem as problem:
        return problem.code
    code: str = json.loads(answer.body)["code"]
    return code


async def idle(workers: WorkerPool) -> None:
    while workers.busy:
        await asyncio.sleep(0.001)


def test_values_come_one_by_one_and_a_job_that_nobody_reads_is_given_up(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH")            # here processes give way to others

    async def work() -> None:
        async with pool() as workers:
            await workers.start(QUICK)
            pid, nice = await ask(workers, WhoJob())
            assert nice == min(QUICK.niceness + os.getpriority(os.PRIO_PROCESS, 0), 19)
            await workers.start(QUICK)
            assert await ask(workers, WhoJob()) == [pid, nice], "the process runs already"
            assert await ask(workers, CountJob(to=4)) == 3

            values = workers.values(LongCountJob(to=1000), "me")
            assert [(await anext(values)).body for _ in range(2)] == [b"0", b"1"]
            assert workers.busy == 1
            # Something short does not wait for it.
            assert await ask(workers, WhoJob()) == [pid, nice]
            await values.aclose()
            assert workers.busy == 0
            again = workers.values(LongCountJob(to=2), "me")
            assert [found.body async for found in again] == [b"0", b"1"]

    run(work)


def test_who_leaves_during_a_value_gives_the_job_up_after_it() -> None:
    async def work() -> None:
        async with pool(Limits(study=0.001)) as workers:
            [pid, _] = await ask(workers, WhoJob())
            budget = workers._limiter.left("study", "me")
            reading = asyncio.create_task(ask(workers, CountJob(to=1000, seconds=0.1)))
            await asyncio.sleep(0)
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading
            assert workers.busy == 1, "the value is still being found"
            assert (await ask(workers, WhoJob(), "other"))[0] == pid, "by the same process"
            await idle(workers)
            spent = budget - workers._limiter.left("study", "me")
            assert 0.09 < spent < 1, "one value was paid for"

    run(work)


def test_a_process_imports_no_more_than_its_jobs() -> None:
    for module in ("escale.opponents.engine", "escale.server.workers.process",
                   "escale.server.study.jobs", "escale.server.pages.painting"):
        program = f"import sys, {module}; print(*sys.modules)"
        loaded = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True,
        ).stdout.split()
        assert not {"fastapi", "sqlalchemy", "jinja2", "uvicorn"} & {*loaded}, module
        if module != "escale.server.study.jobs":
            assert "escale.server.tables.views" not in loaded


def test_all_addresses_are_served_in_turn_and_none_may_have_many_waiting() -> None:
    async def work() -> None:
        async with pool() as workers:
            done: list[str] = []

            async def one(address: str) -> None:
                await ask(workers, CountJob(to=1, seconds=0.02), address)
                done.append(address)

            tasks = [asyncio.create_task(one("flooder")) for _ in range(6)]
            await asyncio.sleep(0)
            tasks += [asyncio.create_task(one("guest")) for _ in range(2)]
            await asyncio.gather(*tasks)
            assert done.index("guest") <= 2, done
            assert done[:5].count("guest") == 2, done

            # One is done, as many wait as may, the next is refused.
            tasks = [asyncio.create_task(one("flooder")) for _ in range(QUICK.most_waiting + 1)]
            await asyncio.sleep(0)
            assert await refused(workers, WhoJob(), "flooder") == "too-many"
            assert (workers.busy, workers.waiting) == (1, QUICK.most_waiting)
            await asyncio.gather(*tasks)

            # A client that leaves while waiting takes no turn.
            tasks = [asyncio.create_task(one("guest")) for _ in range(3)]
            await asyncio.sleep(0)
            tasks[1].cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await tasks[1]
            await asyncio.gather(tasks[0], tasks[2])
            assert (workers.busy, workers.waiting) == (0, 0)

    run(work)


def test_an_address_pays_with_its_budget_and_others_do_not() -> None:
    async def work() -> None:
        async with pool(Limits(study=0.001, study_burst=0.15)) as workers:
            # What has begun goes on, and what it costs beyond the budget is owed.
            assert await ask(workers, CountJob(to=4, seconds=0.06), "spender") == 3
            assert workers._limiter.left("study", "spender") < -0.05
            assert await refused(workers, WhoJob(), "spender") == "too-many"
            assert await ask(workers, WhoJob(), "other")

    run(work)


def test_a_job_that_is_too_slow_hangs_or_dies_harms_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def work() -> None:
        async with pool(Limits(study=0.001, study_seconds=0.2)) as workers:
            before = await ask(workers, WhoJob())
            # A value that takes too much of a processor is stopped; the process stays.
            assert await refused(workers, CountJob(to=1, seconds=5)) == "too-costly"
            assert await ask(workers, WhoJob()) == before
            # What does not answer, or is gone, is replaced.
            monkeypatch.setattr(HangJob, "lane", replace(QUICK, grace_seconds=1))
            assert await refused(workers, HangJob()) == "too-costly"
            after = await ask(workers, WhoJob())
            assert after[0] != before[0]
            with pytest.raises(ProcessLookupError):
                os.kill(before[0], 0)
            assert await refused(workers, DieJob()) == "too-costly"
            assert (await ask(workers, WhoJob()))[0] not in (before[0], after[0])
            assert workers._limiter.left("study", "me") < Limits().study_burst - 2 * 0.2
            # An error of the games is told, and ends the job.
            assert await refused(workers, GameJob(game="chess")) == "unknown-game"

    run(work)


def test_a_pool_that_is_closed_leaves_no_process() -> None:
    async def work() -> None:
        async with pool() as workers:
            [pid, _] = await ask(workers, WhoJob())
            values = workers.values(LongCountJob(to=2), "me")
            await anext(values)
            hanging = asyncio.create_task(refused(workers, HangJob()))
            await asyncio.sleep(0)
        assert await hanging == "too-costly"
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        with pytest.raises(Problem):
            await anext(values)

    run(work)
