"""Reviews over HTTP: asked for, watched while they are made, read."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from escale.server.api.openapi import Lang, answers
from escale.server.api.tables import AtTable
from escale.server.middleware.security import address
from escale.server.responses import language, reply
from escale.server.study.messages import ReviewState
from escale.server.study.reviews import Reviews
from escale.server.tables.table import Table

router = APIRouter(prefix="/api", default_response_class=Response)


@router.get("/tables/{id}/review", tags=["study"],
            responses=answers(ReviewState, "unknown-table", "still-played"))
async def read_review(request: Request, table: AtTable, lang: Lang = None) -> Response:
    """The review of a match that is over, or how far it is."""
    return reply(await _state(request, table))


@router.post("/tables/{id}/review", status_code=202, tags=["study"],
             responses=answers(ReviewState, "unknown-table", "still-played",
                               "too-costly", status=202))
async def make_review(request: Request, table: AtTable, lang: Lang = None) -> Response:
    """Have a match that is over reviewed; asked again, it is the same review."""
    reviews: Reviews = request.app.state.reviews
    await reviews.begin(table, address(request), language(request))
    return reply(await _state(request, table), 202)


async def _state(request: Request, table: Table) -> ReviewState:
    reviews: Reviews = request.app.state.reviews
    lang = language(request)
    review = await reviews.told(table, lang)
    progress, failure = reviews.progress(table), reviews.failure(table)
    return ReviewState(
        state="made" if review else "making" if progress else "none",
        done=progress.done if progress else 0, total=progress.total if progress else 0,
        problem=failure.message(lang) if failure and not progress else None, review=review,
    )
