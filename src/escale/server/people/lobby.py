"""The lobby: public tables, seats to take at once, and the search for an opponent.

The house draws its page, which follows all changes: browsers ask whether the lobby has changed,
and wait for the answer. The list is read at intervals, once for all browsers that wait.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from time import monotonic
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from msgspec import Meta, Struct
from starlette.responses import RedirectResponse, Response

from escale.game.errors import BadSetup, EscaleError, UnknownGame
from escale.game.texts import LANGUAGES
from escale.games import game as game_named
from escale.games import games
from escale.match.clock import Pace
from escale.match.reading import encode
from escale.server.edge.openapi import ApiRouter, answers
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.edge.responses import form_fields, language, reply
from escale.server.edge.security import address
from escale.server.pages import forms
from escale.server.pages.game_cards import card
from escale.server.pages.page_context import PageContext, error_page, page
from escale.server.pages.routes import ago, for_beginners
from escale.server.people.notebooks import Notebooks
from escale.server.tables.house import House
from escale.server.tables.names import seat_token
from escale.server.tables.orders import OpenSeat, Order, PersonSeat, Sitting
from escale.server.tables.phrases import is_listed
from escale.server.workers.drawing import draw
from escale.store import StoreError
from escale.web.script_words import script_words

router = APIRouter()
api = ApiRouter("/lobby")

LOOK_SECONDS = 1.5
"""The time between two looks at the list while any browser waits."""
LONGEST_WAIT_SECONDS = 25
CLOCKS: dict[str, Pace | None] = {
    "none": None, "5": Pace.live(300, 3), "15": Pace.live(900, 10), "day": Pace.daily(1),
    "days": Pace.daily(3),
}
"""The clocks to choose from in the search for an opponent."""
STRENGTHS = ("any", "beginner", "skilled")
MOST_TRIED = 5
"""Seats that are tried before a new table is opened: other people may be quicker."""


class LobbyVersion(Struct, frozen=True):
    """The version of the lobby at a moment."""

    version: Annotated[str, Meta(description="Another one whenever the list is another.")]


class Lobby:
    """The version of the public list, which is checked while any browser waits for a newer one."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._version = ""
        self._looked_at = -LOOK_SECONDS
        self._news = asyncio.Event()
        self._waiting = 0
        self._looking: asyncio.Task[None] | None = None

    async def version(self) -> str:
        """The version now, or a moment ago."""
        if monotonic() - self._looked_at > LOOK_SECONDS:
            await self._look()
        return self._version

    async def wait_for_another(self, known: str, seconds: float) -> str:
        """The version, as soon as it differs from the known one or the time is up."""
        if await self.version() != known:
            return self._version
        self._waiting += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_regularly())
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    while self._version == known:
                        await self._news.wait()
        finally:
            self._waiting -= 1
        return self._version

    async def _look_regularly(self) -> None:
        while self._waiting:
            await asyncio.sleep(LOOK_SECONDS)
            with suppress(StoreError):
                await self._look()

    async def _look(self) -> None:
        self.note(await self._house.public_tables())

    def note(self, listed: list[dict[str, Any]]) -> str:
        """The version of the list, which was read just now."""
        self._looked_at = monotonic()
        versions = [
            (one["table"], one["n"], [seat["status"] for seat in one["seats"]]) for one in listed
        ]
        version = sha256(encode(versions)).hexdigest()[:16]
        if version != self._version:
            self._version = version
            self._news.set()
            self._news = asyncio.Event()
        return version


@api.get("", responses=answers(LobbyVersion), tags=["tables"])
async def read_lobby(
    request: Request,
    since: Annotated[str, Query(max_length=16, description="The version that you know.")] = "",
    wait: Annotated[
        float, Query(ge=0, le=LONGEST_WAIT_SECONDS, description="Seconds to wait for another.")
    ] = 0,
) -> Response:
    """The version of the list of public tables; can wait until it changes."""
    lobby: Lobby = request.app.state.lobby
    return reply(LobbyVersion(await lobby.wait_for_another(since, wait)))


# ---- the page ----


@page(router, "/lobby")
async def lobby(context: PageContext) -> Response:
    """Public tables: those with an open seat first."""
    return await _lobby(context)


async def _lobby(context: PageContext, problem: str = "", status: int = 200) -> Response:
    listed = await context.house.public_tables(context.lang)
    sought = await _sought(context, listed)
    holder = await _holder(context)
    tables = [await _listed(context, table, sought, holder) for table in listed]
    own = await context.app.notebooks.of(context.request)
    return context.show(
        "lobby.html", status, problem=problem,
        tables=sorted(tables, key=lambda table: not table["open"]),
        boxes=[await draw(card, game, context.lang) for game in games()],
        clocks=list(CLOCKS), strengths=STRENGTHS, name="" if own is None else own[0].name,
        first=await draw(card, for_beginners(), context.lang), level=forms.LEVEL,
        bots=len(await context.bots.all()), listening=await context.app.listening_bots(context),
        version=context.app.lobby.note(listed), words=script_words(context.lang, "lobby.js"),
    )


async def _sought(context: PageContext, listed: list[dict[str, Any]]) -> Mapping[str, str]:
    notebooks: Notebooks = context.app.notebooks
    return await notebooks.sought([table["table"] for table in listed])


async def _holder(context: PageContext) -> str | None:
    notebooks: Notebooks = context.app.notebooks
    return await notebooks.holder(context.request.cookies)


