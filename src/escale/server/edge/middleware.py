"""The middleware of every request: the client's address, the request's id, compression.

Trusted proxies, which the host has named, may state the client's address and the request's id.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Iterable
from functools import cached_property
from ipaddress import ip_address, ip_network

import brotli
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware, IdentityResponder
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from escale.game.errors import BadSetting
from escale.server.edge.current import request_id

log = logging.getLogger("escale")

SCHEMES = {"http": ("http", "ws"), "https": ("https", "wss")}


class Proxies:
    """The addresses and networks of the proxies that the host named."""

    def __init__(self, named: Iterable[str]) -> None:
        try:
            self._networks = [ip_network(name, strict=False) for name in named]
        except ValueError as error:
            raise BadSetting("proxy", why=error) from None

    def __contains__(self, peer: str) -> bool:
        try:
            found = ip_address(peer)
        except ValueError:
            return False
        found = getattr(found, "ipv4_mapped", None) or found
        return any(found in network for network in self._networks)


class Forwarded:
    """Replaces the address of a trusted proxy by that of the client.

    Only the last address of `X-Forwarded-For` counts, which the proxy itself has added; the client
    may have written those before it.
    """

    def __init__(self, app: ASGIApp, *, proxies: Proxies) -> None:
        self.app = app
        self.proxies = proxies
        self._warned: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with the client's address."""
        if scope["type"] != "lifespan" and scope.get("client"):
            self._read(scope, Headers(scope=scope))
        await self.app(scope, receive, send)

    def _read(self, scope: Scope, headers: Headers) -> None:
        peer = scope["client"][0]
        if "x-forwarded-for" not in headers:
            return
        if peer not in self.proxies:
            if not self._warned:
                self._warned.add(peer)
                log.warning("%s sends X-Forwarded-For and is not trusted: if it is your proxy, "
                            "start the house with --trusted-proxy %s", peer, peer)
            return
        last = headers.getlist("x-forwarded-for")[-1].rpartition(",")[2].strip()
        try:
            scope["client"] = (str(ip_address(last)), 0)
        except ValueError:
            return
        scheme = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip()
        if scheme in SCHEMES:
            scope["scheme"] = SCHEMES[scheme][scope["type"] == "websocket"]


# ---- ids of requests ----

HEADER = "x-request-id"
WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")


class RequestId:
    """Gives each request an id; one that a trusted proxy has given is kept."""

    def __init__(self, app: ASGIApp, *, proxies: Proxies) -> None:
        self.app = app
        self.proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its id."""
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


# ---- compression ----

UNCOMPRESSED_PATHS = ("/api", "/static/")
"""Sent as they are under these paths: JSON is small, and files are compressed already."""

BOARDS = "/boards/"
"""The constant part of a game's scenes: many numbers, sent once."""


UNCOMPRESSED_BYTES = 1000
"""Shorter responses are not compressed."""
BROTLI_QUALITY = 5
"""At this quality a page takes as long as with gzip, and is a tenth smaller."""


class BrotliResponder(IdentityResponder):
    """Compresses one response with Brotli."""

    content_encoding = "br"

    async def apply_compression(self, body: bytes, *, more_body: bool) -> bytes:
        """Compress the next part of the body, flushed, so that a browser can read all of it."""
        packed: bytes = self._packer.process(body)
        rest: bytes = self._packer.flush() if more_body else self._packer.finish()
        return packed + rest

    @cached_property
    def _packer(self) -> brotli.Compressor:
        return brotli.Compressor(quality=BROTLI_QUALITY)


class Compression:
    """Compresses pages and drawings, with Brotli if the browser supports it."""

    def __init__(self, app: ASGIApp) -> None:
        self.plain = app
        self.gzip = GZipMiddleware(app, minimum_size=UNCOMPRESSED_BYTES, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and compress the response if that is worth it."""
        compresses = scope["type"] == "http" and (
            BOARDS in scope["path"] or not scope["path"].startswith(UNCOMPRESSED_PATHS)
        ) and not scope["path"].endswith((".png", ".pdf", ".zip"))
        if not compresses:
            await self.plain(scope, receive, send)
        elif "br" in re.split(r"[\s,;]+", Headers(scope=scope).get("accept-encoding", "")):
            await BrotliResponder(self.plain, UNCOMPRESSED_BYTES)(scope, receive, send)
        else:
            await self.gzip(scope, receive, send)
