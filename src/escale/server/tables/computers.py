"""Computer seats: thinking processes with a time limit, and a move no matter what happens to them.

The processes are engines that speak the line protocol (`docs/protocol.md`): our own for levels, and
those that the host has named. Thinking does not slow the house down, and a search that runs too
long, or dies, harms nothing else.
"""

from __future__ import annotations

import logging
import random
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from functools import partial
from statistics import fmean as mean
from time import monotonic
from typing import Any, TypeVar

from escale.game.errors import BadSetup, EscaleError
from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import Limit, Random, SearchResult
from escale.match.match import Match
from escale.opponents import LEVELS
from escale.opponents.client import AsyncEngine
from escale.opponents.line_process import EngineDied, EngineError
from escale.server.edge.rate_limiter import Bucket
from escale.server.workers.engines import NamedEngine, names_at
from escale.server.workers.fair_queue import FairQueue
from escale.server.workers.processes import Processes

log = logging.getLogger("escale")

QUICK_LEVEL = "mousse"
"""The level that is asked once more when thinking failed."""
QUICK_SECONDS = 1.0
IMAGINED_TABLES = 5
"""Positions that a seat imagines to judge its position, if it does not know everything …"""
IMAGINED_SIMULATIONS = 100
"""… and the simulations for each of them."""
GRACE_SECONDS = 2.0
"""A process may take this much longer than its limit."""
START_SECONDS = 60.0
"""One of our own processes may take this long to start: a small machine has much else to do."""
ENGINE_START_SECONDS = 20.0
"""A named engine may take this long to say hello."""
ENGINE_NICENESS = 10
"""The niceness of a named engine, the same as of our own processes."""

ALIVE_SECONDS = 5.0
"""A process that has answered counts as alive for this long."""
SHORTEST_SECONDS = 0.1
"""The least time to think about a move, when very many wait …"""
SPENT_SECONDS = 0.3
"""… and the time when the budget of the address is spent."""
BUDGET_SHARE = 0.5
"""The share of all processes' time that one address may use permanently …"""
BURST_SECONDS = 120.0
"""… and the seconds that it may use in addition."""
REMEMBERED_BUDGETS = 5_000
"""The budgets of this many addresses are remembered."""

T = TypeVar("T")
Question = Callable[[AsyncEngine, Limit, str | None], Awaitable[T]]
"""Asks an engine: one of the host's gets a limit of time, one of our own a level."""


