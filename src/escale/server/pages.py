"""The pages that people read: shelf, boxes, rules, lobby, and where to sit down.

Rendered here, they are complete without scripts; the scripts make them live. What has to be drawn
the first time is drawn apart, in a thread: meanwhile tables go on.
"""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool as apart
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from escale.game.errors import EscaleError, UnknownGame
from escale.game.game import Game
from escale.game.scene import Scene
from escale.game.texts import LANGUAGES
from escale.game.viewer import SPECTATOR
from escale.games import game, games
from escale.match.limits import NAME
from escale.opponents import LEVELS
from escale.render.svg import definitions, svg
from escale.render.text import text_board
from escale.server import apipage, forms, pictures, prose, speech
from escale.server.lids import lid, matches
from escale.server.rulebook import sections
from escale.server.visits import Visit, error_page, page, static
from escale.web import STATIC, client_words, edition

__all__ = ["error_page", "router"]

router = APIRouter()
files = StaticFiles(directory=STATIC)

FOR_EVER = "public, max-age=31536000, immutable"
YEAR = 365 * 24 * 3600


def box_of(visit: Visit) -> Game[Any]:
    """The game that the address names, or UnknownGame."""
    return game(visit.request.path_params["slug"])


# ---- the shelf ----


@page(router, "/")
async def shelf(visit: Visit) -> Response:
    """All boxes, or those that one is looking for."""
    query = visit.request.query_params
    asked = {name: query.get(name, "")[:100] for name in ("q", "players", "minutes", "kind")}
    boxes = [await apart(lid, box, visit.lang) for box in games()]
    found = [box for box in boxes if matches(box, asked)]
    return visit.show(
        "shelf.html", words=client_words(visit.lang),
        found=found, asked=asked, filtered=any(asked.values()),
        most_players=range(
            min(box["seats"][0] for box in boxes), 1 + max(box["seats"][1] for box in boxes)
        ),
        durations=sorted({box["minutes"][1] for box in boxes}),
        kinds=sorted({kind for box in boxes for kind in box["kinds"]}, key=lambda kind: kind[1]),
    )


# ---- a box ----


@page(router, "/g/{slug}")
async def box_page(visit: Visit) -> Response:
    """What is in the box, and the ways to play it."""
    return _box(visit, box_of(visit))


def _box(visit: Visit, box: Game[Any], status: int = 200, problem: str = "") -> Response:
    options = [
        {
            "name": option.name, "sentence": box.texts.say(f"option.{option.name}", visit.lang),
            "chosen": box.quick.get(option.name, option.default),
            "values": [
                (value, box.texts.say(f"option.{option.name}.{value}", visit.lang))
                for value in option.values
            ],
        }
        for option in box.options
    ]
    return visit.show(
        "box.html", status, box=lid(box, visit.lang), options=options, problem=problem,
        introduction=prose.html(box.rules[visit.lang].introduction, visit.lang),
        seats=[box.seat_name(seat, visit.lang) for seat in range(box.seats[1])],
        levels=[(level, visit.say(f"level.{level}"), visit.say(f"character.{level}"))
                for level in LEVELS],
        level=forms.LEVEL, longest=NAME,
        minutes=forms.MINUTES, increments=forms.INCREMENTS, days=forms.DAYS,
        examples=len(box.examples), paragraphs=len(box.rules[visit.lang].paragraphs),
    )


@router.post("/tables", include_in_schema=False)
async def sit_down(request: Request) -> Response:
    """Make a table from a form, and lead to it with the token of the seats in the fragment."""
    visit = Visit(request)
    fields = dict(parse_qsl((await request.body()).decode("utf-8", "replace")))
    visit.lang = fields.get("lang", "") if fields.get("lang") in LANGUAGES else visit.lang
    try:
        box = game(fields.get("game", ""))
    except UnknownGame:
        return error_page(request, 404, "game")
    visit.here = f"/g/{box.slug}"
    try:
        order = forms.order(box, fields, visit.lang, visit.say("seat.guest"))
        created = await visit.house.create(order)
    except EscaleError as error:
        return _box(visit, box, 422, str(error))
    return RedirectResponse(visit.url(f"/t/{created.table}") + f"#seat={created.token}", 303)


# ---- rules ----


@page(router, "/g/{slug}/rules")
async def rules_page(visit: Visit) -> Response:
    """The numbered paragraphs, each with its figures beside it."""
    box = box_of(visit)
    text = box.rules[visit.lang]
    return visit.show(
        "rules.html", box=lid(box, visit.lang), text=text,
        introduction=prose.html(text.introduction, visit.lang),
        sections=await apart(sections, box, visit.lang), art=Markup(definitions(box.art)),
        ours=sum(paragraph.reconstruction for paragraph in text.paragraphs),
        words=client_words(visit.lang),
        panels=panel_names(box, box.start().scene(SPECTATOR), visit.lang),
    )


def panel_names(box: Game[Any], scene: Scene, lang: str) -> dict[str, str]:
    """What the parts of a scene are called."""
    return {panel.id: box.called(panel.id, lang, ("panel",)) for panel in scene.panels}


# ---- tables ----


