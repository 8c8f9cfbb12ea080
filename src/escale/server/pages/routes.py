"""The pages that people read: shelf, games, rules, lobby, and where to sit down.

Rendered here, they are complete without scripts; the scripts make them live. Pictures are drawn off
the event loop, so that tables go on meanwhile.
"""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from escale.game.errors import EscaleError, UnknownGame
from escale.game.game import Game
from escale.game.rules_page import BRIEF, Provenance
from escale.game.texts import LANGUAGES
from escale.games import game as game_named
from escale.games import games
from escale.match.limits import MOST_SEATS, NAME_LETTERS
from escale.render.svg import definitions
from escale.server.edge import locale
from escale.server.edge.problems import Problem
from escale.server.edge.responses import form_fields
from escale.server.edge.security import address, bearer
from escale.server.pages import api_page, forms
from escale.server.pages import shared_pictures as share
from escale.server.pages.board_words import board_json, board_words
from escale.server.pages.game_cards import GameCard, card, matches, puzzle_of_the_day
from escale.server.pages.page_context import PageContext, error_page, page, static
from escale.server.pages.pictures import TablePictures
from escale.server.pages.rulebook import html, sections
from escale.server.pages.scoresheet import Scoresheets
from escale.server.tables.orders import BotSeat
from escale.server.tables.phrases import listed_names, phrase_words
from escale.server.tables.state import whole_state
from escale.server.tables.views import Sight
from escale.server.workers.drawing import draw
from escale.server.workers.engines import names_at
from escale.study.lessons import lesson
from escale.study.puzzles import MOST_STARS, puzzles_of
from escale.web.script_words import script_words

router = APIRouter()
boards = TablePictures()
scores = Scoresheets()
SEATS = tuple(map(str, range(MOST_SEATS)))

YEAR_SECONDS = 365 * 24 * 3600


def game_of(context: PageContext) -> Game[Any]:
    """The game that the address names, or UnknownGame."""
    return game_named(context.request.path_params["slug"])


def for_beginners() -> Game[Any]:
    """The game for a first visit: for the youngest players, and the shortest of those."""
    return min(games(), key=lambda game: (game.age, game.minutes))


# ---- the shelf ----


@page(router, "/")
async def shelf(context: PageContext) -> Response:
    """All games, or those that a search finds."""
    query = context.request.query_params
    asked = {name: query.get(name, "")[:100] for name in ("q", "players", "minutes", "kind")}
    cards = await _cards(context)
    found = [one for one in cards if matches(one, asked)]
    return context.show(
        "shelf.html", room=_may_open_room(context),
        words=script_words(context.lang, "shelf.js", "my.js", "puzzle_list.js"),
        titles=titles(), found=found, asked=asked, filtered=any(asked.values()),
        day=puzzle_of_the_day(context.lang), most_stars=MOST_STARS,
        first=await draw(card, for_beginners(), context.lang),
        most_players=range(
            min(one.seats[0] for one in cards), 1 + max(one.seats[1] for one in cards)
        ),
        durations=sorted({one.minutes[1] for one in cards}),
        kinds=sorted(
            {kind for one in cards for kind in one.kinds.items()}, key=lambda kind: kind[1]
        ),
    )


def _may_open_room(context: PageContext) -> bool:
    """Whether this visitor may open the house to the network: the host, at the machine itself."""
    room = context.app.room
    return room is not None and room.allows(context.request)


def titles() -> dict[str, str]:
    """What the games are called, by their names in addresses."""
    return {game.slug: game.title for game in games()}


async def _cards(context: PageContext) -> list[GameCard]:
    return [await draw(card, game, context.lang) for game in games()]


# ---- a game ----


@page(router, "/g/{slug}")
async def game_page(context: PageContext) -> Response:
    """The contents of the box, and the ways to play it."""
    return await _game(context, game_of(context))


async def _game(
    context: PageContext, game: Game[Any], status: int = 200, problem: str = ""
) -> Response:
    shown = await draw(card, game, context.lang)
    rules = game.rules[context.lang]
    return context.show(
        "box.html", status, box=shown, options=shown.options, problem=problem,
        introduction=html(rules.introduction), seats=shown.seat_names,
        brief=rules.section(BRIEF), brief_items=[html(item) for item in rules.items(BRIEF)],
        bots=await context.app.bots_at(context, game.slug),
        bot=context.request.query_params.get("bot", ""),
        levels=[(one.level, one.name, context.say(f"character.{one.level}"))
                for one in shown.levels] + [
            (name, name, context.say("character.engine"))
            for name in names_at(game.slug, context.house.settings.engines)
        ],
        level=forms.LEVEL, longest=NAME_LETTERS, taught=lesson(game) is not None,
        minutes=forms.MINUTES, increments=forms.INCREMENTS, days=forms.DAYS,
        examples=len(game.examples), paragraphs=len(rules.paragraphs),
        card=share.game_card(game, context.lang), puzzles=len(puzzles_of(game)),
        printed=game.printed is not None, phrases_only=context.house.settings.phrases_only,
        listed_names=listed_names(context.lang), words=script_words(context.lang, "box.js"),
        level_names={one.level: one.name for one in shown.levels},
    )


