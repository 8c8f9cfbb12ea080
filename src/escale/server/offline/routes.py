"""What the house gives along: the parts, the list of a box's files, and pages for the device.

And what comes back: tables that were played on a device, which the house takes up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from msgspec import Meta, Struct
from starlette.responses import Response

from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.game.viewer import SPECTATOR
from escale.games import game as game_named
from escale.games import games
from escale.render.svg import svg
from escale.server.edge import locale
from escale.server.edge.openapi import ApiRouter, Lang, answers, body, takes
from escale.server.edge.responses import reply
from escale.server.edge.security import address
from escale.server.offline.parts import Parts
from escale.server.offline.taking_up import KeptLines, TakenUp, take_up
from escale.server.pages import pictures
from escale.server.pages import shared_pictures as share
from escale.server.pages.board_words import board_json, board_words
from escale.server.pages.files import FOR_EVER
from escale.server.pages.game_cards import card
from escale.server.pages.page_context import PageContext, error_page, page, static
from escale.server.pages.routes import last_look, table_page, titles
from escale.server.study.puzzle_routes import puzzle_page
from escale.server.tables.house import House
from escale.server.tables.phrases import phrase_words
from escale.server.workers.drawing import draw
from escale.study.lessons import lesson
from escale.study.puzzles import puzzles_of
from escale.web import edition
from escale.web.script_words import script_words
from escale.web.static_files import names, static_file

router = APIRouter()
api = ApiRouter()

PAGE_BYTES = 9_000
"""About the bytes of a page, compressed; to say in advance how large a box is."""
PICTURE_BYTES = 4_000


# ---- the parts, and what belongs to a box ----


@router.get("/offline/{fingerprint}/{name}", include_in_schema=False)
async def part(request: Request, fingerprint: str, name: str) -> Response:
    """A file of the parts, kept for ever under its fingerprint."""
    parts: Parts | None = request.app.state.parts
    if parts is None or parts.fingerprint != fingerprint or name not in parts.sizes:
        return error_page(request, 404)
    found = parts.read(name)
    headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
    if found.packed and "br" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "br"
        return Response(found.packed, headers=headers, media_type=found.media_type)
    return Response(found.body, headers=headers, media_type=found.media_type)


class BoxFiles(Struct, frozen=True):
    """Everything that belongs to a box, for a browser that takes it along."""

    edition: Annotated[str, Meta(description="Of the scripts and styles; changes with them.")]
    size: Annotated[int, Meta(description="About the bytes that are sent.")]
    compiled: Annotated[bool, Meta(description="Whether the rules are compiled.")]
    files: Annotated[
        list[tuple[str, int]], Meta(description="Addresses, and about the bytes of each.")
    ]


@api.get("/games/{slug}/files", responses=answers(BoxFiles, "unknown-game", "unknown-page"),
         tags=["games"])
async def list_files(request: Request, slug: str, lang: Lang = None) -> Response:
    """Everything that belongs to a box, to play it without network."""
    parts: Parts | None = request.app.state.parts
    wanted = request.query_params.get("lang", "")
    box = game_named(slug)
    if parts is None:
        return error_page(request, 404)
    return reply(box_files(parts, box, wanted if wanted in LANGUAGES else locale.DEFAULT))


@cache
def _static_files() -> tuple[tuple[str, int], ...]:
    """All scripts, styles, fonts and icons, with their bytes as they are sent."""
    found = [(name, file) for name in sorted(names()) if (file := static_file(name)) is not None]
    return tuple(
        (static(name), min(map(len, (file.body, *file.packed.values())))) for name, file in found
    )


def box_files(parts: Parts, box: Game[Any], lang: str) -> BoxFiles:
    """Everything that belongs to a box in a language."""
    files = [(f"{parts.at}{name}", parts.sent(name)) for name in parts.sizes]
    files += _static_files()
    files += [(locale.address(path, lang), PAGE_BYTES) for path in box_pages(box)]
    files += [(path, PICTURE_BYTES) for path in box_pictures(box)]
    size = sum(bytes for _, bytes in files)
    return BoxFiles(f"{edition()}-{parts.fingerprint}", size, parts.compiled, files)


def box_pages(box: Game[Any]) -> Iterator[str]:
    """The addresses of the pages of a box, and of those that every box needs."""
    yield from ("/", "/away", "/puzzles", f"/puzzles?game={box.slug}")
    here = f"/g/{box.slug}"
    yield from (here, f"{here}/rules", f"{here}/rules/text", f"{here}/analyse", f"{here}/table",
                f"{here}/review")
    if lesson(box) is not None:
        yield f"{here}/learn"
    yield from (f"/puzzles/{box.slug}/{puzzle}" for puzzle in puzzles_of(box))


def box_pictures(box: Game[Any]) -> Iterator[str]:
    """The addresses of the pictures on these pages."""
    yield from (f"/cover/{one.slug}.svg" for one in games())
    yield from (f"/figure/{box.slug}/{example.id}.svg" for example in box.examples)
    taught = lesson(box)
    steps = taught.steps if taught else ()
    yield from (f"/figure/{box.slug}/lesson/{step.id}.svg" for step in steps)
    yield from (f"/puzzle/{box.slug}/{puzzle}.svg" for puzzle in puzzles_of(box))


# ---- pages ----


@page(router, "/g/{slug}/table")
async def device_table(context: PageContext) -> Response:
    """A table that the reader's own device keeps: the page of any table, empty."""
    if context.app.parts is None:
        return error_page(context.request, 404)
    box, lang = game_named(context.request.path_params["slug"]), context.lang
    shown = await draw(card, box, lang)
    return context.show(
        "table.html", evening="", origins=(), network=(), id="", box=shown, challenge=False,
        dealt_by_hand=None, words=script_words(lang, "table.js"), **board_words(box, lang),
        board=Markup(await draw(_opening, box)), boards=board_json(box.start_with(dict(box.quick))),
        goal=box.texts.say("goal", lang) if "goal" in box.texts else "",
        last_look=last_look(box, lang), description=[box.title, shown.pitch],
        card=share.game_card(box, lang), reports=False, phrases=phrase_words(lang),
        listed_names=(),
    )


