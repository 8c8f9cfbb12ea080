"""PNG pictures, painted in a process of their own: resvg lets nothing else happen meanwhile.

`python -m escale.server.painting` is such a process: a line with a drawing, a line with its picture
in base 64. A picture is kept by what is drawn, so that a position is painted once.
"""

from __future__ import annotations

import base64
import json
from collections import OrderedDict
from hashlib import sha256
from time import monotonic

from escale.render.png import png
from escale.server.fair_queue import FairQueue
from escale.server.middleware.rate_limiter import RateLimiter
from escale.server.problems import Problem
from escale.server.tables.computers import Late, Worker
from escale.server.worker_process import serve

NICE = 5
"""By how much the process gives way to the house itself."""
SECONDS = 10.0
"""That a picture may take; usually it is a quarter of one."""
KEPT = 16_000_000
"""Bytes of pictures that are kept."""
MOST = 10
"""Pictures for one address that may wait."""


class Painter:
    """Paints what is asked for, one after another, for all addresses in turn."""

    def __init__(self, limiter: RateLimiter, kept: int = KEPT) -> None:
        self._limiter = limiter
        self._worker = Worker("escale.server.painting", "")
        self._free = FairQueue([self._worker])
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._room = kept

    async def paint(self, drawing: str, who: str) -> bytes:
        """The picture of a drawing; Problem if that takes too long, or was asked too often."""
        name = sha256(drawing.encode()).hexdigest()
        if name not in self._pictures:
            if self._limiter.left("work", who) <= 0 or self._free.waiting(who) >= MOST:
                raise Problem("too-many")
            worker = await self._free.take(who)
            try:
                if name not in self._pictures:      # somebody else may have wanted the same
                    self._keep(name, await self._painted(worker, drawing, who))
            finally:
                self._free.give_back(worker)
        self._pictures.move_to_end(name)
        return self._pictures[name]

    async def _painted(self, worker: Worker, drawing: str, who: str) -> bytes:
        began = monotonic()
        try:
            [line] = await worker.lines(drawing, seconds=SECONDS)
            return base64.b64decode(line, validate=False)
        except Late:
            raise Problem("unavailable") from None
        finally:
            self._limiter.spend("work", who, monotonic() - began)

    def _keep(self, name: str, picture: bytes) -> None:
        self._pictures[name] = picture
        self._room -= len(picture)
        while self._room < 0 and len(self._pictures) > 1:
            _, oldest = self._pictures.popitem(last=False)
            self._room += len(oldest)

    async def close(self) -> None:
        """End the process."""
        await self._worker.stop()


def paint(line: bytes) -> bytes:
    """The picture of a drawing, both in one line; nothing, where there is nothing to paint."""
    drawing = json.loads(line)
    return base64.b64encode(png(drawing) if drawing else b"")


if __name__ == "__main__":
    serve(paint, NICE)
