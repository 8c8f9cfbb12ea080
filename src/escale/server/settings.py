"""What the host of the house may decide."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from escale.server.edge.addresses import machine_addresses
from escale.server.edge.limits import Limits
from escale.server.workers.engines import NamedEngine
from escale.store import Retention


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that `create_app` needs to know."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str | None = None
    """An SQLAlchemy address; None: ESCALE_DATABASE, else a file in the user's data folder."""
    origins: tuple[str, ...] = ()
    """Other origins whose pages may act here, such as `https://club.example`; the first one is
    where invitations lead. Where there are some, the house answers under no other name than
    theirs and this machine's own."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies that are believed about where a request came from."""
    machine: Callable[[], tuple[str, ...]] = machine_addresses
    """The addresses of this machine on networks, asked for again each time: laptops move."""
    workers: int = max(1, (os.cpu_count() or 2) - 1)
    """Processes that think for computer seats."""
    seconds: float = 5.0
    """How long the computer may think about a move, at most."""
    away: float = 30
    """Seconds after which the others may let the computer play for somebody who left."""
    idle: float = 600
    """Seconds after which a table that nobody looks at leaves the memory."""
    limits: Limits = field(default_factory=Limits)
    retention: Retention = field(default_factory=Retention)
    """How long tables are kept at which nobody has played, or whose match is over."""
    engines: tuple[NamedEngine, ...] = ()
    """Programs of others that people may play against."""
    metrics_port: int | None = None
    """Where Prometheus is answered; None: nowhere."""
    metrics_host: str = "127.0.0.1"
    docs: Path | None = None
    """A folder of static pages that is served at `/docs`."""
    admin_token: str | None = None
    """What the host logs in with; None: there is no admin page."""
