"""Pictures, styles, scripts and icons."""

from __future__ import annotations

import re
from collections.abc import Callable

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from escale.games import game
from escale.server.pages import pictures
from escale.server.pages.page_context import error_page
from escale.server.workers.drawing import draw
from escale.web import edition
from escale.web.static_files import StaticFile
from escale.web.static_files import static_file as file_named

router = APIRouter()

FOR_EVER = "public, max-age=31536000, immutable"
WORKER = "js/device_worker.js"
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""The worker that runs Python alone may compile WebAssembly; no page may."""


def _picture(request: Request, picture: pictures.Picture) -> Response:
    headers = {"etag": f'"{picture.tag}"', "cache-control": "public, max-age=3600"}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(picture.svg, headers=headers, media_type="image/svg+xml")


async def _drawn(
    request: Request, drawing: Callable[..., pictures.Picture], slug: str, *names: str
) -> Response:
    """A picture of a game, or the page for an unknown address."""
    try:
        return _picture(request, await draw(drawing, game(slug), *names))
    except LookupError:
        return error_page(request, 404)


@router.get("/cover/{slug}.svg", include_in_schema=False)
async def cover(request: Request, slug: str) -> Response:
    """The cover of a game."""
    return await _drawn(request, pictures.cover, slug)


@router.get("/figure/{slug}/{name}.svg", include_in_schema=False)
async def figure(request: Request, slug: str, name: str) -> Response:
    """A figure of the rules."""
    return await _drawn(request, pictures.figure, slug, name)


@router.get("/figure/{slug}/lesson/{name}.svg", include_in_schema=False)
async def lesson_figure(request: Request, slug: str, name: str) -> Response:
    """A figure of a lesson."""
    return await _drawn(request, pictures.lesson_figure, slug, name)


@router.get("/puzzle/{slug}/{name}.svg", include_in_schema=False)
async def puzzle(request: Request, slug: str, name: str) -> Response:
    """The position of a puzzle."""
    return await _drawn(request, pictures.puzzle, slug, name)


@router.get("/static/{path:path}", include_in_schema=False)
async def static_file(request: Request, path: str) -> Response:
    """A style, script or icon: kept for ever under its edition, else requested again."""
    current, _, rest = path.partition("/")
    kept = current == edition()
    found = file_named(rest if kept else path)
    if found is None:
        return error_page(request, 404)
    answer = _file(request, found, kept)
    if (rest if kept else path) == WORKER:
        answer.headers["content-security-policy"] = WORKER_POLICY
    return answer


@router.get("/favicon.ico", include_in_schema=False)
async def favicon(request: Request) -> Response:
    """The icon, for browsers that look for it only here."""
    found = file_named("icons/favicon.ico")
    assert found is not None
    return _file(request, found, False)


@router.get("/sw.js", include_in_schema=False)
async def service_worker(request: Request) -> Response:
    """The service worker: at the root, so that it may serve every page."""
    found = file_named("js/sw.js")
    assert found is not None
    return _file(request, found, False)


def _file(request: Request, file: StaticFile, kept: bool) -> Response:
    """A file, compressed as the browser accepts it; a file that is kept for ever needs no tag."""
    headers = {"cache-control": FOR_EVER if kept else "no-cache"}
    if not kept:
        headers["etag"] = f'"{file.tag}"'
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
    body = file.body
    if file.packed:
        headers["vary"] = "accept-encoding"
        read = re.split(r"[\s,;]+", request.headers.get("accept-encoding", ""))
        for way, packed in file.packed.items():
            if way in read:
                headers["content-encoding"], body = way, packed
                break
    return Response(body, headers=headers, media_type=file.media_type)
