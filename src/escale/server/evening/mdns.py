"""`escale.local`: a name for the house on the local network, by multicast DNS.

It needs the extra `mdns` of the package. Without it, and on networks that carry no multicast,
guests use the address and the QR code.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

log = logging.getLogger("escale")

NAME = "escale.local"


class Announcer:
    """Tells the local network where the house is, while it is open."""

    def __init__(self) -> None:
        self._zeroconf: Any = None

    async def start(self, addresses: Sequence[str], port: int) -> bool:
        """Announce the name; whether that was possible."""
        try:
            from zeroconf import ServiceInfo
            from zeroconf.asyncio import AsyncZeroconf
        except ModuleNotFoundError:
            return False
        await self.stop()
        service = ServiceInfo(
            "_http._tcp.local.", "Escale._http._tcp.local.", port=port,
            parsed_addresses=list(addresses), server=f"{NAME}.",
        )
        try:
            self._zeroconf = AsyncZeroconf(interfaces=[one for one in addresses if ":" not in one])
            await self._zeroconf.async_register_service(service, allow_name_change=True)
        except Exception as error:              # a network without multicast; the address works
            log.info("the house has no name on this network: %s", error)
            await self.stop()
            return False
        return True

    async def stop(self) -> None:
        """Take the name back."""
        known, self._zeroconf = self._zeroconf, None
        if known is not None:
            try:
                await known.async_unregister_all_services()
                await known.async_close()
            except Exception as error:          # the network may be gone
                log.info("the name of the house was not taken back: %s", error)