@page(router, "/t/{id}")
async def table_page(visit: Visit) -> Response:
    """A table as spectators see it; the script takes it from there."""
    table = await visit.house.table(visit.request.path_params["id"])
    if table is None:
        return error_page(visit.request, 404, "table")
    position = table.match.position
    box = position.game
    scene = position.scene(SPECTATOR)
    return visit.show(
        "table.html", id=visit.request.path_params["id"], box=lid(box, visit.lang),
        art=Markup(definitions(box.art)), words=client_words(visit.lang),
        panels=panel_names(box, scene, visit.lang),
        board=Markup(svg(scene, box.art, defs=False, title=box.title,
                         description=text_board(scene))),
    )


@page(router, "/lobby")
async def lobby(visit: Visit) -> Response:
    """Public tables: those with an open seat first."""
    tables = [_listed(visit, table) for table in await visit.house.public_tables(visit.lang)]
    return visit.show("lobby.html", tables=sorted(tables, key=lambda table: not table["open"]))


def _listed(visit: Visit, table: dict[str, Any]) -> dict[str, Any]:
    """A table as one line of the lobby."""
    box = game(table["game"])
    return {
        "id": table["table"], "box": lid(box, visit.lang),
        "open": sum(seat["status"] == "open" for seat in table["seats"]),
        "seats": table["seats"], "ply": table["ply"],
        "ago": ago(visit, time.time() - table["at"] / 1000),
    }


def ago(visit: Visit, seconds: float) -> str:
    """How long ago something was, in the largest unit that fits."""
    for name, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= length:
            return visit.count(f"ago.{name}", int(seconds // length))
    return visit.say("ago.now")


@page(router, "/mine")
async def mine(visit: Visit) -> Response:
    """The tables at which this browser has a seat: only its script knows them."""
    return visit.show("mine.html", words=client_words(visit.lang))


# ---- about the house ----


@page(router, "/about")
async def about(visit: Visit) -> Response:
    """Who made the games, and what of the rules is ours."""
    boxes = [
        {
            **lid(box, visit.lang),
            "ours": [paragraph.number for paragraph in box.rules[visit.lang].paragraphs
                     if paragraph.reconstruction],
        }
        for box in games()
    ]
    return visit.show("about.html", boxes=boxes)


@page(router, "/host")
async def host(visit: Visit) -> Response:
    """How to open a house of one's own."""
    return visit.show("host.html")


@page(router, "/api")
async def api(visit: Visit) -> Response:
    """What programs can ask for."""
    document = visit.request.app.openapi()
    return visit.show(
        "api.html", requests=apipage.requests(document), shapes=apipage.shapes(document)
    )


@page(router, "/manifest.webmanifest")
async def manifest(visit: Visit) -> Response:
    """What makes the house installable."""
    sizes = (("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"))
    return JSONResponse({
        "id": "/", "name": visit.say("house.name"), "short_name": visit.say("house.name"),
        "description": visit.say("house.description"), "lang": visit.lang,
        "start_url": visit.url("/"), "scope": "/", "display": "standalone",
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
            {"name": visit.say("nav.lobby"), "url": visit.url("/lobby")},
            {"name": visit.say("nav.mine"), "url": visit.url("/mine")},
        ],
    }, headers={"vary": "accept-language, cookie"}, media_type="application/manifest+json")


@router.get("/lang/{lang}", include_in_schema=False)
async def choose_language(lang: str, to: str = "/") -> Response:
    """Remember a language, and show the page again in it."""
    if lang not in LANGUAGES:
        lang = speech.DEFAULT
    path, _, query = speech.local(to).partition("?")
    target = speech.address(speech.split(path)[1], lang) + (f"?{query}" if query else "")
    answer = RedirectResponse(target, 303)
    answer.set_cookie(speech.COOKIE, lang, max_age=YEAR, samesite="lax", httponly=True)
    return answer


# ---- pictures and files ----


def _picture(request: Request, picture: pictures.Picture) -> Response:
    headers = {"etag": f'"{picture.tag}"', "cache-control": "public, max-age=3600"}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(picture.svg, headers=headers, media_type="image/svg+xml")


@router.get("/cover/{slug}.svg", include_in_schema=False)
def cover(request: Request, slug: str) -> Response:
    """The lid of a box."""
    try:
        return _picture(request, pictures.cover(game(slug)))
    except UnknownGame:
        return error_page(request, 404)


@router.get("/figure/{slug}/{name}.svg", include_in_schema=False)
def figure(request: Request, slug: str, name: str) -> Response:
    """A figure of the rules."""
    try:
        return _picture(request, pictures.figure(game(slug), name))
    except LookupError:
        return error_page(request, 404)


@router.get("/static/{path:path}", include_in_schema=False)
async def static_file(request: Request, path: str) -> Response:
    """A style, a script, an icon: for ever under its edition, else to be asked for again."""
    current, _, rest = path.partition("/")
    kept = current == edition()
    answer = await files.get_response(rest if kept else path, request.scope)
    answer.headers["cache-control"] = FOR_EVER if kept else "no-cache"
    return answer


@router.get("/favicon.ico", include_in_schema=False)
async def favicon(request: Request) -> Response:
    """For browsers that look nowhere else."""
    return await files.get_response("icons/favicon.ico", request.scope)
