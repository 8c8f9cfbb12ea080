"""Talking to engines: programs that speak the line protocol (`docs/protocol.md`).

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
import json
import shlex
import threading
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from escale.game.errors import BadOption, IllegalMove, NotNow
from escale.game.moves import Move
from escale.game.position import Position
from escale.game.viewer import Seat
from escale.kernel import CHANCE, Limit, Line, Random, SearchResult
from escale.opponents.levels import CEILINGS
from escale.opponents.line_process import (
    Bounds,
    EngineDied,
    EngineError,
    EngineNonsense,
    LineProcess,
)
from escale.opponents.protocol import LONGEST, VERSION

if TYPE_CHECKING:
    from escale.match.events import Fault

START = 30.0
"""Seconds that a program may take to say hello."""
PATIENCE = 60.0
"""Seconds for an answer where no limit of time is given."""
GRACE = 2.0
"""Seconds that a program may take longer than it was told to."""
MOST_MOVES = 10_000
"""Legal moves that are sent to a program that wants them."""
LONGEST_MOVE = 1_000
FAREWELL = 2.0
"""Seconds that a program may take to end."""

T = TypeVar("T")


class EngineRefused(EngineError):
    """The program answered with an error; it goes on."""

    code = "engine-refused"
    fault: ClassVar[Fault] = "refused"


class EngineIllegalMove(EngineError):
    """The program chose a move that the rules forbid; it goes on."""

    code = "engine-illegal-move"
    fault: ClassVar[Fault] = "illegal"


@dataclass(frozen=True, slots=True)
class About:
    """What a program says of itself when it is opened."""

    name: str = ""
    author: str = ""
    games: tuple[str, ...] | None = None
    """The games that it plays; None: it has not said."""
    wants: frozenset[str] = frozenset()
    """What it wants to be sent with every position: `moves`, `cells`."""


class AsyncEngine:
    """An engine, for programs with an event loop."""

    def __init__(
        self, process: LineProcess, *, patience: float = PATIENCE, grace: float = GRACE
    ) -> None:
        self._process = process
        self._patience = patience
        self._grace = grace
        self._asked = 0
        self._lock = asyncio.Lock()
        self._closed: EngineError | None = None
        self.about = About()
        """What the program says of itself."""

    @classmethod
    async def open(
        cls, command: str | Sequence[str], *, memory: int | None = None, cpu: int | None = None,
        nice: int = 0, start: float = START, patience: float = PATIENCE, grace: float = GRACE,
    ) -> AsyncEngine:
        """Start a program, given as its words or as one line of a shell.

        `memory` (megabytes) and `cpu` (seconds of a processor, in all) are limits of the system;
        `nice` is by how much the program gives way to others.
        `patience` is for answers where no limit of time is given, `grace` how much longer than
        told it may take where there is one, `start` the time to say hello.
        """
        words = shlex.split(command) if isinstance(command, str) else list(command)
        if not words:
            raise BadOption("expected the command of an engine")
        process = await LineProcess.start(
            words, longest=LONGEST, bounds=Bounds(memory, cpu, nice), listen=True
        )
        engine = cls(process, patience=patience, grace=grace)
        try:
            engine.about = _about(await engine._ask_within(start, "hello", protocol=VERSION))
        except EngineRefused:
            pass                            # it speaks the protocol, and has nothing to say
        except BaseException:
            await engine.close()
            raise
        return engine

    async def ask(self, do: str, *, seconds: float | None = None, **fields: Any) -> dict[str, Any]:
        """The result of any request of the protocol."""
        return await self._ask_within(seconds or self._patience, do, **fields)

    async def think(
        self, position: Position, limit: Limit | None = None, *, level: str | None = None,
        seed: int = 0, lines: int = 1,
    ) -> SearchResult[Move]:
        """What the program thinks of a position, as `escale.opponents.think` tells it.

        A program that gives no score has no `shares`. Where the game hides something, it is sent a
        position that the seat to move cannot distinguish from the real one.
        """
        if position.turn is None or position.turn == CHANCE:
            raise NotNow("it is no seat's turn to think")
        limit = limit or Limit()
        if limit.depth is not None:
            raise BadOption("the protocol has no limit of depth")
        budget = {
            "level": level, "nodes": limit.nodes, "simulations": limit.simulations,
            "time_ms": None if limit.seconds is None else max(1, round(1000 * limit.seconds)),
        }
        told = {name: amount for name, amount in budget.items() if amount is not None}
        if not told:
            raise BadOption("thinking needs a level or a limit")
        seconds = limit.seconds or CEILINGS.get(level or "")
        within = self._patience if seconds is None else seconds + self._grace
        found = await self._ask_within(
            within, "think", before=line_request(position, seed, self.about.wants),
            seed=seed, **told, **({"lines": lines} if lines > 1 else {}),
        )
        return await self._read(position, found)

    async def play(
        self, position: Position, limit: Limit | None = None, *, level: str | None = None,
        seed: int = 0,
    ) -> Move:
        """The move that the program chooses."""
        return (await self.think(position, limit, level=level, seed=seed)).move

    async def analyse(
        self, position: Position, limit: Limit | None = None, *, lines: int = 1, seed: int = 0
    ) -> tuple[Line[Move], ...]:
        """The best moves with how the game is expected to go on, the best first."""
        return (await self.think(position, limit, seed=seed, lines=lines)).lines

    async def quit(self) -> None:
        """Ask the program to end, and end it if it does not."""
        if self._closed is None:
            with contextlib.suppress(EngineError, TimeoutError):
                await self._ask_within(FAREWELL, "quit")
                await self._process.wait(FAREWELL)
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
        """The result of a request, and of one that is sent with it before."""
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
            sent = [json.dumps(request).encode() for request in requests]
            if any(len(line) > LONGEST for line in sent):
                raise BadOption(f"expected a request of at most {LONGEST} bytes")
            try:
                answers = await self._process.exchange(*sent, seconds=seconds)
                results = [
                    _result(line, request["id"])
                    for line, request in zip(answers, requests, strict=True)
                ]
            except EngineRefused:
                raise
            except EngineError as error:
                self._closed = error
                await self._process.kill()
                raise
            except BaseException:           # nobody may get this answer to another question
                await self.close()
                raise
        return results[-1]

    async def _read(self, position: Position, found: dict[str, Any]) -> SearchResult[Move]:
        try:
            return _thought(position, found)
        except _Unreadable as error:
            self._closed = EngineNonsense(f"{error}: {_cut(found)}")
            await self._process.kill()
            raise self._closed from None


class _Closed(EngineDied):
    """It was ended on purpose."""


class _Unreadable(Exception):
    """An answer without what it must have."""


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
        nice: int = 0, start: float = START, patience: float = PATIENCE, grace: float = GRACE,
    ) -> Engine:
        """Start a program; see `AsyncEngine.open`."""
        return cls(
            command, memory=memory, cpu=cpu, nice=nice, start=start, patience=patience,
            grace=grace,
        )

    @property
    def about(self) -> About:
        """What the program says of itself."""
        return self._engine.about

    def ask(self, do: str, *, seconds: float | None = None, **fields: Any) -> dict[str, Any]:
        """The result of any request of the protocol."""
        return self._run(self._engine.ask(do, seconds=seconds, **fields))

    def think(
        self, position: Position, limit: Limit | None = None, *, level: str | None = None,
        seed: int = 0, lines: int = 1,
    ) -> SearchResult[Move]:
        """What the program thinks of a position; see `AsyncEngine.think`."""
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
        """The best moves with how the game is expected to go on, the best first."""
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


# ---- what is sent ----


def line_request(
    position: Position, seed: int = 0, wants: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """The request that leads an engine to a position.

    Where the game hides something, it leads to one that the seat to move cannot distinguish from
    the real one: no program is told what its seat may not know.
    """
    turn = position.turn
    assert turn is not None
    assert turn != CHANCE
    start, moves = position, []
    if position.game.hides:
        start = position.imagine(turn, Random(seed))
    else:
        while start.last is not None and start.parent is not None:
            moves.append(start.last.text)
            start = start.parent
    request: dict[str, Any] = {
        "do": "line", "game": position.game.slug, "position": start.text, "moves": moves[::-1],
        "seat": turn,
    }
    if "moves" in wants:
        legal = position.moves()
        request["legal"] = [move.text for move in legal[:MOST_MOVES]]
    if "cells" in wants:
        request["cells"] = position.seen_by(Seat(turn)).cells
    return request


# ---- what is answered ----


def _result(line: bytes, identity: int) -> dict[str, Any]:
    """The result in a line that answers the request of that id."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        raise EngineNonsense(f"expected a JSON object, not {_cut(line)}") from None
    if not isinstance(answer, dict) or ("result" in answer) == ("error" in answer):
        raise EngineNonsense(f"expected a result or an error, not {_cut(line)}")
    if answer.get("id") != identity or isinstance(answer.get("id"), bool):
        raise EngineNonsense(f"expected the answer to {identity}, not {_cut(line)}")
    if "error" in answer:
        error = answer["error"]
        told = error.get("message", error.get("code")) if isinstance(error, dict) else error
        raise EngineRefused(f"the engine refused: {str(told)[:300]}")
    if not isinstance(answer["result"], dict):
        raise EngineNonsense(f"expected a result that is an object, not {_cut(line)}")
    return answer["result"]


