"""A name for every request, by which a visitor's error page and the host's log find each other."""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from escale.server.http.proxies import Proxies

HEADER = "x-request-id"
WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The request that is being answered; nothing in the background."""


class RequestId:
    """Names requests; a name that a trusted proxy has given is kept."""

    def __init__(self, app: ASGIApp, *, proxies: Proxies) -> None:
        self.app = app
        self.proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with a name."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        name = self._given(scope) or secrets.token_hex(8)

        async def send_named(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message.setdefault("headers", [])
                MutableHeaders(scope=message)[HEADER] = name
            await send(message)

        token = request_id.set(name)
        try:
            await self.app(scope, receive, send_named)
        finally:
            request_id.reset(token)

    def _given(self, scope: Scope) -> str | None:
        client = scope.get("client")
        if not client or client[0] not in self.proxies:
            return None
        given = Headers(scope=scope).get(HEADER, "")
        return given if WELL_FORMED.fullmatch(given) else None