@page(router, "/g/{slug}/review")
async def device_review(context: PageContext) -> Response:
    """The review of a table that the reader's own device keeps: the page that awaits it."""
    if context.app.parts is None:
        return error_page(context.request, 404)
    box, lang = game_named(context.request.path_params["slug"]), context.lang
    return context.show(
        "review.html", id="", over=True, review=None, progress=None, problem="", scored=False,
        box=await draw(card, box, lang), drawn="", marks=[],
        words=script_words(lang, "review.js"), **board_words(box, lang),
    )


@cache
def _opening(box: Game[Any]) -> str:
    start = box.start_with(dict(box.quick), seed=box.slug)
    return svg(start.scene(SPECTATOR), box.art, defs=False, title=box.title)


@page(router, "/away")
async def away(context: PageContext) -> Response:
    """What a browser shows without network in place of a page that it has not kept."""
    return context.show("away.html", words=script_words(context.lang, "away.js"), titles=titles())


# ---- for frames of other sites ----


@page(router, "/embed/figure/{slug}/{name}")
async def embedded_figure(context: PageContext) -> Response:
    """A figure of the rules, with its caption and the paragraph that it shows."""
    if not context.embeds:
        return error_page(context.request, 404)
    box, name = game_named(context.request.path_params["slug"]), context.request.path_params["name"]
    example = next((one for one in box.examples if one.id == name), None)
    if example is None:
        return error_page(context.request, 404)
    return context.show(
        "figure.html", box=await draw(card, box, context.lang), name=name,
        picture=await draw(pictures.figure, box, name), caption=example.caption[context.lang],
        rule=example.rules[0] if example.rules else "",
    )


@page(router, "/embed/puzzle/{slug}/{id}")
async def embedded_puzzle(context: PageContext) -> Response:
    """A puzzle, to be solved where it is shown."""
    return await puzzle_page(context) if context.embeds else error_page(context.request, 404)


@page(router, "/embed/table/{id}")
async def embedded_table(context: PageContext) -> Response:
    """A finished game, or a public table, as spectators see it; others are not shown."""
    table = await context.house.table(context.request.path_params["id"]) if context.embeds else None
    if table is None or not (table.public or table.match.outcome is not None):
        return error_page(context.request, 404, "table" if context.embeds else "")
    return await table_page(context)


# ---- what comes back ----


AKept = Annotated[KeptLines, body(KeptLines)]


@api.post("/tables/kept", tags=["tables"], openapi_extra=takes(KeptLines),
          responses=answers(TakenUp, "bad-request", "elsewhere", "not-now", "too-costly"))
async def take_up_table(request: Request, kept: AKept, lang: Lang = None) -> Response:
    """Take up a table that was played without network: its transcript becomes a table here.

    If it is known already, what is new is added; if both have gone on, both are kept.
    """
    house: House = request.app.state.house
    return reply(await take_up(house, request.app.state.workers, kept, address(request)))
