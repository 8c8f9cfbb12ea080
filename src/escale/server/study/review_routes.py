"""Reviews of matches that are over: kept in the store, or made for the first visitor who asks.

One computation serves all visitors who ask at the same time. It goes on when the page that asked
for it is closed. If the house itself closes, the next request begins it again. Two processes of one
house may both make a review; the store keeps one of the two.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Hashable

import msgspec
from fastapi import APIRouter, Request
from markupsafe import Markup
from msgspec import structs
from starlette.responses import RedirectResponse, Response

from escale.game.errors import EscaleError
from escale.game.viewer import ALL
from escale.match.events import Played
from escale.match.match import Match
from escale.server.edge.openapi import ApiRouter, Lang, answers
from escale.server.edge.problems import Problem
from escale.server.edge.responses import language, reply
from escale.server.edge.security import address
from escale.server.pages.board_words import board_words
from escale.server.pages.game_cards import card
from escale.server.pages.page_context import PageContext, error_page, page
from escale.server.study.reviews import (
    ReviewJob,
    ReviewState,
    drawn,
    read_step,
)
from escale.server.tables.routes import AtTable
from escale.server.tables.table import Table
from escale.server.workers.drawing import draw
from escale.server.workers.pool import WorkerPool
from escale.store import Store, StoreError
from escale.study import review as made
from escale.study.judging import DEFAULT, MARKS, Budget
from escale.study.review import Progress, Review
from escale.study.review_words import ReviewText, mark_name, write_review
from escale.web.script_words import script_words

log = logging.getLogger("escale")
api = ApiRouter()
pages = APIRouter()

KEPT_REVIEWS = 30
"""Reviews that are kept in memory, in the words of one language."""
REFUSAL_WAIT_SECONDS = 0.05
"""A request waits this long for a refusal that needs no work."""


@api.get("/tables/{id}/review", tags=["study"],
            responses=answers(ReviewState, "unknown-table", "still-played"))
async def read_review(request: Request, table: AtTable, lang: Lang = None) -> Response:
    """The review of a finished match, or its progress."""
    return reply(await _state(request, table))


@api.post("/tables/{id}/review", status_code=202, tags=["study"],
             responses=answers(ReviewState, "unknown-table", "still-played",
                               "too-costly", status=202))
async def make_review(request: Request, table: AtTable, lang: Lang = None) -> Response:
    """Request the review of a finished match; a second request gets the same review."""
    reviews: Reviews = request.app.state.reviews
    await reviews.begin(table, address(request), language(request))
    return reply(await _state(request, table), 202)


async def _state(request: Request, table: Table) -> ReviewState:
    reviews: Reviews = request.app.state.reviews
    lang = language(request)
    review = await reviews.in_words(table, lang)
    progress, failure = reviews.progress(table), reviews.failure(table)
    whole = review is not None
    if review is None:
        review = await reviews.so_far(table, lang)
    return ReviewState(
        state="made" if whole else "making" if progress else "none",
        done=progress.done if progress else 0, total=progress.total if progress else 0,
        problem=failure.message(lang) if failure and not progress else None, review=review,
    )


# ---- the page ----


@page(pages, "/t/{id}/review")
async def review_page(context: PageContext) -> Response:
    """The page of a finished match's review, or of the request for one."""
    request, lang = context.request, context.lang
    table = await context.house.table(request.path_params["id"])
    if table is None:
        return error_page(request, 404, "table")
    reviews: Reviews = request.app.state.reviews
    over = table.match.outcome is not None
    review = await reviews.in_words(table, lang) if over else None
    progress = reviews.progress(table) if over and review is None else None
    if progress is not None:
        review = await reviews.so_far(table, lang)
    failure = reviews.failure(table) if over else None
    box = table.match.game
    return context.show(
        "review.html", 200 if over else 409, id=table.id, over=over, review=review,
        progress=progress,
        problem=failure.message(lang) if failure else "",
        box=await draw(card, box, lang), scored=True,
        drawn=Markup(drawn(review, lang)) if review else "",
        marks=[(mark, mark_name(mark, lang)) for mark in MARKS],
        words=script_words(lang, "review.js"), **board_words(box, lang),
    )


