"""Clients for engines: programs that speak the line protocol (`docs/protocol.md`).

`Engine` is for ordinary programs, `AsyncEngine` for those with an event loop; both have the same
methods.

```python
>>> import sys, escale
>>> position = escale.game("tortuga").start(first="south")
>>> with escale.Engine.open([sys.executable, "-m", "escale", "engine"]) as engine:
...     move = engine.play(position, escale.Limit(nodes=2000), seed=1)
...     lines = engine.analyse(position, escale.Limit(nodes=2000), lines=3)
>>> move in position.moves(), len(lines)
(True, 3)

```
"""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import threading
from collections.abc import Callable, Coroutine, Sequence
from types import TracebackType
from typing import Any, TypeVar

import msgspec

from escale.game.errors import BadOption, NotNow
from escale.game.moves import Move
from escale.game.position import Position
from escale.game.viewer import Seat
from escale.kernel import CHANCE, Limit, Line, Random, SearchResult
from escale.opponents.answers import About, read_about, read_move, read_result, read_thought
from escale.opponents.levels import CEILINGS
from escale.opponents.line_process import (
    Bounds,
    EngineDied,
    EngineError,
    EngineNonsense,
    EngineRefused,
    LineProcess,
)
from escale.opponents.protocol import LINE_BYTES, VERSION

START_SECONDS = 30.0
"""Seconds that a program may take to say hello."""
ANSWER_SECONDS = 60.0
"""Seconds for an answer if there is no limit of time."""
GRACE_SECONDS = 2.0
"""Seconds that a program may take longer than its limit."""
SENT_MOVES = 10_000
"""Legal moves that are sent to a program that wants them."""
QUIT_SECONDS = 2.0
"""Seconds that a program may take to end."""

T = TypeVar("T")
Led = tuple[str, list[str]]
"""The text of the first position of a line, and those of all moves since."""


