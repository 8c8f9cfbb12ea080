"""Which seats are present: those with an open connection, or with a recent request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from escale.match.match import Match
from escale.server.cluster.news import Asked, Connected
from escale.server.cluster.port import Cluster

PRESENT_MILLISECONDS = 40_000
"""A person without a connection counts as present this long after a request."""


class Presence:
    """The presence of the seats of one table, through this process and others."""

    def __init__(
        self, table: str, match: Match, now: Callable[[], int], cluster: Cluster,
        tell: Callable[[list[bool]], None],
    ) -> None:
        """`tell` sends the present seats to the connections through this process."""
        self._table = table
        self._match = match
        self._now = now
        self._cluster = cluster
        self._tell = tell
        seats = match.start.seats
        self._connections = [0] * seats
        self._last_asked = [now() - PRESENT_MILLISECONDS] * seats
        self._elsewhere: dict[int, frozenset[int]] = {}
        """The seats that are connected through other processes."""
        self._closed = False

    def seats(self) -> list[bool]:
        """For each seat whether it is present; the computer always is.

        A bot that has not answered a challenge yet may count as present, too.
        """
        now = self._now()
        return [
            player.level is not None or ((not player.open or player.bot) and (
                self._is_connected(seat) or now - self._last_asked[seat] < PRESENT_MILLISECONDS
            ))
            for seat, player in enumerate(self._match.players)
        ]

    @property
    def connected(self) -> frozenset[int]:
        """The seats that are connected through this process."""
        return frozenset(seat for seat, count in enumerate(self._connections) if count)

    def _is_connected(self, seat: int) -> bool:
        return bool(self._connections[seat]) or any(
            seat in seats for seats in self._elsewhere.values()
        )

    def away(self, seat: int) -> int | None:
        """For how many milliseconds a seat has not been present; None while it is connected."""
        if self._is_connected(seat):
            return None
        return self._now() - self._last_asked[seat] - PRESENT_MILLISECONDS

    # ---- through this process ----

    def note_request(self, seats: Iterable[int]) -> None:
        """Note a request of the holder of these seats."""
        if surprising := self.mark_present(seats):
            self._cluster.announce(Asked(self._table, surprising))

    def mark_present(self, seats: Iterable[int]) -> tuple[int, ...]:
        """Count these seats as present for a while; returns those that were not present before."""
        now, surprising = self._now(), []
        for seat in set(seats) & set(range(len(self._last_asked))):
            if now - self._last_asked[seat] > PRESENT_MILLISECONDS // 2 \
                    and not self._is_connected(seat):
                surprising.append(seat)
            self._last_asked[seat] = now
        return tuple(surprising)

    def arrive(self, seats: Collection[int]) -> None:
        """Note that the holder of these seats has connected."""
        for seat in seats:
            self._connections[seat] += 1
        self._tell_all(seats)

    def depart(self, seats: Collection[int]) -> None:
        """Note that a connection of the holder of these seats has ended."""
        for seat in seats:
            self._connections[seat] -= 1
            self._last_asked[seat] = self._now() - PRESENT_MILLISECONDS
        self._tell_all(seats)

    def _tell_all(self, seats: Collection[int]) -> None:
        self._tell(self.seats())
        if seats and not self._closed:
            self.announce()

    def announce(self) -> None:
        """Tell the other processes which seats are connected through this one."""
        self._cluster.announce(Connected(self._table, tuple(sorted(self.connected))))

    def close(self) -> None:
        """Tell the other processes that the table leaves this process's memory."""
        self._closed = True
        if self.connected:
            self._cluster.announce(Connected(self._table, ()))

    # ---- through other processes ----

    def set_connected_elsewhere(self, process: int, seats: Iterable[int]) -> None:
        """Note that exactly these seats are connected through another process."""
        self._replace(process, frozenset(seats))
        self._tell(self.seats())

    def drop_processes(self, ended: Iterable[int]) -> None:
        """Remove the connections through processes that have ended."""
        for process in ended:
            self._replace(process, frozenset())
        self._tell(self.seats())

    def _replace(self, process: int, seats: frozenset[int]) -> None:
        for seat in self._elsewhere.pop(process, frozenset()) - seats:
            self._last_asked[seat] = self._now() - PRESENT_MILLISECONDS
        known = seats & set(range(len(self._last_asked)))
        if known:
            self._elsewhere[process] = known
