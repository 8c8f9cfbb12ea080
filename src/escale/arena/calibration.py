"""Levels with even distances in strength: each is found by matches against the level above it.

All levels of a game lie on one ladder, the Amiral on top. Going down, a budget is halved again and
again; when it has become small, noise grows, so that the weakest levels search shallowly and judge
badly. Matches find the next level: a rung is tried, and moved as the match suggests until the gap
is near the target.

Matches here have openings of their own, from `FIRST_OPENING` on, so that a league played afterwards
is a fresh sample and not the one by which the levels were chosen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from escale.arena.pairings import Pairing, Result, pairings
from escale.arena.ratings import Score, elo
from escale.opponents import LEVELS, Way

FIRST_OPENING = 10_000
ROUNDS = 5
"""Tries for each level."""
CLOSE_ELO = 40
"""The most points of Elo by which a gap may differ from its target without another try."""
FAINT_NOISE = 8
"""Points of noise that cost no strength, but make two games differ."""
LARGEST_NOISE = 8_000
"""Points of noise beyond which an evaluation is meaningless; beyond it, threats are overlooked."""
OVERLOOKED_PERCENT = 25
"""The most threats in a hundred that levels above the weakest may overlook."""
NOISY_BUDGETS = {"alphabeta": 250, "mcts": 60, "ismcts": 60}
"""Budgets below which there is more and more noise."""
SMALLEST_BUDGETS = {"alphabeta": 4, "mcts": 2, "ismcts": 2}
"""The smallest budgets."""
CHEAP_BUDGETS = {"alphabeta": 20_000, "mcts": 200, "ismcts": 600}
"""Budgets below which proportionally more games are played, at most `EXTRA_GAMES_FACTOR` times."""
EXTRA_GAMES_FACTOR = 6

Play = Callable[[list[Pairing]], list[Result]]


@dataclass(frozen=True, slots=True)
class Ladder:
    """The ways of thinking below the strongest one, by the number of halvings."""

    top: Way

    def rung(self, down: float, slip: int = 0) -> Way:
        """The way after `down` halvings; it overlooks `slip` of a hundred threats."""
        budget, amount = self.top.settings[0]
        spent = max(SMALLEST_BUDGETS[self.top.method], round(amount / 2 ** down))
        noise = max(0.0, down - max(0.0, math.log2(amount / NOISY_BUDGETS[self.top.method])))
        if self.top.method == "alphabeta":
            loud = FAINT_NOISE + round(100 * (2 ** noise - 1))
            slip += min(OVERLOOKED_PERCENT, round(12 * max(0.0, math.log2(loud / LARGEST_NOISE))))
            # A search of two plies in full finds every win in one move of both sides.
            return Way.of("alphabeta", {
                budget: spent, "noise": min(LARGEST_NOISE, loud), "sure": 2, "slip": min(100, slip),
            })
        return Way.of(self.top.method, {budget: spent, "temperature": round(25 * noise)})


@dataclass(frozen=True, slots=True)
class Trial:
    """A match between a level and a candidate for the next one below."""

    level: str
    down: float
    way: Way
    score: Score

    @property
    def gap(self) -> float:
        """The difference in Elo by which the level above is stronger."""
        return elo(min(max(self.score.mean, 0.02), 0.98))


def calibrate(
    slug: str, options: dict[str, str], ladder: Ladder, play: Play, tell: Callable[[Trial], None],
    *, games: int, aim: float, random_plies: int = 4,
) -> dict[str, Way]:
    """Find the ways of all levels, from the strongest to the weakest; `tell` gets every trial.

    Each trial has at least `games` games, and more where they are cheap.
    """
    ways = {LEVELS[-1]: ladder.top}
    above, below = ladder.top, 0.0
    stride = 3.0
    for level in LEVELS[-2::-1]:
        best: Trial | None = None
        short, long = 0.0, math.inf             # strides known to be too short, and to be too long
        factor = max(1, CHEAP_BUDGETS[above.method] // above.settings[0][1])
        count = games * min(EXTRA_GAMES_FACTOR, factor)
        for _ in range(ROUNDS):
            # A beginner also overlooks what the other seat is about to do.
            slip = round(25 * stride) if level == LEVELS[0] else 0
            way = ladder.rung(below + stride, slip)
            results = play(list(pairings(
                slug, options, above.word, way.word, count, random_plies, after=FIRST_OPENING
            )))
            trial = Trial(level, below + stride, way, Score.of(results, above.word))
            tell(trial)
            if best is None or abs(trial.gap - aim) < abs(best.gap - aim):
                best = trial
            if abs(trial.gap - aim) <= min(CLOSE_ELO, aim / 5):
                break
            if trial.gap < aim:
                short = stride
            else:
                long = stride
            stride *= min(2.0, max(0.5, aim / max(trial.gap, 1.0)))
            if not short < stride < long:       # earlier trials count as well
                stride = (short + long) / 2 if long < math.inf else 2 * short
        assert best is not None
        stride = max(0.5, best.down - below)
        above, below = best.way, best.down
        ways[level] = best.way
    return {level: ways[level] for level in LEVELS}
