"""The settings that the host of the house chooses."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from escale.server.edge.addresses import machine_addresses
from escale.server.edge.limits import Limits
from escale.server.edge.mail import MailServer
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
    """Other origins whose pages may act here, such as `https://club.example`. Invitations lead to
    the first one. If there are any, the house answers under their host names and those of this
    machine only."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies that are trusted to name a request's client."""
    machine: Callable[[], tuple[str, ...]] = machine_addresses
    """Gives the addresses of this machine on networks, which may change."""
    workers: int = max(1, (os.cpu_count() or 2) - 1)
    """Processes that think for computer seats."""
    seconds: float = 5.0
    """The most time that the computer may think about a move."""
    away: float = 30
    """Seconds after which the other players may let the computer play for a player who left."""
    idle: float = 600
    """Seconds after which a table without connections leaves the memory."""
    phrases_only: bool = False
    """Whether people may only say set phrases, and choose their names from a list."""
    limits: Limits = field(default_factory=Limits)
    retention: Retention = field(default_factory=Retention)
    """How long tables are kept without a move, and after the end of a match."""
    engines: tuple[NamedEngine, ...] = ()
    """Engines that people may play against."""
    mail: MailServer | None = None
    """The server through which the house sends mail; None for no mail."""
    notices_anywhere: bool = False
    """Whether notices may go to addresses of private networks, such as a ntfy server at home."""
    metrics_port: int | None = None
    """The port for Prometheus; None for no port."""
    metrics_host: str = "127.0.0.1"
    docs: Path | None = None
    """A folder of static pages that is served at `/docs`."""
    offline: Path | None = None
    """The folder with the parts for playing without network; None: the usual folder."""
    embed: tuple[str, ...] = ()
    """Origins whose pages may show figures, puzzles and tables in frames; `*` for all."""
    alone: bool = False
    """Whether pages are made for file servers, without a house behind them (`escale static`)."""
    admin_token: str | None = None
    """The token with which the host logs in; None for no admin page."""
