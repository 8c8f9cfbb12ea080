"""The web application, put together from the rooms."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from escale import __version__
from escale.game.errors import EscaleError
from escale.server.admin import health
from escale.server.admin import routes as admin
from escale.server.admin.figures import Minutes
from escale.server.admin.health import Readiness
from escale.server.admin.routes import Sessions
from escale.server.bots import pages as bot_pages
from escale.server.bots import routes as bot_routes
from escale.server.bots.accounts import Bots
from escale.server.cluster.shared_limits import share_limits
from escale.server.edge import openapi
from escale.server.edge.middleware import Compression, Forwarded, Proxies, RequestId
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.edge.responses import refuse
from escale.server.edge.security import Security
from escale.server.evening import pages as evening_pages
from escale.server.evening import room
from escale.server.evening.evenings import Evenings
from escale.server.offline import routes as offline
from escale.server.offline.parts import find_parts
from escale.server.pages import files, games, printing, routes, shared_pictures
from escale.server.pages.page_context import error_page
from escale.server.pages.painting import Painter
from escale.server.people import feeds, lobby, notice_routes
from escale.server.people import pages as people_pages
from escale.server.people import routes as people
from escale.server.people.notebooks import Notebooks
from escale.server.settings import Settings
from escale.server.study import (
    analysis_routes,
    hint_routes,
    lessons,
    position_routes,
    puzzle_routes,
    review_routes,
)
from escale.server.study.hint_routes import Advising
from escale.server.study.review_routes import Reviews
from escale.server.tables import live
from escale.server.tables import routes as tables
from escale.server.tables.counts import Counts
from escale.server.tables.house import House, unix_time
from escale.server.workers.pool import WorkerPool
from escale.store import Store
from escale.store.bots import is_bots

STATUSES = {404: "unknown-page", 405: "wrong-method", 413: "too-large"}
TAGS = {
    "games": "The games of the house: facts, figures of their rules, and boards.",
    "tables": "Tables: set one up, sit down, and read it as a seat may see it.",
    "playing": "What a seat does at a table, and what happens there.",
    "study": "Positions, hints, analysis, puzzles and reviews.",
    "evenings": "Evenings in one room: when something in one has changed.",
    "people": "Notebooks of people: their seats, and what they know, on all their devices.",
    "bots": "Accounts of bots, and the stream that tells a bot of all its tables.",
}
"""The groups of operations in the OpenAPI document."""
ROUTERS = (
    offline.api, games.router, position_routes.router, analysis_routes.api, puzzle_routes.api,
    tables.router,
    hint_routes.router, review_routes.api, bot_routes.router, live.router, routes.router,
    bot_pages.router, notice_routes.api, notice_routes.router, feeds.router,
    people.router, people_pages.router, lobby.router, lobby.api,
    evening_pages.router, evening_pages.api, room.router,
    lessons.router, puzzle_routes.pages, review_routes.pages, analysis_routes.pages, files.router,
    shared_pictures.router, printing.router, health.router, offline.router,
)


def create_app(
    settings: Settings | None = None, *, now: Callable[[], int] = unix_time,
    store: Store | None = None,
) -> FastAPI:
    """Create the web application of a house; `now` gives the time in Unix milliseconds.

    `store` is the database if it is open already; the house closes it.
    """
    settings = settings or Settings()
    rate_limiter = RateLimiter(settings.limits)
    proxies = Proxies(settings.trusted_proxies)
    counts = Counts()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        house = House(settings, now=now, store=store, counts=counts)
        app.state.house = house
        app.state.bots = bots = Bots(house)
        app.state.notebooks = notebooks = Notebooks(house)
        app.state.lobby = lobby.Lobby(house)
        app.state.evenings = evenings = Evenings(house, notebooks)
        share_limits(rate_limiter, house.cluster)
        app.state.readiness = readiness = Readiness(house)
        app.state.minutes = minutes = Minutes(counts, house.playing, now)
        app.state.workers = workers = WorkerPool(rate_limiter)
        app.state.painter = Painter(workers)
        app.state.advising = advising = Advising(workers)
        app.state.reviews = made = Reviews(house.store, workers)
        if settings.admin_token:
            app.state.sessions.share(house.cluster)
        await notebooks.open()
        await house.open()
        await evenings.open()
        sampling = asyncio.create_task(minutes.run())
        house.start(bots.watch())
        house.start(notebooks.watch())
        house.start(evenings.watch())
        notebooks.notice_service.paint = partial(app.state.painter.paint, address="")
        house.start(notebooks.notice_service.run())
        try:
            yield
        finally:
            sampling.cancel()
            readiness.close()
            await made.close()
            bots.close_all()
            await house.close()
            await advising.close()
            await workers.close()

    app = FastAPI(
        title="Escale", version=__version__, lifespan=lifespan,
        description="Rare board games to play right now: tables, seats, moves, events.",
        docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
        openapi_tags=[{"name": tag, "description": about} for tag, about in TAGS.items()],
    )

    def bot_of(token: str | None) -> str | None:
        bot = app.state.bots.known(token) if is_bots(token) else None
        return None if bot is None else str(bot.sha256)

    app.state.rate_limiter = rate_limiter
    app.state.room = None                   # the command line may have one (`evening/room.py`)
    app.state.counts = counts
    app.state.parts = find_parts(settings.offline)
    # Functions that a room needs from a room above it.
    app.state.error_page = error_page
    app.state.bot_of = bot_of
    app.state.bots_at = bot_pages.bots_at
    app.state.listening_bots = bot_pages.listening_bots
    for router in ROUTERS:
        app.include_router(router)
    if settings.admin_token:
        app.state.sessions = Sessions(settings.admin_token)
        app.include_router(admin.router)
    if settings.docs is not None:
        app.mount("/docs", StaticFiles(directory=settings.docs, html=True))
    app.add_middleware(Compression)
    app.openapi = partial(openapi.document, app)  # type: ignore[method-assign]
    app.add_middleware(
        Security, host=settings.host, origins=settings.origins, machine=settings.machine,
        rate_limiter=rate_limiter, embed=settings.embed,
    )
    app.add_middleware(Forwarded, proxies=proxies)
    app.add_middleware(RequestId, proxies=proxies)
    app.add_exception_handler(EscaleError, _refused)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _missing)
    return app


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, EscaleError)
    return refuse(request, Problem.of(error))


async def _unreadable(request: Request, error: Exception) -> Response:
    """Refuse a request of the wrong shape, without repeating what was sent."""
    assert isinstance(error, RequestValidationError)
    faults = [
        (".".join(str(step)[:40] for step in fault["loc"]), fault["msg"], fault["type"])
        for fault in error.errors()[:3]
    ]
    detail = "; ".join(f"{field}: {why}" for field, why, _ in faults)[:500]
    field, _, kind = faults[0]
    if kind == "json_invalid":
        return refuse(request, Problem("bad-request", detail=detail, malformed=True))
    if "." not in field:
        return refuse(request, Problem("bad-request", detail=detail))
    return refuse(request, Problem("bad-request", detail=detail, field=field.partition(".")[2]))


async def _missing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    problem = Problem(STATUSES.get(error.status_code, "bad-request"), most=0)
    answer = refuse(request, problem)
    answer.headers.update(error.headers or {})
    return answer
