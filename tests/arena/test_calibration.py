"""Calibration finds levels that are evenly apart; the levels that are kept are."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from escale import kernel
from escale.arena.calibration import Ladder, Trial, calibrate
from escale.arena.pairings import Pairing, Result, pairings
from escale.arena.ratings import Score, elo, expected
from escale.arena.runners import in_processes
from escale.cli import main
from escale.games import game, games
from escale.opponents import LEVELS, Way, way_of

SLUGS = [box.slug for box in games()]
TWO_SEATS = [box.slug for box in games() if box.seats == (2, 2)]
SHORT = {"canyon-1997": {"short": "on"}}
"""Options that make a game short, besides those of a quick start."""


def dealt(slug: str) -> bool:
    """Whether a game starts from another deal each time, and needs no random moves."""
    one, other = (game(slug).start(seed=seed).cells for seed in (1, 2))
    return one != other


def strength(word: str) -> float:
    """A made-up truth: doublings of the budget are worth 70 Elo, noise costs some."""
    settings = dict(Way.parse(word).settings)
    budget = settings.get("nodes") or settings["simulations"]
    noise = settings.get("noise", 0) + 10 * settings.get("temperature", 0)
    return 70 * math.log2(budget) - 40 * math.log2(1 + noise / 100)


@pytest.mark.parametrize(
    "top",
    ["alphabeta:nodes=300000,noise=8,sure=2", "mcts:simulations=3000", "ismcts:simulations=900"],
)
def test_the_ladder_goes_down_evenly(top: str) -> None:
    chance = random.Random(4)
    trials: list[Trial] = []

    def play(wanted: list[Pairing]) -> list[Result]:
        found = []
        for pairing in wanted:
            one, other = map(strength, pairing.seated)
            win = float(chance.random() < expected(one - other))
            found.append(Result(
                pairing.key, pairing.seated, pairing.opening, (win, 1 - win), "", 1
            ))
        return found

    ways = calibrate("tortuga", {}, Ladder(Way.parse(top)), play, trials.append, games=400, aim=200)
    assert tuple(ways) == LEVELS
    assert ways["amiral"] == Way.parse(top)
    gaps = [strength(ways[b].word) - strength(ways[a].word) for a, b in itertools.pairwise(LEVELS)]
    assert all(90 < gap < 310 for gap in gaps), gaps
    assert {trial.level for trial in trials} == set(LEVELS[:-1])
    assert len(trials) <= 20


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    before = (game("tortuga").folder / "levels.toml").read_text("utf-8")
    with pytest.raises(SystemExit) as done:
        main(["arena", "calibrate", "tortuga", "--top", "alphabeta:nodes=40,noise=8,sure=2",
              "-n", "2", "--no-write", "--processes", "1"])
    assert done.value.code == 0
    assert "amiral = { method = \"alphabeta\", nodes = 40," in capsys.readouterr().out
    assert (game("tortuga").folder / "levels.toml").read_text("utf-8") == before


def score(slug: str, first: str, second: str, count: int) -> Score:
    plies = 0 if dealt(slug) else 4
    options = {**game(slug).quick, **SHORT.get(slug, {})}
    wanted = list(pairings(slug, options, first, second, count, plies))
    return Score.of(in_processes(1)(wanted), first)


@pytest.mark.exhaustive
@pytest.mark.skipif(not kernel.COMPILED, reason="takes too long")
@pytest.mark.parametrize("slug", SLUGS)
def test_levels_are_apart(slug: str) -> None:
    """At reduced size: the full tables are in docs/strength.md."""
    for weaker, stronger in itertools.pairwise(LEVELS):
        found = score(slug, stronger, weaker, 120 if stronger in LEVELS[:4] else 12)
        low, high = map(elo, found.interval)
        assert high > 100, (weaker, stronger, found)
        assert low < 350, (weaker, stronger, found)
    assert score(slug, "amiral", "random", 8).mean >= (0.99 if slug in TWO_SEATS else 0.8)


@pytest.mark.parametrize("slug", TWO_SEATS)
def test_middling_levels_beat_chance(slug: str) -> None:
    assert score(slug, "pilote", "random", 10).mean >= 0.9
    assert way_of(game(slug), "pilote") != way_of(game(slug), "amiral")
