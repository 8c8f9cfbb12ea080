"""From results to strength: expected scores, Elo differences, how sure they are, and when to stop.

Ratings are maximum-likelihood Bradley-Terry strengths on the Elo scale, a draw being half a win for
both. Two contenders that have met get one draw more, so that a clean sweep has a finite rating.
Sources: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs" (1952);
D. R. Hunter, "MM algorithms for generalized Bradley-Terry models" (2004); A. Wald, "Sequential
tests of statistical hypotheses" (1945).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from escale.arena.pairings import Result

SCALE = 400 / math.log(10)
"""Elo points for a factor e in strength."""
SURE = 1.96
"""Standard deviations of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A contender's strength; the mean of all is 0."""

    name: str
    elo: float
    interval: float
    """The rating lies within so many points, with 95 % confidence."""
    games: int
    score: float


def duels(results: Iterable[Result]) -> dict[tuple[str, str], tuple[float, int]]:
    """For each ordered pair of contenders: the first's score, and how often they met.

    At a table of more than two, each seat meets each seat of another contender, and the better
    share wins.
    """
    met: dict[tuple[str, str], tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for result in results:
        for i, one in enumerate(result.seated):
            for j, other in enumerate(result.seated):
                if one == other:
                    continue
                mine, theirs = result.shares[i], result.shares[j]
                point = 0.5 if mine == theirs else float(mine > theirs)
                score, games = met[one, other]
                met[one, other] = score + point, games + 1
    return dict(met)


def ratings(results: Iterable[Result]) -> list[Rating]:
    """Everybody's strength, the strongest first."""
    met = duels(results)
    names = sorted({name for pair in met for name in pair})
    strength = dict.fromkeys(names, 1.0)
    score = {n: sum(s + 0.5 for (one, _), (s, _g) in met.items() if one == n) for n in names}
    for _ in range(10_000):
        before = dict(strength)
        for name in names:
            weight = sum(
                (games + 1) / (strength[name] + strength[other])
                for (one, other), (_, games) in met.items() if one == name
            )
            strength[name] = score[name] / weight
        mean = math.exp(sum(map(math.log, strength.values())) / len(names))
        strength = {name: value / mean for name, value in strength.items()}
        if all(abs(strength[n] - before[n]) < 1e-10 * strength[n] for n in names):
            break
    spread = _spread(names, strength, met)
    found = [
        Rating(
            name, SCALE * math.log(strength[name]), SURE * SCALE * spread[name],
            sum(games for (one, _), (_, games) in met.items() if one == name),
            sum(points for (one, _), (points, _) in met.items() if one == name),
        )
        for name in names
    ]
    return sorted(found, key=lambda rating: -rating.elo)


def _spread(
    names: list[str], strength: dict[str, float],
    met: dict[tuple[str, str], tuple[float, int]],
) -> dict[str, float]:
    """Standard deviations of the log strengths: from the information matrix, with mean 0 fixed."""
    size = len(names)
    matrix = [[1.0 / size] * size for _ in names]       # fixes the mean
    for (one, other), (_, games) in met.items():
        i, j = names.index(one), names.index(other)
        chance = strength[one] / (strength[one] + strength[other])
        information = (games + 1) * chance * (1 - chance)
        matrix[i][i] += information
        matrix[i][j] -= information
    inverse = _inverse(matrix)
    return {name: math.sqrt(max(0.0, inverse[i][i] - 1 / size)) for i, name in enumerate(names)}


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """Gauss-Jordan with pivoting: as many rows as there are contenders."""
    size = len(matrix)
    rows = [row + [float(i == j) for j in range(size)] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(size):
            if row != column:
                factor = rows[row][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [row[size:] for row in rows]


@dataclass(frozen=True, slots=True)
class Score:
    """One contender's result against another, by openings: groups of games are the sample.

    With two seats it is what was scored. At larger tables a contender's seats, each `r` times as
    strong as one of the other's, win as often as their share of all strength (R. D. Luce,
    "Individual choice behavior", 1959); the score is what the likeliest r would be worth between
    two seats, so that scores and Elo mean the same at every table.
    """

    games: int
    points: float
    openings: tuple[float, ...]
    """What each opening says the score is, from all the seats it was played from."""

    @classmethod
    def of(cls, results: Iterable[Result], first: str) -> Score:
        """The score of `first`."""
        groups: dict[int, list[tuple[int, int, float]]] = defaultdict(list)
        for result in results:
            own = [share for name, share in zip(result.seated, result.shares, strict=True)
                   if name == first]
            if 0 < len(own) < len(result.seated):
                table = len(own), len(result.seated) - len(own), sum(own)
                groups[result.opening].append(table)
        tables = [table for group in groups.values() for table in group]
        log = _likeliest(tables)
        score = 1 / (1 + math.exp(-log))
        telling = sum(_slope(own, others, log) for own, others, _ in tables) / len(groups)
        worth = score * (1 - score) / telling
        means = tuple(
            score + worth * sum(won - _wins(own, others, log) for own, others, won in group)
            for group in groups.values()
        )
        return cls(len(tables), round(score * len(tables), 6), means)

    @property
    def mean(self) -> float:
        """Points per game."""
        return self.points / self.games

    @property
    def variance(self) -> float:
        """Of an opening's mean; never quite 0, so that a few clean results prove little."""
        count = len(self.openings)
        mean = sum(self.openings) / count
        return (sum((x - mean) ** 2 for x in self.openings) + 0.125) / (count + 1)

    @property
    def interval(self) -> tuple[float, float]:
        """Points per game, with 95 % confidence."""
        off = SURE * math.sqrt(self.variance / len(self.openings))
        return max(0.0, self.mean - off), min(1.0, self.mean + off)

    def sprt(self, elo0: float, elo1: float, error: float = 0.05) -> str:
        """Wald's test: `better` by elo1, `not better` than elo0, or `undecided` yet."""
        low, high = expected(elo0), expected(elo1)
        count = len(self.openings)
        ratio = count * (high - low) * (2 * self.mean - low - high) / (2 * self.variance)
        bound = math.log((1 - error) / error)
        return "better" if ratio >= bound else "not better" if ratio <= -bound else "undecided"


def _wins(own: int, others: int, log: float) -> float:
    """The share to be expected of `own` seats, each e ** log as strong as one of the others."""
    return own / (own + others * math.exp(-log))


def _slope(own: int, others: int, log: float) -> float:
    """How fast that grows with `log`."""
    wins = _wins(own, others, log)
    return wins * (1 - wins)


def _likeliest(tables: list[tuple[int, int, float]]) -> float:
    """The difference in strength by which as much is expected to be won as was."""
    won = sum(share for _, _, share in tables)
    low, high = -30.0, 30.0
    for _ in range(100):
        log = (low + high) / 2
        if sum(_wins(own, others, log) for own, others, _ in tables) < won:
            low = log
        else:
            high = log
    return log


def expected(elo: float) -> float:
    """The score to be expected of somebody so many points stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo(score: float) -> float:
    """The difference in strength that a score between 0 and 1 suggests."""
    score = min(max(score, 1e-6), 1 - 1e-6)
    return -400 * math.log10(1 / score - 1)
