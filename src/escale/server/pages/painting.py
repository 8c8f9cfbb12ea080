"""PNG pictures and PDF documents, made by a worker process: resvg and Typst hold Python's lock."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from escale.server.edge.problems import Problem
from escale.server.workers.jobs import Job, Lane

if TYPE_CHECKING:                           # the process that paints does not need it
    from escale.server.workers.pool import WorkerPool

CACHE_BYTES = 16_000_000
"""The bytes of pictures and documents that are kept."""
MOST_SCENES = 500
"""Of a longer match only every second position is shown, or every third, and so on."""
PICTURES = Lane("pictures", __name__, processes=1, niceness=5, budget="work", most_waiting=10,
                grace_seconds=8)


class PaintJob(Job, frozen=True, kw_only=True):
    """Paint a drawing, which usually takes a quarter of a second."""

    lane = PICTURES
    svg: str


class PrintJob(Job, frozen=True, kw_only=True):
    """Lay a game's box out on paper, which takes a second or two."""

    lane = PICTURES
    game: str
    paper: str
    parts: tuple[str, ...]
    grey: bool


class AnimateJob(Job, frozen=True, kw_only=True):
    """Show the match of a transcript from its beginning, which takes a second or two."""

    lane = PICTURES
    transcript: str


def paint(job: PaintJob) -> bytes:
    """The PNG of a drawing."""
    from escale.render.png import png  # only the process that paints needs resvg

    return png(job.svg)


def lay_out(job: PrintJob) -> bytes:
    """The PDF of a box."""
    from escale.games import game
    from escale.render.print_sheets import print_box

    return print_box(game(job.game), job.lang, paper=job.paper, parts=job.parts, grey=job.grey)


def animate(job: AnimateJob) -> Iterator[bytes]:
    """The animated PNG of a match, as the last value."""
    from escale.game.viewer import ALL
    from escale.match.match import Match
    from escale.render.animation import animated_png
    from escale.render.framing import table_scenes

    positions = Match.replay(job.transcript).positions
    few = positions[:: 1 + len(positions) // MOST_SCENES]
    if few[-1] != positions[-1]:
        few = [*few, positions[-1]]
    yield b""
    scenes = table_scenes([position.scene(ALL) for position in few])
    yield from animated_png(scenes, positions[0].game.art)


JOBS = {PaintJob: paint, PrintJob: lay_out, AnimateJob: animate}
_bytes = msgspec.json.Decoder(bytes)


class Painter:
    """Has each picture made once, however many visitors ask for it, and keeps the latest."""

    def __init__(self, workers: WorkerPool, kept_bytes: int = CACHE_BYTES) -> None:
        self._workers = workers
        self._made: OrderedDict[str, bytes] = OrderedDict()
        self._room = kept_bytes
        self._making: dict[str, asyncio.Task[bytes]] = {}

    async def paint(self, svg: str, address: str) -> bytes:
        """The PNG of a drawing: see `make`."""
        return await self.make(PaintJob(svg=svg), address)

    async def make(self, job: PaintJob | PrintJob | AnimateJob, address: str) -> bytes:
        """A picture or a document; the first address that asks pays for it.

        Problem `too-many` if the budget of that address is spent, `unavailable` if it cannot be
        made.
        """
        name = sha256(msgspec.json.encode(job)).hexdigest()
        if name in self._made:
            self._made.move_to_end(name)
            return self._made[name]
        if name not in self._making:
            self._workers.check(job.lane, address)
            self._making[name] = asyncio.create_task(self._make(name, job, address))
        return await asyncio.shield(self._making[name])

    async def _make(self, name: str, job: PaintJob | PrintJob | AnimateJob, address: str) -> bytes:
        try:
            answer = await self._workers.answer(job, address)
        except Problem as problem:
            raise Problem("unavailable") if problem.code == "too-costly" else problem from None
        finally:
            del self._making[name]
        if answer.status != 200:
            raise Problem("unavailable")
        made = _bytes.decode(answer.body)
        self._keep(name, made)
        return made

    def _keep(self, name: str, made: bytes) -> None:
        self._made[name] = made
        self._room -= len(made)
        while self._room < 0 and len(self._made) > 1:
            _, oldest = self._made.popitem(last=False)
            self._room += len(oldest)
