"""The pages and forms of the host; they work without scripts.

Without `ESCALE_ADMIN_TOKEN` these addresses do not exist. The host logs in with that token and gets
a cookie, signed with a key that is derived from the token. Every process that ran when the session
began can check it. No session is stored: a process remembers those that have ended, and knows none
that is older than itself. Changing the token ends all sessions.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from escale.game.errors import BadOption, EscaleError, UnknownGame
from escale.game.texts import LANGUAGES
from escale.games import game as game_named
from escale.match.seating import named
from escale.server.admin.figures import figures, plots, size
from escale.server.cluster.news import News, SessionEnded
from escale.server.cluster.port import Cluster, SingleProcess
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.edge.responses import form_fields
from escale.server.edge.security import address
from escale.server.pages.page_context import PageContext, error_page, page
from escale.server.pages.routes import ago
from escale.server.tables.house import House
from escale.store import StoreError
from escale.store.housekeeping import REPORTED, STATES, Overview

router = APIRouter()

COOKIE = "escale_admin"
SESSION_SECONDS = 12 * 3600
TOKEN_LETTERS = 16
"""The shortest token that is accepted: everyone on the network may try to guess it."""
PAGE_TABLES = 25
LAST_PAGE = 100_000
DECISIONS: dict[str, dict[str, bool]] = {
    "close": {"closed": True}, "open": {"closed": False},
    "mute": {"muted": True}, "unmute": {"muted": False},
}


class Sessions:
    """Checks the host's token, and makes and checks the cookies of sessions."""

    def __init__(self, token: str, now: Callable[[], float] = time.time) -> None:
        if len(token) < TOKEN_LETTERS:
            raise BadOption(
                f"ESCALE_ADMIN_TOKEN must have {TOKEN_LETTERS} letters or more: everyone may try "
                "to guess it"
            )
        self._token = sha256(token.encode()).digest()
        self._key = hmac.digest(token.encode(), b"escale admin session", "sha256")
        self._now = now
        self._opened = int(now())
        self._ended: dict[str, int] = {}
        """Sessions that the host has logged out of, and when they would have expired."""
        self._cluster: Cluster = SingleProcess()

    def share(self, cluster: Cluster) -> None:
        """Tell other processes which sessions have ended, and hear it from them."""
        self._cluster = cluster
        cluster.subscribe(self._hear)

    def _hear(self, _process: int, news: News) -> None:
        if isinstance(news, SessionEnded):
            self._note_end(news.session)

    def accepts(self, token: str) -> bool:
        """Whether this is the host's token; compared in constant time."""
        return hmac.compare_digest(sha256(token.encode("utf-8", "replace")).digest(), self._token)

    def begin(self) -> str:
        """The cookie of a host who has logged in."""
        stated = f"{int(self._now()) + SESSION_SECONDS}.{secrets.token_hex(8)}"
        return f"{stated}.{self._sign('session', stated)}"

    def knows(self, cookie: str) -> bool:
        """Whether a cookie is signed by this house, and its session has not ended."""
        stated, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign("session", stated).encode()):
            return False
        until = _expiry(stated)
        return self._now() < until and until - SESSION_SECONDS >= self._opened \
            and stated not in self._ended

    def end(self, cookie: str) -> None:
        """End the session of a cookie that is known."""
        stated, _, _ = cookie.rpartition(".")
        self._note_end(stated)
        self._cluster.announce(SessionEnded(stated))

    def _note_end(self, stated: str) -> None:
        now = self._now()
        self._ended = {one: until for one, until in self._ended.items() if now < until}
        self._ended[stated] = _expiry(stated)

    def form_key(self, cookie: str) -> str:
        """The secret field of this session's forms, so that no other site can send them."""
        return self._sign("form", cookie)

    def _sign(self, what: str, text: str) -> str:
        return hmac.new(self._key, f"{what}:{text}".encode(), "sha256").hexdigest()


def _expiry(stated: str) -> int:
    return int(stated.partition(".")[0])


def _sessions(request: Request) -> Sessions:
    sessions: Sessions = request.app.state.sessions
    return sessions


def _cookie(request: Request) -> str | None:
    """The cookie of a host who has logged in."""
    cookie = request.cookies.get(COOKIE, "")
    return cookie if cookie and _sessions(request).knows(cookie) else None


def _show(context: PageContext, template: str, status: int = 200, **values: object) -> Response:
    cookie = _cookie(context.request)
    key = _sessions(context.request).form_key(cookie) if cookie else ""
    answer = context.show(template, status, form_key=key, **values)
    answer.headers["cache-control"] = "no-store"
    return answer


# ---- logging in ----


def _login(context: PageContext, status: int = 200, problem: str = "") -> Response:
    return _show(context, "admin_login.html", status, problem=problem)


def _context(request: Request, fields: dict[str, str], here: str = "/admin") -> PageContext:
    """The page that a form was sent from."""
    context = PageContext(request)
    context.lang = fields.get("lang", "") if fields.get("lang") in LANGUAGES else context.lang
    context.here = here
    return context


