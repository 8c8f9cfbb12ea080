"""The analysis board: its page, and its lines over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from escale.game import editing
from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.games import game
from escale.server.edge.openapi import ApiRouter, Lang, answers, body, takes
from escale.server.edge.problems import Problem
from escale.server.edge.responses import language, reply
from escale.server.edge.security import address
from escale.server.pages import shared_pictures as share
from escale.server.pages.board_words import board_json, board_words
from escale.server.pages.game_cards import card
from escale.server.pages.games import Slug
from escale.server.pages.page_context import PageContext, page
from escale.server.study.analysis import (
    AnalysisJob,
    AnalysisLook,
    AnalysisQuestion,
    TableStudy,
)
from escale.server.study.position_routes import STUDIED
from escale.server.tables.routes import AtTable, Bearer
from escale.server.workers.drawing import draw
from escale.server.workers.off_loop import off_loop
from escale.server.workers.pool import Answer, WorkerPool
from escale.web.script_words import script_words

api = ApiRouter()
pages = APIRouter()

LINES = "application/x-ndjson"


AnAnalysisQuestion = Annotated[AnalysisQuestion, body(AnalysisQuestion)]


@api.post("/games/{slug}/analysis", tags=["study"],
             openapi_extra=takes(AnalysisQuestion),
             responses=answers(AnalysisLook, *STUDIED, "not-now"))
async def analyse_position(
    request: Request, slug: Slug, question: AnAnalysisQuestion, lang: Lang = None
) -> Response:
    """The best lines of a position: one JSON object a line, each better than the one before.

    It ends by itself, and also when the client closes the connection.
    """
    lang = question.lang if question.lang in LANGUAGES else language(request)
    workers: WorkerPool = request.app.state.workers
    job = AnalysisJob(game=game(slug).slug, question=question, lang=lang)
    looks = workers.values(job, address(request))
    first = await _unless_gone(request, looks)
    if first.status != 200:
        await looks.aclose()
        return Response(first.body, first.status, media_type="application/json")
    # Asks proxies that collect answers to pass each line on at once.
    return StreamingResponse(_lines(first, looks), headers={"x-accel-buffering": "no"},
                             media_type=LINES)


async def _lines(first: Answer, looks: AsyncGenerator[Answer, None]) -> AsyncIterator[bytes]:
    async with aclosing(looks):
        yield first.body + b"\n"
        async for look in looks:
            yield look.body + b"\n"


async def _unless_gone(request: Request, looks: AsyncGenerator[Answer, None]) -> Answer:
    """The first result; a visitor who leaves before it gives up the place in the queue."""
    first = asyncio.ensure_future(anext(looks))
    gone = asyncio.ensure_future(request.receive())    # the body was read: only the end can come
    try:
        await asyncio.wait((first, gone), return_when=asyncio.FIRST_COMPLETED)
        if not first.done():
            first.cancel()
            await asyncio.wait((first,))
            raise Problem("unavailable")                 # the connection is gone
        return first.result()
    finally:
        gone.cancel()


@api.get("/tables/{id}/study", tags=["study"],
            responses=answers(TableStudy, "unknown-table", "still-played",
                              "still-hidden"))
async def read_table_study(
    request: Request, table: AtTable, token: Bearer, lang: Lang = None
) -> Response:
    """A match as a line to study: a finished one, or your own against computers.

    While people play against each other this is refused, and hidden cards stay hidden.
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


# ---- the page ----


@page(pages, "/g/{slug}/analyse")
async def analysis_page(context: PageContext) -> Response:
    """The analysis board for any position of a game; its script does the rest."""
    box, lang = game(context.request.path_params["slug"]), context.lang
    shown = await draw(card, box, lang)
    return context.show(
        "analyse.html", box=shown, options=shown.options, facts=facts(box, lang),
        levels=[(one.level, one.name) for one in shown.levels],
        words=script_words(lang, "analysis.js"), **board_words(box, lang),
        boards=board_json(box.start()), models=models(box, lang),
        writing=[box.texts.say(key, lang) for key in box.texts if key.startswith("writing.")],
        card=share.game_card(box, lang),
    )


@cache
def models(box: Game[Any], lang: str) -> list[tuple[str, str]]:
    """First positions for games without an editor: a caption and a text each."""
    examples = {example.id: example for example in box.examples}
    return [
        (model.caption[lang], box.position(model.position, line=model.line).text)
        for model in map(examples.__getitem__, box.models)
    ]


@cache
def facts(box: Game[Any], lang: str) -> dict[str, Any]:
    """The data that the script needs: the seats, and the contents of the editor."""
    kinds = box.board.kinds
    return {
        "slug": box.slug, "hides": box.hides, "fewest": box.seats[0],
        "seats": [box.seat_name(seat, lang) for seat in range(box.seats[1])],
        "supplies": box.supplies and [
            {
                "piece": supply.piece, "most": supply.most, "symbol": kinds[supply.piece].symbol,
                "name": box.called(supply.piece, lang, ("piece",)),
            }
            for supply in box.supplies
        ],
        "fields": [
            {
                "name": field.name, "values": list(field.values),
                "label": box.texts.say(f"field.{field.name}", lang),
            }
            for field in box.fields
        ],
        "turns": [
            {"value": turn, "label": box.called(turn, lang, ("seat", "turn"))}
            for turn in editing.turns(box)
        ],
        "options": [option.name for option in box.options],
    }
