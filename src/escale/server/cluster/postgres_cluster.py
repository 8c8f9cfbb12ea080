"""The cluster of a house on PostgreSQL: other processes come and go, here or on other machines."""

from __future__ import annotations

from escale.server.cluster.gaps import Gaps
from escale.server.cluster.lifeline import Lifeline
from escale.server.cluster.membership import Membership, owner
from escale.server.cluster.news import News, ProcessesChanged, SecondPassed, Sent
from escale.server.cluster.port import Subscriber
from escale.store import Gap, Store
from escale.store.notices import Notice


class PostgresCluster:
    """See `Cluster`. It is also the `Member` that its lifeline keeps informed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._gaps = Gaps(store)
        self._lifeline = Lifeline(store.connect_arguments(), self, store.cut_connections)
        self._subscribers: list[Subscriber] = []
        self._number = 0
        self.alive: frozenset[int] = frozenset()
        """The numbers of all processes, including this one."""
        self._seconds = 0
        self.opened = 0

    async def open(self, now: int) -> None:
        await self._lifeline.start(now // 1000)

    async def close(self) -> None:
        await self._lifeline.close()
        await self._gaps.close()

    def owns(self, name: str) -> bool:
        return owner(name, self.alive) == self._number

    async def catch_up(self, table: str, known: int) -> Gap | None:
        return await self._gaps.read(table, known)

    def announce(self, news: Notice) -> None:
        if len(self.alive) > 1:
            self._store.announce(news)

    def subscribe(self, subscriber: Subscriber) -> None:
        self._subscribers.append(subscriber)

    def _publish(self, process: int, news: News) -> None:
        for subscriber in self._subscribers:
            subscriber(process, news)

    # ---- calls of the lifeline ----

    def hear(self, sender: int, notice: Sent) -> None:
        if sender != self._number:
            self._publish(sender, notice)

    def join(self, membership: Membership) -> None:
        """After a lost connection, notices in both directions may have been missed."""
        ended = self.alive - membership.alive - {self._number}
        self._number, self.alive = membership.number, membership.alive
        self.opened = 1000 * membership.opened
        self._store.set_sender(self._number)
        self._publish(self._number, ProcessesChanged(ended, self.alive - {self._number}))

    def set_alive(self, alive: frozenset[int]) -> None:
        ended, come = self.alive - alive, alive - self.alive
        self.alive = alive
        self._publish(self._number, ProcessesChanged(ended, come))

    def beat(self) -> None:
        self._seconds += 1
        self._publish(self._number, SecondPassed(self._seconds))

    def set_reachable(self, yes: bool) -> None:
        self._store.set_reachable(yes)
