"""The pages on bots for people: the bots, which of them listen, how to challenge one."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter
from starlette.responses import Response

from escale.games import games
from escale.server.pages.game_cards import GameCard, card
from escale.server.pages.page_context import PageContext, page
from escale.server.workers.drawing import draw
from escale.store import Bot

router = APIRouter()


@dataclass(frozen=True, slots=True)
class ShownBot:
    """A bot as a page shows it."""

    name: str
    about: str
    listening: bool
    record: str
    """Its results, in words."""


async def bots_at(context: PageContext, slug: str) -> list[ShownBot]:
    """The bots that may be challenged to a game; those that listen come first."""
    return [_shown(context, bot) for bot in await _all(context) if bot.plays(slug)]


async def listening_bots(context: PageContext) -> list[str]:
    """The names of the bots that listen now."""
    return [bot.name for bot in await _all(context) if context.bots.listens(bot)]


async def _all(context: PageContext) -> list[Bot]:
    bots = context.bots
    return sorted(await bots.all(), key=lambda bot: (not bots.listens(bot), bot.name))


def _shown(context: PageContext, bot: Bot) -> ShownBot:
    played = bot.won + bot.drawn + bot.lost
    record = context.say("bots.record", won=bot.won, drawn=bot.drawn, lost=bot.lost)
    return ShownBot(
        bot.name, bot.about, context.bots.listens(bot),
        context.count("bots.played", played, record=record) if played
        else context.say("bots.new"),
    )


@page(router, "/bots")
async def bots(context: PageContext) -> Response:
    """All bots, and the games that one can challenge each of them to."""
    cards: dict[str, GameCard] = {
        game.slug: await draw(card, game, context.lang) for game in games()
    }
    found = await _all(context)
    return context.show("bots.html", bots=[
        (_shown(context, bot), [one for slug, one in cards.items() if bot.plays(slug)])
        for bot in found
    ])