@router.post("/tables", include_in_schema=False)
async def sit_down(request: Request) -> Response:
    """Create a table from a form; the redirect has the token of the seats in its fragment."""
    context = PageContext(request)
    fields = await form_fields(request)
    context.lang = fields.get("lang", "") if fields.get("lang") in LANGUAGES else context.lang
    try:
        box = game_named(fields.get("game", ""))
    except UnknownGame:
        return error_page(request, 404, "game")
    context.here = f"/g/{box.slug}"
    try:
        order = forms.order(box, fields, context.lang, context.say("seat.guest"),
                            phrases_only=context.house.settings.phrases_only)
        for bot in {seat.name for seat in order.seats if isinstance(seat, BotSeat)}:
            await context.bots.must_listen(bot)
        created = await context.house.create(order, address(request))
    except EscaleError as error:
        problem = Problem.of(error)
        if problem.status >= 500:               # the form is correct
            return error_page(request, problem.status)
        return await _game(context, box, 422, problem.message(context.lang))
    coached = "&coach=on" if fields.get("coach") == "on" else ""
    there = context.url(f"/t/{created.table}")
    return RedirectResponse(f"{there}#seat={created.token}{coached}", 303)


# ---- rules ----


@page(router, "/g/{slug}/rules")
async def rules_page(context: PageContext) -> Response:
    """The numbered paragraphs, each with its figures beside it."""
    box = game_of(context)
    text = box.rules[context.lang]
    return context.show(
        "rules.html", box=await draw(card, box, context.lang), text=text,
        introduction=html(text.introduction), taught=lesson(box) is not None,
        sections=await draw(sections, box, context.lang),
        provenances={
            one: sum(rule.provenance is one for rule in text.paragraphs) for one in Provenance
        },
        words=script_words(context.lang, "rules.js"),
        **board_words(box, context.lang),
        card=share.game_card(box, context.lang),
    )


@page(router, "/g/{slug}/rules/text")
async def rules_text(context: PageContext) -> Response:
    """The same paragraphs without the page around them, shown beside a table."""
    box = game_of(context)
    return context.show(
        "rulebook.html", box=await draw(card, box, context.lang),
        sections=await draw(sections, box, context.lang),
    )


# ---- tables ----


@page(router, "/t/{id}")
async def table_page(context: PageContext) -> Response:
    """A table as spectators see it; the script makes it live."""
    table = await context.house.table(context.request.path_params["id"])
    if table is None:
        return error_page(context.request, 404, "table")
    box = table.match.game
    async with table.open():
        position = table.match.position
        challenge = any(player.bot for player in table.match.header.seats)
        described = share.table_words(table, context.lang)
        shown = share.table_card(table, context.lang)
        dealt_by_hand = table.views.dealt_by_hand(context.lang)
    context.app.advising.warm(table)
    board = await boards.board(table.id, position)
    return context.show(
        "table.html", evening=_evening(context), origins=context.house.settings.origins,
        network=await asyncio.to_thread(context.network), id=table.id,
        box=await draw(card, box, context.lang),
        challenge=challenge, dealt_by_hand=dealt_by_hand,
        words=script_words(context.lang, "table.js"),
        **board_words(box, context.lang),
        board=Markup(board.svg),
        boards=board_json(position),
        goal=box.texts.say("goal", context.lang) if "goal" in box.texts else "",
        last_look=last_look(box, context.lang), description=described, card=shown,
        reports=context.house.settings.admin_token is not None,
        phrases=phrase_words(context.lang),
        listed_names=listed_names(context.lang) if table.phrases else (),
    )


def _evening(context: PageContext) -> str:
    """The evening from which a guest came to a table, and goes back to."""
    asked = context.request.query_params.get("evening", "")[:64]
    return asked if asked.replace("-", "").replace("_", "").isalnum() else ""


