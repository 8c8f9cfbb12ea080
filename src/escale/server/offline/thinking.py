"""Computer seats on a device: the levels think right here, one after another."""

from __future__ import annotations

import random
from statistics import fmean as mean
from time import perf_counter

from escale.game.errors import BadSetup
from escale.games import game
from escale.kernel import Limit, Random
from escale.match.match import Match
from escale.opponents import CEILINGS, LEVELS, think

IMAGINED_TABLES = 5
"""Positions that a seat imagines to judge its position, if it does not know everything …"""
IMAGINED_SIMULATIONS = 100
"""… and the simulations for each of them."""
QUICK_LEVEL = LEVELS[0]
AT_THE_CEILING = 0.95
"""A level that has used this share of its ceiling of time was stopped before its budget ended."""
MIDDLE_PLIES = 10
"""A level is timed after so many moves."""


class DeviceThinkers:
    """The levels, for tables; the same budgets as in the house give the same moves."""

    def __init__(self) -> None:
        self.random = random.Random()
        """The source of seeds for thinking."""

    def check(self, level: str, slug: str) -> None:
        """BadSetup if there is no such level."""
        if level not in LEVELS:
            raise BadSetup("level", level=level, known=LEVELS)

    async def choose(
        self, match: Match, level: str, address: str = "", seat: int | None = None
    ) -> str:
        """A move for a seat that has to choose, else the seat to move."""
        position = match.position if seat is None else match.position.with_turn(seat)
        return think(position, level, seed=self._seed()).lines[0].moves[0].text

    async def share(self, match: Match, seat: int, address: str = "") -> float:
        """What a seat may expect, as far as it can know."""
        if not match.game.hides:
            return think(match.position, QUICK_LEVEL, seed=self._seed()).shares[seat]
        limit = Limit(simulations=IMAGINED_SIMULATIONS)
        imagined = (
            match.position.imagine(seat, Random(self._seed())) for _ in range(IMAGINED_TABLES)
        )
        return mean(
            think(one, None, limit, seed=self._seed(), open_cards=True).shares[seat]
            for one in imagined
        )

    def _seed(self) -> int:
        return self.random.getrandbits(32)


def pace_of(slug: str, level: str) -> dict[str, float | bool]:
    """How long a level takes for a move in the middle of a game here.

    `weaker` says that it was stopped by its ceiling of time, and so plays below its name.
    """
    position = game(slug).start(seed=0)
    chance = random.Random(7)
    for _ in range(MIDDLE_PLIES):
        following = position.play(chance.choice(position.moves()))
        if following.turn is None:
            break
        position = following
    began = perf_counter()
    think(position, level, seed=1)
    seconds = perf_counter() - began
    return {"seconds": round(seconds, 3), "weaker": seconds >= AT_THE_CEILING * CEILINGS[level]}

