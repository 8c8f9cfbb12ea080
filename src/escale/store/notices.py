"""The messages between processes on one database: JSON, one notice a line, by PostgreSQL's NOTIFY.

After a group of changes is committed, the other processes learn the number of each table's last
event. This is a hint: they read the events themselves, so a lost notice only costs time. It is sent
after the commit and not within it: PostgreSQL lets only one transaction at a time commit a notice,
so commits would wait for each other's disk; and a failing notice must not make a move fail.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

log = logging.getLogger("escale")

CHANNEL = "escale"
PAYLOAD_BYTES = 7900
"""The bytes of one NOTIFY; PostgreSQL accepts fewer than 8000."""


class Notice(Struct, frozen=True, array_like=True):
    """A message from one process to the others. Those that the store sends are declared here."""


class TableWritten(Notice, frozen=True, tag="written"):
    """A table is at event `n`."""

    table: str
    n: int
    due_soon: bool = False
    """Whether something will happen there soon: then the owner reads it."""
    address: str = ""
    """The address whose budget the table's computers spend."""


class TableModerated(Notice, frozen=True, tag="moderated"):
    """The host has closed or opened a table or its chat."""

    table: str


class TableDeleted(Notice, frozen=True, tag="deleted"):
    """A table was deleted."""

    table: str


class TokensChanged(Notice, frozen=True, tag="tokens"):
    """Seats at a table have another holder: processes with the table in memory read it again."""

    table: str


class NotebookChanged(Notice, frozen=True, tag="notebook"):
    """What a process remembers of a notebook, or of its devices, is no longer true."""

    notebook: str


class EveningWritten(Notice, frozen=True, tag="evening"):
    """An evening has new events, or was deleted."""

    evening: str


_NOTIFY = "SELECT pg_notify(:channel, :payload)"


def payloads(
    sender: int, notices: Iterable[Notice], longest: int = PAYLOAD_BYTES
) -> Iterator[str]:
    """Notices of one process as few payloads; the first line of each is the number of the sender.

    >>> list(payloads(7, [TableModerated("abc"), TableDeleted("def")]))
    ['7\\n["moderated","abc"]\\n["deleted","def"]']
    >>> list(payloads(7, [TableModerated("abc"), TableDeleted("def")], longest=32))
    ['7\\n["moderated","abc"]', '7\\n["deleted","def"]']
    """
    head = str(sender)
    payload, size = head, len(head)
    for notice in notices:
        line = msgspec.json.encode(notice)
        more = len(line) + 1
        if size + more > longest and payload != head:
            yield payload
            payload, size = head, len(head)
        payload, size = f"{payload}\n{line.decode()}", size + more
    if payload != head:
        yield payload


def split_payload(payload: str) -> tuple[int, list[str]]:
    """The number of the sender, and its notices as JSON; 0 and none if it is from elsewhere."""
    head, *lines = payload.split("\n")
    return (int(head), lines) if head.isdecimal() else (0, [])


class Notifier:
    """Sends notices, in the thread that writes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: Connection | None = None
        self.sender = 0
        """The number of this process; 0 while it has none."""

    def send(self, notices: Iterable[Notice]) -> None:
        """Send notices; if that fails, the other processes find the changes by themselves later."""
        from sqlalchemy import exc

        for payload in payloads(self.sender, notices):
            try:
                self._send(payload)
            except exc.SQLAlchemyError:
                self.close()
                try:
                    self._send(payload)     # over a new connection
                except exc.SQLAlchemyError as error:
                    log.warning("a notice to other processes was lost: %s", type(error).__name__)
                    self.close()
                    return

    def _send(self, payload: str) -> None:
        from sqlalchemy import text

        if self._connection is None:
            self._connection = self._engine.connect()
        self._connection.execute(text(_NOTIFY), {"channel": CHANNEL, "payload": payload})

    def close(self) -> None:
        """Close the connection; the next notice opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