def _about(hello: dict[str, Any]) -> About:
    games, wants = hello.get("games"), hello.get("wants")
    return About(
        str(hello.get("name") or "")[:100], str(hello.get("author") or "")[:100],
        tuple(map(str, games)) if isinstance(games, list) else None,
        frozenset(map(str, wants)) if isinstance(wants, list) else frozenset(),
    )


def _thought(position: Position, found: dict[str, Any]) -> SearchResult[Move]:
    """What `think` was answered with; only `move` has to be there."""
    first = _line(position, found)
    others = found.get("lines")
    lines = tuple(_line(position, line) for line in others) if isinstance(others, list) else ()
    nodes = _number(found, "nodes")
    method = str(found.get("method") or "")[:40]
    tree = method.endswith("mcts")
    return SearchResult(
        method, lines or (first,), int(nodes) if tree else 0, int(nodes),
        int(_number(found, "depth")), _number(found, "ms"),
    )


def _line(position: Position, found: Any) -> Line[Move]:
    move = found.get("move") if isinstance(found, dict) else None
    if not isinstance(move, str) or len(move) > LONGEST_MOVE:
        raise _Unreadable('expected "move": a text')
    try:
        chosen = position.find(move)
    except IllegalMove as error:
        raise EngineIllegalMove(str(error)) from None
    plies = found.get("plies")
    return Line(
        (chosen, *_further(position.play(chosen), found.get("pv"))),
        _shares(position, found.get("score")), found.get("proven") is True,
        plies if isinstance(plies, int) else None,
    )


def _further(position: Position, texts: Any) -> list[Move]:
    """How the game is expected to go on, as far as it can be followed."""
    found: list[Move] = []
    for text in texts[1:] if isinstance(texts, list) else ():
        try:
            found.append(position.find(str(text)[:LONGEST_MOVE]))
            position = position.play(found[-1])
        except IllegalMove:
            break                           # chance, or cards that it has only imagined
    return found


def _shares(position: Position, score: Any) -> tuple[float, ...]:
    if score is None:
        return ()
    if isinstance(score, list) and len(score) == position.seats and all(
        isinstance(share, (int, float)) and 0 <= share <= 1 for share in score
    ):
        return tuple(float(share) for share in score)
    raise _Unreadable(f'expected "score": {position.seats} shares from 0 to 1')


def _number(found: dict[str, Any], name: str) -> float:
    value = found.get(name)
    return value if isinstance(value, (int, float)) and abs(value) < 1e15 else 0


def _cut(said: object) -> str:
    return repr(said[:60] if isinstance(said, bytes) else str(said)[:100])
