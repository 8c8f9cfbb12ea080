"""Games over HTTP: their facts, and the figures of their rules."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from starlette.responses import Response

from escale.game.game import Game
from escale.game.state_of_play import board_part
from escale.game.texts import LANGUAGES
from escale.games import game, games
from escale.match.limits import MOST_SEATS, NAME
from escale.server import figures, messages
from escale.server.api.openapi import Lang, answers, body, takes
from escale.server.engines import names_at
from escale.server.errands import Errands
from escale.server.game_facts import facts
from escale.server.middleware.security import address
from escale.server.pages.files import FOR_EVER
from escale.server.problems import Problem
from escale.server.responses import language, reply
from escale.server.study.messages import ComposedPosition
from escale.server.tables.house import House

router = APIRouter(prefix="/api", default_response_class=Response)

Slug = Annotated[str, InPath(max_length=NAME, description="A game's name.")]
NO_OPTIONS = ("seats", "lang")
"""Parameters of a board's address that are no options of the game."""
AStudyQuestion = Annotated[messages.StudyQuestion, body(messages.StudyQuestion)]
AStudyAttempt = Annotated[messages.StudyAttempt, body(messages.StudyAttempt)]
AComposedPosition = Annotated[ComposedPosition, body(ComposedPosition)]
STUDIED = ("unknown-game", "bad-option", "bad-position", "illegal", "too-costly")
"""Refusals of what is worked out about any position."""


@router.get("/games", responses=answers(list[messages.GameFacts]), tags=["games"])
async def list_games(request: Request, lang: Lang = None) -> Response:
    """All games on the shelf."""
    return reply([_facts(request, box) for box in games()])


@router.get("/games/{slug}", responses=answers(messages.GameFacts, "unknown-game"),
            tags=["games"])
async def one_game(request: Request, slug: Slug, lang: Lang = None) -> Response:
    """One game: its facts, options, seats and levels."""
    return reply(_facts(request, game(slug)))


def _facts(request: Request, box: Game[Any]) -> messages.GameFacts:
    house: House = request.app.state.house
    return facts(box, language(request), names_at(box.slug, house.settings.engines))


@router.get("/games/{slug}/examples", tags=["games"],
            responses=answers(list[messages.ExampleFacts], "unknown-game"))
async def game_examples(request: Request, slug: Slug, lang: Lang = None) -> Response:
    """The figures of the rules: positions, and what is tried there."""
    return reply(figures.examples(game(slug), language(request)))


@router.get("/games/{slug}/boards/{fingerprint}", tags=["games"],
            responses=answers(messages.BoardFacts, "unknown-game", "bad-option", "unknown-board"))
async def game_board(
    request: Request, slug: Slug,
    fingerprint: Annotated[str, InPath(max_length=NAME, description="As in a table's state.")],
    seats: Annotated[int | None, Query(ge=1, le=MOST_SEATS)] = None,
) -> Response:
    """A board, which never changes; all other parameters are options of the game."""
    box = game(slug)
    options = {
        name: value for name, value in request.query_params.items() if name not in NO_OPTIONS
    }
    part = board_part(box, options, box.seat_count(seats))
    if part.fingerprint != fingerprint:
        raise Problem("unknown-board")
    return Response(part.json, headers={"cache-control": FOR_EVER}, media_type="application/json")


# Strangers may ask about any position: that is worked out in other processes.


@router.post("/games/{slug}/explain", tags=["study"], openapi_extra=takes(messages.StudyAttempt),
             responses=answers(messages.AttemptResult, *STUDIED))
async def explain_attempt(
    request: Request, slug: Slug, attempt: AStudyAttempt, lang: Lang = None
) -> Response:
    """Whether some atoms are a move, and what comes of it, or which rule forbids it."""
    return await _worked_out(request, "explain", slug, attempt)


@router.post("/games/{slug}/study", tags=["study"], openapi_extra=takes(messages.StudyQuestion),
             responses=answers(messages.StudyPosition, *STUDIED))
async def study_position(
    request: Request, slug: Slug, question: AStudyQuestion, lang: Lang = None
) -> Response:
    """The position that some moves lead to: its board, its legal moves, and how it was reached."""
    return await _worked_out(request, "study", slug, question)


@router.post("/games/{slug}/choices", tags=["study"], openapi_extra=takes(messages.StudyAttempt),
             responses=answers(messages.ChoiceFacts, *STUDIED))
async def study_choices(
    request: Request, slug: Slug, attempt: AStudyAttempt, lang: Lang = None
) -> Response:
    """What may follow some atoms, where a study position had no room for it."""
    return await _worked_out(request, "choices", slug, attempt)


@router.post("/games/{slug}/compose", tags=["study"],
             openapi_extra=takes(ComposedPosition),
             responses=answers(messages.StudyPosition, *STUDIED))
async def compose_position(
    request: Request, slug: Slug, composed: AComposedPosition, lang: Lang = None
) -> Response:
    """A position set up by hand; if it cannot be, why."""
    return await _worked_out(request, "compose", slug, composed)


async def _worked_out(
    request: Request, errand: str, slug: str,
    question: messages.StudyQuestion | ComposedPosition,
) -> Response:
    lang = question.lang if question.lang in LANGUAGES else language(request)
    errands: Errands = request.app.state.errands
    answer = await errands.run(errand, game(slug).slug, question, lang, address(request))
    return Response(bytes(answer.body), answer.status, media_type="application/json")
