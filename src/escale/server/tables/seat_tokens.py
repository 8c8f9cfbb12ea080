"""The tokens that hold the seats of a table; only their fingerprints are known."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable, Sequence

from escale.match.seating import Player
from escale.server.tables.names import fingerprint
from escale.store import Token


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
        for known, seats in self.all:           # all of them: the time taken tells nothing
            if hmac.compare_digest(known, sha256):
                held = seats
        return held

    def is_held(self, seat: int) -> bool:
        """Whether a token holds a seat, though its owner may not have sat down yet."""
        return any(seat in seats for _, seats in self.all)

    def orphans(self, players: Sequence[Player]) -> list[Token]:
        """Tokens of seats that are open and expect no person by name.

        Earlier houses wrote the token first, and could be killed before they wrote the rest.
        """
        return [
            token for token in self.all
            if any(players[seat].open and not players[seat].name for seat in token.seats)
        ]

    def released(self, seat: int | None) -> tuple[list[Token], list[Token]]:
        """Tokens in place of those that hold a seat, without it; and those themselves."""
        dropped = [token for token in self.all if seat in token.seats]
        left = [(token, tuple(one for one in token.seats if one != seat)) for token in dropped]
        return [Token(token.sha256, seats) for token, seats in left if seats], dropped

    def revoke(self, gone: Collection[str]) -> bool:
        """Tokens, by their SHA-256, hold nothing any more; whether any of them held a seat."""
        left = [token for token in self.all if token.sha256 not in gone]
        held, self.all = len(left) != len(self.all), left
        return held

    def with_seat(self, token: str, seat: int) -> tuple[list[Token], list[Token]]:
        """A token with one seat more; and what it was before, if it held some."""
        held, sha256 = self.held(token), fingerprint(token)
        more = [] if seat in held else [Token(sha256, tuple(sorted((*held, seat))))]
        return more, [Token(sha256, held)] if held and more else []

    def change(self, more: Sequence[Token], dropped: Sequence[Token]) -> None:
        """Some hold seats from now on, others no longer."""
        self.all = [token for token in [*self.all, *more] if token not in dropped]
