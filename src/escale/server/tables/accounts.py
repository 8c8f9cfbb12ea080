"""The port through which tables know bot accounts: programs that play under a name of their own.

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
        """The bot of a token, if it is known without a query to the database."""

    async def holder(self, token: str | None) -> str | None:
        """The token, or None if it begins like a bot's token but is none."""

    async def challenge(self, name: str, game: str) -> Bot:
        """The bot with this name; `BadSetup` if it cannot be challenged to this game."""

    def challenged(self, table: str, bots: Iterable[Bot]) -> None:
        """Note at which table bots were challenged."""

    def seated(self, table: str, tokens: Iterable[str]) -> None:
        """Note that these tokens, given as SHA-256, hold seats at a table."""

    def results(self, match: Match, tokens: Iterable[Token]) -> list[BotResult]:
        """The results of a finished match for the bots that played in it."""


class NoAccounts:
    """The accounts of a house without any."""

    def known(self, token: str | None) -> Bot | None:
        return None

    async def holder(self, token: str | None) -> str | None:
        return token

    async def challenge(self, name: str, game: str) -> Bot:
        raise BadSetup("bot", name=name)

    def challenged(self, table: str, bots: Iterable[Bot]) -> None:
        pass

    def seated(self, table: str, tokens: Iterable[str]) -> None:
        pass

    def results(self, match: Match, tokens: Iterable[Token]) -> list[BotResult]:
        return []
