"""The pages of evenings, and their forms; they work without scripts.

Guests have one page, hosts have another, and the wall is for a big screen. Scripts fetch a page
again when something has changed, and put the new parts in the place of the old ones.
"""

from __future__ import annotations

import asyncio
import csv
import io
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Annotated, Any

from fastapi import APIRouter, Query
from markupsafe import Markup
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from escale.game.errors import EscaleError
from escale.game.texts import LANGUAGES
from escale.games import game as game_named
from escale.render.qr import qr_svg
from escale.render.share_card import share_card
from escale.server.edge.openapi import ApiRouter, answers
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.edge.responses import language, reply
from escale.server.edge.security import address
from escale.server.evening import forms
from escale.server.evening.evenings import EveningLog, Evenings
from escale.server.evening.events import Closed, Left, Planned, Renamed, Returned
from escale.server.evening.refusals import Refused
from escale.server.evening.season import season_rows
from escale.server.evening.shown import ShownEvening, ShownGame, format_words, shown
from escale.server.pages import pictures
from escale.server.pages.forms import name as name_of
from escale.server.pages.page_context import PageContext, error_page, page
from escale.server.pages.routes import ago
from escale.server.pages.shared_pictures import painted
from escale.server.people.notebooks import Notebooks
from escale.server.people.routes import ensured, with_cookie
from escale.server.tables.names import fingerprint
from escale.server.tables.people import NOTEBOOK
from escale.server.workers.drawing import draw
from escale.store.evenings import HOST
from escale.web.script_words import script_words

router = APIRouter()
api = ApiRouter("/evenings")

LONGEST_WAIT_SECONDS = 25
BUDGETS = {"pair": "work", "start": "table", "sit": "table", "board": "table"}
"""The budget of an address that some actions need, …"""
LEAST = {"work": 0, "table": 1}
"""… and how much of it must be left."""
CARD_ROWS = 5
"""The best of an evening, on the picture to share."""


# ---- the API: what changes, for scripts that wait ----


class EveningVersion(Struct, frozen=True):
    """The version of an evening at a moment."""

    version: Annotated[
        str, Meta(description="Another one whenever the evening, or a board in it, is another.")
    ]


@api.get("/{id}", responses=answers(EveningVersion, "unknown-evening"), tags=["evenings"])
async def read_evening(
    request: Request, id: str,
    since: Annotated[str, Query(max_length=16, description="The version that you know.")] = "",
    wait: Annotated[
        float, Query(ge=0, le=LONGEST_WAIT_SECONDS, description="Seconds to wait for another.")
    ] = 0,
) -> Response:
    """The version of an evening; can wait until it changes."""
    evenings: Evenings = request.app.state.evenings
    found = await evenings.of(id[:64])
    if found is None:
        raise Problem("unknown-evening")
    gone = asyncio.Event()

    def stop() -> None:
        gone.set()
        found.ring()

    async def watch() -> None:                  # stops when the phone has left
        while (await request.receive())["type"] != "http.disconnect":
            continue
        stop()

    with suppress(KeyError):                    # the house ends all waiting when it closes
        request.scope["state"]["escale.streams"][:] = [stop]
    watching = asyncio.create_task(watch())
    try:
        return reply(EveningVersion(await evenings.wait(found, since, wait, gone.is_set)))
    finally:
        watching.cancel()


# ---- the visitor ----


def _evenings(context: PageContext) -> Evenings:
    evenings: Evenings = context.app.evenings
    return evenings


async def _holder(context: PageContext) -> str | None:
    """The SHA-256 under which the notebook of a request holds what it holds."""
    notebooks: Notebooks = context.app.notebooks
    holder = await notebooks.holder(context.request.cookies)
    return None if holder is None else fingerprint(holder)


async def _found(context: PageContext) -> EveningLog | None:
    return await _evenings(context).of(context.request.path_params["id"][:64])


def _missing(context: PageContext) -> Response:
    return error_page(context.request, 404, "evening")


async def _origin(context: PageContext) -> str:
    """The address at which the phones of guests find the house."""
    network = () if context.house.settings.origins else await asyncio.to_thread(context.network)
    return network[0] if network else context.base


def _fresh(answer: Response) -> Response:
    answer.headers["cache-control"] = "no-store"
    return answer


# ---- all evenings ----


@page(router, "/evening")
async def evenings_page(context: PageContext) -> Response:
    """My evenings, a field for the code of another, and the form for a new one."""
    return await _list(context)


