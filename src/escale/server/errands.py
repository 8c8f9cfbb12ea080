"""What strangers may ask to be worked out, about any position: in processes that can be ended.

`python -m escale.server.errands` is such a process: a line with a question, a line with its answer.
A question has a limit of processor time; an address has a budget for all its questions.
"""

from __future__ import annotations

import json
from time import process_time

import msgspec

from escale.game.errors import EscaleError
from escale.game.examples import reach
from escale.games import game
from escale.match.reading import encode
from escale.server import figures
from escale.server.fair_queue import FairQueue
from escale.server.messages import FigureAttempt
from escale.server.middleware.rate_limiter import RateLimiter
from escale.server.problems import Problem
from escale.server.tables.computers import Late, Worker
from escale.server.worker_process import TooCostly, at_most, serve

WORKERS = 2
NICE = 5
"""By how much such a process gives way to the house itself."""
GRACE = 8.0
"""Seconds that an answer may take longer than its time of a processor: others use them, too."""
MOST = 20
"""Questions of one address that may wait."""


class Answer(msgspec.Struct):
    """What became of a question."""

    status: int
    body: msgspec.Raw
    spent: float
    """Seconds of a processor."""


_answer = msgspec.json.Decoder(Answer)


class Errands:
    """The processes that work things out."""

    def __init__(self, limiter: RateLimiter, workers: int = WORKERS) -> None:
        self._limiter = limiter
        self._workers = [Worker("escale.server.errands", {}) for _ in range(workers)]
        self._free = FairQueue(self._workers)

    async def judge(self, slug: str, attempt: FigureAttempt, lang: str, who: str) -> Answer:
        """Whether an attempt is a move; Problem if that takes too long, or was asked too often."""
        if self._limiter.left("work", who) <= 0 or self._free.waiting(who) >= MOST:
            raise Problem("too-many")
        limit = self._limiter.limits.work_seconds
        question = {
            "game": slug, "lang": lang, "limit": limit, "attempt": msgspec.to_builtins(attempt),
        }
        worker = await self._free.take(who)
        try:
            [line] = await worker.lines(question, seconds=limit + GRACE)
            answer = _answer.decode(line)
        except (Late, msgspec.DecodeError):
            await worker.stop()
            self._limiter.spend("work", who, limit)
            raise Problem("too-costly") from None
        finally:
            self._free.give_back(worker)
        self._limiter.spend("work", who, answer.spent)
        return answer

    async def start(self) -> None:
        """Have a process ready for the first who asks."""
        worker = await self._free.take("")
        try:
            await worker.start()
        finally:
            self._free.give_back(worker)

    async def close(self) -> None:
        """End all processes."""
        for worker in self._workers:
            await worker.stop()


# ---- within such a process ----


def work_out(line: bytes) -> bytes:
    """The answer to a question, both in one line."""
    question = json.loads(line)
    if not question:
        return b"{}"                        # a greeting
    began = process_time()
    lang = question["lang"]
    try:
        with at_most(question["limit"]):
            attempt = msgspec.convert(question["attempt"], FigureAttempt)
            position = reach(game(question["game"]), attempt.position, attempt.line)
            status, body = 200, encode(figures.judge(position, attempt.atoms, lang))
    except TooCostly:
        status, body = _refused(Problem("too-costly"), lang)
    except EscaleError as error:
        status, body = _refused(Problem.of(error), lang)
    return encode(Answer(status, msgspec.Raw(body), process_time() - began))


def _refused(problem: Problem, lang: str) -> tuple[int, bytes]:
    return problem.status, encode(problem.as_json(lang))


if __name__ == "__main__":
    serve(work_out, NICE)
