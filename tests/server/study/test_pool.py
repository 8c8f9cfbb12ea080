"""The processes of the study: one value after another, in turn, within a budget, whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from escale.server.middleware.rate_limiter import RateLimiter
from escale.server.problems import Problem
from escale.server.settings import Limits
from escale.server.study import pool as pools
from escale.server.study.pool import StudyPool

ODD = "tests.server.study.odd_jobs"


@asynccontextmanager
async def pool(limits: Limits | None = None) -> AsyncIterator[StudyPool]:
    found = StudyPool(RateLimiter(limits or Limits()), ODD)
    try:
        yield found
    finally:
        await found.close()


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def within() -> None:
        async with asyncio.timeout(60):
            await work()

    asyncio.run(within())


async def ask(study: StudyPool, job: str, who: str = "me", **question: Any) -> Any:
    return json.loads((await study.ask(job, question, "en", who)).body)


async def refused(study: StudyPool, job: str, who: str = "me", **question: Any) -> str:
    try:
        found = await study.ask(job, question, "en", who)
    except Problem as problem:
        return problem.code
    code: str = json.loads(found.body)["code"]
    return code


def test_values_come_one_by_one_and_a_job_that_nobody_reads_is_given_up() -> None:
    async def work() -> None:
        async with pool() as study:
            await study.start()
            pid, nice = await ask(study, "who")
            assert nice == min(pools.LANES["quick"] + os.getpriority(os.PRIO_PROCESS, 0), 19)
            await study.start()
            assert await ask(study, "who") == [pid, nice], "it does not give way more and more"
            assert await ask(study, "count", to=4) == 3

            values = study.values("count", {"to": 1000}, "en", "me", lane="long")
            assert [(await anext(values)).body for _ in range(2)] == [b"0", b"1"]
            assert study.busy == 1
            # Something short does not wait for it.
            assert await ask(study, "who") == [pid, nice]
            await values.aclose()
            assert study.busy == 0
            again = study.values("count", {"to": 2}, "en", "me", lane="long")
            assert [found.body async for found in again] == [b"0", b"1"]

    run(work)


def test_all_addresses_are_served_in_turn_and_none_may_have_many_waiting() -> None:
    async def work() -> None:
        async with pool() as study:
            done: list[str] = []

            async def one(who: str) -> None:
                await ask(study, "count", who, to=1, seconds=0.02)
                done.append(who)

            tasks = [asyncio.create_task(one("flooder")) for _ in range(6)]
            await asyncio.sleep(0)
            tasks += [asyncio.create_task(one("guest")) for _ in range(2)]
            await asyncio.gather(*tasks)
            assert done.index("guest") <= 2, done
            assert done[:5].count("guest") == 2, done

            # One is worked for, `MOST` wait, the next is refused.
            tasks = [asyncio.create_task(one("flooder")) for _ in range(pools.MOST + 1)]
            await asyncio.sleep(0)
            assert await refused(study, "who", "flooder") == "too-many"
            assert (study.busy, study.waiting) == (1, pools.MOST)
            await asyncio.gather(*tasks)

            # Who goes away while waiting takes nobody's turn.
            tasks = [asyncio.create_task(one("guest")) for _ in range(3)]
            await asyncio.sleep(0)
            tasks[1].cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await tasks[1]
            await asyncio.gather(tasks[0], tasks[2])
            assert (study.busy, study.waiting) == (0, 0)

    run(work)


def test_an_address_pays_with_its_budget_and_others_do_not() -> None:
    async def work() -> None:
        async with pool(Limits(study=0.001, study_burst=0.15)) as study:
            # What has begun goes on, and what it costs beyond the budget is owed.
            assert await ask(study, "count", "spender", to=4, seconds=0.06) == 3
            assert study._limiter.left("study", "spender") < -0.05
            assert await refused(study, "who", "spender") == "too-many"
            assert await ask(study, "who", "other")

    run(work)


def test_a_job_that_is_too_slow_hangs_or_dies_harms_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pools, "SLICE", 0.2)
    monkeypatch.setattr(pools, "GRACE", 1.0)

    async def work() -> None:
        async with pool(Limits(study=0.001)) as study:
            before = await ask(study, "who")
            # A value that takes too much of a processor is stopped; the process stays.
            assert await refused(study, "count", to=1, seconds=5) == "too-costly"
            assert await ask(study, "who") == before
            # What does not answer, or is gone, is replaced.
            began = time.monotonic()
            assert await refused(study, "hang") == "too-costly"
            assert time.monotonic() - began < 10
            after = await ask(study, "who")
            assert after[0] != before[0]
            with pytest.raises(ProcessLookupError):
                os.kill(before[0], 0)
            assert await refused(study, "die") == "too-costly"
            assert (await ask(study, "who"))[0] not in (before[0], after[0])
            assert study._limiter.left("study", "me") < Limits().study_burst - 2 * 0.2
            # An error of the games is told, and ends the job.
            assert await refused(study, "hint", game="chess", start="", moves=[], lang="en") == \
                "unknown-game"

    run(work)
