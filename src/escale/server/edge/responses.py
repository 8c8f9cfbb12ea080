"""Responses over HTTP: JSON for programs, a page for people.

The page comes from `app.state.error_page(request, status, kind)`, which the room `pages` sets.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from escale.game.texts import LANGUAGES
from escale.match.reading import encode
from escale.server.edge.locale import wished
from escale.server.edge.problems import Problem

OWN_PAGE = ("damaged",)
"""Codes with an error page of their own, unlike others of the same status."""


def language(request: Request) -> str:
    """The language of the response: `?lang=`, else the cookie or the browser's preference."""
    asked = request.query_params.get("lang", "")
    return asked if asked in LANGUAGES else wished(request)


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of a form, without NUL letters, which not every database can hold."""
    body = (await request.body()).decode("utf-8", "replace")
    return {name: value.replace("\0", "") for name, value in parse_qsl(body)}


def reply(value: Any, status: int = 200) -> Response:
    """Plain data as JSON."""
    return Response(encode(value), status, media_type="application/json")


def refuse(request: Request, problem: Problem, **more: Any) -> Response:
    """The response that says why a request is refused: JSON under `/api/`, else a page.

    `more` is added to the JSON.
    """
    request.app.state.counts.refused(problem.code)
    if not request.url.path.startswith("/api/"):
        page: Response = request.app.state.error_page(
            request, problem.status, problem.code if problem.code in OWN_PAGE else ""
        )
        return page
    headers = {"retry-after": "1"} if problem.status == 429 else None
    body = {**problem.as_json(language(request)), **more}
    return Response(encode(body), problem.status, headers, "application/json")