@pages.post("/t/{id}/review", include_in_schema=False)
@pages.post("/en/t/{id}/review", include_in_schema=False)
async def ask_for_review(request: Request) -> Response:
    """Request a review from a form, for browsers without scripts."""
    context = PageContext(request)
    table = await context.house.table(request.path_params["id"])
    if table is None:
        return error_page(request, 404, "table")
    try:
        reviews: Reviews = request.app.state.reviews
        await reviews.begin(table, address(request), context.lang)
    except EscaleError as error:
        return error_page(request, Problem.of(error).status)
    return RedirectResponse(context.url(f"/t/{table.id}/review"), 303)


# ---- the reviews of a house ----


class Reviews:
    """The reviews of the matches of this house."""

    def __init__(self, store: Store, workers: WorkerPool, budget: Budget = DEFAULT) -> None:
        self._store = store
        self._workers = workers
        self._budget = budget
        self._making: dict[str, asyncio.Task[None]] = {}
        self._progress: dict[str, Progress] = {}
        self._failed: dict[str, Problem] = {}
        self._written: OrderedDict[Hashable, ReviewText] = OrderedDict()

    async def close(self) -> None:
        """Cancel all reviews that are being made."""
        tasks = list(self._making.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def in_words(self, table: Table, lang: str) -> ReviewText | None:
        """The review of a match in words, if it is made; `still-played` before the end."""
        match = _over(table)
        name = (table.id, match.header.commitment, lang)
        if name not in self._written:
            kept = await self._store.review(table.id)
            review = None if kept is None else made.read_review(kept)
            if review is None:
                return None
            self._written[name] = await self._write(table, review, lang)
        self._written.move_to_end(name)
        if len(self._written) > KEPT_REVIEWS:
            self._written.popitem(last=False)
        return self._written[name]

    async def so_far(self, table: Table, lang: str) -> ReviewText | None:
        """A review that is being made, in words, as far as it is made."""
        progress = self._progress.get(table.id)
        if progress is None or progress.review is None:
            return None
        return await self._write(table, progress.review, lang)

    async def _write(self, table: Table, review: Review, lang: str) -> ReviewText:
        header, events = table.match.header, list(table.match.events)
        # A match of its own, so that the table is not locked meanwhile.
        return await draw.named(
            ("review", table.id, header.commitment, lang, sum(one.pending for one in review.moves)),
            lambda: write_review(review, Match.resume([header, *events]), lang),
        )

    def progress(self, table: Table) -> Progress | None:
        """The progress of a review that is being made."""
        return self._progress.get(table.id)

    def failure(self, table: Table) -> Problem | None:
        """The reason why the last attempt failed, until the next attempt."""
        return self._failed.get(table.id)

    async def begin(self, table: Table, who: str, lang: str) -> None:
        """Start the review, unless it exists or is being made; the address `who` pays for it."""
        match = _over(table)
        if table.id in self._making or await self.in_words(table, lang) is not None:
            return
        if table.id not in self._making:            # another request may have begun it meanwhile
            transcript = match.transcript(ALL)
            self._failed.pop(table.id, None)
            played = sum(isinstance(event, Played) for event in match.events)
            self._progress[table.id] = Progress(0, played)
            self._making[table.id] = asyncio.create_task(
                self._make(table.id, transcript, lang, who)
            )
        await asyncio.wait({self._making[table.id]}, timeout=REFUSAL_WAIT_SECONDS)
        if table.id in self._failed:
            raise self._failed.pop(table.id)

    async def _make(self, table: str, transcript: str, lang: str, who: str) -> None:
        job = ReviewJob(transcript=transcript, budget=self._budget, lang=lang)
        values = self._workers.values(job, who)
        try:
            async with contextlib.aclosing(values):
                async for found in values:
                    if found.status != 200:
                        raise Problem("too-costly")
                    value = read_step(found.body)
                    if value.progress is not None:
                        before = self._progress[table].review
                        self._progress[table] = structs.replace(
                            value.progress, review=value.progress.review or before)
                    if value.review is not None:
                        await self._keep(table, value.review)
        except EscaleError as error:
            self._failed[table] = Problem.of(error)
        finally:
            self._progress.pop(table, None)
            del self._making[table]

    async def _keep(self, table: str, review: Review) -> None:
        try:
            await self._store.keep_review(table, msgspec.json.encode(review).decode())
        except StoreError as error:
            if error.code != "conflict":
                raise
            # The table was deleted, or another process has stored the same review.
            log.info("the review of table %s was not kept: %s", table, error)


def _over(table: Table) -> Match:
    if table.match.outcome is None:
        raise Problem("still-played")
    return table.match