class AsyncEngine:
    """An engine, for programs with an event loop."""

    def __init__(
        self, process: LineProcess, *, patience: float = ANSWER_SECONDS,
        grace: float = GRACE_SECONDS,
        trusted: bool = False,
    ) -> None:
        self._process = process
        self._trusted = trusted
        self._patience = patience
        self._grace = grace
        self._asked = 0
        self._lock = asyncio.Lock()
        self._closed: EngineError | None = None
        self.about = About()
        """The program's description of itself."""

    @classmethod
    async def open(
        cls, command: str | Sequence[str], *, memory: int | None = None, cpu: int | None = None,
        nice: int = 0, start: float = START_SECONDS, patience: float = ANSWER_SECONDS,
        grace: float = GRACE_SECONDS,
        trusted: bool = False,
    ) -> AsyncEngine:
        """Start a program, given as its words or as one line of a shell.

        `memory` (megabytes) and `cpu` (seconds of a processor in all) are enforced by the system;
        `nice` is the program's niceness. Times are in seconds: `start` to say hello, `patience` for
        an answer without a limit of time, `grace` beyond a limit that was given. A `trusted`
        program is sent hidden information, too, and must ignore it.
        """
        words = shlex.split(command) if isinstance(command, str) else list(command)
        if not words:
            raise BadOption("expected the command of an engine")
        process = await LineProcess.start(
            words, longest=LINE_BYTES, bounds=Bounds(memory, cpu, nice), listen=True
        )
        engine = cls(process, patience=patience, grace=grace, trusted=trusted)
        try:
            engine.about = read_about(await engine._ask_within(start, "hello", protocol=VERSION))
        except EngineRefused:
            pass                            # it speaks the protocol without describing itself
        except BaseException:
            await engine.close()
            raise
        return engine

    async def ask(self, do: str, *, seconds: float | None = None, **fields: Any) -> dict[str, Any]:
        """The result of any request of the protocol."""
        return await self._ask_within(seconds or self._patience, do, **fields)

    async def think(
        self, position: Position, limit: Limit | None = None, *, level: str | None = None,
        seed: int = 0, lines: int = 1, led: Led | None = None, open_cards: bool = False,
    ) -> SearchResult[Move]:
        """The program's opinion of a position, in the form of `escale.opponents.think`.

        Without a score from the program, the result has no `shares`. In games with hidden
        information, the program is sent a position that the seat to move cannot distinguish from
        the real one. `led` is the first position and the moves since, if the caller knows them;
        finding them again takes longer. With `open_cards` a trusted program uses all cards: at a
        table, do that for imagined positions only.
        """
        more = {"open": True} if open_cards else {}
        found = await self._thought(position, limit, level, seed, lines, led, **more)
        return await self._read(read_thought, position, found)

    async def play(
        self, position: Position, limit: Limit | None = None, *, level: str | None = None,
        seed: int = 0, led: Led | None = None,
    ) -> Move:
        """The move that the program chooses; for `led` see `think`."""
        found = await self._thought(position, limit, level, seed, 1, led)
        return await self._read(read_move, position, found)

    async def _thought(
        self, position: Position, limit: Limit | None, level: str | None, seed: int, lines: int,
        led: Led | None, **more: Any,
    ) -> dict[str, Any]:
        if position.turn is None or position.turn == CHANCE:
            raise NotNow("it is no seat's turn to think")
        limit = limit or Limit()
        if limit.depth is not None:
            raise BadOption("the protocol has no limit of depth")
        budget = {
            "level": level, "nodes": limit.nodes, "simulations": limit.simulations,
            "time_ms": None if limit.seconds is None else max(1, round(1000 * limit.seconds)),
        }
        limits = {name: amount for name, amount in budget.items() if amount is not None}
        if not limits:
            raise BadOption("thinking needs a level or a limit")
        seconds = limit.seconds or CEILINGS.get(level or "")
        within = self._patience if seconds is None else seconds + self._grace
        return await self._ask_within(
            within, "think",
            before=line_request(position, seed, self.about.wants, led, trusted=self._trusted),
            seed=seed, **limits, **({"lines": lines} if lines > 1 else {}), **more,
        )

    async def analyse(
        self, position: Position, limit: Limit | None = None, *, lines: int = 1, seed: int = 0
    ) -> tuple[Line[Move], ...]:
        """The best moves with their expected continuations, the best first."""
        return (await self.think(position, limit, seed=seed, lines=lines)).lines

    async def quit(self) -> None:
        """Ask the program to end, and end it if it does not."""
        if self._closed is None:
            with contextlib.suppress(EngineError, TimeoutError):
                await self._ask_within(QUIT_SECONDS, "quit")
                await self._process.wait(QUIT_SECONDS)
        await self.close()

    async def close(self) -> None:
        """End the program at once."""
        if self._closed is None or not isinstance(self._closed, _Closed):
            self._closed = _Closed("the engine is closed")
            await self._process.kill()

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.quit()

    # ---- requests ----

    async def _ask_within(
        self, seconds: float, do: str, *, before: dict[str, Any] | None = None, **fields: Any
    ) -> dict[str, Any]:
        """The result of a request, and of another one that is sent before it."""
        async with self._lock:
            if self._closed is not None:
                raise self._closed
            requests = [
                {"id": self._asked + number, **request}
                for number, request in enumerate(
                    [*([before] if before else []), {"do": do, **fields}], 1
                )
            ]
            self._asked += len(requests)
            sent = [msgspec.json.encode(request) for request in requests]
            if any(len(line) > LINE_BYTES for line in sent):
                raise BadOption(f"expected a request of at most {LINE_BYTES} bytes")
            try:
                answers = await self._process.exchange(*sent, seconds=seconds)
                results = [
                    read_result(line, request["id"])
                    for line, request in zip(answers, requests, strict=True)
                ]
            except EngineRefused:
                raise
            except EngineError as error:
                self._closed = error
                await self._process.kill()
                raise
            except BaseException:           # a later request must not get this answer
                await self.close()
                raise
        return results[-1]

    async def _read(
        self, read: Callable[[Position, dict[str, Any]], T], position: Position,
        found: dict[str, Any],
    ) -> T:
        try:
            return read(position, found)
        except EngineNonsense as error:
            self._closed = error
            await self._process.kill()
            raise


