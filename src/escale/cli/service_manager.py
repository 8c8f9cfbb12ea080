"""Messages to systemd, if it has started the house (`Type=notify`)."""

from __future__ import annotations

import os
import socket
from contextlib import suppress

READY, STOPPING = "READY=1", "STOPPING=1"


def tell_service_manager(state: str) -> None:
    """Send READY or STOPPING to the service manager, if there is one."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.connect("\0" + address[1:] if address.startswith("@") else address)
        manager.send(state.encode())
