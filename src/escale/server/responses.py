"""Responses over HTTP: JSON for programs, a page for people."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from escale.game.texts import LANGUAGES
from escale.match.reading import encode
from escale.server.locale import wished
from escale.server.pages.page_context import error_page
from escale.server.problems import Problem

TOLD = ("damaged",)
"""Codes that have a page of their own, among those of the same status."""


def language(request: Request) -> str:
    """The language to answer in: the one asked for, else the one the browser likes."""
    asked = request.query_params.get("lang", "")
    return asked if asked in LANGUAGES else wished(request)


def reply(value: Any, status: int = 200) -> Response:
    """Plain data as JSON."""
    return Response(encode(value), status, media_type="application/json")


def refuse(request: Request, problem: Problem, **more: Any) -> Response:
    """Why not, in the form that fits who asks."""
    request.app.state.counts.refused(problem.code)
    if not request.url.path.startswith("/api/"):
        return error_page(request, problem.status, problem.code if problem.code in TOLD else "")
    headers = {"retry-after": "1"} if problem.status == 429 else None
    body = {**problem.as_json(language(request)), **more}
    return Response(encode(body), problem.status, headers, "application/json")
