"""The rematch that all agreed to: the same game and tokens, each player one seat further."""

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
        """`secret` is the one that the store has for it; without one a new one is drawn.

        The commitment to it is published with the end of the match, so that the house cannot choose
        the secret when it knows the seats' values.
        """
        self._table = table
        self._match = match
        self._seats = match.start.seats
        self._fair_random = FairRandom(secret or secrets.token_hex(16))
        if not match.ended:
            match.next_commitment = self._fair_random.commitment

    @property
    def secret(self) -> str:
        """The secret from which the chance outcomes of the rematch are drawn."""
        return self._fair_random.secret

    def adopt(self, secret: str) -> None:
        """Use the secret that another process has stored when it ended the match."""
        self._fair_random = FairRandom(secret)

    @property
    def due(self) -> bool:
        """Whether all have agreed to the rematch, and it has not been announced yet."""
        return self._match.again and self._match.next is None

    @property
    def name(self) -> str:
        """The name of the next table.

        It is derived from the secret. If the house is killed between creating the table and
        announcing it, it finds that table again instead of creating another.
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
            set_up_by=match.header.set_up_by, phrases=match.header.phrases,
        )

    def tokens(self, tokens: Iterable[Token]) -> list[Token]:
        """This table's tokens, with the seats that they hold in the rematch."""
        return [
            Token(token.sha256, tuple(sorted((seat - 1) % self._seats for seat in token.seats)))
            for token in tokens
        ]