async def _list(
    context: PageContext, problem: str = "", status: int = 200,
    plan: dict[str, Any] | None = None,
) -> Response:
    notebooks: Notebooks = context.app.notebooks
    mine = []
    own = await notebooks.holder(context.request.cookies)
    for one in await _evenings(context).held(own):
        found = await _evenings(context).of(one.id)
        if found is not None and own is not None:
            mine.append({
                "id": one.id, "title": found.evening.plan.title, "closed": one.closed,
                "about": format_words(context, found),
                "host": found.holds(fingerprint(own), HOST),
                "guests": sum(guest.person for guest in found.evening.guests.values()),
                "ago": ago(context, (context.house.now() - one.changed) / 1000),
            })
    return _fresh(context.show(
        "evenings.html", status, problem=problem, mine=mine, plan=plan or forms.NEW,
        opened=plan is not None, series="", **forms.choices(context.lang),
    ))


async def _from_form(request: Request, here: str) -> tuple[PageContext, dict[str, str]]:
    fields = await forms.fields_of(request)
    context = PageContext(request)
    context.lang = fields["lang"] if fields.get("lang") in LANGUAGES else language(request)
    context.here = here
    return context, fields


@router.post("/evening", include_in_schema=False)
async def create(request: Request) -> Response:
    """Open an evening from the form; the visitor becomes its host."""
    context, fields = await _from_form(request, "/evening")
    limiter: RateLimiter = request.app.state.rate_limiter
    notebooks: Notebooks = request.app.state.notebooks
    try:
        limiter.take("table", address(request))
        plan = forms.plan_of(fields)
        own, secret = await ensured(request, notebooks, await notebooks.of(request))
        series = ""
        if fields.get("series"):                # only a host continues a series
            before = await _evenings(context).of(fields["series"][:64])
            if before is not None and before.holds(own.holder, HOST):
                series = before.series
        found = await _evenings(context).create(
            plan, NOTEBOOK + own.id, series=series
        )
    except EscaleError as error:
        problem = Problem.of(error)
        typed = {**forms.NEW, **fields, "games": fields.get("games", "").split(",")}
        return await _list(context, problem.message(context.lang), problem.status, typed)
    there = RedirectResponse(context.url(f"/evening/{found.id}/host"), 303)
    return with_cookie(request, notebooks, secret, there)


@page(router, "/e/{code}")
async def coded(context: PageContext) -> Response:
    """The short address of an evening, which is in its QR code."""
    return await _by_code(context, context.request.path_params["code"])


@router.post("/e", include_in_schema=False)
async def by_code(request: Request) -> Response:
    """The evening of a code that was typed."""
    context, fields = await _from_form(request, "/evening")
    return await _by_code(context, fields.get("code", ""))


async def _by_code(context: PageContext, code: str) -> Response:
    limiter: RateLimiter = context.app.rate_limiter
    found = await _evenings(context).coded(code[:20])
    if found is None:
        try:                                    # only wrong codes count: a room shares an address
            limiter.take("code", address(context.request))
            limiter.take("all-codes", "house")
        except Problem as problem:
            return await _list(context, problem.message(context.lang), problem.status)
        return await _list(context, context.say("evening.wrong-code"), 404)
    return RedirectResponse(context.url(f"/evening/{found.id}"), 303)


# ---- the page of a guest ----


@page(router, "/evening/{id}")
async def evening_page(context: PageContext) -> Response:
    """An evening as a guest sees it: where to play now, and how it stands."""
    found = await _found(context)
    return _missing(context) if found is None else await _guest_page(context, found)


async def _guest_page(
    context: PageContext, found: EveningLog, problem: str = "", status: int = 200
) -> Response:
    holder = await _holder(context)
    notebooks: Notebooks = context.app.notebooks
    own = await notebooks.of(context.request)
    me, view = found.guest_of(holder), shown(context, found)
    return _fresh(context.show(
        "evening.html", status, **_common(context, found, view), problem=problem, me=me,
        host=found.holds(holder, HOST), name="" if own is None else own[0].name,
        mine=[game for game in view.current if game.seat_of(me) is not None],
        free=[
            guest for guest in view.guests
            if guest["present"] and not guest["playing"] and guest["who"] != me
        ],
        words=script_words(context.lang, "evening.js"),
        card=f"/evening/{found.id}/{context.lang}.png?n={found.evening.n}",
    ))


def _common(context: PageContext, found: EveningLog, view: ShownEvening) -> dict[str, Any]:
    return {
        "evening": view, "about": format_words(context, found),
        "version": _evenings(context).version(found), "id": secrets.token_hex(8),
        "now": context.house.now(),
        "evening_result": lambda game, places: _told(context, game, places),
    }


