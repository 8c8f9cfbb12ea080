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

    def present(self, players: Sequence[Player]) -> list[bool]:
        """For each seat whether somebody is there; the computer always is."""
        now = self._now()
        return [
            player.level is not None or (not player.open and (
                bool(self._connected[seat]) or now - self._seen[seat] < PATIENCE
            ))
            for seat, player in enumerate(players)
        ]

    def seen(self, seats: Iterable[int]) -> None:
        """Somebody who holds these seats has just asked for something."""
        now = self._now()
        for seat in seats:
            self._seen[seat] = now

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
        return None if self._connected[seat] else self._now() - self._seen[seat] - PATIENCE
