"""Refusals of requests: a code for programs, a sentence for people."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from escale.game.errors import BadMessage, BadSetup, EscaleError, IllegalMove, Impossible, NotNow
from escale.game.texts import Texts, house
from escale.match.limits import NAME_LETTERS
from escale.server.edge.current import request_id

STATUS = {
    "bad-request": 400, "no-seat": 401, "no-bot": 401, "no-notebook": 401, "elsewhere": 403,
    "not-your-seat": 403,
    "unknown-table": 404, "unknown-game": 404, "unknown-page": 404, "unknown-ply": 404,
    "unknown-board": 404, "unknown-puzzle": 404, "unknown-evening": 404, "wrong-code": 404,
    "wrong-method": 405, "stale": 409, "seat-taken": 409, "not-now": 409, "not-your-turn": 409,
    "ask-first": 409, "no-hints": 403, "not-begun": 409, "over": 409, "closed": 409, "muted": 409,
    "phrases-only": 409, "too-long": 409,
    "still-played": 409, "still-hidden": 409,
    "too-large": 413, "illegal": 422, "bad-option": 422, "listed-name": 422,
    "bad-position": 422, "bad-address": 422, "no-answer": 422, "holiday": 422, "too-costly": 422,
    "unknown-host": 421, "too-many": 429,
    "broken": 500, "damaged": 500, "unavailable": 503,
}
"""Every code that an answer may have, with its HTTP status."""

CODES = {
    "illegal-move": "illegal", "bad-transcript": "broken", "error": "bad-request",
    "store": "unavailable", "conflict": "unavailable", "busy": "unavailable",
}
"""Codes of other layers' errors that have another name here."""
SILENT = ("unavailable", "broken", "damaged")
"""Codes whose cause is written to the host's log only."""


@cache
def sentences() -> Texts:
    """The sentences of the server, and after them those of the house."""
    return Texts.read(Path(__file__).parents[1] / "texts.toml", house())


class Refusal(Struct, frozen=True, omit_defaults=True):
    """A refusal of a request."""

    code: Annotated[str, Meta(description="For programs.")]
    message: Annotated[str, Meta(description="For people, in the language asked for.")]
    rule: Annotated[str, Meta(description="The paragraph that forbids it.")] | None = None
    cells: Annotated[list[str], Meta(description="What to highlight on the board.")] | None = None
    detail: Annotated[str, Meta(description="What was expected, in English.")] | None = None
    request: Annotated[str, Meta(description="The request's id in the log of the host.")] | \
        None = None


class Problem(EscaleError):
    """A request that is refused; `code` is a key of `STATUS`."""

    def __init__(
        self, code: str, *, detail: str | None = None, rule: str | None = None,
        cells: Sequence[str] = (), **values: object,
    ) -> None:
        super().__init__(detail or code)
        self.code = code
        self.detail = detail
        """What exactly was expected, in English, for authors of programs."""
        self.rule = rule
        self.cells = cells
        self.values = values
        self._reason: Any = None

    @classmethod
    def of(cls, error: EscaleError) -> Problem:
        """The problem that reports an error of a lower layer to clients."""
        if isinstance(error, Problem):
            return error
        if isinstance(error, IllegalMove):
            refusal = error.refusal
            problem = cls("illegal", rule=refusal.rule, cells=refusal.cells)
            problem._reason = refusal
            return problem
        code = CODES.get(error.code, error.code)
        problem = cls(code, detail=None if code in SILENT else str(error)[:300])
        if isinstance(error, BadSetup | Impossible):
            problem._reason = error
            if isinstance(error, Impossible):       # the sentence says everything
                problem.detail = None
        elif isinstance(error, NotNow) and hasattr(error, "text"):
            problem._reason = error
            problem.detail = None
        elif isinstance(error, BadMessage) and error.field.rpartition(".")[2] == "name":
            problem._reason = BadSetup("name", most=NAME_LETTERS)
        elif isinstance(error, BadMessage) and error.malformed:
            problem.values["malformed"] = True
        elif isinstance(error, BadMessage) and error.field:
            problem.values["field"] = error.field
        return problem

    @property
    def status(self) -> int:
        """The HTTP status that goes with it."""
        return STATUS[self.code]

    def message(self, lang: str) -> str:
        """The sentence."""
        if self._reason is not None:
            return str(self._reason.text(lang))
        key = "not-json" if "malformed" in self.values \
            else "bad-field" if "field" in self.values else self.code
        return sentences().say(f"problem.{key}", lang, **self.values)

    def as_json(self, lang: str) -> dict[str, Any]:
        """The body of an answer."""
        name = request_id.get()
        return {
            "code": self.code, "message": whole(self.message(lang)),
            **({"rule": self.rule} if self.rule else {}),
            **({"cells": [whole(cell) for cell in self.cells]} if self.cells else {}),
            **({"detail": whole(self.detail)} if self.detail else {}),
            **({"request": name} if name else {}),
        }


def whole(text: str) -> str:
    """A text without lone surrogates, which some programs send and UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode()
