"""Whom to believe about where a request came from: proxies that the host named, nobody else."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from ipaddress import ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from escale.game.errors import BadOption

log = logging.getLogger("escale")

SCHEMES = {"http": ("http", "ws"), "https": ("https", "wss")}


class Proxies:
    """The addresses and networks of the proxies that the host named."""

    def __init__(self, named: Iterable[str]) -> None:
        try:
            self._networks = [ip_network(name, strict=False) for name in named]
        except ValueError as error:
            raise BadOption(f"expected a proxy's address or network: {error}") from None

    def __contains__(self, peer: str) -> bool:
        try:
            found = ip_address(peer)
        except ValueError:
            return False
        found = getattr(found, "ipv4_mapped", None) or found
        return any(found in network for network in self._networks)


class Forwarded:
    """Puts the client's address where the proxy's stands, if the proxy is trusted.

    Only the last address of `X-Forwarded-For` counts: that one the proxy itself has seen; whatever
    stands before it, the client may have written.
    """

    def __init__(self, app: ASGIApp, *, proxies: Proxies) -> None:
        self.app = app
        self.proxies = proxies
        self._warned: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with the client's own address."""
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
