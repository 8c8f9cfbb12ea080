"""Pictures of tables and games: small ones for lists, and cards for sites that show links.

They are public, so they show what a spectator sees: no hidden card before the end of a game. Their
addresses have the number of events, so that browsers do not keep outdated ones.
"""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from escale.game.errors import UnknownGame
from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.game.viewer import ALL
from escale.games import game as game_named
from escale.match.seating import named
from escale.render.png import writable
from escale.render.qr import qr_svg
from escale.render.share_card import share_card
from escale.server.edge import locale
from escale.server.edge.problems import Problem
from escale.server.edge.security import address
from escale.server.pages import pictures
from escale.server.pages.games import facts
from escale.server.pages.page_context import PageContext, error_page
from escale.server.pages.painting import AnimateJob
from escale.server.tables.table import Table
from escale.server.tables.views import Sight
from escale.server.workers.drawing import draw
from escale.server.workers.off_loop import off_loop
from escale.web import words

router = APIRouter()

CACHE_CONTROL = "public, max-age=86400"
"""The header of pictures that never change under their address."""
CROSS_ORIGIN = {"cross-origin-resource-policy": "cross-origin"}
"""Other sites may embed cards: that is their purpose."""


# ---- addresses ----


def table_picture(table: Table) -> str:
    """The address of a table's small picture."""
    return f"/picture/table/{table.id}.svg?n={len(table.match.events)}"


def table_card(table: Table, lang: str) -> str:
    """The address of a table's card."""
    return f"/picture/table/{table.id}/{lang}.png?n={len(table.match.events)}"


def game_card(box: Game[Any], lang: str) -> str:
    """The address of a game's card."""
    return f"/picture/game/{box.slug}/{lang}.png"


# ---- texts ----


def table_words(table: Table, lang: str) -> list[str]:
    """The players and the state of a match in a few sentences, for the preview of a link."""
    match, say = table.match, words().say
    seats = table.views.seats(table.presence.seats(), lang)
    names = [_called(seat, lang) for seat in seats if seat["status"] != "open"]
    open_seats = len(seats) - len(names)
    lines = [" – ".join(names)] if names else []
    if match.outcome is not None:
        lines.append(match.outcome.text(lang, table.views.called(lang)))
    elif open_seats:
        lines.append(say("share.open-seat" if open_seats == 1 else "share.open-seats", lang,
                         number=open_seats))
    else:
        lines.append(say("share.moves", lang, number=match.position.plies))
    if (sentence := table.views.dealt_by_hand(lang)) is not None:
        lines.append(sentence)
    return lines


def _called(seat: dict[str, Any], lang: str) -> str:
    name = str(seat["level_name"] or seat["name"])
    return named(name if name and writable(name) else str(seat["label"]), "bot" in seat, lang)


# ---- routes ----


@router.get("/picture/table/{id}.svg", include_in_schema=False)
async def small_picture(request: Request, id: str, n: str = "") -> Response:
    """The position on a table, as spectators see it."""
    table: Table | None = await request.app.state.house.table(id)
    if table is None:
        return error_page(request, 404, "table")
    async with table.open():
        position, viewer = table.match.position, table.views.viewer(Sight())
        events = len(table.match.events)
    name = ("small", table.id, events)
    picture = await draw.named(name, lambda: pictures.table(position, viewer))
    headers = {"cache-control": CACHE_CONTROL if n == str(events) else "no-cache"}
    return Response(picture.svg, headers=headers, media_type="image/svg+xml")


@router.get("/picture/table/{id}/game.png", include_in_schema=False)
async def animated_game(request: Request, id: str, n: str = "") -> Response:
    """A match that is over as an animation, with everything open."""
    table: Table | None = await request.app.state.house.table(id)
    if table is None:
        return error_page(request, 404, "table")
    async with table.open():
        if table.match.outcome is None:
            raise Problem("still-played")
        events = len(table.match.events)
        transcript = await off_loop(table.match.transcript, ALL)
    moving = await request.app.state.painter.make(
        AnimateJob(transcript=transcript), address(request)
    )
    kept = CACHE_CONTROL if n == str(events) else "no-cache"
    return Response(moving, headers={"cache-control": kept, **CROSS_ORIGIN}, media_type="image/png")


@router.get("/picture/table/{id}/{lang}.png", include_in_schema=False)
async def card_of_table(request: Request, id: str, lang: str, n: str = "") -> Response:
    """A card of a table, for links on other sites."""
    table: Table | None = await request.app.state.house.table(id)
    if table is None or lang not in LANGUAGES:
        return error_page(request, 404, "table")
    async with table.open():
        position, viewer = table.match.position, table.views.viewer(Sight())
        lines, events = table_words(table, lang), len(table.match.events)
    name = ("card", table.id, events, lang)
    card = await draw.named(
        name, lambda: _card(position.game, pictures.table(position, viewer), lines, lang)
    )
    return await painted(request, card, CACHE_CONTROL if n == str(events) else "no-cache")


@router.get("/picture/table/{id}/{lang}/qr.svg", include_in_schema=False)
async def qr_code(request: Request, id: str, lang: str, at: str = "") -> Response:
    """A table's address as a QR code, under one of the origins at which the house is found."""
    context = PageContext(request)
    settings = context.house.settings
    known = (context.base, *settings.origins, *await asyncio.to_thread(context.network))
    if at not in known or lang not in LANGUAGES or await context.house.table(id) is None:
        return error_page(request, 404, "table")
    code = qr_svg(at + locale.address(f"/t/{id}", lang))
    return Response(code, headers={"cache-control": CACHE_CONTROL}, media_type="image/svg+xml")


@router.get("/picture/game/{slug}/{lang}.png", include_in_schema=False)
async def card_of_game(request: Request, slug: str, lang: str) -> Response:
    """A card of a game, for links on other sites."""
    try:
        box = game_named(slug)
    except UnknownGame:
        return error_page(request, 404, "game")
    if lang not in LANGUAGES:
        return error_page(request, 404)
    card = await draw(_cover_card, box, lang)
    return await painted(request, card, CACHE_CONTROL)


def _cover_card(box: Game[Any], lang: str) -> str:
    known = facts(box, lang)
    context = [known.pitch, ", ".join([*box.authors, *([str(box.year)] if box.year else [])])]
    return _card(box, pictures.cover(box), context, lang)


def _card(box: Game[Any], picture: pictures.Picture, lines: list[str], lang: str) -> str:
    return share_card(
        picture.svg, house=words().say("house.name", lang), heading=box.title, lines=lines
    )


async def painted(request: Request, card: str, kept: str) -> Response:
    """A card as a PNG picture, which other sites may embed."""
    picture = await request.app.state.painter.paint(card, address(request))
    headers = {"cache-control": kept, **CROSS_ORIGIN}
    return Response(picture, headers=headers, media_type="image/png")
