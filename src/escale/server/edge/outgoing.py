"""Requests of the house to addresses that people have given it.

They never lead into the house's own network: a name is looked up once, all of its addresses must
be public, and the connection goes to one of these, whatever the name means later. Redirections are
not followed, little is read, and a request ends within `REQUEST_SECONDS`.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from ipaddress import IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from escale.server.edge.problems import Problem

REQUEST_SECONDS = 10.0
"""For looking up, connecting, sending and the answer's first line together."""
ANSWER_BYTES = 4_000
_TRANSLATED = ip_network("64:ff9b::/96")
_LOCAL_TRANSLATED = ip_network("64:ff9b:1::/48")
_names = ThreadPoolExecutor(16, "escale-names")
"""Threads that look up names. A name server may be slow on purpose: other work does not wait."""
ADDRESS_LETTERS = 600
PORTS = (80, 443)
"""Other ports below 1024 are those of other services than the web."""


def check_address(address: str) -> str:
    """The address without what surrounds it; Problem if no request may ever go there."""
    address = address.strip()
    try:
        parts = urlsplit(address)
        port = parts.port
        (parts.hostname or "").encode("idna")       # as the name is looked up
    except ValueError:
        raise Problem("bad-address") from None
    good = (
        len(address) <= ADDRESS_LETTERS and address.isascii() and address.isprintable()
        and " " not in address and parts.scheme in ("http", "https") and bool(parts.hostname)
        and parts.username is None and parts.password is None and not parts.fragment
        and (port is None or port in PORTS or port >= 1024)
    )
    if not good:
        raise Problem("bad-address")
    return address


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the internet, and to no network behind the house.

    >>> [is_public(one) for one in ("1.1.1.1", "127.0.0.1", "10.0.0.8", "169.254.169.254")]
    [True, False, False, False]
    >>> [is_public(one) for one in ("::1", "fd00::1", "::ffff:192.168.0.1", "64:ff9b::a00:1")]
    [False, False, False, False]
    >>> [is_public(one) for one in ("fec0::1", "fe80::1%eth0", "64:ff9b:1::a00:1", "2606:4700::1")]
    [False, False, False, True]
    """
    parsed = ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo or (None, None))[1]
        if inner is not None:
            return is_public(str(inner))
        if parsed in _TRANSLATED or parsed in _LOCAL_TRANSLATED or parsed.is_site_local:
            return False
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


async def post(
    address: str, body: bytes, kind: str, *, anywhere: bool = False,
    headers: Mapping[str, str] | None = None,
) -> int:
    """Send a body by POST; the status of the answer. OSError if there is none.

    With `anywhere`, which only the host can decide, private addresses are allowed, too. The
    `headers` are the house's own, never a visitor's.
    """
    more = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
    async with asyncio.timeout(REQUEST_SECONDS):
        return await _post(check_address(address), body, kind, anywhere, more)


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates that this machine trusts; reading them takes a moment."""
    return ssl.create_default_context()


async def _post(address: str, body: bytes, kind: str, anywhere: bool, headers: str) -> int:
    parts = urlsplit(address)
    host, secure = parts.hostname or "", parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    found = await asyncio.get_running_loop().run_in_executor(
        _names, lambda: socket.getaddrinfo(host, port, proto=socket.IPPROTO_TCP)
    )
    ips = [str(one[4][0]) for one in found]
    if not ips or not (anywhere or all(map(is_public, ips))):
        raise PermissionError("this address is not on the public internet")
    reader, writer = await asyncio.open_connection(
        ips[0], port, ssl=await asyncio.to_thread(_trusted) if secure else None,
        server_hostname=host if secure else None, limit=ANSWER_BYTES,
    )
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        writer.write(
            f"POST {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Type: {kind}\r\n"
            f"Content-Length: {len(body)}\r\nUser-Agent: Escale\r\nConnection: close\r\n"
            f"{headers}\r\n"
            .encode() + body
        )
        await writer.drain()
        line = await reader.readline()
        version, _, rest = line.partition(b" ")
        if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
            raise ConnectionError("the answer is no HTTP")
        return int(rest[:3])
    except ValueError as error:                     # a line without end
        raise ConnectionError("the answer is no HTTP") from error
    finally:
        writer.close()
        with suppress(OSError, ssl.SSLError):
            await asyncio.wait_for(writer.wait_closed(), 1)
