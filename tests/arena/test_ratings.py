"""Ratings find again the strengths that results were made from."""

from __future__ import annotations

import math
import random

import pytest

from escale.arena.pairings import Result
from escale.arena.ratings import Score, elo, expected, meetings, ratings


def result(first: str, second: str, share: float, opening: int = 0) -> Result:
    return Result("", (first, second), opening, (share, 1 - share), "", 1)


def drawn(strengths: dict[str, float], games: int, seed: int, seats: int = 2) -> list[Result]:
    """Results of contenders whose Elo is known: two of them at every table."""
    chance = random.Random(seed)
    names = sorted(strengths)
    found = []
    for opening in range(games):
        odd, rest = chance.sample(names, 2)
        seated = [rest] * seats
        seated[chance.randrange(seats)] = odd
        winner = chance.choices(
            range(seats), [10 ** (strengths[name] / 400) for name in seated]
        )[0]
        shares = tuple(float(seat == winner) for seat in range(seats))
        found.append(Result("", tuple(seated), opening, shares, "", 1))
    return found


def test_elo_and_expected_score_are_inverse() -> None:
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)
    for points in (-300, -1, 0, 57, 800):
        assert elo(expected(points)) == pytest.approx(points, abs=1e-6)
    assert math.isfinite(elo(1.0))


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_ratings_are_found_again_within_their_intervals(seats: int) -> None:
    strengths = {"a": 300.0, "b": 100.0, "c": 0.0, "d": -400.0}
    hits = total = 0
    for seed in range(20):
        found = ratings(drawn(strengths, 1500, seed, seats))
        assert [rating.name for rating in found] == ["a", "b", "c", "d"]
        assert sum(rating.elo for rating in found) == pytest.approx(0, abs=1e-3)
        hits += sum(abs(rating.elo - strengths[rating.name]) <= rating.interval for rating in found)
        total += len(found)
    assert 0.88 <= hits / total <= 1


def test_a_clean_sweep_has_a_finite_rating() -> None:
    strong, weak = ratings([result("a", "b", 1.0, n) for n in range(10)])
    assert strong.name == "a"
    assert 300 < strong.elo - weak.elo < 800


def test_draws_are_half_a_win() -> None:
    first, second = ratings([result("a", "b", 0.5, n) for n in range(8)])
    assert first.elo == pytest.approx(second.elo)


def test_more_than_two_seats() -> None:
    lost = Result("", ("a", "b", "b"), 0, (0.0, 1.0, 0.0), "", 9)
    won = Result("", ("b", "a", "b"), 0, (0.0, 1.0, 0.0), "", 9)
    alone = Result("", ("b", "b", "b"), 0, (0.0, 1.0, 0.0), "", 9)
    (table,) = meetings([lost, won, lost, alone])
    assert (table.seats, table.games, table.won) == ((("a", 1), ("b", 2)), 3, (1.0, 2.0))
    first, second = ratings([lost, won, lost])
    assert first.elo == pytest.approx(second.elo)           # one of three is what equals win
    assert (first.games, second.games) == (3, 3)


def test_score_and_interval() -> None:
    results = [result("a", "b", 1.0, n) for n in range(30)] + [
        result("b", "a", share, n) for n, share in enumerate([0.0, 1.0, 0.5] * 10)
    ]
    score = Score.of(results, "a")
    assert (score.games, score.points) == (60, 45.0)
    low, high = score.interval
    assert low < 0.75 < high
    assert len(score.openings) == 30


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("truth", [-200, 0, 150, 400])
def test_a_score_means_the_same_at_every_table(seats: int, truth: float) -> None:
    chance = random.Random(seats)
    strength = {"a": 10 ** (truth / 400), "b": 1.0}
    hits = 0
    for _ in range(20):
        results = []
        for opening in range(60):
            for odd in range(seats):
                for one, rest in (("a", "b"), ("b", "a")):
                    seated = tuple(one if seat == odd else rest for seat in range(seats))
                    winner = chance.choices(range(seats), [strength[name] for name in seated])[0]
                    shares = tuple(float(seat == winner) for seat in range(seats))
                    results.append(Result("", seated, opening, shares, "", 1))
        score = Score.of(results, "a")
        assert score.mean == pytest.approx(expected(truth), abs=0.08)
        assert sum(score.openings) / 60 == pytest.approx(score.mean, abs=1e-6)
        hits += score.interval[0] <= expected(truth) <= score.interval[1]
    assert hits >= 16


def test_winning_everything_at_a_table_of_three() -> None:
    alone = Result("", ("a", "b", "b"), 0, (1.0, 0.0, 0.0), "", 9)
    many = Result("", ("b", "a", "a"), 1, (0.0, 0.5, 0.5), "", 9)
    assert Score.of([alone, many], "a").mean > 0.99


@pytest.mark.parametrize(
    ("truth", "verdict"), [(120, "better"), (-60, "not better")]
)
def test_sprt_decides_rightly_most_of_the_time(truth: float, verdict: str) -> None:
    verdicts = []
    for seed in range(40):
        results = drawn({"a": truth, "b": 0.0}, 400, seed)
        verdicts.append(Score.of(results, "a").sprt(0, 50))
    assert verdicts.count(verdict) >= 36


def test_sprt_waits_while_little_is_known() -> None:
    assert Score.of([result("a", "b", 1.0), result("b", "a", 1.0)], "a").sprt(0, 50) == "undecided"
