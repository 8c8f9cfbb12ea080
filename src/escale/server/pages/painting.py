"""PNG pictures, painted by a worker process: resvg lets nothing else happen meanwhile."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from escale.server.edge.problems import Problem
from escale.server.workers.jobs import Job, Lane

if TYPE_CHECKING:                           # the process that paints does without
    from escale.server.workers.pool import WorkerPool

CACHE_BYTES = 16_000_000
"""Of pictures."""


class PaintJob(Job, frozen=True, kw_only=True):
    """Paint a drawing; usually that takes a quarter of a second."""

    lane = Lane("pictures", __name__, processes=1, niceness=5, budget="work",
                most_waiting=10, grace_seconds=8)
    svg: str


def paint(job: PaintJob) -> bytes:
    """The PNG of a drawing."""
    from escale.render.png import png  # only the process that paints needs resvg

    return png(job.svg)


JOBS = {PaintJob: paint}
_png = msgspec.json.Decoder(bytes)


class Painter:
    """Has each drawing painted once, however many ask for it, and keeps the latest pictures."""

    def __init__(self, workers: WorkerPool, kept_bytes: int = CACHE_BYTES) -> None:
        self._workers = workers
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._room = kept_bytes
        self._painting: dict[str, asyncio.Task[bytes]] = {}

    async def paint(self, svg: str, address: str) -> bytes:
        """The PNG of a drawing; the first address that asks pays for it.

        Problem `too-many` where that address has nothing left to pay with, `unavailable` where the
        drawing cannot be painted.
        """
        name = sha256(svg.encode()).hexdigest()
        if name in self._pictures:
            self._pictures.move_to_end(name)
            return self._pictures[name]
        if name not in self._painting:
            self._workers.check(PaintJob.lane, address)
            self._painting[name] = asyncio.create_task(self._paint(name, svg, address))
        return await asyncio.shield(self._painting[name])

    async def _paint(self, name: str, svg: str, address: str) -> bytes:
        try:
            answer = await self._workers.answer(PaintJob(svg=svg), address)
        except Problem as problem:
            raise Problem("unavailable") if problem.code == "too-costly" else problem from None
        finally:
            del self._painting[name]
        if answer.status != 200:
            raise Problem("unavailable")
        picture = _png.decode(answer.body)
        self._keep(name, picture)
        return picture

    def _keep(self, name: str, picture: bytes) -> None:
        self._pictures[name] = picture
        self._room -= len(picture)
        while self._room < 0 and len(self._pictures) > 1:
            _, oldest = self._pictures.popitem(last=False)
            self._room += len(oldest)
