"""Positions to study over HTTP.

Visitors may ask about any position, and so choose how long the answer takes: worker processes
compute it.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Request
from starlette.responses import Response

from escale.game.texts import LANGUAGES
from escale.games import game
from escale.server.edge.openapi import ApiRouter, Lang, answers, body, takes
from escale.server.edge.responses import language
from escale.server.edge.security import address
from escale.server.pages.games import Slug
from escale.server.study.positions import (
    AnyPositionJob,
    AttemptResult,
    ChoicesJob,
    ComposedPosition,
    ComposeJob,
    ExplainJob,
    PositionJob,
    StudyAttempt,
    StudyPosition,
    StudyQuestion,
)
from escale.server.tables.messages import (
    ChoiceFacts,
)
from escale.server.workers.pool import WorkerPool

router = ApiRouter()


AStudyQuestion = Annotated[StudyQuestion, body(StudyQuestion)]
AStudyAttempt = Annotated[StudyAttempt, body(StudyAttempt)]
AComposedPosition = Annotated[ComposedPosition, body(ComposedPosition)]
STUDIED = ("unknown-game", "bad-option", "bad-position", "illegal", "too-costly")
"""Refusals of operations that compute something about a position."""


@router.post("/games/{slug}/explain", tags=["study"], openapi_extra=takes(StudyAttempt),
             responses=answers(AttemptResult, *STUDIED))
async def explain_study_attempt(
    request: Request, slug: Slug, attempt: AStudyAttempt, lang: Lang = None
) -> Response:
    """Whether some atoms are a move, and its result; if not, the rule that forbids it."""
    return await _work_out(request, ExplainJob, slug, attempt)


@router.post("/games/{slug}/study", tags=["study"], openapi_extra=takes(StudyQuestion),
             responses=answers(StudyPosition, *STUDIED))
async def show_study_position(
    request: Request, slug: Slug, question: AStudyQuestion, lang: Lang = None
) -> Response:
    """The position after some moves: its board, its legal moves, and the line that led to it."""
    return await _work_out(request, PositionJob, slug, question)


@router.post("/games/{slug}/choices", tags=["study"], openapi_extra=takes(StudyAttempt),
             responses=answers(ChoiceFacts, *STUDIED))
async def list_study_choices(
    request: Request, slug: Slug, attempt: AStudyAttempt, lang: Lang = None
) -> Response:
    """The atoms that may follow some atoms, where a study position had no room for them."""
    return await _work_out(request, ChoicesJob, slug, attempt)


@router.post("/games/{slug}/compose", tags=["study"],
             openapi_extra=takes(ComposedPosition),
             responses=answers(StudyPosition, *STUDIED))
async def compose_position(
    request: Request, slug: Slug, composed: AComposedPosition, lang: Lang = None
) -> Response:
    """A position set up by hand, or the reason why it is impossible."""
    return await _work_out(request, ComposeJob, slug, composed)


async def _work_out(
    request: Request, kind: type[AnyPositionJob], slug: str,
    question: StudyQuestion | ComposedPosition,
) -> Response:
    lang = question.lang if question.lang in LANGUAGES else language(request)
    workers: WorkerPool = request.app.state.workers
    job = kind(game=game(slug).slug, question=question, lang=lang)
    answer = await workers.answer(job, address(request))
    return Response(answer.body, answer.status, media_type="application/json")
