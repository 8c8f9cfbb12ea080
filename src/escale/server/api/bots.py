"""Bots over HTTP: who they are, and one stream of events across all tables where they sit."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from escale.server import messages
from escale.server.api.openapi import Lang, answers, body, refusals, takes
from escale.server.api.tables import Bearer, InHouse
from escale.server.problems import Problem
from escale.server.responses import language, reply
from escale.server.tables.bots import Bots, BotStream
from escale.server.tables.house import House
from escale.store import Bot

router = APIRouter(prefix="/api/bots", default_response_class=Response, tags=["bots"])

LINES = "application/x-ndjson"


async def _me(house: InHouse, token: Bearer) -> tuple[Bot, str]:
    bot = house.bots.known(token)
    if bot is None or token is None:
        raise Problem("no-bot")
    return bot, token


Me = Annotated[tuple[Bot, str], Depends(_me)]
ADescription = Annotated[messages.BotDescription, body(messages.BotDescription)]


class Lines(StreamingResponse):
    """A stream's lines, for as long as somebody reads them."""

    def __init__(self, bots: Bots, stream: BotStream) -> None:
        # Proxies must pass each line on as it comes.
        super().__init__(stream.lines(), media_type=LINES, headers={"x-accel-buffering": "no"})
        self._bots = bots
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send them; however that ends, the stream is closed."""
        with suppress(KeyError):                # the server closes streams when it closes
            scope["extensions"]["escale.streams"].append(self._stream.close)
        # A bot that has gone is not to be challenged, though nothing is being sent to it.
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


@router.get("", responses=answers(list[messages.ListedBot]))
async def list_bots(house: InHouse, lang: Lang = None) -> Response:
    """The bots of this house, which one can challenge."""
    return reply([
        messages.ListedBot(
            bot.name, bot.about, list(bot.games), house.bots.listens(bot), bot.won, bot.drawn,
            bot.lost,
        )
        for bot in await house.bots.all()
    ])


@router.get("/me", responses=answers(messages.BotFacts, "no-bot"))
async def me(house: InHouse, me: Me, lang: Lang = None) -> Response:
    """Who you are, and the tables whose match goes on where you sit or are asked to."""
    return await _facts(house, me[0])


@router.post("/me", openapi_extra=takes(messages.BotDescription),
             responses=answers(messages.BotFacts, "no-bot", "unknown-game"))
async def describe(
    house: InHouse, me: Me, description: ADescription, lang: Lang = None
) -> Response:
    """Say what you are, in one line, and which games you play: visitors read it."""
    bot, _ = me
    about = bot.about if description.about is None else description.about.strip()
    games = bot.games if description.games is None else description.games
    return await _facts(house, await house.bots.describe(bot, about, games))


async def _facts(house: House, bot: Bot) -> Response:
    tables = await house.store.held_by(bot.sha256)
    return reply(messages.BotFacts(bot.name, bot.about, list(bot.games), tables))


@router.get("/me/events", response_class=Response, responses={
    200: {"content": {LINES: {"schema": {"type": "string"}}},
          "description": "One JSON object a line, for as long as you read; blank lines between."},
    **refusals("no-bot"),
})
async def events(
    request: Request, house: InHouse, me: Me, lang: Lang = None
) -> Response:
    """Everything that happens at all your tables, as it happens."""
    return Lines(house.bots, house.bots.open(*me, language(request)))
