"""Hints and the coach over HTTP.

Between people, advice is given only if the table was set up with hints.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import suppress
from typing import Annotated

from fastapi import Request
from starlette.responses import Response

from escale.server.edge.openapi import ApiRouter, Lang, answers, body, takes
from escale.server.edge.problems import Problem
from escale.server.edge.responses import language
from escale.server.edge.security import address
from escale.server.study.hints import (
    AdviceJob,
    CoachRemark,
    HintFacts,
    HintJob,
    HintQuestion,
    JudgedMove,
    JudgeJob,
    WarmJob,
)
from escale.server.tables.routes import AtTable, Bearer
from escale.server.tables.table import Table
from escale.server.tables.views import Sight
from escale.server.workers.pool import Answer, WorkerPool

router = ApiRouter()

WARM_SECONDS = 1.0
"""The delay from the opening of a table to the start of a process for its hints."""
KEPT_ANSWERS = 500


AHintQuestion = Annotated[HintQuestion, body(HintQuestion)]
AJudgedMove = Annotated[JudgedMove, body(JudgedMove)]
REFUSED = ("unknown-table", "no-hints", "not-your-turn", "elsewhere", "too-many", "too-costly")


@router.post("/tables/{id}/hint", tags=["study"], openapi_extra=takes(HintQuestion),
             responses=answers(HintFacts, *REFUSED))
async def ask_hint(
    request: Request, table: AtTable, token: Bearer, question: AHintQuestion, lang: Lang = None
) -> Response:
    """The best move for the seat to move, and the reason for it.

    Allowed against the computer, and if all players sit at one screen; between people only if the
    table was set up with `hints`. The hint follows from what that seat may know.
    """
    return await _advise(request, HintJob, table, token, question.as_)


@router.post("/tables/{id}/judge", tags=["study"], openapi_extra=takes(JudgedMove),
             responses=answers(CoachRemark, *REFUSED, "illegal"))
async def judge_move(
    request: Request, table: AtTable, token: Bearer, judged: AJudgedMove, lang: Lang = None
) -> Response:
    """The coach's remark on a move before it is made; allowed where hints are."""
    return await _advise(request, JudgeJob, table, token, judged.as_, move=judged.move)


async def _advise(
    request: Request, kind: type[AdviceJob], table: Table, token: str | None, seat: int, **more: str
) -> Response:
    seats = table.held(token)
    table.presence.note_request(seats)
    sight = Sight.of(seats, seat, language(request))
    advising: Advising = request.app.state.advising
    found = await advising.ask(kind, table, sight, address(request), **more)
    return Response(found.body, found.status, media_type="application/json")


class Advising:
    """Asks the worker processes about a table, once for each position and language."""

    def __init__(self, workers: WorkerPool) -> None:
        self._workers = workers
        self._answers: OrderedDict[AdviceJob, Answer] = OrderedDict()
        self._warming: asyncio.Task[None] | None = None
        self._warm: set[str] = set()
        """The games for which a process has been prepared."""

    def warm(self, table: Table) -> None:
        """Prepare a process for a game soon, if a person plays against the computer.

        People look at the table before they ask for a hint.
        """
        waits = self._warming is not None and not self._warming.done()
        if not waits and any(player.level is not None for player in table.match.players):
            self._warming = asyncio.create_task(self._warm_soon(table.match.game.slug))

    async def _warm_soon(self, slug: str) -> None:
        await asyncio.sleep(WARM_SECONDS)
        if slug not in self._warm:
            self._warm.add(slug)
            with suppress(Problem):
                await self._workers.answer(WarmJob(game=slug), "")

    async def close(self) -> None:
        """Cancel all preparations."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.wait([self._warming])

    async def ask(
        self, kind: type[AdviceJob], table: Table, sight: Sight, address: str, **more: str
    ) -> Answer:
        """The answer to a job about the present table; an address pays for it.

        Problem if this seat may have no advice, or is not to move. The process gets hidden cards,
        too, but its answer follows from what the seat to move may know.
        """
        async with table.open():
            if not may_ask(table, sight):
                raise Problem("no-hints")
            if not table.views.chooses(sight):
                raise Problem("not-your-turn")
            match = table.match
            job = kind(
                game=match.game.slug, start=match.header.start, moves=tuple(match.line()),
                turn=table.views.asked(sight).turn, lang=sight.lang, **more,
            )
        if job in self._answers:
            self._answers.move_to_end(job)
            return self._answers[job]
        found = await self._workers.answer(job, address)
        if found.status == 200:
            self._answers[job] = found
            if len(self._answers) > KEPT_ANSWERS:
                self._answers.popitem(last=False)
        return found


def may_ask(table: Table, sight: Sight) -> bool:
    """Whether these seats may have advice: no other people play, or all have agreed to it.

    A computer that plays on for a person who has left gains the others no hints.
    """
    return table.match.header.hints or table.match.alone(sight.seats)
