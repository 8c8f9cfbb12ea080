"""The OpenAPI document: FastAPI's paths, with the shapes that the rooms of the server declare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar, get_type_hints

import msgspec
from fastapi import APIRouter, Depends, FastAPI, Query, params
from starlette.requests import Request
from starlette.responses import Response

from escale.match.reading import reader
from escale.server.edge.problems import STATUS, Refusal

ALWAYS = ("bad-request", "too-many", "too-large", "unavailable")
"""Refusals that every operation may answer with."""
REFERENCE = "#/components/schemas/{name}"
SCHEMES = {
    "seatToken": "The token of seats at a table, as the answer to `POST /api/tables` or to sitting "
    "down gives it.",
    "botToken": "The token of a bot's account, which `escale bot create` prints.",
}
"""The security schemes: both are bearer tokens in the header `Authorization`."""
Lang = Annotated[str | None, Query(max_length=10, description="`fr` or `en`.")]
Function = TypeVar("Function", bound=Callable[..., Any])

_declared: list[Any] = []
_security: dict[Callable[..., Any], list[dict[str, list[str]]]] = {}


def declare(*kinds: Any) -> None:
    """Add types to the document that no operation uses, such as those of live connections."""
    _declared.extend(kinds)


def schema(kind: Any) -> dict[str, Any]:
    """The document's reference to the schema of a type."""
    declare(kind)
    (found,), _ = msgspec.json.schema_components([kind], ref_template=REFERENCE)
    return found


def answers(
    kind: Any, *codes: str, status: int = 200, stale: Any = Refusal
) -> dict[int | str, dict[str, Any]]:
    """The responses of an operation: its answer, and its refusals by their codes.

    `stale` is the type of refusals with status 409, if it has more fields than others.
    """
    return {status: {"description": "Done.", **_content(kind)}, **refusals(*codes, stale=stale)}


def refusals(*codes: str, stale: Any = Refusal) -> dict[int | str, dict[str, Any]]:
    """The refusals of an operation, by their status."""
    found: dict[int, list[str]] = {}
    for code in (*codes, *ALWAYS):
        found.setdefault(STATUS[code], []).append(code)
    return {
        status: {
            "description": f"Refused: {', '.join(f'`{code}`' for code in names)}.",
            **_content(stale if status == 409 else Refusal),
        }
        for status, names in found.items()
    }


def takes(kind: Any) -> dict[str, Any]:
    """The schema of a request's body, for `openapi_extra`."""
    return {"requestBody": {"required": True, **_content(kind)}}


def body(kind: Any) -> Any:
    """A dependency that reads the body of a request as `kind`."""
    read: Callable[[bytes], Any] = reader(kind)

    async def read_body(request: Request) -> Any:
        return read(await request.body())

    return Depends(read_body)


def reads_token(*schemes: str, optional: bool) -> Callable[[Function], Function]:
    """Mark a dependency that reads one of these tokens; the document then says so."""
    def register(dependency: Function) -> Function:
        required: list[dict[str, list[str]]] = [{scheme: []} for scheme in schemes]
        _security[dependency] = [*required, {}] if optional else required
        return dependency

    return register


class ApiRouter(APIRouter):
    """Routes under `/api`; the operation id is the function's name."""

    def __init__(self, prefix: str = "") -> None:
        super().__init__(
            prefix=f"/api{prefix}", default_response_class=Response,
            generate_unique_id_function=lambda route: route.name,
        )

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **settings: Any) -> None:
        """Add an operation."""
        required = _required(endpoint)
        if required:
            settings["openapi_extra"] = {
                **(settings.get("openapi_extra") or {}), "security": required
            }
        super().add_api_route(path, endpoint, **settings)


def _required(function: Callable[..., Any]) -> list[dict[str, list[str]]]:
    """The tokens that a function or its dependencies read; any one of them is enough.

    A dependency that requires a token counts before those for which it is optional.
    """
    found = [_security[function]] if function in _security else []
    for hint in get_type_hints(function, include_extras=True).values():
        found += [
            _required(part.dependency) for part in getattr(hint, "__metadata__", ())
            if isinstance(part, params.Depends) and part.dependency is not None
        ]
    return min(filter(None, found), key=lambda schemes: {} in schemes, default=[])


def document(app: FastAPI) -> dict[str, Any]:
    """The whole document, without FastAPI's own refusals, which this house never sends."""
    if not app.openapi_schema:
        made = FastAPI.openapi(app)
        for operations in made["paths"].values():
            for operation in operations.values():
                if "HTTPValidationError" in str(operation["responses"].get("422")):
                    del operation["responses"]["422"]
        _, shapes = msgspec.json.schema_components(_declared, ref_template=REFERENCE)
        made["components"] = {
            "schemas": dict(sorted(shapes.items())),
            "securitySchemes": {
                name: {"type": "http", "scheme": "bearer", "description": about}
                for name, about in SCHEMES.items()
            },
        }
    return app.openapi_schema or {}


def _content(kind: Any) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": schema(kind)}}}
