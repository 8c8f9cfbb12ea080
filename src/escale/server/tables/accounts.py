"""What tables ask of accounts: programs that play under a name of their own.

`server/bots/` has the accounts, and registers itself with `House.register_accounts`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from escale.game.errors import BadSetup
from escale.match.match import Match
from escale.store import Bot, BotResult, Token


class Accounts(Protocol):
    """The accounts of a house."""

    def known(self, token: str | None) -> Bot | None:
        """The bot of a token, if that is known without asking the database."""

    async def holder(self, token: str | None) -> str | None:
        """The token itself, unless it claims to be a bot's and is not: that one holds nothing."""

    async def challenge(self, name: str, game: str) -> Bot:
        """The bot of a name, which is asked to play a game; `BadSetup` if it cannot be."""

    def seated(self, table: str, tokens: Iterable[str]) -> None:
        """Tokens, by their SHA-256, hold seats at a table from now on."""

    def results(self, match: Match, tokens: Iterable[Token]) -> list[BotResult]:
        """What the end of a match counts for the bots that played in it."""


class NoAccounts:
    """The accounts of a house without any."""

    def known(self, token: str | None) -> Bot | None:
        return None

    async def holder(self, token: str | None) -> str | None:
        return token

    async def challenge(self, name: str, game: str) -> Bot:
        raise BadSetup("bot", name=name)

    def seated(self, table: str, tokens: Iterable[str]) -> None:
        pass

    def results(self, match: Match, tokens: Iterable[Token]) -> list[BotResult]:
        return []
