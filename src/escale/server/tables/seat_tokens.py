"""The tokens that hold the seats of a table; only their SHA-256 is stored."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable, Sequence

from escale.match.seating import Player
from escale.server.edge.problems import Problem
from escale.server.tables.names import fingerprint
from escale.store import Token

MOST_HOLDERS = 100
"""The most holders of the seats of one table: tokens, and notebooks that share a seat."""


class SeatTokens:
    """Which token holds which seats."""

    def __init__(self, tokens: Iterable[Token]) -> None:
        self.all = list(tokens)

    def held(self, token: str | None) -> tuple[int, ...]:
        """The seats that a token holds."""
        if not token:
            return ()
        sha256 = fingerprint(token)
        held: tuple[int, ...] = ()
        for known, seats in self.all:           # all, in constant time
            if hmac.compare_digest(known, sha256):
                held = seats
        return held

    def is_held(self, seat: int) -> bool:
        """Whether a token holds a seat, though its owner may not have sat down yet."""
        return any(seat in seats for _, seats in self.all)

    def orphans(self, players: Sequence[Player]) -> list[Token]:
        """Tokens of open seats that no person has reserved.

        They remain where a house was killed after writing a token and before writing the event.
        """
        return [
            token for token in self.all
            if any(players[seat].open and not players[seat].name for seat in token.seats)
        ]

    def released(self, seat: int | None) -> tuple[list[Token], list[Token]]:
        """For each token that holds a seat: the token without that seat, and as it was."""
        dropped = [token for token in self.all if seat in token.seats]
        left = [(token, tuple(one for one in token.seats if one != seat)) for token in dropped]
        return [Token(token.sha256, seats) for token, seats in left if seats], dropped

    def revoke(self, gone: Collection[str]) -> bool:
        """Remove tokens, given as SHA-256; returns whether any of them held a seat."""
        left = [token for token in self.all if token.sha256 not in gone]
        held, self.all = len(left) != len(self.all), left
        return held

    def with_seats(
        self, token: str, seats: Collection[int]
    ) -> tuple[list[Token], list[Token]]:
        """A token with more seats, and the token as it was if it held seats before."""
        held, sha256 = self.held(token), fingerprint(token)
        if set(seats) <= set(held):
            return [], []
        more = Token(sha256, tuple(sorted({*held, *seats})))
        return [more], [Token(sha256, held)] if held else []

    def check_room(self) -> None:
        """Problem if no more tokens may hold seats here."""
        if len(self.all) >= MOST_HOLDERS:
            raise Problem("too-many")

    def change(self, more: Sequence[Token], dropped: Sequence[Token]) -> None:
        """Add tokens and drop others."""
        self.all = [token for token in [*self.all, *more] if token not in dropped]
