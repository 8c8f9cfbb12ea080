"""What processes on one database tell each other: lines of words, by PostgreSQL's NOTIFY.

After a group of changes is committed, the others are told which tables are at which event. That is
a hint: they read the events themselves, so a notice that is lost costs time and nothing else. It is
sent after the commit and not within it: PostgreSQL lets only one transaction at a time commit a
notice, so commits would wait for each other's disk; and no failure of a notice can fail a move.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, Engine, exc, text

log = logging.getLogger("escale")

CHANNEL = "escale"
LONGEST = 7900
"""Bytes of a payload; PostgreSQL takes fewer than 8000."""

Words = list[str]
"""A line: what kind of notice it is, then what it says."""

_NOTIFY = text("SELECT pg_notify(:channel, :payload)")


def payloads(sender: int, lines: Iterable[str], longest: int = LONGEST) -> Iterator[str]:
    """Lines of one process as few payloads; each says first who sent it.

    >>> list(payloads(7, ["at abc 3", "at def 12"], longest=20))
    ['7\\nat abc 3\\nat def 12']
    >>> list(payloads(7, ["at abc 3", "at def 12"], longest=19))
    ['7\\nat abc 3', '7\\nat def 12']
    """
    head = str(sender)
    payload, size = head, len(head)
    for line in lines:
        more = len(line.encode()) + 1
        if size + more > longest and payload != head:
            yield payload
            payload, size = head, len(head)
        payload, size = f"{payload}\n{line}", size + more
    if payload != head:
        yield payload


def read_payload(payload: str) -> tuple[int, list[Words]]:
    """Who sent it, and each line as its words; what is not ours is from nobody, with no lines."""
    head, *lines = payload.split("\n")
    if not head.isdecimal():
        return 0, []
    return int(head), [line.split(" ") for line in lines if line]


class Notifier:
    """Sends notices, in the thread that writes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: Connection | None = None
        self.sender = 0
        """The number of this process; 0 while it has none."""

    def send(self, lines: Iterable[str]) -> None:
        """Send some lines; if that fails, others find out by themselves what has happened."""
        for payload in payloads(self.sender, lines):
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
        if self._connection is None:
            self._connection = self._engine.connect()
        self._connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": payload})

    def close(self) -> None:
        """Let go of the connection; the next notice makes another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
