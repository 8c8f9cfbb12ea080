"""Which seats have their people at the table: with a connection that is open, or now and then."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from escale.match.match import Match
from escale.server.cluster.news import Asked, Connected
from escale.server.cluster.port import Cluster

PRESENT_MILLISECONDS = 40_000
"""For which a person who asks for something now and then counts as present."""


class Presence:
    """Who is at one table, through this process and others."""

    def __init__(
        self, table: str, match: Match, now: Callable[[], int], cluster: Cluster,
        tell: Callable[[list[bool]], None],
    ) -> None:
        """`tell` tells those who watch through this process which seats are present."""
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

        So may a bot be that has not answered a challenge yet.
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
        """The holder of these seats has just asked for something."""
        if surprising := self.mark_present(seats):
            self._cluster.announce(Asked(self._table, surprising))

    def mark_present(self, seats: Iterable[int]) -> tuple[int, ...]:
        """These seats are present for a while; those that did not count as such for long."""
        now, surprising = self._now(), []
        for seat in set(seats) & set(range(len(self._last_asked))):
            if now - self._last_asked[seat] > PRESENT_MILLISECONDS // 2 \
                    and not self._is_connected(seat):
                surprising.append(seat)
            self._last_asked[seat] = now
        return tuple(surprising)

    def arrive(self, seats: Collection[int]) -> None:
        """The holder of these seats has connected."""
        for seat in seats:
            self._connections[seat] += 1
        self._tell_all(seats)

    def depart(self, seats: Collection[int]) -> None:
        """A connection of the holder of these seats has ended."""
        for seat in seats:
            self._connections[seat] -= 1
            self._last_asked[seat] = self._now() - PRESENT_MILLISECONDS
        self._tell_all(seats)

    def _tell_all(self, seats: Collection[int]) -> None:
        self._tell(self.seats())
        if seats and not self._closed:
            self.announce()

    def announce(self) -> None:
        """Tell the other processes who is connected through this one."""
        self._cluster.announce(Connected(self._table, tuple(sorted(self.connected))))

    def close(self) -> None:
        """The table leaves the memory of this process."""
        self._closed = True
        if self.connected:
            self._cluster.announce(Connected(self._table, ()))

    # ---- through other processes ----

    def set_connected_elsewhere(self, process: int, seats: Iterable[int]) -> None:
        """These seats, and no others, are connected through another process."""
        self._replace(process, frozenset(seats))
        self._tell(self.seats())

    def drop_processes(self, ended: Iterable[int]) -> None:
        """These processes have ended, and nobody is connected through them."""
        for process in ended:
            self._replace(process, frozenset())
        self._tell(self.seats())

    def _replace(self, process: int, seats: frozenset[int]) -> None:
        for seat in self._elsewhere.pop(process, frozenset()) - seats:
            self._last_asked[seat] = self._now() - PRESENT_MILLISECONDS
        known = seats & set(range(len(self._last_asked)))
        if known:
            self._elsewhere[process] = known