@router.post("/admin/login", include_in_schema=False)
async def log_in(request: Request) -> Response:
    """Log the host in; the number of wrong attempts is limited.

    The right token is always accepted: others at the same address cannot lock the host out. It is
    long, and the requests of an address are limited.
    """
    fields = await form_fields(request)
    context = _context(request, fields)
    limiter: RateLimiter = request.app.state.rate_limiter
    sessions = _sessions(request)
    if not sessions.accepts(fields.get("token", "")):
        try:
            limiter.take("login", address(request))
        except Problem as problem:
            request.app.state.counts.refused(problem.code)
            return _login(context, 429, context.say("admin.too-often"))
        return _login(context, 403, context.say("admin.wrong"))
    answer = RedirectResponse(context.url("/admin"), 303, {"cache-control": "no-store"})
    answer.set_cookie(
        COOKIE, sessions.begin(), max_age=SESSION_SECONDS, httponly=True, samesite="strict",
        secure=request.url.scheme == "https", path="/",
    )
    return answer


@router.post("/admin/logout", include_in_schema=False)
async def log_out(request: Request) -> Response:
    """Log the host out."""
    fields = await form_fields(request)
    context = _context(request, fields)
    answer = RedirectResponse(context.url("/admin"), 303)
    if _is_ours(request, fields):
        _sessions(request).end(request.cookies[COOKIE])
        answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    return answer


def _is_ours(request: Request, fields: dict[str, str]) -> bool:
    """Whether a form was sent from a page of the session that its cookie names."""
    cookie = _cookie(request)
    return cookie is not None and fields.get("key") == _sessions(request).form_key(cookie)


# ---- looking ----


@page(router, "/admin")
async def overview(context: PageContext) -> Response:
    """The figures of the house, and its tables."""
    request = context.request
    if _cookie(request) is None:
        return _login(context)
    query = request.query_params
    search = query.get("q", "").strip()[:100]
    state = query.get("state", "")
    state = state if state in (*STATES, REPORTED) else ""
    asked = query.get("page", "1")
    number = min(int(asked), LAST_PAGE) if asked.isdecimal() and len(asked) < 9 else 1
    house: House = request.app.state.house
    found, total = await house.store.housekeeping.overview(
        search=search, state=state, skip=PAGE_TABLES * (max(1, number) - 1), limit=PAGE_TABLES
    )
    pages = max(1, -(-total // PAGE_TABLES))

    def link(to: int) -> str:
        chosen = {"q": search, "state": state, "page": to if to > 1 else ""}
        words = urlencode({name: value for name, value in chosen.items() if value})
        return context.url("/admin") + (f"?{words}" if words else "") + "#tables"

    return _show(
        context, "admin.html", figures=await figures(context, request),
        plots=plots(context, request.app.state.minutes),
        tables=[_row(context, table) for table in found], total=total, search=search, state=state,
        states=(*STATES, REPORTED), number=max(1, number), pages=pages, link=link,
    )


@page(router, "/admin/tables/{id}")
async def one(context: PageContext) -> Response:
    """One table, with what the host can decide about it."""
    if _cookie(context.request) is None:
        return _login(context)
    return await _table(context, context.request.path_params["id"])


async def _table(
    context: PageContext, id: str, status: int = 200, problem: str = ""
) -> Response:
    house: House = context.request.app.state.house
    found = await house.store.housekeeping.one(id)
    if found is None:
        return error_page(context.request, 404, "table")
    table = house.tables.get(id)
    return _show(
        context, "admin_table.html", status, table=_row(context, found), problem=problem,
        followed=table is not None and table.audiences.followed,
    )


def _row(context: PageContext, table: Overview) -> dict[str, Any]:
    now = time.time()
    try:
        title = game_named(table.game).title
    except UnknownGame:
        title = table.game
    return {
        "id": table.id, "title": title, "state": table.state,
        "names": [named(name, name in table.bots, context.lang) for name in table.names],
        "public": table.public, "muted": table.muted, "reported": table.reported,
        "events": table.events,
        "size": size(table.size, context.lang),
        "created": ago(context, now - table.created / 1000),
        "changed": ago(context, now - table.changed / 1000),
    }


# ---- deciding ----


@router.post("/admin/tables/{id}/{verb}", include_in_schema=False)
async def decide(request: Request, id: str, verb: str) -> Response:
    """Close a table, open it again, mute its chat or not, settle a report, or delete it."""
    fields = await form_fields(request)
    context = _context(request, fields, f"/admin/tables/{id}")
    if not _is_ours(request, fields):
        return _login(context, 403, context.say("admin.again"))
    house: House = request.app.state.house
    try:
        if verb == "delete":
            if fields.get("sure") != "yes":
                return await _table(context, id, 422, context.say("admin.not-sure"))
            await house.delete(id)
            with suppress(StoreError):              # the next deletion scrubs this one, too
                await house.store.housekeeping.scrub()
            return RedirectResponse(context.url("/admin") + "#tables", 303)
        if verb == "settle":
            await house.store.housekeeping.report(id, None)
            return RedirectResponse(context.url(f"/admin/tables/{id}"), 303)
        if verb not in DECISIONS:
            return error_page(request, 404)
        table = await house.table(id)
        if table is None:
            return error_page(request, 404, "table")
        await table.moderate(**DECISIONS[verb])
    except EscaleError as error:
        problem = Problem.of(error)
        return await _table(context, id, problem.status, problem.message(context.lang))
    return RedirectResponse(context.url(f"/admin/tables/{id}"), 303)
