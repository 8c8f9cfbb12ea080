"""Connections to PostgreSQL that do not hang without end, and can be cut.

If the network drops packets, a connection gives neither an answer nor an error. The server ends
silent sessions; this process cuts its connections when a query gets no answer in time, so that
every waiting caller gets an error.
"""

from __future__ import annotations

import logging
import os
import socket
import weakref
from contextlib import suppress
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL

# The driver also logs statements that fail; their caller gets an error in any case.
logging.getLogger("psycopg").setLevel(logging.ERROR)

CONNECT_SECONDS = 3
"""Seconds to connect."""
SILENCE_MS = 4000
"""Milliseconds after which the system gives up a connection that does not acknowledge."""
IDLE_TRANSACTION_MS = 4000
"""Milliseconds after which the server ends an idle transaction: others may wait for its rows …"""
LOCK_MS = 3000
"""… and the most milliseconds that they wait for them."""

LIVELY = {
    "connect_timeout": CONNECT_SECONDS, "keepalives_idle": 2, "keepalives_interval": 1,
    "keepalives_count": 3, "tcp_user_timeout": SILENCE_MS,
}
"""The options by which connections notice that the other side is gone."""


def engine_for(url: URL, *, opening: bool = False) -> Engine:
    """An engine for play: no statement of it waits without end.

    While the house is `opening`, it waits for others who bring the tables up to date.
    """
    arguments = lively(url)
    if not opening:
        own = url.query.get("options", "")
        arguments["options"] = (
            f"{own} -c idle_in_transaction_session_timeout={IDLE_TRANSACTION_MS} "
            f"-c lock_timeout={LOCK_MS}"
        )
        url = url.difference_update_query(["options"])
    return create_engine(url, hide_parameters=True, connect_args=arguments)


def lively(url: URL) -> dict[str, Any]:
    """Options of connections that the address does not set."""
    return {name: value for name, value in LIVELY.items() if name not in url.query}


class Links:
    """All open connections of an engine."""

    def __init__(self, engine: Engine) -> None:
        self._made: weakref.WeakSet[Any] = weakref.WeakSet()
        event.listen(engine, "connect", lambda made, _record: self._made.add(made))

    def cut(self) -> None:
        """Cut all of them: queries that wait for an answer fail."""
        for connection in list(self._made):
            cut(connection)


def cut(connection: Any) -> None:
    """End a connection at once, even while a thread waits for its answer."""
    with suppress(Exception), socket.socket(fileno=os.dup(connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)         # unless it has ended already
