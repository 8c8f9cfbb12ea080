"""The OpenAPI document: FastAPI's paths, with the shapes of the schema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, get_args

import msgspec
from fastapi import Depends, FastAPI, Query
from starlette.requests import Request

from escale.match.events import AnyEvent, Header, Hello, View
from escale.match.reading import reader
from escale.server import messages
from escale.server.problems import STATUS

ALWAYS = ("bad-request", "too-many", "too-large", "unavailable")
"""Refusals that every address may answer with."""
REFERENCE = "#/components/schemas/{name}"
Lang = Annotated[str | None, Query(max_length=10, description="`fr` or `en`.")]
_known: list[Any] = [Header, Hello, View, *get_args(AnyEvent)]


def schema(kind: Any) -> dict[str, Any]:
    """A shape as the document refers to it."""
    _known.append(kind)
    (found,), _ = msgspec.json.schema_components([kind], ref_template=REFERENCE)
    return found


def answers(kind: Any, *codes: str, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """What an address answers, and its refusals."""
    about = {"description": "Done.", **_content(kind)}
    return {status: about, **refusals(*codes)}


def refusals(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The refusals of an address."""
    found: dict[int, list[str]] = {}
    for code in (*codes, *ALWAYS):
        found.setdefault(STATUS[code], []).append(code)
    return {
        status: {
            "description": f"Refused: {', '.join(f'`{code}`' for code in names)}.",
            **_content(messages.StaleRefusal if status == 409 else messages.Refusal),
        }
        for status, names in found.items()
    }


def takes(kind: Any) -> dict[str, Any]:
    """What the body of a request has to be, for `openapi_extra`."""
    return {"requestBody": {"required": True, **_content(kind)}}


def body(kind: Any) -> Any:
    """The body of a request, read as `kind`; for a parameter's default."""
    read: Callable[[bytes], Any] = reader(kind)

    async def read_body(request: Request) -> Any:
        return read(await request.body())

    return Depends(read_body)


def _content(kind: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema(kind)}}}


def document(app: FastAPI) -> dict[str, Any]:
    """The whole document, without refusals of FastAPI's own that nobody gets here."""
    if not app.openapi_schema:
        made = FastAPI.openapi(app)
        for operations in made["paths"].values():
            for operation in operations.values():
                if "HTTPValidationError" in str(operation["responses"].get("422")):
                    del operation["responses"]["422"]
        _, shapes = msgspec.json.schema_components(_known, ref_template=REFERENCE)
        made["components"] = {"schemas": dict(sorted(shapes.items()))}
    return app.openapi_schema or {}
