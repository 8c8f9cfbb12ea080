"""Ratings of people within a house, for those who want one.

A rating is a fold over the log of rated games, in the order in which they ended: the same log gives
the same ratings. The model is Plackett and Luce's, as openskill computes it, for two seats and for
many; each game has ratings of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from escale.match.events import Flagged, Played, Sat
from escale.match.match import Match
from escale.server.workers.off_loop import off_loop
from escale.store import RatedGame, Token
from escale.store.outbox import OutboxStore

START, SPREAD = 25.0, 25.0 / 3
"""The rating with which a person begins in the model, and its standard deviation."""
SHOWN_START, SHOWN_SPREAD = 1500, 350
"""The same as they are shown."""
UNCERTAIN = 150
"""A rating with a greater deviation says little yet."""
GAMES_AT_ONCE = 200
"""Games that are folded before others have their turn."""


def is_possible() -> bool:
    """Whether the package is installed."""
    return find_spec("openskill") is not None


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a person in a game."""

    game: str
    mu: float = START
    sigma: float = SPREAD
    games: int = 0

    @property
    def value(self) -> int:
        """The rating as it is shown: 1500 at the beginning."""
        return round(SHOWN_START + (self.mu - START) * SHOWN_SPREAD / SPREAD)

    @property
    def deviation(self) -> int:
        """Its standard deviation as it is shown."""
        return round(self.sigma * SHOWN_SPREAD / SPREAD)

    @property
    def uncertain(self) -> bool:
        """Whether it says little yet."""
        return self.deviation > UNCERTAIN


Key = tuple[str, str]
"""A notebook and a game."""


class Fold:
    """All ratings after some rated games."""

    def __init__(self) -> None:
        from openskill.models import PlackettLuce

        self._model: Any = PlackettLuce(mu=START, sigma=SPREAD)
        self.ratings: dict[Key, Rating] = {}
        self.count = 0
        self.last = (-1, "")
        """When the last game ended, and its table."""

    def add(self, games: Iterable[RatedGame]) -> None:
        """Add games, in the order in which they ended."""
        for game in games:
            keys = [(player, game.game) for player in game.players]
            before = [self.ratings.get(key, Rating(game.game)) for key in keys]
            teams = [[self._model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
            ranks = [sum(other > share for other in game.shares) for share in game.shares]
            after = self._model.rate(teams, ranks=ranks)
            for key, one, [new] in zip(keys, before, after, strict=True):
                self.ratings[key] = Rating(game.game, new.mu, new.sigma, one.games + 1)
            self.count += 1
            self.last = (game.at, game.table)


class Ratings:
    """The ratings of a house, folded anew when the house opens, and game by game from then on."""

    def __init__(self, store: OutboxStore) -> None:
        self._store = store
        self._fold: Fold | None = None
        self._lock = asyncio.Lock()

    async def of(self, notebook: str) -> list[Rating]:
        """The ratings of a person, the most played game first."""
        found = [one for (who, _), one in (await self.all()).items() if who == notebook]
        return sorted(found, key=lambda one: -one.games)

    async def all(self) -> Mapping[Key, Rating]:
        """Every rating."""
        if not is_possible():
            return {}
        async with self._lock:
            fold = self._fold or Fold()
            # Games that end in the same millisecond may be written one after the other.
            found, count = await self._store.rated(fold.last[0] - 1)
            new = [one for one in found if (one.at, one.table) > fold.last]
            if fold.count + len(new) != count:      # some came late, or were taken out
                fold = Fold()
                new, _ = await self._store.rated()
            for first in range(0, len(new), GAMES_AT_ONCE):
                await off_loop(fold.add, new[first: first + GAMES_AT_ONCE])
            self._fold = fold
            return fold.ratings

    def forget(self) -> None:
        """Fold anew next time: the players of earlier games have changed."""
        self._fold = None


def rated_game(
    table: str, match: Match, tokens: Iterable[Token], rated: Mapping[str, str]
) -> RatedGame | None:
    """The game if it counts: `rated` are the notebooks that want a rating, by their holders.

    It counts if every seat is held by another such notebook, nobody could ask for hints, no
    computer or bot had a seat at any time, the game began as usual, and every seat has moved.
    """
    if match.outcome is None or match.header.hints or match.composed or any(
        (isinstance(event, Flagged) and event.level is not None)
        or (isinstance(event, Sat) and (event.level is not None or event.bot))
        for event in match.events
    ) or any(player.level is not None or player.bot for player in match.header.seats):
        return None
    moved = {event.seat for event in match.events if isinstance(event, Played)}
    seats = range(match.start.seats)
    players: dict[int, str] = {}
    for token in tokens:
        notebook = rated.get(token.sha256)
        if notebook is not None:
            if len(token.seats) != 1 or token.seats[0] in players:
                return None
            players[token.seats[0]] = notebook
    if any(seat not in players or seat not in moved for seat in seats):
        return None
    return RatedGame(
        table, match.events[-1].at or 0, match.game.slug,
        tuple(players[seat] for seat in seats), tuple(match.outcome.shares),
    )