class Thinkers:
    """All processes that think for computer seats; addresses wait for them in turn.

    One additional process thinks for the quickest level alone: its moves take an instant, and must
    not wait for the long searches of others. Each address has a budget of time to think; once it is
    used up, its moves are searched for a short time only.
    """

    def __init__(
        self, workers: int, seconds: float, clock: Callable[[], float] = monotonic,
        engines: Iterable[NamedEngine] = (),
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._quick = Processes(_start_own, AsyncEngine.close, 1)
        self._deep = Processes(_start_own, AsyncEngine.close, workers)
        self._engines = {engine.name: engine for engine in engines}
        self._named = {
            name: Processes(partial(_start_named, engine), AsyncEngine.close, engine.processes)
            for name, engine in self._engines.items()
        }
        self._budgets: OrderedDict[str, Bucket] = OrderedDict()
        self._answered = -ALIVE_SECONDS
        self.random = random.Random()
        """The source of seeds for thinking: equal seeds and knowledge give equal answers."""

    def check(self, level: str, slug: str) -> None:
        """BadSetup if a game has no such level, nor an engine of that name."""
        known = (*LEVELS, *names_at(slug, self._engines.values()))
        if level not in known:
            raise BadSetup("level", level=level, known=known)

    # ---- figures and checks ----

    @property
    def size(self) -> int:
        """How many processes of our own there are."""
        return self._quick.queue.size + self._deep.queue.size

    @property
    def busy(self) -> int:
        """How many processes think now."""
        return self._quick.queue.busy + self._deep.queue.busy

    @property
    def waiting(self) -> int:
        """How many moves wait to be thought about."""
        return self._quick.queue.queue + self._deep.queue.queue

    async def probe(self) -> None:
        """Check that a process answers, unless one has just done so; EngineError if it does not."""
        if self._clock() - self._answered < ALIVE_SECONDS:
            return
        async with self._quick.turn("") as worker:
            seconds = QUICK_SECONDS + GRACE_SECONDS
            await worker.use(lambda engine: engine.ask("hello", seconds=seconds))
        self._answered = self._clock()

    async def start(self) -> None:
        """Start the process for the quickest level."""
        with suppress(EngineError):             # the first request for a move fails then
            async with self._quick.turn("") as worker:
                await worker.start()

    async def close(self) -> None:
        """End all processes."""
        for processes in (self._quick, self._deep, *self._named.values()):
            await processes.close()

    # ---- thinking ----

    async def choose(
        self, match: Match, level: str, address: str = "", seat: int | None = None
    ) -> str:
        """A move for a seat that has to choose, else the seat to move; the address pays for it.

        A level always gives one, if need be without any thought. EngineError if an engine that the
        host has named fails twice.
        """
        attempts: tuple[tuple[Processes[AsyncEngine], float, str | None], ...]
        if level in LEVELS:
            own = self._quick if level == QUICK_LEVEL else self._deep
            attempts = ((own, self._seconds, level), (self._quick, QUICK_SECONDS, QUICK_LEVEL))
        elif level in self._named:
            attempts = ((self._named[level], self._engines[level].seconds, None),) * 2
        else:
            raise EngineDied(f"the host has no engine {level!r} any more")
        position = match.position if seat is None else match.position.with_turn(seat)
        play = self._question(AsyncEngine.play, match, position)
        for processes, seconds, own_level in attempts:
            try:
                move = await self._think(processes, seconds, address, play, own_level)
                return move.text
            except EscaleError as error:
                log.warning("%s has not chosen a move: %s: %s", level, error.code, error)
                failure = error
        if level in LEVELS:
            return any_move(position, self.random)
        raise failure

    async def share(self, match: Match, seat: int, address: str = "") -> float:
        """What a seat may expect, as far as it can know; the address pays for the time to think.

        The seat to move may be another, and know other things. So where the game hides something,
        this is the mean over tables that `seat` cannot distinguish from the real one, each looked
        at with all its cards.
        """
        try:
            if not match.game.hides:
                think = self._question(AsyncEngine.think, match, match.position)
                found = await self._think(self._quick, QUICK_SECONDS, address, think, QUICK_LEVEL)
                return found.shares[seat]
            return mean([
                await self._share_if(match.position.imagine(seat, Random(self._seed())), seat,
                                     address)
                for _ in range(IMAGINED_TABLES)
            ])
        except EscaleError:
            return 1 / match.start.seats

    async def _share_if(self, imagined: Position, seat: int, address: str) -> float:
        """What a seat may expect if the table were one that it imagines."""
        seed = self._seed()

        def think(
            engine: AsyncEngine, limit: Limit, level: str | None
        ) -> Awaitable[SearchResult[Move]]:
            limit = Limit(simulations=IMAGINED_SIMULATIONS, seconds=limit.seconds)
            return engine.think(
                imagined, limit, seed=seed, led=(imagined.text, []), open_cards=True
            )

        seconds = QUICK_SECONDS / IMAGINED_TABLES
        found = await self._think(self._quick, seconds, address, think, QUICK_LEVEL)
        return found.shares[seat]

    def _seed(self) -> int:
        return self.random.getrandbits(32)

    async def _think(
        self, processes: Processes[AsyncEngine], seconds: float, address: str,
        ask: Question[T], level: str | None,
    ) -> T:
        async with processes.turn(address) as worker:
            limit = Limit(seconds=self._time(processes.queue, seconds, address))
            began = self._clock()
            try:
                found = await worker.use(lambda engine: ask(engine, limit, level))
            finally:
                self._budget(address).spend(self._clock(), self._clock() - began)
            if level is not None:               # it is one of our own
                self._answered = self._clock()
            return found

    def _question(
        self, method: Callable[..., Awaitable[T]], match: Match, position: Position
    ) -> Question[T]:
        """The question to an engine about a match as it is now, or with the turn of another seat.
        """
        led = (match.header.start, match.line()) if position is match.position \
            else (position.text, [])

        def ask(engine: AsyncEngine, limit: Limit, level: str | None) -> Awaitable[T]:
            return method(engine, position, limit, level=level, seed=self._seed(), led=led)

        return ask

    def _time(self, queue: FairQueue[Any], seconds: float, address: str) -> float:
        """How long to think: less when many moves wait, for any address, or after much thinking."""
        ahead = (queue.waiting(address) + queue.others(address)) / self.size
        fair = max(seconds / (1 + ahead), SHORTEST_SECONDS)
        left = self._budget(address).left(self._clock())
        return min(fair, max(left, SPENT_SECONDS))

    def _budget(self, address: str) -> Bucket:
        if address not in self._budgets:
            rate = BUDGET_SHARE * self._deep.queue.size
            self._budgets[address] = Bucket(rate, BURST_SECONDS, self._clock())
            if len(self._budgets) > REMEMBERED_BUDGETS:
                self._budgets.popitem(last=False)
        return self._budgets[address]


def any_move(position: Position, chosen_by: random.Random) -> str:
    """A legal move, without any thought that could fail."""
    return chosen_by.choice(position.moves()).text


async def _start_own() -> AsyncEngine:
    return await AsyncEngine.open(
        [sys.executable, "-m", "escale.opponents.engine"],      # the engine gives way by itself
        start=START_SECONDS, grace=GRACE_SECONDS, trusted=True,
    )


async def _start_named(engine: NamedEngine) -> AsyncEngine:
    return await AsyncEngine.open(
        engine.command, memory=engine.memory, nice=ENGINE_NICENESS, start=ENGINE_START_SECONDS,
        grace=GRACE_SECONDS,
    )
