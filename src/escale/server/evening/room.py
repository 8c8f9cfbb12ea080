"""Opening the house to the room: to the devices of the network, and closing it again.

A house on a person's own machine listens to that machine only. Its host opens it to the network
here, for an evening. A proxy on the machine makes visitors from anywhere look as if they sat before
it, so a secret is needed, too: `escale` prints it, and opens the browser with it.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from typing import Protocol

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from escale.game.errors import EscaleError
from escale.game.texts import LANGUAGES
from escale.render.qr import qr_svg
from escale.server.edge.addresses import is_loopback
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter
from escale.server.edge.responses import language
from escale.server.edge.security import address
from escale.server.evening.forms import fields_of
from escale.server.pages.page_context import PageContext, error_page, page

router = APIRouter()

KEY_BYTES = 16
COOKIE = "escale_room"


class NetworkDoor(Protocol):
    """What listens to the network; the command line has it (`cli/one_process.py`)."""

    @property
    def origins(self) -> tuple[str, ...]:
        """The addresses at which the house is found; none while it is closed."""

    async def open(self) -> None:
        """Listen to all networks of this machine."""

    async def close(self) -> None:
        """Listen to this machine only, and end the connections of others."""


class Room:
    """Whether the house is open to the network, and who may open it."""

    def __init__(self, door: NetworkDoor) -> None:
        self._door = door
        self.key = secrets.token_urlsafe(KEY_BYTES)
        """What the host's browser brings along once."""
        self._session = secrets.token_urlsafe(KEY_BYTES)
        self._changing = asyncio.Lock()

    @property
    def origins(self) -> tuple[str, ...]:
        """The addresses at which the house is found; none while it is closed."""
        return self._door.origins

    def knows(self, key: str) -> bool:
        """Whether this is the secret."""
        return hmac.compare_digest(key.encode("utf-8", "replace"), self.key.encode())

    def allows(self, request: Request) -> bool:
        """Whether a request comes from the host, at the machine itself."""
        cookie = request.cookies.get(COOKIE, "")
        return is_here(request) and \
            hmac.compare_digest(cookie.encode("utf-8", "replace"), self._session.encode())

    def give(self, answer: Response) -> Response:
        """Let a browser open and close the house from now on, until the house ends."""
        answer.set_cookie(COOKIE, self._session, httponly=True, samesite="strict", path="/")
        return answer

    async def set_open(self, wanted: bool) -> None:
        """Open the house to the network, or close it."""
        async with self._changing:
            await (self._door.open() if wanted else self._door.close())


def is_here(request: Request) -> bool:
    """Whether a request was made at this machine, under an address of its own."""
    reached = request.url.hostname or ""
    return request.client is not None and is_loopback(request.client.host) and is_loopback(reached)


def _room(context: PageContext) -> Room | None:
    """The room of this house, for a visitor at its own machine."""
    room: Room | None = context.app.room
    return room if room is not None and is_here(context.request) else None


@page(router, "/room")
async def room_page(context: PageContext) -> Response:
    """Where the host opens the house to the room, with its address to be scanned."""
    room = _room(context)
    return error_page(context.request, 404) if room is None else _page(context, room)


def _page(context: PageContext, room: Room, problem: str = "", status: int = 200) -> Response:
    allowed = room.allows(context.request)
    origins = room.origins if allowed else ()
    answer = context.show(
        "room.html", status, allowed=allowed, origins=origins, problem=problem,
        qr=Markup(qr_svg(f"{origins[0]}/")) if origins else "",
    )
    answer.headers["cache-control"] = "no-store"
    return answer


@router.post("/room", include_in_schema=False)
async def act(request: Request) -> Response:
    """Take the secret of the host's browser, or open or close the house."""
    fields = await fields_of(request)
    context = PageContext(request)
    context.lang = fields["lang"] if fields.get("lang") in LANGUAGES else language(request)
    context.here = "/room"
    room = _room(context)
    if room is None:
        return error_page(request, 404)
    if fields.get("do") == "enter":
        if room.knows(fields.get("key", "")[:100]):
            return room.give(RedirectResponse(context.url("/"), 303))
        limiter: RateLimiter = request.app.state.rate_limiter
        try:
            limiter.take("login", address(request))
        except EscaleError as error:
            problem = Problem.of(error)
            return _page(context, room, problem.message(context.lang), problem.status)
        return _page(context, room, context.say("room.wrong-key"), 403)
    if not room.allows(request):
        return _page(context, room, status=403)
    try:
        await room.set_open(fields.get("do") == "open")
    except OSError as error:
        return _page(context, room, context.say("room.failed", why=error.strerror or ""), 503)
    return RedirectResponse(context.url("/room"), 303)
