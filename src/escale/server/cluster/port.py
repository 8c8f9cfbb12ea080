"""The port through which the house knows its other processes, and the cluster of a single process.

Events are appended to the store, under whose primary key only one process can be the first; the
store itself announces what it has written. The rest is here.

`SingleProcess` is the cluster of a house on a SQLite file, which no other process may open.
`PostgresCluster` is that of a house on PostgreSQL, where processes may come and go at any time, on
this machine or elsewhere. Neither knows what a table is: it has a name and numbered events.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from escale.server.cluster.news import News
from escale.store import Gap
from escale.store.notices import Notice

if TYPE_CHECKING:
    from escale.store import Store

Subscriber = Callable[[int, News], None]
"""Called with the number of the sending process, and its news."""


class Cluster(Protocol):
    """The processes that serve one house, as this one sees them."""

    opened: int
    """When the first of them opened the house, in Unix milliseconds."""

    async def open(self, now: int) -> None:
        """Join the other processes; `now` in Unix milliseconds."""

    async def close(self) -> None:
        """Leave the other processes: they own this process's tables from then on."""

    def owns(self, name: str) -> bool:
        """Whether this process runs the clock of a table, and thinks for its computers."""

    async def catch_up(self, table: str, known: int) -> Gap | None:
        """Read what other processes wrote after event `known`, and what the host has decided."""

    def announce(self, news: Notice) -> None:
        """Tell the other processes something, if there are any."""

    def subscribe(self, subscriber: Subscriber) -> None:
        """Have a function called with all news; it must not block."""


class SingleProcess:
    """The cluster of a process that is alone: it owns everything, and no other has written."""

    def __init__(self) -> None:
        self.opened = 0

    async def open(self, now: int) -> None:
        self.opened = now

    async def close(self) -> None:
        pass

    def owns(self, name: str) -> bool:
        return True

    async def catch_up(self, table: str, known: int) -> Gap | None:
        return None

    def announce(self, news: Notice) -> None:
        pass

    def subscribe(self, subscriber: Subscriber) -> None:
        pass


def cluster_of(store: Store) -> Cluster:
    """The cluster of the processes that share a database."""
    if not store.shared:
        return SingleProcess()
    # The driver is needed only here.
    from escale.server.cluster.postgres_cluster import PostgresCluster

    return PostgresCluster(store)
