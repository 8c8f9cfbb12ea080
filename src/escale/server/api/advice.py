"""Advice at tables over HTTP: a hint for the seat to move, and a coach's remark on a move."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from escale.server.api.openapi import Lang, answers, body, takes
from escale.server.api.tables import AtTable, Bearer
from escale.server.middleware.security import address
from escale.server.responses import language
from escale.server.study.advice_messages import (
    CoachRemark,
    HintFacts,
    HintQuestion,
    JudgedMove,
)
from escale.server.study.advising import Advising
from escale.server.study.pool import Found
from escale.server.tables.table import Table
from escale.server.tables.views import Sight

router = APIRouter(prefix="/api", default_response_class=Response)
AHintQuestion = Annotated[HintQuestion, body(HintQuestion)]
AJudgedMove = Annotated[JudgedMove, body(JudgedMove)]
REFUSED = ("unknown-table", "no-hints", "not-your-turn", "elsewhere", "too-many", "too-costly")


@router.post("/tables/{id}/hint", tags=["study"], openapi_extra=takes(HintQuestion),
             responses=answers(HintFacts, *REFUSED))
async def hint(
    request: Request, table: AtTable, token: Bearer, question: AHintQuestion, lang: Lang = None
) -> Response:
    """The best move for the seat to move, and the reason for it.

    Against the computer, and where all sit at one screen; between people only if the table was set
    up with `hints`. It follows from what that seat may know.
    """
    sight = _sight(request, table, token, question.as_)
    return _answer(await _advising(request).ask("hint", table, sight, address(request)))


@router.post("/tables/{id}/judge", tags=["study"], openapi_extra=takes(JudgedMove),
             responses=answers(CoachRemark, *REFUSED, "illegal"))
async def judge(
    request: Request, table: AtTable, token: Bearer, judged: AJudgedMove, lang: Lang = None
) -> Response:
    """What a coach has to say of a move before it is made; allowed where hints are."""
    sight = _sight(request, table, token, judged.as_)
    found = await _advising(request).ask(
        "judge", table, sight, address(request), move=judged.move
    )
    return _answer(found)


def _sight(request: Request, table: Table, token: str | None, seat: int) -> Sight:
    seats = table.held(token)
    table.seen(seats)
    return Sight.of(seats, seat, language(request))


def _advising(request: Request) -> Advising:
    advising: Advising = request.app.state.advising
    return advising


def _answer(found: Found) -> Response:
    return Response(found.body, found.status, media_type="application/json")
