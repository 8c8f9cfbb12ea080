"""What strangers may ask to be worked out, about any position: in processes that can be ended.

`python -m escale.server.errands` is such a process: a line with a question, a line with its answer.
A question has a limit of processor time; an address has a budget for all its questions.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from time import process_time
from typing import Any, NamedTuple

import msgspec

from escale.game.errors import EscaleError
from escale.game.game import Game
from escale.games import game
from escale.match.reading import encode
from escale.server import figures
from escale.server.fair_queue import FairQueue
from escale.server.messages import (
    AttemptResult,
    ChoiceFacts,
    StudyAttempt,
    StudyQuestion,
)
from escale.server.middleware.rate_limiter import RateLimiter
from escale.server.problems import Problem
from escale.server.study import positions
from escale.server.study.messages import ComposedPosition
from escale.server.tables.branches import choice_facts
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

    async def run(
        self, errand: str, slug: str, question: StudyQuestion | ComposedPosition, lang: str,
        who: str,
    ) -> Answer:
        """The answer to a question; Problem if it takes too long, or was asked too often."""
        if self._limiter.left("work", who) <= 0 or self._free.waiting(who) >= MOST:
            raise Problem("too-many")
        limit = self._limiter.limits.work_seconds
        request = {
            "errand": errand, "game": slug, "lang": lang, "limit": limit,
            "question": msgspec.to_builtins(question),
        }
        worker = await self._free.take(who)
        try:
            [line] = await worker.lines(request, seconds=limit + GRACE)
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


def _explain(box: Game[Any], attempt: StudyAttempt, lang: str) -> AttemptResult:
    return figures.judge(positions.reach(box, attempt), attempt.atoms, lang)


def _choices(box: Game[Any], attempt: StudyAttempt, lang: str) -> ChoiceFacts:
    return choice_facts(positions.reach(box, attempt), tuple(attempt.atoms), lang)


class Errand(NamedTuple):
    """Something that can be worked out."""

    reads: type[StudyQuestion | ComposedPosition]
    does: Callable[[Game[Any], Any, str], object]


ERRANDS = {
    "explain": Errand(StudyAttempt, _explain),
    "choices": Errand(StudyAttempt, _choices),
    "study": Errand(StudyQuestion, positions.study_position),
    "compose": Errand(ComposedPosition, positions.composed_position),
}
"""By name."""


def work_out(line: bytes) -> bytes:
    """The answer to a question, both in one line."""
    request = json.loads(line)
    if not request:
        return b"{}"                        # a greeting
    began = process_time()
    lang = request["lang"]
    try:
        with at_most(request["limit"]):
            errand = ERRANDS[request["errand"]]
            question = msgspec.convert(request["question"], errand.reads)
            status, body = 200, encode(errand.does(game(request["game"]), question, lang))
    except TooCostly:
        status, body = _refused(Problem("too-costly"), lang)
    except EscaleError as error:
        status, body = _refused(Problem.of(error), lang)
    return encode(Answer(status, msgspec.Raw(body), process_time() - began))


def _refused(problem: Problem, lang: str) -> tuple[int, bytes]:
    return problem.status, encode(problem.as_json(lang))


if __name__ == "__main__":
    serve(work_out, NICE)
