"""Who is at a table: with a connection that is open, or asking from time to time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from escale.match.seating import Player

PATIENCE = 40_000
"""Milliseconds for which somebody who asks from time to time counts as present."""


class Presence:
    """Which seats have somebody looking."""

    def __init__(self, seats: int, now: Callable[[], int]) -> None:
        self._now = now
        self._connected = [0] * seats
        self._seen = [now() - PATIENCE] * seats
        self._elsewhere: dict[int, frozenset[int]] = {}
        """The seats that are connected through other processes."""

    def present(self, players: Sequence[Player]) -> list[bool]:
        """For each seat whether somebody is there; the computer always is.

        A bot is there, too, before it has answered a challenge.
        """
        now = self._now()
        return [
            player.level is not None or ((not player.open or player.bot) and (
                self._is_connected(seat) or now - self._seen[seat] < PATIENCE
            ))
            for seat, player in enumerate(players)
        ]

    @property
    def connected(self) -> frozenset[int]:
        """The seats that are connected through this process."""
        return frozenset(seat for seat, count in enumerate(self._connected) if count)

    def _is_connected(self, seat: int) -> bool:
        return bool(self._connected[seat]) or any(
            seat in seats for seats in self._elsewhere.values()
        )

    def seen(self, seats: Iterable[int]) -> list[int]:
        """Somebody who holds these seats has just asked for something; who was not seen lately."""
        now = self._now()
        surprises = []
        for seat in seats:
            if now - self._seen[seat] > PATIENCE // 2 and not self._is_connected(seat):
                surprises.append(seat)
            self._seen[seat] = now
        return surprises

    def arrive(self, seats: Iterable[int]) -> None:
        """Somebody with these seats has connected."""
        for seat in seats:
            self._connected[seat] += 1

    def depart(self, seats: Iterable[int]) -> None:
        """Somebody with these seats has gone."""
        for seat in seats:
            self._connected[seat] -= 1
            self._seen[seat] = self._now() - PATIENCE

    def away(self, seat: int) -> int | None:
        """For how many milliseconds nobody has been there; None while somebody is connected."""
        return None if self._is_connected(seat) else self._now() - self._seen[seat] - PATIENCE

    # ---- other processes ----

    def elsewhere(self, process: int, seats: frozenset[int]) -> None:
        """Who is connected through another process now."""
        for seat in self._elsewhere.get(process, frozenset()) - seats:
            self._seen[seat] = self._now() - PATIENCE
        self._elsewhere[process] = seats & set(range(len(self._seen)))
        if not seats:
            del self._elsewhere[process]

    def forget(self, processes: Iterable[int]) -> None:
        """These processes have ended, and nobody is connected through them."""
        for process in processes:
            if process in self._elsewhere:
                self.elsewhere(process, frozenset())
