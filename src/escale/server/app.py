"""The web application: everything put together."""

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
from escale.server import health
from escale.server.admin import routes as admin
from escale.server.admin.sessions import Sessions
from escale.server.api import (
    advice,
    analysis,
    bots,
    games,
    live,
    openapi,
    puzzles,
    reviews,
    tables,
)
from escale.server.errands import Errands
from escale.server.health import Readiness
from escale.server.http.proxies import Forwarded, Proxies
from escale.server.metrics.counts import Counts
from escale.server.metrics.minutes import Minutes
from escale.server.middleware.compression import Compression
from escale.server.middleware.rate_limiter import RateLimiter
from escale.server.middleware.request_id import RequestId
from escale.server.middleware.security import Security
from escale.server.pages import analysis as analysis_page
from escale.server.pages import (
    bot_pages,
    files,
    learning,
    puzzle_pages,
    review_page,
    routes,
    shared_pictures,
)
from escale.server.painting import Painter
from escale.server.problems import Problem
from escale.server.responses import refuse
from escale.server.settings import Settings
from escale.server.study.advising import Advising
from escale.server.study.pool import StudyPool
from escale.server.study.reviews import Reviews
from escale.server.tables.company import Company
from escale.server.tables.house import House, unix_time
from escale.store import Store

STATUSES = {404: "unknown-page", 405: "wrong-method", 413: "too-large"}


def create_app(
    settings: Settings | None = None, *, now: Callable[[], int] = unix_time,
    store: Store | None = None,
) -> FastAPI:
    """The house as a web application; `now` tells the time in Unix milliseconds.

    `store` is the database where it is open already; the house closes it.
    """
    settings = settings or Settings()
    rate_limiter = RateLimiter(settings.limits)
    proxies = Proxies(settings.trusted_proxies)
    counts = Counts()

    @asynccontextmanager
    async def opening_hours(app: FastAPI) -> AsyncIterator[None]:
        house = House(settings, now=now, store=store, counts=counts)
        app.state.house = house
        app.state.readiness = readiness = Readiness(house)
        app.state.minutes = minutes = Minutes(counts, house.playing, now)
        app.state.errands = errands = Errands(rate_limiter)
        app.state.painter = painter = Painter(rate_limiter)
        app.state.study = study = StudyPool(rate_limiter)
        app.state.advising = advising = Advising(study)
        app.state.reviews = made = Reviews(house.store, study)
        await house.open()
        sampling = asyncio.create_task(minutes.run())
        if isinstance(house.company, Company):
            house.company.share_limits(rate_limiter.used, rate_limiter.used_elsewhere)
        try:
            yield
        finally:
            sampling.cancel()
            readiness.close()
            await made.close()
            await house.close()
            await errands.close()
            await painter.close()
            await advising.close()
            await study.close()

    app = FastAPI(
        title="Escale", version=__version__, lifespan=opening_hours,
        description="A games library one can enter day and night: tables, seats, moves, events.",
        docs_url=None, redoc_url=None, openapi_url="/api/openapi.json",
    )
    app.state.rate_limiter = rate_limiter
    app.state.counts = counts
    app.include_router(games.router)
    app.include_router(analysis.router)
    app.include_router(puzzles.router)
    app.include_router(tables.router)
    app.include_router(advice.router)
    app.include_router(reviews.router)
    app.include_router(bots.router)
    app.include_router(live.router)
    app.include_router(routes.router)
    app.include_router(bot_pages.router)
    app.include_router(learning.router)
    app.include_router(puzzle_pages.router)
    app.include_router(review_page.router)
    app.include_router(analysis_page.router)
    app.include_router(files.router)
    app.include_router(shared_pictures.router)
    app.include_router(health.router)
    if settings.admin_token:
        app.state.sessions = Sessions(settings.admin_token)
        app.include_router(admin.router)
    if settings.docs is not None:
        app.mount("/docs", StaticFiles(directory=settings.docs, html=True))
    app.add_middleware(Compression)
    app.openapi = partial(openapi.document, app)  # type: ignore[method-assign]
    app.add_middleware(Security, settings=settings, rate_limiter=rate_limiter)
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
    """What did not have the right shape; what was sent is not sent back."""
    assert isinstance(error, RequestValidationError)
    faults = [
        (".".join(str(step)[:40] for step in fault["loc"]), fault["msg"], fault["type"])
        for fault in error.errors()[:3]
    ]
    detail = "; ".join(f"{field}: {why}" for field, why, _ in faults)[:500]
    field, _, kind = faults[0]
    if kind == "json_invalid" or "." not in field:
        return refuse(request, Problem("bad-request", detail=detail))
    return refuse(request, Problem("bad-request", detail=detail, field=field.partition(".")[2]))


async def _missing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    problem = Problem(STATUSES.get(error.status_code, "bad-request"), most=0)
    answer = refuse(request, problem)
    answer.headers.update(error.headers or {})
    return answer
