"""Advice at a table, for the seat to move: who may have it, and what was said before."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

from escale.server.problems import Problem
from escale.server.study.pool import Found, StudyPool
from escale.server.tables.table import Table
from escale.server.tables.views import Sight

SOON = 1.0
"""Seconds between the opening of a table and the start of a process for its hints."""
KEPT = 500
"""Answers that are remembered."""


class Advising:
    """Asks the processes of the study about a table, once for each position and language."""

    def __init__(self, pool: StudyPool) -> None:
        self._pool = pool
        self._said: OrderedDict[tuple[Any, ...], Found] = OrderedDict()
        self._warming: asyncio.Task[None] | None = None

    def warm(self, table: Table) -> None:
        """Have a process ready soon, if somebody here plays against the computer.

        They look at the table before they ask for a hint.
        """
        waits = self._warming is not None and not self._warming.done()
        if not waits and any(player.level is not None for player in table.match.players):
            self._warming = asyncio.create_task(self._soon())

    async def _soon(self) -> None:
        await asyncio.sleep(SOON)
        await self._pool.start()

    async def close(self) -> None:
        """Nobody will ask any more."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.wait([self._warming])

    async def ask(
        self, job: str, table: Table, sight: Sight, who: str, **more: str
    ) -> Found:
        """What is to be said of the table as it is; Problem if this is nobody's to ask.

        Between people there is no advice, unless the table was set up so. What is said follows from
        what the seat to move may know; hidden cards are only in the question.
        """
        async with table.open():
            if not may_ask(table, sight):
                raise Problem("no-hints")
            if not table.views.chooses(sight):
                raise Problem("not-your-turn")
            match = table.match
            question = {
                "game": match.game.slug, "start": match.start.text, "moves": match.line(),
                "lang": sight.lang, **more,
            }
        key = (job, *(tuple(part) if isinstance(part, list) else part
                      for part in question.values()))
        if key in self._said:
            self._said.move_to_end(key)
            return self._said[key]
        found = await self._pool.ask(job, question, sight.lang, who)
        if found.status == 200:
            self._said[key] = found
            if len(self._said) > KEPT:
                self._said.popitem(last=False)
        return found


def may_ask(table: Table, sight: Sight) -> bool:
    """Whether somebody may have advice here: nobody plays against them, or all agreed to it."""
    return table.match.header.hints or table.only_theirs(sight.seats)