def _told(context: PageContext, game: ShownGame, places: list[int]) -> str:
    """A result in words, such as a player tells it."""
    if len(places) == 2:
        first = [seat.name for seat, place in zip(game.seats, places, strict=True) if place == 1]
        return context.say("evening.draw") if len(first) == 2 \
            else context.say("evening.wins", name=first[0])
    ranked = sorted(zip(places, game.seats, strict=True), key=lambda one: one[0])
    return ", ".join(f"{place}. {seat.name}" for place, seat in ranked)


@router.post("/evening/{id}", include_in_schema=False)
async def act_as_guest(request: Request, id: str) -> Response:
    """What guests do: join, leave, come back, report a result, begin a game in free play."""
    context, fields = await _from_form(request, f"/evening/{id[:64]}")
    evenings = _evenings(context)
    found = await evenings.of(id[:64])
    if found is None:
        return _missing(context)
    limiter: RateLimiter = request.app.state.rate_limiter
    notebooks: Notebooks = request.app.state.notebooks
    secret = ""
    try:
        limiter.take("action", address(request))
        if fields.get("do") == "join":
            name = name_of(fields, "name")
            if not name:
                raise Refused("no-name")
            own, secret = await ensured(request, notebooks, await notebooks.of(request))
            if not own.name:
                await notebooks.change(own, name=name, lang=None, puzzles=None, lessons={})
            await evenings.join(found, name, NOTEBOOK + own.id, id=fields.get("id") or None)
        else:
            me = found.guest_of(await _holder(context))
            with _paid(request, found, fields):
                await _as_guest(evenings, found, me, fields)
    except EscaleError as error:
        problem = Problem.of(error)
        return await _guest_page(context, found, problem.message(context.lang), problem.status)
    there = RedirectResponse(context.url(f"/evening/{found.id}"), 303)
    return with_cookie(request, notebooks, secret, there)


@contextmanager
def _paid(request: Request, found: EveningLog, fields: dict[str, str]) -> Iterator[None]:
    """The address pays for forming a round, and for tables that are opened, as for others.

    An evening opens many at once, so they may be more than are left; then the next ones wait.
    """
    limiter: RateLimiter = request.app.state.rate_limiter
    who, before, began = address(request), _screens(found), monotonic()
    budget = BUDGETS.get(fields.get("do", ""))
    if budget is not None and limiter.left(budget, who) < LEAST[budget]:
        raise Problem("too-many")
    yield
    if budget == "work":
        limiter.spend("work", who, monotonic() - began)
    limiter.spend("table", who, max(0, _screens(found) - before))


def _screens(found: EveningLog) -> int:
    return sum(game.board == "screen" for game in found.evening.running)


async def _as_guest(
    evenings: Evenings, found: EveningLog, me: int | None, fields: dict[str, str]
) -> None:
    if me is None:
        raise Refused("not-a-guest")
    id = fields.get("id", "")[:64] or None
    match fields.get("do", ""):
        case "leave":
            await evenings.act(found, lambda _: [Left(who=me)], id=id)
        case "return":
            await evenings.act(found, lambda _: [Returned(who=me)], id=id)
        case "report":
            round, table = forms.number(fields, "round"), forms.number(fields, "table")
            seats = len(found.evening.find(round, table).seats)
            await evenings.report(
                found, round, table, me, forms.places(fields, seats), id
            )
        case "sit":
            others = [forms.number(fields, key) for key in sorted(fields) if key[:4] == "with"]
            await evenings.sit_down(
                found, [me, *dict.fromkeys(others)], fields.get("game", ""),
                fields.get("board", "screen"), id,
            )
        case _:
            raise Problem("bad-request", detail="do: expected join, leave, return, report or sit")


# ---- the page of the host ----


@page(router, "/evening/{id}/host")
async def host_page(context: PageContext) -> Response:
    """All that the host can do, on one page for a phone."""
    found = await _found(context)
    return _missing(context) if found is None else await _host_page(context, found)


