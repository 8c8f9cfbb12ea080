"""The pages of a notebook: its games, its devices, and the way to open it on another device.

They work without scripts: each change is sent by a form.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from escale.game.errors import EscaleError, UnknownGame
from escale.game.texts import LANGUAGES
from escale.games import game as game_named
from escale.games import games as all_games
from escale.match.limits import NAME_LETTERS
from escale.render.qr import qr_svg
from escale.server.edge import locale
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.edge.responses import form_fields, language
from escale.server.edge.security import address
from escale.server.pages import forms
from escale.server.pages.game_cards import card
from escale.server.pages.page_context import PageContext, page
from escale.server.pages.routes import ago, for_beginners
from escale.server.people import games
from escale.server.people.letters import PACES
from escale.server.people.notebooks import (
    MOST_HOLIDAY_DAYS,
    OPENING_SECONDS,
    Notebooks,
    Opened,
    device_label,
    read_holiday,
)
from escale.server.people.notice_routes import take_endpoint
from escale.server.people.ratings import is_possible
from escale.server.people.routes import ensured, with_cookie
from escale.server.workers.drawing import draw
from escale.web.script_words import script_words

router = APIRouter()

SHOWN = ("waiting", "running", "over")
DEVICE_LETTERS = 16
"""A device is named by this number of letters of its SHA-256."""
SECRET_PAGE = {"cache-control": "no-store"}


def _notebooks(context: PageContext) -> Notebooks:
    notebooks: Notebooks = context.app.notebooks
    return notebooks


def _from_form(request: Request, fields: dict[str, str], here: str) -> PageContext:
    """The page that a form was sent from."""
    context = PageContext(request)
    context.lang = fields["lang"] if fields.get("lang") in LANGUAGES else language(request)
    context.here = here
    return context


# ---- my games ----


@page(router, "/mine")
async def mine(context: PageContext) -> Response:
    """All games of this notebook: those that wait first, other running games, finished games."""
    query = context.request.query_params
    search = query.get("q", "").replace("\0", "").strip()[:60]
    game = _slug(query.get("game", ""))
    show = query.get("show", "") if query.get("show", "") in SHOWN else ""
    asked = query.get("page", "1")
    number = max(1, int(asked)) if asked.isdecimal() and len(asked) < 5 else 1
    opened = await _notebooks(context).of(context.request)
    going: list[games.MyGame] = []
    over: list[games.MyGame] = []
    pages = 1
    if opened is not None:
        if show != "over":
            going = await games.running(context, opened[0], game=game, search=search)
        if show in ("", "over"):
            over, pages = await games.finished(
                context, opened[0], game=game, search=search, page=number
            )

    def link(**changed: object) -> str:
        chosen: dict[str, Any] = {"q": search, "game": game, "show": show, **changed}
        words = urlencode({name: value for name, value in chosen.items() if value})
        return context.url("/mine") + (f"?{words}" if words else "")

    waiting = [one for one in going if one.status == "due"]
    filtered = bool(search or game or show)
    answer = context.show(
        "mine.html", words=script_words(context.lang, "mine.js"),
        waiting=waiting if show != "running" else [],
        running=[one for one in going if one.status != "due"] if show != "waiting" else [],
        over=over, known=opened is not None, search=search, game=game, show=show, filtered=filtered,
        titles=sorted((one.slug, one.title) for one in all_games()), shown=SHOWN,
        number=number, pages=pages, link=link, gone=_slug_of_table(query.get("off", "")),
        first=await draw(card, for_beginners(), context.lang), level=forms.LEVEL,
    )
    answer.headers["cache-control"] = "no-store"
    return await _renewed(context, opened, answer)


async def _renewed(context: PageContext, opened: Opened | None, answer: Response) -> Response:
    """The answer, with a renewed cookie if the last renewal was long ago."""
    notebooks = _notebooks(context)
    if opened is not None and await notebooks.note_use(opened):
        with_cookie(context.request, notebooks, context.request.cookies[notebooks.cookie], answer)
    return answer


def _slug(text: str) -> str:
    try:
        return game_named(text).slug if text else ""
    except UnknownGame:
        return ""


def _slug_of_table(text: str) -> str:
    return text if len(text) <= 64 and text.replace("-", "").replace("_", "").isalnum() else ""


@page(router, "/mine/next")
async def next_game(context: PageContext) -> Response:
    """The game that waits longest, or all games if none does."""
    opened = await _notebooks(context).of(context.request)
    after = context.request.query_params.get("after", "")
    found = "" if opened is None else await games.next_waiting(
        context.house, _notebooks(context), opened[0], after
    )
    there = context.url(f"/t/{found}" if found else "/mine")
    return RedirectResponse(there, 303, SECRET_PAGE)


@router.get("/mine/transcripts.zip", include_in_schema=False)
async def transcripts(request: Request) -> Response:
    """All games of this notebook in one file."""
    context = PageContext(request)
    opened = await _notebooks(context).of(request)
    if opened is None:
        return RedirectResponse("/mine", 303)
    limiter: RateLimiter = request.app.state.rate_limiter
    limiter.take("code", address(request))          # its cost is about that of many pages
    packed = _notebooks(context).export(opened[0], language(request))
    headers = {"content-disposition": 'attachment; filename="escale.zip"', **SECRET_PAGE}
    return StreamingResponse(packed, headers=headers, media_type="application/zip")


@router.post("/mine/list", include_in_schema=False)
async def unlist(request: Request) -> Response:
    """Take a game off the list, or put it back."""
    fields = await form_fields(request)
    context = _from_form(request, fields, "/mine")
    opened = await _notebooks(context).of(request)
    table = _slug_of_table(fields.get("table", ""))
    if opened is not None and table:
        await _notebooks(context).list_table(opened[0], table, fields.get("listed") == "yes")
    back = "" if fields.get("listed") == "yes" else f"?off={table}"
    return RedirectResponse(context.url("/mine") + back, 303)


# ---- the notebook itself ----


@page(router, "/notebook")
async def notebook(context: PageContext) -> Response:
    """The devices of a notebook, its facts, and the form to erase it."""
    return await _notebook(context, await _notebooks(context).of(context.request))


async def _notebook(
    context: PageContext, opened: Opened | None, *, opening: Any = None, problem: str = "",
    status: int = 200, feed: str = "", asked: str = "",
) -> Response:
    notebooks = _notebooks(context)
    now = notebooks.now()
    devices = [] if opened is None else [
        {
            "id": device.sha256[:DEVICE_LETTERS], "label": device.label,
            "here": device.sha256 == opened[1].sha256,
            "seen": ago(context, (now - device.seen) / 1000),
        }
        for device in await notebooks.devices(opened[0])
    ]
    link = "" if opening is None else f"{_origin(context)}{context.url('/open')}#{opening.link}"
    answer = context.show(
        "notebook.html", status, known=opened is not None, devices=devices, opening=opening,
        name="" if opened is None else opened[0].name, longest=NAME_LETTERS, problem=problem,
        link=link, code=Markup(qr_svg(link)) if link else "", minutes=OPENING_SECONDS // 60,
        endpoints=[] if opened is None else notebooks.notice_service.of(opened[0]),
        kinds=[kind for kind in notebooks.notice_service.kinds if kind not in ("push", "feed")],
        push_key=notebooks.notice_service.push_key, paces=PACES, asked=asked,
        feed=feed and f"{notebooks.notice_service.base()}/feed/{feed}",
        words=script_words(context.lang, "wishes.js"), most_days=MOST_HOLIDAY_DAYS,
        away=0 if opened is None else max(0, read_holiday(opened[0]).until - now),
        until=0 if opened is None else read_holiday(opened[0]).until,
        can_rate=is_possible(), is_rated=opened is not None and opened[0].rated,
        ratings=[] if opened is None or not opened[0].rated else [
            (game_named(one.game).title, one)
            for one in await notebooks.ratings.of(opened[0].id)
        ],
        games=0 if opened is None else (await notebooks.tables(opened[0], limit=1))[1],
    )
    answer.headers["cache-control"] = "no-store"
    return await _renewed(context, opened, answer)


def _origin(context: PageContext) -> str:
    """The address at which another device finds the house."""
    network = () if context.house.settings.origins else context.network()
    return network[0] if network else context.base


@router.post("/notebook", include_in_schema=False)
async def change(request: Request) -> Response:
    """Carry out a form of the page: a code, a name, signing out, erasing."""
    fields = await form_fields(request)
    context = _from_form(request, fields, "/notebook")
    notebooks = _notebooks(context)
    opened = await notebooks.of(request)
    here = RedirectResponse(context.url("/notebook"), 303)
    match fields.get("do", ""):
        case "add":
            own, secret = await ensured(request, notebooks, opened)
            if opened is None:
                opened = await notebooks.opened_by(secret)
            answer = await _notebook(context, opened, opening=await notebooks.opening(own))
            return with_cookie(request, notebooks, secret, answer)
        case _ if opened is None:
            return here
        case "name":
            await notebooks.change(
                opened[0], name=forms.name(fields, "name"), lang=None, puzzles=None, lessons={}
            )
        case "notice":
            kind = fields.get("kind", "")
            try:
                feed = await take_endpoint(
                    request, notebooks, opened[0], kind, fields.get("address", ""), context.lang,
                    pace=fields.get("pace", "now"), zone=fields.get("zone", ""),
                )
            except EscaleError as error:
                problem = Problem.of(error)
                return await _notebook(
                    context, opened, problem=problem.message(context.lang), status=problem.status
                )
            if kind in ("mail", "feed"):
                asked = fields.get("address", "") if kind == "mail" else ""
                return await _notebook(context, opened, feed=feed, asked=asked)
            here = RedirectResponse(context.url("/notebook") + "#notices", 303)
        case "no-notice":
            await notebooks.notice_service.drop(opened[0], fields.get("endpoint", "")[:24])
        case "rate":
            await notebooks.rate(opened[0], fields.get("yes") == "yes")
        case "holiday":
            days = fields.get("days", "")
            try:
                await notebooks.go_on_holiday(
                    opened[0], int(days) if days.isdecimal() and len(days) < 4 else -1
                )
            except EscaleError as error:
                problem = Problem.of(error)
                return await _notebook(
                    context, opened, problem=problem.message(context.lang), status=problem.status
                )
        case "sign-out":
            device = fields.get("device", "")[:DEVICE_LETTERS]
            if len(device) == DEVICE_LETTERS:
                await notebooks.sign_out(opened[0], device)
            if opened[1].sha256.startswith(device):
                notebooks.delete_cookie(here)
        case "erase":
            if fields.get("sure") != "yes":
                return await _notebook(
                    context, opened, problem=context.say("notebook.not-sure"), status=422
                )
            await notebooks.erase(opened[0], context.lang)
            here = RedirectResponse(context.url("/notebook/erased"), 303)
            notebooks.delete_cookie(here)
    return here


@page(router, "/notebook/erased")
async def erased(context: PageContext) -> Response:
    """Confirm that a notebook was erased; the script also erases the browser's memory."""
    return context.show("notebook_erased.html")