class _Closed(EngineDied):
    """The engine was closed by its owner."""


class Engine:
    """An engine: a program that speaks the line protocol, in a process of its own."""

    def __init__(self, command: str | Sequence[str], **settings: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="escale-engine", daemon=True
        )
        self._thread.start()
        try:
            self._engine = self._run(AsyncEngine.open(command, **settings))
        except BaseException:
            self._stop()
            raise

    @classmethod
    def open(
        cls, command: str | Sequence[str], *, memory: int | None = None, cpu: int | None = None,
        nice: int = 0, start: float = START_SECONDS, patience: float = ANSWER_SECONDS,
        grace: float = GRACE_SECONDS,
    ) -> Engine:
        """Start a program; see `AsyncEngine.open`."""
        return cls(
            command, memory=memory, cpu=cpu, nice=nice, start=start, patience=patience,
            grace=grace,
        )

    @property
    def about(self) -> About:
        """The program's description of itself."""
        return self._engine.about

    def ask(self, do: str, *, seconds: float | None = None, **fields: Any) -> dict[str, Any]:
        """The result of any request of the protocol."""
        return self._run(self._engine.ask(do, seconds=seconds, **fields))

    def think(
        self, position: Position, limit: Limit | None = None, *, level: str | None = None,
        seed: int = 0, lines: int = 1,
    ) -> SearchResult[Move]:
        """The program's opinion of a position; see `AsyncEngine.think`."""
        return self._run(self._engine.think(position, limit, level=level, seed=seed, lines=lines))

    def play(
        self, position: Position, limit: Limit | None = None, *, level: str | None = None,
        seed: int = 0,
    ) -> Move:
        """The move that the program chooses."""
        return self._run(self._engine.play(position, limit, level=level, seed=seed))

    def analyse(
        self, position: Position, limit: Limit | None = None, *, lines: int = 1, seed: int = 0
    ) -> tuple[Line[Move], ...]:
        """The best moves with their expected continuations, the best first."""
        return self._run(self._engine.analyse(position, limit, lines=lines, seed=seed))

    def quit(self) -> None:
        """Ask the program to end, and end it if it does not."""
        self._end(self._engine.quit())

    def close(self) -> None:
        """End the program at once."""
        self._end(self._engine.close())

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.quit()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop.is_closed():
            work.close()
            raise EngineDied("the engine is closed")
        asked = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return asked.result()
        except BaseException:
            asked.cancel()                  # such as Ctrl-C: the program is ended
            raise

    def _end(self, work: Coroutine[Any, Any, None]) -> None:
        if self._loop.is_closed():
            work.close()
            return
        try:
            self._run(work)
        finally:
            self._stop()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


# ---- requests for positions ----


def line_request(
    position: Position, seed: int = 0, wants: frozenset[str] = frozenset(),
    led: Led | None = None, trusted: bool = False,
) -> dict[str, Any]:
    """The request that leads an engine to a position.

    If the game hides something, it is another position, which the seat to move cannot distinguish
    from the real one: only a trusted program gets hidden information.
    """
    turn = position.turn
    assert turn is not None
    assert turn != CHANCE
    if position.game.hides and not trusted:
        led = position.imagine(turn, Random(seed)).text, []
    elif led is None:
        line = position.line()
        first = line[0].position if line else position
        led = first.text, [move.text for move in line]
    start, moves = led
    request: dict[str, Any] = {
        "do": "line", "game": position.game.slug, "position": start, "moves": moves,
        "seat": turn,
    }
    if "moves" in wants:
        legal = position.moves()
        request["legal"] = [move.text for move in legal[:SENT_MOVES]]
    if "cells" in wants:
        request["cells"] = position.seen_by(Seat(turn)).cells
    return request
