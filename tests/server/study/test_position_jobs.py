"""Questions about any position: worked out elsewhere, with a limit for each and a budget."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

import escale
from escale.game.position import SPELLED_MOVES
from escale.server.edge.limits import Limits
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.study.lanes import POSITIONS
from escale.server.study.positions import ExplainJob, StudyAttempt
from escale.server.workers.pool import WorkerPool
from tests.server.hosting import hosted

CROWDED = (
    "-/........b2/r2b2y2r1y3b3b1y1./...y1r3y2.../...r1...../...r3b1y3.../..r2y2r2b3r3b1y2/"
    "...b2...../...y3y3r3.../...b1b2b3.../...b3r1r2.../...y1y1r1... A 4 north=A unstack=free"
)
"""A position of Qenj 2 with 40,490 legal moves."""


def question(atoms: list[str], line: int = 0) -> dict[str, object]:
    position = escale.game("qenj2").position(CROWDED)
    text = position.moves()[0].text.replace("-", " ")           # spelled unusually
    return {"position": CROWDED, "atoms": atoms, "line": [text] * line}


def fine() -> ExplainJob:
    start = escale.game("tortuga").start().text
    return ExplainJob(game="tortuga", question=StudyAttempt(position=start, atoms=["d2"]))


def test_the_position_is_crowded_and_its_choices_are_made_when_they_are_looked_at() -> None:
    position = escale.game("qenj2").position(CROWDED)
    assert position.crowded
    moves = position.moves()
    assert len(moves) == 40_490 > SPELLED_MOVES
    choices = position.choices()
    assert not position.crowded
    assert choices._next is None
    made = choices.after(*moves[-1].atoms)
    assert made is not None
    assert made.move == moves[-1]
    assert sum(node._next is not None for node in choices.next.values()) == 1


def test_a_question_is_answered_in_another_process(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        def ask(**more: object) -> tuple[int, dict[str, object]]:
            answer = house.client.post("/api/games/qenj2/explain", json={**question([]), **more})
            return answer.status_code, answer.json()

        position = escale.game("qenj2").position(CROWDED)
        status, told = ask(atoms=list(position.moves()[7].atoms), lang="en")
        assert (status, told["legal"], told["move"]) == (200, True, position.moves()[7].text)
        status, told = ask(atoms=["b9"], lang="fr")
        assert (status, told["legal"]) == (200, False)
        assert told["text"]
        assert ask(position="nonsense")[0] == 422
        assert ask(line=["nonsense"])[1]["code"] == "illegal"
        workers = house.app.state.workers._lanes[POSITIONS.name]._workers
        assert any(worker.process is not None for worker in workers)


def test_a_question_that_takes_too_long_is_given_up() -> None:
    async def ask() -> None:
        limiter = RateLimiter(Limits(work_seconds=0.06, work_burst=1, work=0))
        workers = WorkerPool(limiter)
        try:
            costly = ExplainJob(
                game="qenj2", question=msgspec.convert(question(["b9"], line=20), StudyAttempt),
            )
            answer = await workers.answer(costly, "here")
            assert (answer.status, b"too-costly" in answer.body) == (422, True)
            assert limiter.left("work", "here") < 1
            assert (await workers.answer(fine(), "there")).status == 200
        finally:
            await workers.close()

    asyncio.run(ask())


def test_a_process_that_hangs_is_ended_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask() -> None:
        limiter = RateLimiter(Limits(work_seconds=0.2))
        workers = WorkerPool(limiter)
        monkeypatch.setattr(ExplainJob, "lane", replace(POSITIONS, processes=1, grace_seconds=0.3))
        try:
            await workers.start(ExplainJob.lane)
            [worker] = workers._lanes[POSITIONS.name]._workers
            assert worker.process is not None
            os.kill(worker.process.pid, signal.SIGSTOP)
            with pytest.raises(Problem) as refused:
                await workers.answer(fine(), "here")
            assert refused.value.code == "too-costly"
            monkeypatch.setattr(ExplainJob, "lane", replace(POSITIONS, processes=1))
            assert (await workers.answer(fine(), "here")).status == 200
        finally:
            await workers.close()

    asyncio.run(ask())


def test_an_address_has_a_budget_for_its_questions(tmp_path: Path) -> None:
    with hosted(tmp_path, limits=Limits(work=0.0001, work_burst=0.05)) as house:
        def ask() -> int:
            answer = house.client.post("/api/games/qenj2/explain", json=question(["b9"]))
            return answer.status_code

        assert ask() == 200
        assert ask() == 429