@page(router, "/t/{id}/wall")
async def table_wall(context: PageContext) -> Response:
    """A table on a big screen, as spectators see it, for every visitor."""
    table = await context.house.table(context.request.path_params["id"])
    if table is None:
        return error_page(context.request, 404, "table")
    box, sight = table.match.game, Sight(lang=context.lang)
    async with table.open():
        await table.views.prepare(sight)
        state, position = whole_state(table, sight), table.match.position
    told = [item for item in state["log"] if item["do"] in ("play", "draw")]
    board = await boards.board(table.id, position)
    theme = context.request.query_params.get("theme", "")
    answer = context.show(
        "table_wall.html", id=table.id, box=await draw(card, box, context.lang), state=state,
        last=told[-1]["sentence"] if told else "", board=Markup(board.svg),
        art=Markup(definitions(box.art)), theme=theme if theme in ("light", "dark") else "",
    )
    answer.headers["cache-control"] = "no-store"
    return answer


def last_look(box: Game[Any], lang: str) -> str:
    """The name of the last thing to look at, such as a trick; empty if there is none."""
    return box.texts.say("look.last", lang) if "look.last" in box.texts else ""


@page(router, "/t/{id}/score")
async def score_page(context: PageContext) -> Response:
    """The match as people read it; with a token, as its seat sees it."""
    request, house = context.request, context.house
    table = await house.table(request.path_params["id"])
    if table is None:
        return error_page(request, 404, "table")
    wish = request.query_params.get("as", "")
    sight = Sight.of(
        table.held(await house.holder(request, bearer(request))),
        int(wish) if wish in SEATS else None, context.lang,
    )
    score = await scores.of(table, sight, request.app.state.rate_limiter, address(request))
    box = table.match.game
    return context.show(
        "score.html", id=table.id, box=await draw(card, box, context.lang), score=score,
        art=Markup(definitions(box.art)), seats=list(sight.seats),
        over=table.match.outcome is not None,
    )


def ago(context: PageContext, seconds: float) -> str:
    """The time since an event, in the largest unit that fits."""
    for name, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= length:
            return context.count(f"ago.{name}", int(seconds // length))
    return context.say("ago.now")


# ---- about the house ----


@page(router, "/about")
async def about(context: PageContext) -> Response:
    """The authors of the games, and the parts of the rules that are reconstructed."""
    ours = {
        game.slug: [paragraph for paragraph in game.rules[context.lang].paragraphs
                    if paragraph.provenance is Provenance.OURS]
        for game in games()
    }
    return context.show(
        "about.html", boxes=await _cards(context), ours=ours, provenances=list(Provenance)
    )


@page(router, "/host")
async def host(context: PageContext) -> Response:
    """How to open a house of your own."""
    return context.show("host.html")


@page(router, "/api")
async def api(context: PageContext) -> Response:
    """The requests that programs can make."""
    document = context.request.app.openapi()
    return context.show(
        "api.html", requests=api_page.requests(document), shapes=api_page.shapes(document)
    )


@page(router, "/manifest.webmanifest")
async def manifest(context: PageContext) -> Response:
    """The manifest, by which browsers install the house as an app."""
    sizes = (("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"))
    return JSONResponse({
        "id": "/", "name": context.say("house.name"), "short_name": context.say("house.name"),
        "description": context.say("house.description"), "lang": context.lang,
        "start_url": context.url("/"), "scope": "/", "display": "standalone",
        "background_color": "#f6efe1", "theme_color": "#f6efe1", "categories": ["games"],
        "icons": [
            {"src": static("icons/escale.svg"), "sizes": "any", "type": "image/svg+xml"},
            *(
                {"src": static(f"icons/escale-{'maskable-' if purpose != 'any' else ''}"
                               f"{size.split('x')[0]}.png"),
                 "sizes": size, "type": "image/png", "purpose": purpose}
                for size, purpose in sizes
            ),
        ],
        "shortcuts": [
            {"name": context.say("nav.lobby"), "url": context.url("/lobby")},
            {"name": context.say("nav.mine"), "url": context.url("/mine")},
        ],
    }, headers={"vary": "accept-language, cookie"}, media_type="application/manifest+json")


@router.get("/lang/{lang}", include_in_schema=False)
async def choose_language(lang: str, to: str = "/") -> Response:
    """Remember a language, and show the page again in it."""
    if lang not in LANGUAGES:
        lang = locale.DEFAULT
    answer = RedirectResponse(locale.in_language(to, lang), 303)
    answer.set_cookie(locale.COOKIE, lang, max_age=YEAR_SECONDS, samesite="lax", httponly=True)
    return answer
