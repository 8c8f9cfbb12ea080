"""The rematch that all agreed to: the same game, everybody one seat further, the same tokens."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hashlib import sha256

from escale.game.fair_random import FairRandom
from escale.match.match import Match, Player
from escale.store import Token


class Rematch:
    """The table after this one."""

    def __init__(self, table: str, match: Match, secret: str | None = None) -> None:
        """`secret` is the one that was kept for it; without one a new one is drawn.

        While the match goes on, its end is made to tell the commitment: the secret cannot be
        chosen when the seats' values are known.
        """
        self._table = table
        self._match = match
        self._seats = match.start.seats
        self._fair_random = FairRandom(secret or secrets.token_hex(16))
        if not match.ended:
            match.next_commitment = self._fair_random.commitment

    @property
    def secret(self) -> str:
        """The secret from which its chance outcomes will be drawn."""
        return self._fair_random.secret

    def adopt(self, secret: str) -> None:
        """Another process has ended the match, and kept this secret for the rematch."""
        self._fair_random = FairRandom(secret)

    @property
    def due(self) -> bool:
        """Whether all have agreed to it, and have not been told yet where it is."""
        return self._match.again and self._match.next is None

    @property
    def name(self) -> str:
        """The name of the next table.

        It follows from the secret: should the house be killed between creating the table and
        saying so, it finds it again instead of making another.
        """
        assert self._match.fair_random is not None
        mixture = f"{self._table}:{self._match.fair_random.secret}:rematch"
        return sha256(mixture.encode()).hexdigest()[:16]

    def match(self) -> Match:
        """The next match, before anything has happened."""
        match = self._match
        players = [
            Player(match.players[before].name, match.players[before].level,
                   value=match.next_values.get(before), bot=match.players[before].bot)
            for before in ((seat + 1) % self._seats for seat in range(self._seats))
        ]
        return Match(
            match.start, players=players, fair_random=self._fair_random,
            pace=match.header.clock, waits=True, hints=match.header.hints,
            set_up_by=match.header.set_up_by,
        )

    def tokens(self, tokens: Iterable[Token]) -> list[Token]:
        """The tokens of this table, with the seats that they hold at the next."""
        return [
            Token(token.sha256, tuple(sorted((seat - 1) % self._seats for seat in token.seats)))
            for token in tokens
        ]