async def _listed(
    context: PageContext, table: dict[str, Any], sought: Mapping[str, str], holder: str | None
) -> dict[str, Any]:
    """A table as one line of the lobby."""
    known = context.house.tables.get(table["table"])
    return {
        "ratings": {} if known is None else await context.app.notebooks.ratings_at(known),
        "id": table["table"], "box": await draw(card, game_named(table["game"]), context.lang),
        "open": [seat["seat"] for seat in table["seats"]
                 if seat["status"] == "open" and not seat["awaited"]],
        "seats": table["seats"], "moves": table["moves"],
        "dealt_by_hand": table["dealt_by_hand"], "clock": _clock_words(context, table["clock"]),
        "strength": sought.get(table["table"], "any"),
        "picture": f"/picture/table/{table['table']}.svg?n={table['n']}",
        "mine": _is_mine(context, table["table"], holder),
        "ago": ago(context, time.time() - table["at"] / 1000),
    }


def _clock_words(context: PageContext, clock: Pace | None) -> str:
    if clock is None:
        return ""
    if clock.days is not None:
        return context.count("lobby.days", clock.days)
    return context.say(
        "lobby.minutes", minutes=(clock.initial or 0) // 60, increment=clock.increment or 0
    )


# ---- sitting down ----


async def _context(request: Request) -> tuple[PageContext, dict[str, str]]:
    fields = await form_fields(request)
    context = PageContext(request)
    context.lang = fields["lang"] if fields.get("lang") in LANGUAGES else language(request)
    context.here = "/lobby"
    return context, fields


async def _name(context: PageContext, fields: dict[str, str]) -> str:
    own = await context.app.notebooks.of(context.request)
    known = "" if own is None else own[0].name
    return forms.name(fields, "name") or known or context.say("seat.guest")


async def _sit(context: PageContext, id: str, name: str) -> str | None:
    """Sit down on the first open seat of a table; the token, or None if there is none."""
    house: House = context.house
    table = await house.table(id)
    if table is None or not table.public:
        return None
    for seat, player in enumerate(table.match.players):
        if player.open and not player.name:
            token = seat_token(None, id, seat)
            listed = not table.phrases or is_listed(name, table.match.game)
            called = name if listed else context.say("seat.guest")
            with suppress(Problem):                 # another person was quicker
                await table.sit(seat, Sitting(called), token)
                return token
    return None


def _to_table(context: PageContext, id: str, token: str) -> Response:
    return RedirectResponse(f"{context.url(f'/t/{id}')}#seat={token}", 303)


@router.post("/lobby/sit", include_in_schema=False)
async def sit(request: Request) -> Response:
    """Sit down at a public table at once."""
    context, fields = await _context(request)
    id = fields.get("table", "")[:64]
    token = await _sit(context, id, await _name(context, fields))
    if token is None:
        return await _lobby(context, context.say("lobby.too-late"), 409)
    return _to_table(context, id, token)


@router.post("/lobby/seek", include_in_schema=False)
async def seek(request: Request) -> Response:
    """Sit down with a person who seeks the same, else open a public table and wait there."""
    context, fields = await _context(request)
    limiter: RateLimiter = request.app.state.rate_limiter
    notebooks: Notebooks = context.app.notebooks
    try:
        game = game_named(fields.get("game", ""))
        kind, strength = fields.get("clock", "none"), fields.get("strength", STRENGTHS[0])
        if kind not in CLOCKS:
            raise BadSetup("clock", clock=kind, known=tuple(CLOCKS))
        if strength not in STRENGTHS:
            raise Problem("bad-request", detail=f"strength: expected one of {STRENGTHS}")
        name = await _name(context, fields)
        for id in await _fitting(context, game.slug, CLOCKS[kind], strength):
            token = await _sit(context, id, name)
            if token is not None:
                return _to_table(context, id, token)
        limiter.take("table", address(request))
        if context.house.settings.phrases_only and not is_listed(name, game):
            name = context.say("seat.guest")
        seats: list[Any] = [PersonSeat(name, later=True)]
        seats += [OpenSeat()] * (game.seats[0] - 1)
        created = await context.house.create(Order(
            game=game.slug, seats=seats, clock=CLOCKS[kind], public=True,
        ), address(request))
        await notebooks.seek(created.table, strength)
    except UnknownGame:
        return error_page(request, 404, "game")
    except EscaleError as error:
        problem = Problem.of(error)
        return await _lobby(context, problem.message(context.lang), problem.status)
    return _to_table(context, created.table, created.token)


async def _fitting(
    context: PageContext, game: str, clock: Pace | None, strength: str
) -> list[str]:
    """The tables of other people who seek the same, the longest wait first."""
    listed = await context.house.public_tables(context.lang)
    sought = await _sought(context, listed)
    holder = await _holder(context)
    return [
        table["table"] for table in reversed(listed)
        if table["game"] == game and table["clock"] == clock and not table["begun"]
        and any(
            seat["status"] == "open" and not seat["awaited"] for seat in table["seats"]
        )
        and len({strength, sought.get(table["table"], "any")} - {"any"}) < 2
        and not _is_mine(context, table["table"], holder)
        and not _is_composed(context, table["table"])
    ][:MOST_TRIED]


def _is_mine(context: PageContext, id: str, holder: str | None) -> bool:
    table = context.house.tables.get(id)
    return bool(table is not None and table.held(holder))


def _is_composed(context: PageContext, id: str) -> bool:
    """Whether a match begins from a position that its opener chose: one sits down there knowingly.
    """
    table = context.house.tables.get(id)
    return bool(table is not None and table.match.composed)
