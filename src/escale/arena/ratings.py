"""Strength from results: expected scores, Elo differences, their intervals, and when to stop.

Ratings are maximum-likelihood Bradley-Terry strengths on the Elo scale, a draw being half a win for
both; at a table of more than two, who wins is drawn among all seats by strength. Two contenders
that have met get one draw more, so that a clean sweep has a finite rating.
Sources: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs" (1952);
R. D. Luce, "Individual choice behavior" (1959); D. R. Hunter, "MM algorithms for generalized
Bradley-Terry models" (2004); A. Wald, "Sequential tests of statistical hypotheses" (1945).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, product

from escale.arena.pairings import Result

ELO_SCALE = 400 / math.log(10)
"""Elo points for a factor e in strength."""
INTERVAL_DEVIATIONS = 1.96
"""Standard deviations of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A contender's strength; the mean of all is 0."""

    name: str
    elo: float
    interval: float
    """The rating is right to within this many points, with 95 % confidence."""
    games: int
    score: float


@dataclass(frozen=True, slots=True)
class Meeting:
    """Contenders who met with these numbers of seats, the number of their games, and the result."""

    seats: tuple[tuple[str, int], ...]
    """Each contender there, and the number of its seats."""
    games: int
    won: tuple[float, ...]
    """The sum of the shares that the seats of each contender have won."""

    def chances(self, strength: dict[str, float]) -> dict[str, float]:
        """Each contender's part of all strength, which is the share it should win."""
        power = {name: seats * strength[name] for name, seats in self.seats}
        total = sum(power.values())
        return {name: one / total for name, one in power.items()}


def meetings(results: Iterable[Result]) -> list[Meeting]:
    """Results of the same contenders on the same seats, added up, without self-play."""
    found: dict[tuple[tuple[str, int], ...], tuple[int, list[float]]] = {}
    for result in results:
        seats = tuple(sorted(Counter(result.seated).items()))
        if len(seats) > 1:
            games, won = found.get(seats, (0, [0.0] * len(seats)))
            found[seats] = games + 1, [
                before + result.won_by(name) for before, (name, _) in zip(won, seats, strict=True)
            ]
    return [Meeting(seats, games, tuple(won)) for seats, (games, won) in found.items()]


def ratings(results: Iterable[Result]) -> list[Rating]:
    """The strength of each contender, the strongest first."""
    met = meetings(results)
    names = sorted({name for table in met for name, _ in table.seats})
    pairs = {pair for table in met for pair in combinations(sorted(dict(table.seats)), 2)}
    drawn = [Meeting(((one, 1), (other, 1)), 1, (0.5, 0.5)) for one, other in sorted(pairs)]
    strength = dict.fromkeys(names, 1.0)
    score = dict.fromkeys(names, 0.0)
    for table in met + drawn:
        for (name, _), won in zip(table.seats, table.won, strict=True):
            score[name] += won
    for _ in range(10_000):
        before = dict(strength)
        wins = dict.fromkeys(names, 0.0)
        for table in met + drawn:
            for name, chance in table.chances(before).items():
                wins[name] += table.games * chance
        strength = {name: before[name] * score[name] / wins[name] for name in names}
        mean = math.exp(sum(map(math.log, strength.values())) / len(names))
        strength = {name: value / mean for name, value in strength.items()}
        if all(abs(strength[n] - before[n]) < 1e-10 * strength[n] for n in names):
            break
    spread = _spread(names, strength, met + drawn)
    found = [
        Rating(
            name, ELO_SCALE * math.log(strength[name]),
            INTERVAL_DEVIATIONS * ELO_SCALE * spread[name],
            sum(table.games for table in met if name in dict(table.seats)),
            score[name] - sum(0.5 for pair in pairs if name in pair),
        )
        for name in names
    ]
    return sorted(found, key=lambda rating: -rating.elo)


def _spread(names: list[str], strength: dict[str, float], met: list[Meeting]) -> dict[str, float]:
    """Standard deviations of the log strengths: from the information matrix, with mean 0 fixed."""
    size = len(names)
    matrix = [[1.0 / size] * size for _ in names]       # fixes the mean
    for table in met:
        chances = table.chances(strength)
        for one, other in product(chances, repeat=2):
            own = chances[one] if one == other else 0.0
            matrix[names.index(one)][names.index(other)] += table.games * (
                own - chances[one] * chances[other]
            )
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

    With two seats the score is the points per game. At larger tables a contender's seats, each `r`
    times as strong as one of the other's, win as often as their share of all strength; the score is
    that of the likeliest r between two seats, so that scores and Elo mean the same everywhere.
    """

    games: int
    points: float
    openings: tuple[float, ...]
    """The score of each opening, from all the seats from which it was played."""

    @classmethod
    def of(cls, results: Iterable[Result], first: str) -> Score:
        """The score of `first`."""
        groups: dict[int, list[tuple[int, int, float]]] = defaultdict(list)
        for result in results:
            own = result.seated.count(first)
            if 0 < own < len(result.seated):
                table = own, len(result.seated) - own, result.won_by(first)
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
        """The variance of the openings' scores; never 0: a few clean results prove little."""
        count = len(self.openings)
        mean = sum(self.openings) / count
        return (sum((x - mean) ** 2 for x in self.openings) + 0.125) / (count + 1)

    @property
    def interval(self) -> tuple[float, float]:
        """Points per game, with 95 % confidence."""
        off = INTERVAL_DEVIATIONS * math.sqrt(self.variance / len(self.openings))
        return max(0.0, self.mean - off), min(1.0, self.mean + off)

    def sprt(self, elo0: float, elo1: float, error: float = 0.05) -> str:
        """Wald's test: `better` by elo1, `not better` than elo0, or `undecided` yet."""
        low, high = expected(elo0), expected(elo1)
        count = len(self.openings)
        ratio = count * (high - low) * (2 * self.mean - low - high) / (2 * self.variance)
        bound = math.log((1 - error) / error)
        return "better" if ratio >= bound else "not better" if ratio <= -bound else "undecided"


def _wins(own: int, others: int, log: float) -> float:
    """The expected share of `own` seats, each e ** log times as strong as one of the others."""
    return own / (own + others * math.exp(-log))


def _slope(own: int, others: int, log: float) -> float:
    """The derivative of that share by `log`."""
    wins = _wins(own, others, log)
    return wins * (1 - wins)


def _likeliest(tables: list[tuple[int, int, float]]) -> float:
    """The difference in strength whose expected share is the share that was won."""
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
    """The expected score of a contender that is `elo` points stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo(score: float) -> float:
    """The difference in Elo that corresponds to a score between 0 and 1."""
    score = min(max(score, 1e-6), 1 - 1e-6)
    return -400 * math.log10(1 / score - 1)
