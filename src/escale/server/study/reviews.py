"""Reviews of matches that are over: kept in the store, or made for the first who asks.

One computation serves all who ask at the same time. It belongs to the house: it goes on when the
page that asked for it is closed. When the house itself closes, it is begun again by the next who
asks. Two processes of one house may both make one; the store keeps one of the two.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Hashable

import msgspec

from escale.game.errors import EscaleError
from escale.game.viewer import ALL
from escale.match.events import Played
from escale.match.match import Match
from escale.server.drawing import draw
from escale.server.problems import Problem
from escale.server.study.pool import StudyPool
from escale.server.study.review_job import Value
from escale.server.tables.table import Table
from escale.store import Store, StoreError
from escale.study.judging import DEFAULT, Budget
from escale.study.review import Progress, Review, read_review
from escale.study.review_words import ToldReview, told

log = logging.getLogger("escale")

KEPT = 30
"""Reviews that are kept in memory, in the words of one language."""
AT_ONCE = 0.05
"""Seconds within which a refusal comes that needs no work."""

_value = msgspec.json.Decoder(Value)


class Reviews:
    """What is known of the matches of this house."""

    def __init__(self, store: Store, pool: StudyPool, budget: Budget = DEFAULT) -> None:
        self._store = store
        self._pool = pool
        self._budget = budget
        self._making: dict[str, asyncio.Task[None]] = {}
        self._progress: dict[str, Progress] = {}
        self._failed: dict[str, Problem] = {}
        self._told: OrderedDict[Hashable, ToldReview] = OrderedDict()

    async def close(self) -> None:
        """Give up what is being made."""
        tasks = list(self._making.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def told(self, table: Table, lang: str) -> ToldReview | None:
        """The review of a match in words, if it is made; `still-played` while it goes on."""
        match = _over(table)
        name = (table.id, match.header.commitment, lang)
        if name not in self._told:
            kept = await self._store.review(table.id)
            review = None if kept is None else read_review(kept)
            if review is None:
                return None
            self._told[name] = await self._in_words(table, review, lang)
        self._told.move_to_end(name)
        if len(self._told) > KEPT:
            self._told.popitem(last=False)
        return self._told[name]

    async def _in_words(self, table: Table, review: Review, lang: str) -> ToldReview:
        header, events = table.match.header, list(table.match.events)
        # A match of its own: nobody at the table has to wait for it.
        return await draw.named(
            ("review", table.id, header.commitment, lang),
            lambda: told(review, Match.resume([header, *events]), lang),
        )

    def progress(self, table: Table) -> Progress | None:
        """How far it is, while one is being made."""
        return self._progress.get(table.id)

    def failure(self, table: Table) -> Problem | None:
        """Why the last attempt failed, until the next."""
        return self._failed.get(table.id)

    async def begin(self, table: Table, who: str, lang: str) -> None:
        """Have the review made, unless it is or somebody else waits for it; `who` pays."""
        match = _over(table)
        if table.id in self._making or await self.told(table, lang) is not None:
            return
        if table.id not in self._making:            # somebody else may have come meanwhile
            transcript = match.transcript(ALL)
            self._failed.pop(table.id, None)
            played = sum(isinstance(event, Played) for event in match.events)
            self._progress[table.id] = Progress(0, played)
            self._making[table.id] = asyncio.create_task(
                self._make(table.id, transcript, lang, who)
            )
        await asyncio.wait({self._making[table.id]}, timeout=AT_ONCE)
        if table.id in self._failed:
            raise self._failed.pop(table.id)

    async def _make(self, table: str, transcript: str, lang: str, who: str) -> None:
        question = {"transcript": transcript, "budget": msgspec.to_builtins(self._budget)}
        values = self._pool.values("review", question, lang, who, lane="long")
        try:
            async with contextlib.aclosing(values):
                async for found in values:
                    if found.status != 200:
                        raise Problem("too-costly")
                    value = _value.decode(found.body)
                    if value.progress is not None:
                        self._progress[table] = value.progress
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
            # The table was deleted, or another process has kept the same.
            log.info("the review of table %s was not kept: %s", table, error)


def _over(table: Table) -> Match:
    if table.match.outcome is None:
        raise Problem("still-played")
    return table.match