async def _host_page(
    context: PageContext, found: EveningLog, problem: str = "", status: int = 200,
    link: str = "",
) -> Response:
    if not found.holds(await _holder(context), HOST):
        return _fresh(context.show(
            "evening_host_link.html", 403 if status == 200 else status, id=found.id,
            title=found.evening.plan.title, problem=problem,
        ))
    view, origin = shown(context, found), await _origin(context)
    join = f"{origin}{context.url(f'/e/{found.code}')}"
    undoable = found.evening.undoable()
    return _fresh(context.show(
        "evening_host.html", status, **_common(context, found, view), problem=problem,
        join=join, qr=Markup(qr_svg(join)), link=link,
        link_qr=Markup(qr_svg(link)) if link else "",
        plan=forms.plan_fields(found.evening.plan), fixed=bool(found.evening.rounds),
        undoable=None if undoable is None else {
            "n": undoable.n, "kind": type(undoable).__name__.lower(),
            "round": getattr(undoable, "round", 0), "table": getattr(undoable, "table", 0),
        },
        listening=await context.app.listening_bots(context), series=found.id,
        words=script_words(context.lang, "evening.js"), **forms.choices(context.lang),
    ))


@router.post("/evening/{id}/host", include_in_schema=False)
async def act_as_host(request: Request, id: str) -> Response:
    """What the host decides."""
    context, fields = await _from_form(request, f"/evening/{id[:64]}/host")
    evenings = _evenings(context)
    found = await evenings.of(id[:64])
    if found is None:
        return _missing(context)
    limiter: RateLimiter = request.app.state.rate_limiter
    here = context.url(f"/evening/{found.id}/host")
    try:
        if fields.get("do") == "open":
            return await _become_host(context, found, fields.get("link", "")[:100])
        if not found.holds(await _holder(context), HOST):
            return await _host_page(context, found, context.say("evening.host-only"), 403)
        limiter.take("action", address(request))
        match fields.get("do"):
            case "link":
                secret = await evenings.new_link(found)
                link = f"{await _origin(context)}{here}#{secret}"
                return await _host_page(context, found, link=link)
            case "delete":
                if fields.get("sure") != "yes":
                    raise Refused("not-sure")
                await evenings.delete(found)
                return RedirectResponse(context.url("/evening"), 303)
        with _paid(request, found, fields):
            await _as_host(evenings, found, fields)
    except EscaleError as error:
        problem = Problem.of(error)
        return await _host_page(context, found, problem.message(context.lang), problem.status)
    return RedirectResponse(here, 303)


async def _become_host(context: PageContext, found: EveningLog, link: str) -> Response:
    request, notebooks = context.request, context.app.notebooks
    limiter: RateLimiter = context.app.rate_limiter
    limiter.take("code", address(request))
    limiter.take("all-codes", "house")
    if not _evenings(context).is_link(found, link):
        return await _host_page(context, found, context.say("evening.wrong-link"), 404)
    own, secret = await ensured(request, notebooks, await notebooks.of(request))
    await _evenings(context).make_host(found, link, NOTEBOOK + own.id)
    there = RedirectResponse(context.url(f"/evening/{found.id}/host"), 303)
    return with_cookie(request, notebooks, secret, there)


async def _as_host(evenings: Evenings, found: EveningLog, fields: dict[str, str]) -> None:
    id = fields.get("id", "")[:64] or None
    match fields.get("do", ""):
        case "add":
            name = name_of(fields, "name")
            if not name:
                raise Refused("no-name")
            await evenings.join(found, name, id=id)
        case "computer":
            await evenings.join(found, "", level=fields.get("level", ""), id=id)
        case "bot":
            await evenings.join(found, name_of(fields, "bot"), bot=True, id=id)
        case "rename":
            who, name = forms.number(fields, "who"), name_of(fields, "name")
            await evenings.act(found, lambda _: [Renamed(who=who, name=name)], id=id)
        case "leave":
            who = forms.number(fields, "who")
            await evenings.act(found, lambda _: [Left(who=who)], id=id)
        case "return":
            who = forms.number(fields, "who")
            await evenings.act(found, lambda _: [Returned(who=who)], id=id)
        case "pair":
            await evenings.pair(found, id)
        case "start":
            await evenings.begin(found, id)
        case "board":
            await evenings.choose_board(
                found, forms.number(fields, "round"), forms.number(fields, "table"),
                fields.get("board", ""), id,
            )
        case "result":
            round, table = forms.number(fields, "round"), forms.number(fields, "table")
            seats = len(found.evening.find(round, table).seats)
            await evenings.decide(found, round, table, forms.places(fields, seats), id)
        case "sit":
            group = [forms.number(fields, key) for key in sorted(fields) if key[:4] == "with"]
            await evenings.sit_down(
                found, list(dict.fromkeys(group)), fields.get("game", ""),
                fields.get("board", "screen"), id,
            )
        case "extend":
            await evenings.extend(found, forms.number(fields, "minutes"), id)
        case "plan":
            fields.setdefault("format", found.evening.plan.format)
            plan = forms.plan_of(fields, seed=found.evening.plan.seed)
            await evenings.act(found, lambda _: [Planned(plan=plan)], id=id)
        case "close":
            await evenings.act(found, lambda _: [Closed()], id=id)
        case "undo":
            await evenings.undo(found, forms.number(fields, "n"), id)
        case _:
            raise Problem("bad-request", detail="do: expected something that a host can do")


