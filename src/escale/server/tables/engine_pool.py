"""The processes of an engine that the host has named: started when somebody plays against it."""

from __future__ import annotations

import logging

from escale.game.position import Position
from escale.kernel import Limit
from escale.opponents.client import AsyncEngine
from escale.opponents.line_process import EngineError
from escale.server.engines import NamedEngine
from escale.server.fair_queue import FairQueue

log = logging.getLogger("escale")

NICE = 10
"""By how much an engine gives way to the house, as its own workers do."""
GRACE = 2.0
"""Seconds that a move may take longer than the engine was told."""
START = 20.0
"""Seconds that an engine may take to say hello."""


class EngineWorker:
    """One process; after an error the next question starts another."""

    def __init__(self, engine: NamedEngine) -> None:
        self._named = engine
        self._engine: AsyncEngine | None = None

    async def choose(self, position: Position, seconds: float, seed: int) -> str:
        """The text of a move; EngineError if there is none."""
        try:
            if self._engine is None:
                self._engine = await AsyncEngine.open(
                    self._named.command, memory=self._named.memory, nice=NICE, start=START,
                    grace=GRACE,
                )
            move = await self._engine.play(position, Limit(seconds=seconds), seed=seed)
            return move.text
        except EngineError as error:
            log.warning("engine %s: %s: %s", self._named.name, error.fault, error)
            await self.stop()
            raise
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """End the process."""
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.close()


class EnginePool:
    """All processes of one engine; who asks waits for a free one, in turn with others."""

    def __init__(self, engine: NamedEngine) -> None:
        self.engine = engine
        self._workers = [EngineWorker(engine) for _ in range(engine.processes)]
        self.free = FairQueue(self._workers)

    async def close(self) -> None:
        """End all of them."""
        for worker in self._workers:
            await worker.stop()
