"""A game's box to print: the page with the choices, and the PDF."""

from __future__ import annotations

from importlib.util import find_spec

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from escale.game.errors import UnknownGame
from escale.game.texts import LANGUAGES
from escale.games import game as game_named
from escale.render.print_sheets import PAPERS, parts_of
from escale.server.edge.security import address
from escale.server.pages.game_cards import card
from escale.server.pages.page_context import PageContext, error_page, page
from escale.server.pages.painting import PrintJob
from escale.server.pages.shared_pictures import game_card
from escale.server.workers.drawing import draw

router = APIRouter()


def can_print() -> bool:
    """Whether the program that makes PDF documents is installed: it is an extra of the package."""
    return find_spec("typst") is not None


@page(router, "/g/{slug}/print")
async def print_page(context: PageContext) -> Response:
    """The page that describes the box on paper and asks for the size of the paper."""
    game = game_named(context.request.path_params["slug"])
    if not parts_of(game):
        return error_page(context.request, 404)
    return context.show(
        "print.html", box=await draw(card, game, context.lang), parts=parts_of(game),
        papers=list(PAPERS), possible=can_print(), card=game_card(game, context.lang),
    )


@router.get("/g/{slug}/print/{lang}.pdf", include_in_schema=False)
async def print_pdf(
    request: Request, slug: str, lang: str, paper: str = "a4", grey: bool = False
) -> Response:
    """The box as a PDF, or those parts of it that the query names."""
    try:
        game = game_named(slug)
    except UnknownGame:
        return error_page(request, 404, "game")
    has = parts_of(game)
    wanted = tuple(part for part in has if part in request.query_params.getlist("part")) or has
    if not has or lang not in LANGUAGES or paper not in PAPERS:
        return error_page(request, 404)
    if not can_print():
        return error_page(request, 503)
    job = PrintJob(lang=lang, game=slug, paper=paper, parts=wanted, grey=grey)
    document = await request.app.state.painter.make(job, address(request))
    name = "-".join(("escale", slug, *(wanted if len(wanted) < len(has) else ()), lang))
    return Response(document, media_type="application/pdf", headers={
        "content-disposition": f'inline; filename="{name}.pdf"', "cache-control": "no-cache",
    })
