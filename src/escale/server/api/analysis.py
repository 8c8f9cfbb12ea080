"""Analysis over HTTP: the best lines of a position while one looks, and matches as lines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from escale.game.texts import LANGUAGES
from escale.games import game
from escale.server.api.games import STUDIED, Slug
from escale.server.api.openapi import Lang, answers, body, takes
from escale.server.api.tables import AtTable, Bearer
from escale.server.middleware.security import address
from escale.server.off_loop import off_loop
from escale.server.problems import Problem
from escale.server.responses import language, reply
from escale.server.study.messages import AnalysisLook, AnalysisQuestion, TableStudy
from escale.server.study.pool import Found, StudyPool

router = APIRouter(prefix="/api", default_response_class=Response)
AnAnalysisQuestion = Annotated[AnalysisQuestion, body(AnalysisQuestion)]
LINES = "application/x-ndjson"


@router.post("/games/{slug}/analysis", tags=["study"],
             openapi_extra=takes(AnalysisQuestion),
             responses=answers(AnalysisLook, *STUDIED, "not-now"))
async def analyse(
    request: Request, slug: Slug, question: AnAnalysisQuestion, lang: Lang = None
) -> Response:
    """The best lines of a position: one JSON object a line, each better than the one before.

    It ends by itself; who closes the connection is not worked for any longer.
    """
    lang = question.lang if question.lang in LANGUAGES else language(request)
    pool: StudyPool = request.app.state.study
    asked = {"game": game(slug).slug, "lang": lang, "question": msgspec.to_builtins(question)}
    looks = pool.values("analysis", asked, lang, address(request), lane="long")
    first = await _unless_gone(request, looks)
    if first.status != 200:
        await looks.aclose()
        return Response(first.body, first.status, media_type="application/json")
    # Proxies that collect answers before they pass them on are asked not to.
    return StreamingResponse(_lines(first, looks), headers={"x-accel-buffering": "no"},
                             media_type=LINES)


_leaving: set[asyncio.Task[None]] = set()
"""Looks that nobody reads any more, until the search under way has ended."""


async def _lines(first: Found, looks: AsyncGenerator[Found, None]) -> AsyncIterator[bytes]:
    look: Found | None = first
    following: asyncio.Future[Found | None] | None = None
    try:
        while look is not None:
            yield look.body + b"\n"
            following = asyncio.ensure_future(anext(looks, None))
            look = await asyncio.shield(following)
    finally:
        leaving = asyncio.create_task(_leave(following, looks))
        _leaving.add(leaving)
        leaving.add_done_callback(_leaving.discard)


async def _leave(
    following: asyncio.Future[Found | None] | None, looks: AsyncGenerator[Found, None]
) -> None:
    """Give a look up between two searches: one takes a moment, another process takes longer."""
    if following is not None:
        await asyncio.wait((following,))
        if not following.cancelled():
            following.exception()               # nobody is there to be told
    await looks.aclose()


async def _unless_gone(request: Request, looks: AsyncGenerator[Found, None]) -> Found:
    """The first look; who leaves while waiting for it gives up their place in the queue."""
    first = asyncio.ensure_future(anext(looks))
    gone = asyncio.ensure_future(request.receive())      # the body is read: nothing else can come
    try:
        await asyncio.wait((first, gone), return_when=asyncio.FIRST_COMPLETED)
        if not first.done():
            first.cancel()
            await asyncio.wait((first,))
            raise Problem("unavailable")                 # nobody hears it
        return first.result()
    finally:
        gone.cancel()


@router.get("/tables/{id}/study", tags=["study"],
            responses=answers(TableStudy, "unknown-table", "still-played",
                              "still-hidden"))
async def table_study(
    request: Request, table: AtTable, token: Bearer, lang: Lang = None
) -> Response:
    """A match as a line to study: one that is over, or your own against computers.

    While people play against each other nobody is helped, and hidden cards stay hidden.
    """
    async with table.open():
        match = table.match
        if match.outcome is None:
            if not match.only_of(table.held(token)):
                raise Problem("still-played")
            if match.game.hides:
                raise Problem("still-hidden")
        line = await off_loop(lambda: [move.text for move in match.position.line()])
        return reply(TableStudy(
            match.game.slug, match.start.text, line, match.game.hides
        ))
