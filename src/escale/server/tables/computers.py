"""Computer seats: worker processes with a time limit, and a move no matter what happens to them.

A worker is an engine that speaks the line protocol (`docs/protocol.md`), in a process of its own,
so that thinking takes no time from those who play, and so that a search that runs too long, or
dies, takes nothing with it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import random
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from escale.game.errors import BadSetup
from escale.game.position import Position
from escale.match.match import Match
from escale.opponents import LEVELS
from escale.opponents.line_process import EngineDied, EngineError, LineProcess
from escale.server.engines import NamedEngine, names_at
from escale.server.fair_queue import FairQueue
from escale.server.middleware.rate_limiter import Bucket
from escale.server.tables.engine_pool import EnginePool, EngineWorker

log = logging.getLogger("escale")

QUICK = "mousse"
"""The level that is asked once more when thinking failed."""
GRACE = 2.0
"""Seconds that a worker may take longer than it was told to."""
QUICK_SECONDS = 1.0
START = 60.0
"""Seconds that a worker may take to start: a small machine has much else to do."""

ALIVE = 5.0
"""Seconds for which a worker that has answered is known to be alive."""
LONGEST = 1 << 24
"""Bytes of an answer."""
SHORT = 0.1
"""Seconds to think about a move when very many wait …"""
SPENT = 0.3
"""… and when the budget of an address is spent."""
BUDGET = 0.5
"""Of the time of all workers, the part that one address may use without end …"""
BURST = 120.0
"""… and the seconds in addition to that."""
REMEMBERED = 5_000
"""Addresses whose budgets are remembered."""


class Late(Exception):
    """A worker died, or did not answer in time."""


class Worker:
    """One process, which answers each line with a line."""

    def __init__(
        self, module: str = "escale.opponents.engine", greeting: object = {"do": "games"}
    ) -> None:
        self._module = module
        self._greeting = greeting
        self._process: LineProcess | None = None

    async def ask(self, *requests: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The result of the last of some requests; Late if there is none in time."""
        try:
            results = [json.loads(line)["result"]
                       for line in await self.lines(*requests, seconds=seconds)]
        except (ValueError, KeyError) as error:
            await self.stop()
            raise Late from error
        found: dict[str, Any] = results[-1]
        return found

    async def lines(self, *requests: object, seconds: float) -> list[bytes]:
        """The answers to some requests, as they are; Late if they do not come in time."""
        try:
            process = await self._running()
            return await process.exchange(*map(_encoded, requests), seconds=seconds)
        except EngineError as error:
            await self.stop()
            raise Late from error
        except BaseException:
            await self.stop()           # the next to ask must not get this answer
            raise

    async def start(self) -> None:
        """Start the process before somebody asks; if it cannot be, the first to ask is told."""
        with contextlib.suppress(Late):
            await self.lines(self._greeting, seconds=START)

    async def _running(self) -> LineProcess:
        if self._process is None:
            self._process = await LineProcess.start(
                [sys.executable, "-m", self._module], longest=LONGEST
            )
            # When it answers, it is there, and has games loaded.
            await self._process.exchange(_encoded(self._greeting), seconds=START)
        return self._process

    async def stop(self) -> None:
        """End the process; the next question starts another."""
        process, self._process = self._process, None
        if process is not None:
            await process.kill()


def _encoded(request: object) -> bytes:
    return json.dumps(request).encode()