# ---- the wall ----


@page(router, "/evening/{id}/wall")
async def wall(context: PageContext) -> Response:
    """The evening on a big screen, to be read from five metres, with nothing to click."""
    found = await _found(context)
    if found is None:
        return _missing(context)
    view, origin = shown(context, found), await _origin(context)
    join = f"{origin}{context.url(f'/e/{found.code}')}"
    theme = context.request.query_params.get("theme", "")
    return _fresh(context.show(
        "evening_wall.html", **_common(context, found, view), join=join,
        place=origin.partition("://")[2], qr=Markup(qr_svg(join)),
        theme=theme if theme in ("light", "dark") else "",
        words=script_words(context.lang, "wall.js"),
    ))


# ---- afterwards ----


@page(router, "/evening/{id}/season")
async def season_page(context: PageContext) -> Response:
    """The table of the season: all evenings of a series together."""
    found = await _found(context)
    if found is None:
        return _missing(context)
    season = await _evenings(context).season(found.series)
    rows = await draw.named(
        ("season", found.series, tuple((one.id, one.evening.n) for one in season)),
        lambda: season_rows([one.evening for one in season]),
    )
    return context.show(
        "evening_season.html", id=found.id, rows=rows,
        evenings=[(one.id, one.evening.plan.title) for one in season],
    )


@router.get("/evening/{id}/results.csv", include_in_schema=False)
async def results(request: Request, id: str) -> Response:
    """All results of an evening, one line for each seat, for spreadsheets."""
    context = PageContext(request)
    context.lang = language(request)
    found = await _evenings(context).of(id[:64])
    if found is None:
        return _missing(context)
    view = shown(context, found)
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow([context.say(f"evening.csv-{name}") for name in (
        "round", "table", "game", "board", "seat", "guest", "place", "points", "link"
    )])
    for one in view.rounds:
        for game in one.games:
            link = f"{context.base}{context.url(f'/t/{game.id}')}" if game.id else ""
            points = _points(game.seats)
            for seat in game.seats:
                table.writerow([
                    one.number, game.table, game.title, context.say(f"evening.board-{game.board}"),
                    seat.side, _plain(seat.name), "" if seat.place is None else seat.place,
                    points.get(seat.who, ""), link,
                ])
        for name in one.byes:
            table.writerow([one.number, "", "", "", context.say("evening.bye"), _plain(name)])
    name = "".join(letter for letter in view.title if letter.isascii() and letter.isalnum())
    headers = {
        "content-disposition": f'attachment; filename="{name or "escale"}.csv"',
        "cache-control": "no-store",
    }
    return Response(
        "\ufeff" + text.getvalue(), headers=headers, media_type="text/csv; charset=utf-8"
    )


def _points(seats: list[Any]) -> dict[int, str]:
    """The points of a finished game as decimal numbers, by guest."""
    from escale.server.evening.standings import WIN, points_of

    places = [seat.place for seat in seats]
    if None in places:
        return {}
    return {
        seat.who: f"{points / WIN:.3f}".rstrip("0").rstrip(".")
        for seat, points in zip(seats, points_of(places), strict=True)
    }


def _plain(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in "=+-@\t\r" else name


@router.get("/evening/{id}/{lang}.png", include_in_schema=False)
async def picture(request: Request, id: str, lang: str, n: str = "") -> Response:
    """The best of an evening as a picture to share."""
    context = PageContext(request)
    context.lang = lang if lang in LANGUAGES else LANGUAGES[0]
    found = await _evenings(context).of(id[:64])
    if found is None or lang not in LANGUAGES:
        return _missing(context)
    view = shown(context, found)
    lines = [
        context.say("evening.card-line", place=row.place, name=row.name, points=row.points)
        for row in view.rows[:CARD_ROWS] if row.played
    ] or [format_words(context, found)]
    box = game_named(found.evening.plan.games[0])
    card = await draw.named(
        ("evening-card", found.id, found.evening.n, lang),
        lambda: share_card(
            pictures.cover(box).svg, house=context.say("house.name"), heading=view.title,
            lines=lines,
        ),
    )
    kept = "public, max-age=86400" if n == str(found.evening.n) else "no-cache"
    return await painted(request, card, kept)
