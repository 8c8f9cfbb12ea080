"""Which bots listen: those with an open stream through this process or another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from escale.server.cluster.news import BotListens
from escale.server.cluster.port import Cluster

BELIEVED_SECONDS = 12.0
"""Another process is believed for this long; it repeats its report every five seconds."""


class Listening:
    """The bots that listen, identified by the SHA-256 of their tokens."""

    def __init__(self, cluster: Cluster, clock: Callable[[], float]) -> None:
        self._cluster = cluster
        self._clock = clock
        self._here: Counter[str] = Counter()
        self._elsewhere: dict[tuple[int, str], float] = {}
        """Until when a report of another process is believed, by process and bot."""

    def __contains__(self, bot: str) -> bool:
        now = self._clock()
        return bool(self._here[bot]) or any(
            known == bot and now < until for (_, known), until in self._elsewhere.items()
        )

    def begin(self, bot: str) -> None:
        """Note that a stream of a bot was opened."""
        self._here[bot] += 1
        self._cluster.announce(BotListens(bot, True))

    def end(self, bot: str) -> None:
        """Note that a stream of a bot was closed."""
        self._here[bot] -= 1
        if not self._here[bot]:
            del self._here[bot]
            self._cluster.announce(BotListens(bot, False))

    def announce(self) -> None:
        """Tell the other processes which bots listen through this one."""
        for bot in self._here:
            self._cluster.announce(BotListens(bot, True))

    def set_elsewhere(self, process: int, bot: str, listens: bool) -> None:
        """Note whether a bot listens through another process."""
        now = self._clock()
        self._elsewhere = {key: until for key, until in self._elsewhere.items() if now < until}
        if listens:
            self._elsewhere[process, bot] = now + BELIEVED_SECONDS
        else:
            self._elsewhere.pop((process, bot), None)
