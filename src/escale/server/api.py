"""The HTTP API: everything that a browser or a bot does, one address for each."""

from __future__ import annotations

import secrets
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi import Path as InPath
from starlette.responses import Response

from escale.games import game, games
from escale.kernel import CHANCE
from escale.server import boxes, models
from escale.server.answers import language, refuse, reply
from escale.server.house import House
from escale.server.problems import STATUS, Problem
from escale.server.safety import address
from escale.server.table import Table, fingerprint
from escale.server.views import Sight, branch, labels

LONGEST_WAIT = 25
"""Seconds that a question for events may wait for an answer."""
FURTHEST = 100_000

router = APIRouter(prefix="/api")


def errors(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The refusals of an address, for the OpenAPI document."""
    found: dict[int, list[str]] = {}
    for code in (*codes, "bad-request", "too-many", "too-large", "unavailable"):
        found.setdefault(STATUS[code], []).append(code)
    return {
        status: {
            "model": models.StaleError if status == 409 else models.Error,
            "description": f"Refused: {', '.join(f'`{code}`' for code in names)}.",
        }
        for status, names in found.items()
    }


Slug = Annotated[str, InPath(max_length=40, description="A game's name.")]
TableId = Annotated[str, InPath(max_length=64, description="A table's name.")]
As = Annotated[
    int | None,
    Query(alias="as", ge=0, le=5, description="Through which of your seats' eyes to look."),
]
Lang = Annotated[str | None, Query(max_length=10, description="`fr` or `en`.")]


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


def bearer(request: Request) -> str | None:
    """The token of `Authorization: Bearer …`."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip()[:100] or None if kind.lower() == "bearer" else None


async def _table(request: Request, id: TableId) -> Table:
    table = await _house(request).table(id)
    if table is None:
        raise Problem("unknown-table")
    return table


InHouse = Annotated[House, Depends(_house)]
AtTable = Annotated[Table, Depends(_table)]
Token = Annotated[str | None, Depends(bearer)]


def _sight(table: Table, token: str | None, wish: int | None, request: Request) -> Sight:
    """How somebody looks at a table; they count as seen."""
    seats = table.held(token)
    table.seen(seats)
    return Sight.of(seats, wish, language(request))


# ---- games ----


@router.get("/games", response_model=list[models.GameFacts], responses=errors(), tags=["games"])
async def list_games(request: Request, lang: Lang = None) -> Response:
    """All games on the shelf."""
    return reply([boxes.facts(box, language(request)) for box in games()])


@router.get("/games/{slug}", response_model=models.GameFacts, responses=errors("unknown-game"),
            tags=["games"])
async def one_game(request: Request, slug: Slug, lang: Lang = None) -> Response:
    """One game: its facts, options, seats and levels."""
    return reply(boxes.facts(game(slug), language(request)))


@router.get("/games/{slug}/examples", response_model=list[models.ExampleFacts],
            responses=errors("unknown-game"), tags=["games"])
async def game_examples(request: Request, slug: Slug, lang: Lang = None) -> Response:
    """The figures of the rules, as boards that one can touch."""
    return reply(boxes.examples(game(slug), language(request)))


@router.post("/games/{slug}/explain", response_model=models.Verdict,
             responses=errors("unknown-game", "bad-position", "illegal"), tags=["games"])
async def explain_figure(
    request: Request, slug: Slug, attempt: models.FigureAttempt, lang: Lang = None
) -> Response:
    """Whether some atoms are a move, and what comes of it, or which rule forbids it."""
    position = boxes.reach(game(slug), attempt.position, attempt.line)
    return reply(boxes.judge(position, attempt.atoms, attempt.lang or language(request)))


# ---- tables ----


@router.post("/tables", status_code=201, response_model=models.Opened,
             responses=errors("unknown-game", "bad-option", "elsewhere", "not-now"),
             tags=["tables"])
async def create_table(house: InHouse, order: models.Order) -> Response:
    """Set up a table. All seats of kind `person` are held by the token in the answer."""
    created = await house.create(**order.model_dump())
    body = {"table": created.table, "token": created.token, "seats": created.seats}
    return reply(body, 201)


@router.get("/tables", response_model=list[models.ListedTable], responses=errors(),
            tags=["tables"])
async def list_tables(request: Request, house: InHouse, lang: Lang = None) -> Response:
    """Public tables that are being played, or wait for somebody."""
    return reply(await house.public_tables(language(request)))


@router.get("/tables/{id}", response_model=models.TableState, responses=errors("unknown-table"),
            tags=["tables"])
async def read_table(
    request: Request, table: AtTable, token: Token, wish: As = None, lang: Lang = None
) -> Response:
    """The State of a table, as the bearer may see it."""
    async with table.lock:
        return reply(table.state(_sight(table, token, wish, request)))


@router.post("/tables/{id}/seats/{seat}", response_model=models.Seated,
             responses=errors("unknown-table", "seat-taken", "elsewhere", "not-your-seat"),
             tags=["tables"])
async def sit(
    table: AtTable, seat: Annotated[int, InPath(ge=0, le=5)], sitting: models.Sitting
) -> Response:
    """Sit down on an open seat."""
    token = secrets.token_urlsafe(24)
    await table.sit(seat, sitting.name, sitting.value, token)
    return reply({"token": token})


@router.get("/tables/{id}/moves", response_model=models.LegalMoves,
            responses=errors("unknown-table"), tags=["playing"])
async def legal_moves(
    request: Request, table: AtTable, token: Token, wish: As = None
) -> Response:
    """The legal moves, if it is your turn."""
    async with table.lock:
        sight = _sight(table, token, wish, request)
        match = table.match
        moves = match.position.moves() if table.views.chooses(sight) else []
        return reply({
            "n": len(match.events), "turn": "chance" if match.turn == CHANCE else match.turn,
            "over": match.outcome is not None,
            "moves": [{"text": move.text, "atoms": move.atoms} for move in moves],
        })


@router.get("/tables/{id}/choices", response_model=models.Branch,
            responses=errors("unknown-table", "not-your-turn", "illegal"), tags=["playing"])
async def choices(
    request: Request, table: AtTable, token: Token, wish: As = None, lang: Lang = None,
    after: Annotated[
        list[Annotated[str, Query(max_length=60)]] | None,
        Query(max_length=60, description="The atoms so far."),
    ] = None,
) -> Response:
    """What may follow some atoms, where the State had no room for it."""
    async with table.lock:
        sight = _sight(table, token, wish, request)
        if not table.views.chooses(sight):
            raise Problem("not-your-turn")
        node = table.match.position.choices().after(*(after or []))
        if node is None or node.move is not None:
            raise Problem("illegal", detail="these atoms lead nowhere")
        tree = branch(node)
        return reply({"choices": tree, "labels": labels(table.match.game, tree, sight.lang)})


@router.post("/tables/{id}/explain", response_model=models.Reason,
             responses=errors("unknown-table", "not-your-turn", "elsewhere"), tags=["playing"])
async def explain_attempt(
    request: Request, table: AtTable, token: Token, attempt: models.Attempt, lang: Lang = None
) -> Response:
    """Which rule forbids an attempt, for who is on turn."""
    async with table.lock:
        sight = _sight(table, token, attempt.as_, request)
        if not table.views.chooses(sight):
            raise Problem("not-your-turn")
        position = table.match.position
        node = position.choices().after(*attempt.atoms)
        if node is not None and node.move is not None:
            return reply({"legal": True, "text": "", "rule": None, "cells": []})
        return reply({"legal": False, **boxes.reason(position, attempt.atoms, sight.lang)})


@router.post("/tables/{id}/events", response_model=models.Done,
             responses=errors(
                 "unknown-table", "no-seat", "not-your-seat", "elsewhere", "stale", "not-now",
                 "not-your-turn", "not-begun", "over", "illegal", "bad-option",
             ), tags=["playing"])
async def act(
    request: Request, house: InHouse, table: AtTable, token: Token, action: models.AnyAction,
    lang: Lang = None,
) -> Response:
    """Do something at the table. The answer comes when it is durably kept."""
    house.turnstile.take("action", fingerprint(token) if token else address(request))
    seats = table.held(token)
    table.seen(seats)
    try:
        return reply({"n": await table.do(action.action(), seats)})
    except Problem as problem:
        if problem.code != "stale":
            raise
        async with table.lock:
            return refuse(request, problem, state=table.state(_sight(table, token, None, request)))


@router.get("/tables/{id}/events", response_model=models.Events,
            responses=errors("unknown-table"), tags=["playing"])
async def events(
    request: Request, table: AtTable, token: Token, wish: As = None, lang: Lang = None,
    since: Annotated[int, Query(ge=0, le=FURTHEST, description="The last event you know.")] = 0,
    wait: Annotated[
        float, Query(ge=0, le=LONGEST_WAIT, description="Seconds to wait for more.")
    ] = 0,
) -> Response:
    """What happened since; waits for something to happen, if you want."""
    await table.news(since, wait)
    if table.gone:
        raise Problem("unavailable")
    async with table.lock:
        return reply(table.gap(_sight(table, token, wish, request), since))


@router.get("/tables/{id}/plies/{ply}", response_model=models.Ply,
            responses=errors("unknown-table", "unknown-ply"), tags=["tables"])
async def ply(
    request: Request, table: AtTable, token: Token,
    ply: Annotated[int, InPath(ge=0, le=FURTHEST)], wish: As = None, lang: Lang = None,
) -> Response:
    """The table as it was after so many moves."""
    async with table.lock:
        if ply >= len(table.match.positions):
            raise Problem("unknown-ply")
        return reply(table.views.ply(ply, _sight(table, token, wish, request)))


@router.get("/tables/{id}/transcript", responses={
    200: {"content": {"application/jsonl": {"schema": {"type": "string"}}},
          "description": "One JSON object a line: the header, then the events."},
    **errors("unknown-table"),
}, response_class=Response, tags=["tables"])
async def transcript(
    request: Request, table: AtTable, token: Token, wish: As = None
) -> Response:
    """The whole match as the bearer may read it, for `escale verify` and for replays."""
    async with table.lock:
        sight = _sight(table, token, wish, request)
        text = table.views.transcript(sight)
    name = f"{table.match.game.slug}-{table.id}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers, media_type="application/jsonl")
