"""Solving puzzles: what a move is worth, and hints, worked out by the processes of the study."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter
from fastapi import Path as InPath
from starlette.requests import Request
from starlette.responses import Response

from escale.game.texts import LANGUAGES
from escale.games import game
from escale.server.api.games import Slug
from escale.server.api.openapi import Lang, answers, body, takes
from escale.server.middleware.security import address
from escale.server.problems import Problem
from escale.server.responses import language
from escale.server.study.pool import StudyPool
from escale.server.study.puzzle_messages import (
    PuzzleHelp,
    PuzzleHint,
    PuzzleLine,
    PuzzleTry,
    PuzzleVerdict,
)
from escale.study.puzzles import puzzles_of

router = APIRouter(prefix="/api", default_response_class=Response)

PuzzleId = Annotated[str, InPath(max_length=20, description="A puzzle of the game.")]
ATry = Annotated[PuzzleTry, body(PuzzleTry)]
AHelp = Annotated[PuzzleHelp, body(PuzzleHelp)]
REFUSALS = ("unknown-game", "unknown-puzzle", "illegal", "not-now", "too-costly")


@router.post("/games/{slug}/puzzles/{id}/try", tags=["study"],
             openapi_extra=takes(PuzzleTry),
             responses=answers(PuzzleVerdict, *REFUSALS))
async def try_puzzle(
    request: Request, slug: Slug, id: PuzzleId, attempt: ATry, lang: Lang = None
) -> Response:
    """What the last move of a line is worth in a puzzle, and what the others reply."""
    return await _worked_out(request, "puzzle", slug, id, attempt)


@router.post("/games/{slug}/puzzles/{id}/hint", tags=["study"],
             openapi_extra=takes(PuzzleHelp),
             responses=answers(PuzzleHint, *REFUSALS))
async def puzzle_hint(
    request: Request, slug: Slug, id: PuzzleId, wish: AHelp, lang: Lang = None
) -> Response:
    """What a puzzle is about, with the rule that matters; then the move itself."""
    return await _worked_out(request, "puzzle-hint", slug, id, wish)


async def _worked_out(
    request: Request, job: str, slug: str, id: str, question: PuzzleLine
) -> Response:
    if id not in puzzles_of(game(slug)):
        raise Problem("unknown-puzzle")
    lang = question.lang if question.lang in LANGUAGES else language(request)
    asked = {**msgspec.to_builtins(question), "game": slug, "puzzle": id, "lang": lang}
    study: StudyPool = request.app.state.study
    found = await study.ask(job, asked, lang, address(request))
    return Response(found.body, found.status, media_type="application/json")
