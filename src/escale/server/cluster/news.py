"""The messages that the processes of a house send each other.

What the store tells (events were written, a table was closed or deleted) is declared in
`store/notices.py`. All of it is a hint that can be lost: the rest is in the database.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from escale.store.notices import (
    EveningWritten,
    NotebookChanged,
    Notice,
    TableDeleted,
    TableModerated,
    TableWritten,
    TokensChanged,
)


class Connected(Notice, frozen=True, tag="connected"):
    """These seats, and no others, are connected to a table through the sender."""

    table: str
    seats: tuple[int, ...]


class Asked(Notice, frozen=True, tag="asked"):
    """Holders of these seats have just asked the sender for something at a table."""

    table: str
    seats: tuple[int, ...]


class WhoIsConnected(Notice, frozen=True, tag="who"):
    """The sender has just read a table, and asks which seats are connected through others."""

    table: str


class BotSeated(Notice, frozen=True, tag="bot-seated"):
    """A bot, by the SHA-256 of its token, has a seat at a table."""

    table: str
    bot: str


class BotListens(Notice, frozen=True, tag="bot-listens"):
    """Whether a bot, by the SHA-256 of its token, has a stream open through the sender."""

    bot: str
    listens: bool


class SessionEnded(Notice, frozen=True, tag="session-ended"):
    """The host has logged out of a session, named by the signed part of its cookie."""

    session: str


class LimitUsed(Notice, frozen=True, tag="limit-used"):
    """How much of a limit a client has used through the sender since the sender's last report."""

    limit: str
    client: str
    amount: float


class ProcessJoined(Notice, frozen=True, tag="joined"):
    """The sender has started: processes that hear of it ask the database which are alive."""


class ProcessLeaves(Notice, frozen=True, tag="leaves"):
    """The sender is closing."""


Sent = (
    TableWritten | TableModerated | TableDeleted | Connected | Asked | WhoIsConnected | BotSeated
    | BotListens | SessionEnded | LimitUsed | ProcessJoined | ProcessLeaves | TokensChanged
    | NotebookChanged | EveningWritten
)
"""The messages that one process sends to the others."""

read_notice = msgspec.json.Decoder(Sent).decode


@dataclass(frozen=True, slots=True)
class ProcessesChanged:
    """Other processes have started or ended; also sent when this process has just joined."""

    ended: frozenset[int] = frozenset()
    come: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class SecondPassed:
    """A second has passed since the last one; `count` of them since the house was opened."""

    count: int

    @property
    def is_time_to_poll(self) -> bool:
        """Whether it is time to ask the database for changes whose notice was lost."""
        return self.count % POLL_SECONDS == 0


POLL_SECONDS = 5
"""Seconds between two searches for changes whose notice was lost."""

News = Sent | ProcessesChanged | SecondPassed
"""Everything that subscribers of a cluster receive."""
