"""The outermost layer: security headers, checks of origins, sizes and rates, safe error pages."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from time import monotonic
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from escale.game.errors import EscaleError
from escale.server.edge.addresses import is_address, is_loopback
from escale.server.edge.current import client_address
from escale.server.edge.locale import preferred, split
from escale.server.edge.problems import Problem
from escale.server.edge.rate_limiter import RateLimiter, neighbourhood
from escale.server.edge.responses import refuse, reply

log = logging.getLogger("escale")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; font-src 'self'; media-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    # Not `no-referrer`: forms would hide their origin, which is checked. No URL contains a token.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
FILE_HEADERS = ("x-content-type-options", "cross-origin-resource-policy")
"""The headers that matter for scripts, styles and fonts. A table loads forty such files, and all
headers would be a fifth of the bytes."""
FILES = ("text/javascript", "text/css", "font/")
ADDRESS_SECONDS = 30
"""The addresses of the machine are looked up again after this time."""
LOCAL_NETWORKS = ("local", "lan", "home.arpa", "internal", "localdomain")
"""Ends of the names that a network at home gives its machines; no public domain has them."""
SAFE = ("GET", "HEAD", "OPTIONS")
NEW_TABLE = ("/tables", "/api/tables", "/api/tables/kept")
KEPT_TABLES = "/api/tables/kept"
"""The only path that takes a long body: a table that was played on a device."""
STATIC = "/static/"
OFFLINE = "/offline/"
EMBED = "/embed/"
PROBES = ("/healthz", "/readyz")
"""Paths without a limit: their cost does not depend on how often they are requested."""


def address(connection: HTTPConnection) -> str:
    """The address that limits count a request against."""
    return neighbourhood(connection.client.host) if connection.client else "unknown"


def bearer(connection: HTTPConnection) -> str | None:
    """The token of `Authorization: Bearer …`."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip()[:100] or None if kind.lower() == "bearer" else None


def limited(connection: HTTPConnection, what: str, who: str | None = None) -> tuple[str, str]:
    """The limit that a request counts against, and the one it counts for.

    A bot has limits of its own; others count as `who`, or as their address. `app.state.bot_of`
    gives the name of the bot that a token belongs to, if any.
    """
    bot_of: Callable[[str | None], str | None] = connection.app.state.bot_of
    bot = bot_of(bearer(connection))
    return (what, who or address(connection)) if bot is None else (f"bot-{what}", bot)


def embed_policy(origins: tuple[str, ...]) -> str:
    """The policy of pages that other sites may show in a frame."""
    return POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {' '.join(origins)}")


def is_embedded(path: str) -> bool:
    """Whether a path is that of a page for frames of other sites."""
    return split(path)[1].startswith(EMBED)


def _is_cheap(path: str) -> bool:
    """Whether a request is not counted: probes, and files that are sent from memory.

    A first visit to a table loads sixty files, and all members of a club may share one address.
    """
    return path in PROBES or path.startswith((STATIC, OFFLINE))


def at_home(connection: HTTPConnection, origins: tuple[str, ...]) -> bool:
    """Whether a request comes from a page of this house, or from no page at all."""
    headers = connection.headers
    site = headers.get("sec-fetch-site", "none")
    if site == "same-origin":           # pages cannot set it; the origin of a form may be `null`
        return True
    origin = headers.get("origin")
    if site != "none":
        return origin in origins
    if origin is None or origin in origins:
        return True
    scheme = connection.scope["scheme"].replace("ws", "http")
    return origin.lower() == f"{scheme}://{headers.get('host', '')}".lower()


def known_hosts(host: str, origins: tuple[str, ...]) -> frozenset[str]:
    """The host names under which the house answers, besides those of this machine's loopback.

    Without an origin they are the machine's own, also as its network may call it.
    """
    names = {name for origin in origins if (name := urlsplit(origin).hostname)}
    if not origins:
        machine = socket.gethostname().lower()
        short = machine.partition(".")[0]
        names = {machine, short, *(f"{name}.{network}" for name in (short, "escale")
                                   for network in LOCAL_NETWORKS)}
    return frozenset({*names, host.lower()})


