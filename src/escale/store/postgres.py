"""Connections to PostgreSQL that do not hang for ever, and can be cut.

Where the network drops what is sent, a connection says nothing at all: neither that it is lost, nor
an answer. The server ends what it does not hear of, and here who notices that nothing comes
through cuts the connections, so that all who wait on them are told.
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

# Of statements that fail the driver complains in the log, too; the sender is told.
logging.getLogger("psycopg").setLevel(logging.ERROR)

CONNECT = 3
"""Seconds to connect."""
SILENCE = 4000
"""Milliseconds after which the system gives up a connection that does not acknowledge."""
UNFINISHED = 4000
"""Milliseconds after which the server ends a transaction that its process does not go on with:
others may wait for the rows that it has written …"""
LOCKED = 3000
"""… and for which they wait at most."""

LIVELY = {
    "connect_timeout": CONNECT, "keepalives_idle": 2, "keepalives_interval": 1,
    "keepalives_count": 3, "tcp_user_timeout": SILENCE,
}
"""How connections notice that nobody is there any more."""


def engine_for(url: URL, *, opening: bool = False) -> Engine:
    """An engine for play: no statement of it waits without end.

    While the house is `opening`, it waits for others who bring the tables up to date.
    """
    arguments = lively(url)
    if not opening:
        own = url.query.get("options", "")
        arguments["options"] = (f"{own} -c idle_in_transaction_session_timeout={UNFINISHED} "
                                f"-c lock_timeout={LOCKED}")
        url = url.difference_update_query(["options"])
    return create_engine(url, hide_parameters=True, connect_args=arguments)


def lively(url: URL) -> dict[str, Any]:
    """How connections are made, where the address does not say it."""
    return {name: value for name, value in LIVELY.items() if name not in url.query}


class Links:
    """The connections that an engine has made."""

    def __init__(self, engine: Engine) -> None:
        self._made: weakref.WeakSet[Any] = weakref.WeakSet()
        event.listen(engine, "connect", lambda made, _record: self._made.add(made))

    def cut(self) -> None:
        """Cut all of them: who waits for an answer is told that there is none."""
        for connection in list(self._made):
            cut(connection)


def cut(connection: Any) -> None:
    """Make a connection end at once, whichever thread waits for it."""
    with suppress(Exception), socket.socket(fileno=os.dup(connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)         # unless it has ended already
