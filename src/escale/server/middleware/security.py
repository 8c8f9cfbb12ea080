"""Around everything: headers, origins, sizes, rates, and errors that tell no secrets."""

from __future__ import annotations

import logging
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from escale.game.errors import EscaleError
from escale.server.addresses import is_loopback
from escale.server.locale import preferred
from escale.server.middleware.rate_limiter import RateLimiter, neighbourhood
from escale.server.problems import Problem
from escale.server.responses import refuse
from escale.server.settings import Settings
from escale.store.bots import is_bots

if TYPE_CHECKING:
    from escale.server.tables.house import House

log = logging.getLogger("escale")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; font-src 'self'; media-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    # Not `no-referrer`: forms would hide their origin, which is checked. No address has a token.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
FILE_HEADERS = ("x-content-type-options", "cross-origin-resource-policy")
"""Those that mean something with a script, a style or a font, which is no document: a table asks
for forty files, and the others would be a fifth of what it weighs."""
FILES = ("text/javascript", "text/css", "font/")
MOVES = 30
"""Seconds for which the addresses of the machine are believed to stay as they are."""
SAFE = ("GET", "HEAD", "OPTIONS")
NEW_TABLE = ("/tables", "/api/tables")
STATIC = "/static/"
PROBES = ("/healthz", "/readyz")
"""Never too many: what they cost does not depend on how often they are asked for."""


def address(connection: HTTPConnection) -> str:
    """Who asks, as far as limits are concerned."""
    return neighbourhood(connection.client.host) if connection.client else "unknown"


def bearer(connection: HTTPConnection) -> str | None:
    """The token of `Authorization: Bearer …`."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip()[:100] or None if kind.lower() == "bearer" else None


def limited(connection: HTTPConnection, what: str, who: str | None = None) -> tuple[str, str]:
    """Which limit something is counted for, and whose: a bot has limits of its own.

    Everybody else is known by `who`, or by their address.
    """
    token = bearer(connection)
    if is_bots(token):
        house: House = connection.app.state.house
        bot = house.bots.known(token)
        if bot is not None:
            return f"bot-{what}", bot.sha256
    return what, who or address(connection)


def _is_cheap(path: str) -> bool:
    """Whether a request is not counted: probes, and files that lie in memory as they are sent.

    A first visit to a table asks for sixty of them, and a club has one address.
    """
    return path in PROBES or path.startswith(STATIC)


def at_home(headers: Headers, origins: tuple[str, ...]) -> bool:
    """Whether a request comes from a page of this house, or from no page at all."""
    site = headers.get("sec-fetch-site", "none")
    if site == "same-origin":           # no page can set it; a form's origin may be hidden, `null`
        return True
    origin = headers.get("origin")
    if site != "none":
        return origin in origins
    if origin is None or origin in origins:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
    except ValueError:
        return False


def known_hosts(settings: Settings) -> frozenset[str] | None:
    """The names under which the house answers, in addition to those of the machine itself.

    None where the host has named no origin: then it is found under whatever name leads here.
    """
    if not settings.origins:
        return None
    return frozenset(
        name for origin in settings.origins if (name := urlsplit(origin).hostname)
    ) | {settings.host.lower()}


def host_name(headers: Headers) -> str:
    """The name that a request was sent to, without its port; nothing where it is not one name."""
    try:
        [host] = headers.getlist("host")
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


class Security:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, *, settings: Settings, rate_limiter: RateLimiter) -> None:
        self.app = app
        self.settings = settings
        self.rate_limiter = rate_limiter
        self._hosts = known_hosts(settings)
        self._addresses: tuple[str, ...] = ()
        self._asked_again = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "lifespan" or (scope["type"] == "websocket" and self._known(scope)):
            await self.app(scope, receive, send)
            return
        if not self._known(scope):
            # A page would repeat the name that it was asked under.
            lang = preferred(Headers(scope=scope).get("accept-language", ""))
            problem = Problem("unknown-host")
            answer = PlainTextResponse(problem.message(lang), problem.status)
            await answer(scope, receive, send)
            return
        started = False

        async def send_securely(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                file = headers.get("content-type", "").startswith(FILES)
                for name in FILE_HEADERS if file else HEADERS:
                    headers.setdefault(name, HEADERS[name])
                if scope["path"].startswith("/api/"):
                    headers.setdefault("cache-control", "no-store")
            await send(message)

        request = Request(scope)
        try:
            self._check(request)
            if request.method not in SAFE:
                receive = await self._whole(receive)
            await self.app(scope, receive, send_securely)
        except Exception as error:
            if not isinstance(error, EscaleError):
                log.exception("%s %s failed", scope["method"], scope["path"])
            if started:
                raise
            problem = Problem.of(error) if isinstance(error, EscaleError) else Problem("broken")
            await refuse(request, problem)(scope, receive, send_securely)

    def _known(self, scope: Scope) -> bool:
        """Whether a request was sent to a name of this house."""
        if self._hosts is None:
            return True
        name = host_name(Headers(scope=scope))
        return name in self._hosts or is_loopback(name) or name in self._machine()

    def _machine(self) -> tuple[str, ...]:
        """The machine's addresses; laptops move, but not every second."""
        now = monotonic()
        if now > self._asked_again:
            self._addresses, self._asked_again = self.settings.machine(), now + MOVES
        return self._addresses

    def _check(self, request: Request) -> None:
        if not _is_cheap(request.scope["path"]):
            self.rate_limiter.take(*limited(request, "request"))
        if request.method not in SAFE and not at_home(request.headers, self.settings.origins):
            raise Problem("elsewhere")
        if request.method == "POST" and request.scope["path"] in NEW_TABLE:
            self.rate_limiter.take(*limited(request, "table"))
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.settings.limits.body:
            raise Problem("too-large", most=self.settings.limits.body)

    async def _whole(self, receive: Receive) -> Receive:
        """The body, read before anybody uses it; its limit holds even if its headers are wrong."""
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > self.settings.limits.body:
                raise Problem("too-large", most=self.settings.limits.body)
            if not message.get("more_body"):
                break
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_whole() -> Message:
            return waiting.pop() if waiting else await receive()

        return receive_whole
