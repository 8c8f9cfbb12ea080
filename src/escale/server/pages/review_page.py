"""The page of a review: the curve, every move with its mark, the turning points."""

from __future__ import annotations

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from escale.game.errors import EscaleError
from escale.render.curve import curve
from escale.render.svg import definitions
from escale.server.drawing import draw
from escale.server.middleware.security import address
from escale.server.pages import table_words
from escale.server.pages.game_cards import card
from escale.server.pages.page_context import PageContext, error_page, page
from escale.server.pages.routes import captions
from escale.server.problems import Problem
from escale.server.study.reviews import Reviews
from escale.study.judging import MARKS
from escale.study.review_words import ToldReview, mark_name
from escale.study.words import words as study_words
from escale.web.script_words import script_words

router = APIRouter()


@page(router, "/t/{id}/review")
async def review_page(context: PageContext) -> Response:
    """The review of a match that is over, or what it takes to have one."""
    request, lang = context.request, context.lang
    table = await context.house.table(request.path_params["id"])
    if table is None:
        return error_page(request, 404, "table")
    reviews: Reviews = request.app.state.reviews
    over = table.match.outcome is not None
    review = await reviews.told(table, lang) if over else None
    failure = reviews.failure(table) if over else None
    box = table.match.game
    return context.show(
        "review.html", 200 if over else 409, id=table.id, over=over, review=review,
        progress=reviews.progress(table) if over else None,
        problem=failure.message(lang) if failure else "",
        box=await draw(card, box, lang), art=Markup(definitions(box.art)),
        drawn=Markup(drawn(review, lang)) if review else "",
        marks=[(mark, mark_name(mark, lang)) for mark in MARKS],
        words=script_words(lang, "review.js"), captions=captions(box, lang),
        prompts=table_words.prompts(box, lang), names=table_words.names(box, lang),
    )


@router.post("/t/{id}/review", include_in_schema=False)
@router.post("/en/t/{id}/review", include_in_schema=False)
async def ask_for_review(request: Request) -> Response:
    """Have a review made from a form, for those without scripts."""
    context = PageContext(request)
    table = await context.house.table(request.path_params["id"])
    if table is None:
        return error_page(request, 404, "table")
    try:
        reviews: Reviews = request.app.state.reviews
        await reviews.begin(table, address(request), context.lang)
    except EscaleError as error:
        return error_page(request, Problem.of(error).status)
    return RedirectResponse(context.url(f"/t/{table.id}/review"), 303)


def drawn(review: ToldReview, lang: str) -> str:
    """The curve of a review as SVG."""
    return curve(
        [*(move.before for move in review.moves), review.end],
        [seat.name for seat in review.seats], study_words().say("review.curve", lang),
        {turn.index: turn.title for turn in review.turns},
        study_words().sentence("review.percent", lang),
    )
