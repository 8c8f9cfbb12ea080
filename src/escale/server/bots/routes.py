"""The HTTP API of bots: their accounts, and one stream with the events of all their tables."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated

from fastapi import Depends, Request
from msgspec import Meta, Struct
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from escale.match.limits import About, GameName
from escale.server.bots.accounts import Bots, BotStream
from escale.server.edge.openapi import ApiRouter, Lang, answers, body, reads_token, refusals, takes
from escale.server.edge.problems import Problem
from escale.server.edge.responses import language, reply
from escale.server.tables.house import House
from escale.server.tables.routes import Bearer, InHouse
from escale.store import Bot

router = ApiRouter("/bots")

LINES = "application/x-ndjson"


# ---- messages ----


class BotDescription(Struct, frozen=True, forbid_unknown_fields=True):
    """How a bot describes itself; a field that is left out stays as it was."""

    about: About | None = None
    games: Annotated[
        list[GameName],
        Meta(max_length=100, description="The games that it plays; none of them for all."),
    ] | None = None


class ListedBot(Struct, frozen=True):
    """A bot of this house, with its results."""

    name: str
    about: About
    games: Annotated[
        list[str], Meta(description="The games that it plays; empty where it may be asked for any.")
    ]
    listening: Annotated[bool, Meta(description="Whether it hears of a challenge at once.")]
    won: int
    drawn: int
    lost: int


class BotFacts(Struct, frozen=True):
    """A bot's own account."""

    name: str
    about: About
    games: list[str]
    tables: Annotated[
        list[str], Meta(description="Where it sits, or is asked to, and the match goes on.")
    ]


# ---- routes ----


def _bots(request: Request) -> Bots:
    bots: Bots = request.app.state.bots
    return bots


OfHouse = Annotated[Bots, Depends(_bots)]


@reads_token("botToken", optional=False)
async def _me(bots: OfHouse, token: Bearer) -> tuple[Bot, str]:
    bot = bots.known(token)
    if bot is None or token is None:
        raise Problem("no-bot")
    return bot, token


Me = Annotated[tuple[Bot, str], Depends(_me)]
ADescription = Annotated[BotDescription, body(BotDescription)]


class Lines(StreamingResponse):
    """The lines of a stream, for as long as a client reads them."""

    def __init__(self, bots: Bots, stream: BotStream) -> None:
        # A proxy must pass each line on at once.
        super().__init__(stream.lines(), media_type=LINES, headers={"x-accel-buffering": "no"})
        self._bots = bots
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the lines; the stream is closed however that ends."""
        with suppress(KeyError):                # the house ends streams when it closes
            scope["state"]["escale.streams"][:] = [self._stream.close]
        # Notice at once that a bot has gone, even while nothing is sent: it must not be challenged.
        watching = asyncio.create_task(self._watch(receive))
        try:
            await super().__call__(scope, receive, send)
        finally:
            watching.cancel()
            self._bots.close(self._stream)

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            continue
        self._stream.close()


@router.get("", tags=["bots"], responses=answers(list[ListedBot]))
async def list_bots(bots: OfHouse, lang: Lang = None) -> Response:
    """The bots of this house, which one can challenge."""
    return reply([
        ListedBot(
            bot.name, bot.about, list(bot.games), bots.listens(bot), bot.won, bot.drawn,
            bot.lost,
        )
        for bot in await bots.all()
    ])


@router.get("/me", tags=["bots"], responses=answers(BotFacts, "no-bot"))
async def read_bot_account(house: InHouse, me: Me, lang: Lang = None) -> Response:
    """Your own account, and the tables where you have a running match or a challenge."""
    return await _facts(house, me[0])


@router.post("/me", tags=["bots"], openapi_extra=takes(BotDescription),
             responses=answers(BotFacts, "no-bot", "unknown-game"))
async def describe_bot(
    house: InHouse, bots: OfHouse, me: Me, description: ADescription, lang: Lang = None
) -> Response:
    """Describe yourself in one line, and name the games that you play: visitors read it."""
    bot, _ = me
    about = bot.about if description.about is None else description.about.strip()
    games = bot.games if description.games is None else description.games
    return await _facts(house, await bots.describe(bot, about, games))


async def _facts(house: House, bot: Bot) -> Response:
    tables = await house.store.held_by(bot.sha256)
    return reply(BotFacts(bot.name, bot.about, list(bot.games), tables))


@router.get("/me/events", tags=["bots"], response_class=Response, responses={
    200: {"content": {LINES: {"schema": {"type": "string"}}},
          "description": "One JSON object a line, for as long as you read; blank lines between."},
    **refusals("no-bot"),
})
async def follow_bot_events(
    request: Request, bots: OfHouse, me: Me, lang: Lang = None
) -> Response:
    """Everything that happens at all your tables, as it happens."""
    return Lines(bots, bots.open(*me, language(request)))