def host_name(headers: Headers) -> str:
    """The host name that a request was sent to, without its port; empty if it is not unique."""
    try:
        [host] = headers.getlist("host")
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class Security:
    """The outermost layer of the app."""

    def __init__(
        self, app: ASGIApp, *, host: str, origins: tuple[str, ...],
        machine: Callable[[], tuple[str, ...]], rate_limiter: RateLimiter,
        embed: tuple[str, ...] = (),
    ) -> None:
        """The house listens at `host`; `machine` gives the machine's addresses."""
        self.app = app
        self.origins = origins
        self.machine = machine
        self.rate_limiter = rate_limiter
        limits = rate_limiter.limits
        self._longest = {KEPT_TABLES: limits.transcript}
        self._usual = limits.body
        framed = {**HEADERS, "content-security-policy": embed_policy(embed)}
        framed.pop("x-frame-options")
        self._framed = framed if embed else HEADERS
        """The headers of pages that other sites may show in a frame."""
        self._hosts = known_hosts(host, origins)
        self._addresses: tuple[str, ...] = ()
        self._asked_again = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "lifespan":
            client_address.set(address(HTTPConnection(scope)))
        if scope["type"] == "lifespan" or (scope["type"] == "websocket" and self._known(scope)):
            await self.app(scope, receive, send)
            return
        if not self._known(scope):
            # An error page would repeat the host name of the request.
            lang = preferred(Headers(scope=scope).get("accept-language", ""))
            problem = Problem("unknown-host")
            answer = reply(problem.as_json(lang), problem.status) \
                if scope["path"].startswith("/api/") \
                else PlainTextResponse(problem.message(lang), problem.status)
            await answer(scope, receive, send)
            return
        started = False

        async def send_securely(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                file = headers.get("content-type", "").startswith(FILES)
                values = self._framed if is_embedded(scope["path"]) else HEADERS
                for name in FILE_HEADERS if file else values:
                    headers.setdefault(name, values[name])
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        request = Request(scope)
        try:
            self._check(request)
            if request.method not in SAFE:
                receive = await self._whole(receive, self._most(scope))
            await self.app(scope, receive, send_securely)
        except Exception as error:
            if not isinstance(error, EscaleError):
                log.exception("%s %s failed", scope["method"], scope["path"])
            if started:
                raise
            problem = Problem.of(error) if isinstance(error, EscaleError) else Problem("broken")
            await refuse(request, problem)(scope, receive, send_securely)

    def _known(self, scope: Scope) -> bool:
        """Whether a request was sent to a host name of this house.

        A page of another site can lead here under a name of its own, but not under an address.
        So without an origin any address will do: a router or a container may have its own.
        """
        name = host_name(Headers(scope=scope))
        return name in self._hosts or is_loopback(name) \
            or (name in self._machine() if self.origins else is_address(name))

    def _machine(self) -> tuple[str, ...]:
        """The machine's addresses, looked up again now and then: a laptop may change networks."""
        now = monotonic()
        if now > self._asked_again:
            self._addresses, self._asked_again = self.machine(), now + ADDRESS_SECONDS
        return self._addresses

    def _check(self, request: Request) -> None:
        if not _is_cheap(request.scope["path"]):
            self.rate_limiter.take(*limited(request, "request"))
        if request.method not in SAFE and not at_home(request, self.origins):
            raise Problem("elsewhere")
        if request.method == "POST" and request.scope["path"] in NEW_TABLE:
            self.rate_limiter.take(*limited(request, "table"))
        length, most = request.headers.get("content-length", "0"), self._most(request.scope)
        if not length.isdecimal() or int(length) > most:
            raise Problem("too-large", most=most)

    def _most(self, scope: Scope) -> int:
        """The most bytes that a request to this path may have."""
        return self._longest.get(scope["path"], self._usual)

    async def _whole(self, receive: Receive, most: int) -> Receive:
        """Read the body in advance; its limit holds even if its headers are wrong."""
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":        # with half a body, perhaps
                raise Problem("bad-request", detail="the request was cut off")
            body += message.get("body", b"")
            if len(body) > most:
                raise Problem("too-large", most=most)
            if not message.get("more_body"):
                break
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_whole() -> Message:
            return waiting.pop() if waiting else await receive()

        return receive_whole