class Thinkers:
    """All workers; who asks waits for a free one, and is served in turn with others who wait.

    One worker more than asked for thinks for the quickest level alone: its moves take an instant,
    and shall not wait for long thoughts of others. Each address has a budget of time to think; who
    has used it up gets moves that were thought about for a short time.
    """

    def __init__(
        self, workers: int, seconds: float, clock: Callable[[], float] = monotonic,
        engines: Iterable[NamedEngine] = (),
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._workers = [Worker() for _ in range(1 + workers)]
        self._quick = FairQueue(self._workers[:1])
        self._deep = FairQueue(self._workers[1:])
        self._engines = {engine.name: EnginePool(engine) for engine in engines}
        self._budgets: OrderedDict[str, Bucket] = OrderedDict()
        self._answered = -ALIVE

    def check(self, level: str, slug: str) -> None:
        """BadSetup if a game has no such level, nor an engine of that name."""
        known = (*LEVELS, *names_at(slug, (pool.engine for pool in self._engines.values())))
        if level not in known:
            raise BadSetup("level", level=level, known=known)

    # ---- for those who watch over the house ----

    @property
    def size(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    @property
    def busy(self) -> int:
        """How many of them think."""
        return self._quick.busy + self._deep.busy

    @property
    def waiting(self) -> int:
        """How many moves wait to be thought about."""
        return self._quick.queue + self._deep.queue

    async def probe(self) -> None:
        """Have a worker answer, unless one has just done so; Late if it does not."""
        if self._clock() - self._answered < ALIVE:
            return
        worker = await self._quick.take("")
        try:
            await worker.lines({"do": "games"}, seconds=QUICK_SECONDS + GRACE)
            self._answered = self._clock()
        finally:
            self._quick.give_back(worker)

    # ---- thinking ----

    async def start(self) -> None:
        """Have the quickest level ready."""
        worker = await self._quick.take("")
        try:
            await worker.start()
        finally:
            self._quick.give_back(worker)

    async def choose(self, match: Match, level: str, who: str = "") -> str:
        """A move for the seat to move: thought about, or at least a legal one.

        `who` is the address for which it is thought. An engine that the host has named is asked
        twice; EngineError if it fails, and somebody else has to play.
        """
        if level not in LEVELS:
            return await self._choose_by_engine(match, level, who)
        try:
            return str((await self._ask(match, level, self._seconds, who))["move"])
        except Late:
            log.warning("a worker was late or died; a quick move instead")
        try:
            return str((await self._ask(match, QUICK, QUICK_SECONDS, who))["move"])
        except Late:
            return any_move(match.position)

    async def _choose_by_engine(self, match: Match, name: str, who: str) -> str:
        pool = self._engines.get(name)
        if pool is None:
            raise EngineDied(f"the host has no engine {name!r} any more")
        worker = await pool.free.take(who)
        began = self._clock()
        position = match.position
        try:
            seconds = self._time(pool.free, pool.engine.seconds, who)
            try:
                return await worker.choose(position, seconds, random.getrandbits(32))
            except EngineError:
                return await worker.choose(position, seconds, random.getrandbits(32))
        finally:
            self._budget(who).spend(self._clock(), self._clock() - began)
            pool.free.give_back(worker)

    async def shares(self, match: Match, who: str = "") -> list[float]:
        """What every seat may expect."""
        try:
            found: list[float] = (await self._ask(match, QUICK, QUICK_SECONDS, who))["score"]
            return found
        except Late:
            return [1 / match.start.seats] * match.start.seats

    async def _ask(self, match: Match, level: str, seconds: float, who: str) -> dict[str, Any]:
        line = {
            "do": "line", "game": match.game.slug, "position": match.start.text,
            "moves": match.line(),
        }
        queue = self._quick if level == QUICK else self._deep
        worker = await queue.take(who)
        began = self._clock()
        try:
            think = {
                "do": "think", "level": level, "seed": random.getrandbits(32),
                "time_ms": round(1000 * self._time(queue, seconds, who)),
            }
            found = await worker.ask(line, think, seconds=seconds + GRACE)
            self._answered = self._clock()
            return found
        finally:
            self._budget(who).spend(self._clock(), self._clock() - began)
            queue.give_back(worker)

    def _time(
        self, queue: FairQueue[Worker] | FairQueue[EngineWorker], seconds: float, who: str
    ) -> float:
        """How long to think: less when many wait, of one's own and of others, or after much."""
        ahead = (queue.waiting(who) + queue.others(who)) / len(self._workers)
        fair = max(seconds / (1 + ahead), SHORT)
        left = self._budget(who).left(self._clock())
        return min(fair, max(left, SPENT))

    def _budget(self, who: str) -> Bucket:
        if who not in self._budgets:
            rate = BUDGET * (len(self._workers) - 1)
            self._budgets[who] = Bucket(rate, BURST, self._clock())
            if len(self._budgets) > REMEMBERED:
                self._budgets.popitem(last=False)
        return self._budgets[who]

    async def close(self) -> None:
        """End all workers, and all engines."""
        for worker in self._workers:
            await worker.stop()
        for pool in self._engines.values():
            await pool.close()


def any_move(position: Position) -> str:
    """A legal move, without any thought that could fail."""
    return random.choice(position.moves()).text
