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
from escale.server.drawing import draw
from escale.server.engines import names_at
from escale.server.errands import Errands
from escale.server.game_facts import facts
from escale.server.middleware.security import address
from escale.server.pages.files import FOR_EVER
from escale.server.problems import Problem
from escale.server.responses import language, reply
from escale.server.tables.house import House

router = APIRouter(prefix="/api", default_response_class=Response)

Slug = Annotated[str, InPath(max_length=NAME, description="A game's name.")]
NO_OPTIONS = ("seats", "lang")
"""Parameters of a board's address that are no options of the game."""
AFigureAttempt = Annotated[messages.FigureAttempt, body(messages.FigureAttempt)]


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
    """The figures of the rules, as boards that one can touch."""
    return reply(await draw(figures.examples, game(slug), language(request)))


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


@router.post("/games/{slug}/explain", tags=["games"], openapi_extra=takes(messages.FigureAttempt),
             responses=answers(messages.AttemptResult, "unknown-game", "bad-position", "illegal",
                               "too-costly"))
async def explain_figure(
    request: Request, slug: Slug, attempt: AFigureAttempt, lang: Lang = None
) -> Response:
    """Whether some atoms are a move, and what comes of it, or which rule forbids it."""
    lang = attempt.lang if attempt.lang in LANGUAGES else language(request)
    errands: Errands = request.app.state.errands
    answer = await errands.judge(game(slug).slug, attempt, lang, address(request))
    return Response(bytes(answer.body), answer.status, media_type="application/json")