@page(router, "/open")
async def open_page(context: PageContext) -> Response:
    """The page for the code of a notebook, which its link opens too."""
    return await _open(context)


async def _open(context: PageContext, problem: str = "", status: int = 200) -> Response:
    opened = await _notebooks(context).of(context.request)
    held = 0 if opened is None else (await _notebooks(context).tables(opened[0], limit=1))[1]
    answer = context.show(
        "open.html", status, problem=problem, held=held,
        to=locale.local(context.request.query_params.get("to", "/mine")),
    )
    answer.headers["cache-control"] = "no-store"
    return answer


@router.post("/open", include_in_schema=False)
async def open_notebook(request: Request) -> Response:
    """Open a notebook on this device, by a code or the secret of a link."""
    fields = await form_fields(request)
    context = _from_form(request, fields, "/open")
    notebooks = _notebooks(context)
    limiter: RateLimiter = request.app.state.rate_limiter
    try:
        limiter.take("code", address(request))
        limiter.take("all-codes", "house")
        label = device_label(request.headers.get("user-agent", "")[:400], context.lang)
        own = await notebooks.of(request)
        found, secret = await notebooks.open_with_key(fields.get("code", "")[:100], label, own)
    except EscaleError as error:
        problem = Problem.of(error)
        request.app.state.counts.refused(problem.code)
        return await _open(context, problem.message(context.lang), problem.status)
    lang = found.lang if found.lang in LANGUAGES else context.lang
    there = locale.in_language(fields.get("to", "") or "/mine", lang)
    answer = RedirectResponse(there, 303)
    answer.set_cookie(locale.COOKIE, lang, max_age=365 * 24 * 3600, samesite="lax", httponly=True)
    return with_cookie(request, notebooks, secret, answer)
