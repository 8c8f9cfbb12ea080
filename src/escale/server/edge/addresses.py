"""The addresses under which other machines find the house."""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from pathlib import Path

EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}
"""Hosts that mean all addresses, each with the host that a browser on it can open."""

# Connecting a UDP socket sends nothing; it only finds the address of this machine from which a
# packet would leave. Both addresses are reserved for documentation.
FAR_AWAY = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))

UNFIT = 0x08 | 0x20 | 0x40
"""Flags of an IPv6 address in Linux: duplicate, deprecated, tentative."""
SIOCGIFADDR = 0x8915


def web_address(host: str, port: int) -> str:
    """The origin of a house at this host, as a browser on this machine can open it.

    >>> web_address("0.0.0.0", 8000), web_address("::1", 8001), web_address("192.0.2.7", 80)
    ('http://127.0.0.1:8000', 'http://[::1]:8001', 'http://192.0.2.7')
    """
    shown = EVERYWHERE.get(host, host)
    name = f"[{shown}]" if ":" in shown else shown
    return f"http://{name}" if port == 80 else f"http://{name}:{port}"


def is_loopback(host: str) -> bool:
    """Whether this host name or address always means the machine itself.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::ffff:127.0.0.1", "192.0.2.7")]
    [True, True, True, False]
    """
    try:
        found = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    # A house that listens to both families sees IPv4 addresses within IPv6.
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback


def is_address(host: str) -> bool:
    """Whether this is an address and no name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def network_addresses(
    host: str, port: int, machine: Callable[[], tuple[str, ...]]
) -> tuple[str, ...]:
    """The origins at which others find a house that listens at `host`, the likeliest first.

    >>> network_addresses("0.0.0.0", 8000, lambda: ("192.0.2.7", "fd00::7"))
    ('http://192.0.2.7:8000',)
    >>> network_addresses("localhost", 8000, lambda: ("192.0.2.7",))
    ()
    """
    if host not in EVERYWHERE:
        return () if is_loopback(host) else (web_address(host, port),)
    six = host == "::"
    four = not six or socket.has_dualstack_ipv6()
    return tuple(web_address(at, port) for at in machine() if (six if ":" in at else four))


def machine_addresses() -> tuple[str, ...]:
    """The addresses of this machine on networks, first the one that its packets leave from.

    It sends nothing; without a network it returns an empty tuple at once.
    """
    known = _linux() if sys.platform == "linux" else _by_name()
    return tuple(dict.fromkeys(filter(_reachable, [*_outward(), *known])))


def _outward() -> Iterator[str]:
    for family, away in FAR_AWAY:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((away, 9))
            yield asking.getsockname()[0]


def _by_name() -> Iterator[str]:
    with suppress(OSError):
        for *_, found in socket.getaddrinfo(socket.gethostname(), None):
            yield str(found[0])


def _linux() -> Iterator[str]:
    """Ask the kernel: looking the machine's name up may wait for a name server."""
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, interface in socket.if_nameindex():
            with suppress(OSError):             # it has no IPv4 address
                request = struct.pack("256s", interface.encode())
                yield socket.inet_ntoa(fcntl.ioctl(asking, SIOCGIFADDR, request)[20:24])
    with suppress(OSError):                     # there is no IPv6
        for line in Path("/proc/net/if_inet6").read_text("ascii").splitlines():
            address, _, _, _, flags, _ = line.split()
            if not int(flags, 16) & UNFIT:
                yield str(IPv6Address(bytes.fromhex(address)))


def _reachable(address: str) -> bool:
    # A link-local address needs the name of an interface, which no browser understands.
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return not (
        found.is_loopback or found.is_link_local or found.is_unspecified or found.is_multicast
    )
