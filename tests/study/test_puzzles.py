"""The puzzles that are shipped: what they claim is true, found again by other means."""

from __future__ import annotations

import datetime
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

import escale
from escale.devkit.puzzles import PUZZLE_BYTES, puzzle_faults
from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.kernel import COMPILED
from escale.study import puzzle_words
from escale.study.puzzles import (
    DAY_STARS,
    FILE,
    LEVEL_TRIES,
    MOST_STARS,
    Puzzle,
    head_of,
    of_the_day,
    puzzles_of,
)
from escale.study.solving import judge, next_move
from tests.study.proving import prove_hand, prove_win

SLUGS = [game.slug for game in escale.games()]
TWO = [game.slug for game in escale.games() if game.seats == (2, 2)]
SAMPLE = 10
QUICK = 1_000_000
"""About how many lines of play a quick proof looks at."""
SHORT = 3

pytestmark = pytest.mark.skipif(not COMPILED, reason="proofs are long uncompiled")


def prove(game: Game[Any], puzzle: Puzzle) -> None:
    position = puzzle.start(game)
    if game.has_exercises:
        prove_hand(puzzle, position)
    else:
        prove_win(puzzle, position)


def quick(game: Game[Any], puzzle: Puzzle) -> bool:
    """Whether a walk over everything takes a moment: the others are for `make test-all`."""
    width = len(puzzle.start(game).moves())
    lines: int = width ** (puzzle.moves + (puzzle.proof == "clear"))
    return lines <= QUICK


@pytest.mark.parametrize("slug", SLUGS)
def test_a_sample_is_proven_again(slug: str) -> None:
    game = escale.game(slug)
    short = [one for one in puzzles_of(game).values() if quick(game, one)]
    assert len(short) >= SAMPLE
    for puzzle in short[:: len(short) // SAMPLE][:SAMPLE]:
        prove(game, puzzle)


@pytest.mark.exhaustive
@pytest.mark.parametrize("slug", SLUGS)
def test_every_puzzle_is_proven_again(slug: str) -> None:
    game = escale.game(slug)
    for puzzle in puzzles_of(game).values():
        prove(game, puzzle)


@pytest.mark.parametrize("slug", TWO)
def test_a_planted_mistake_is_not_proven(slug: str) -> None:
    """A false claim of another solution is found, and so is a claim to win sooner."""
    game = escale.game(slug)
    puzzle = min(puzzles_of(game).values(), key=lambda one: one.moves)
    position = puzzle.start(game)
    other = next(move.text for move in position.moves() if move.text != puzzle.line[0])
    for wrong in ((other, *puzzle.line[1:]), puzzle.line[:1], (*puzzle.line, "", "")):
        fields = {**puzzle.as_json(), "line": "-"}
        planted = Puzzle.from_json(fields)
        object.__setattr__(planted, "line", wrong)
        with pytest.raises(AssertionError):
            prove_win(planted, position)


@pytest.mark.parametrize("slug", SLUGS)
def test_there_are_enough_of_all_kinds(slug: str) -> None:
    game = escale.game(slug)
    puzzles = list(puzzles_of(game).values())
    assert len(puzzles) >= (45 if slug in TWO else 30)
    assert len({puzzle.moves for puzzle in puzzles}) >= 2
    if slug in TWO:
        assert len({puzzle.stars[1] for puzzle in puzzles}) >= 3
        assert sum(puzzle.for_beginners for puzzle in puzzles) >= 10
    assert len({theme for puzzle in puzzles for theme in puzzle.themes}) >= 3
    assert (game.folder / FILE).stat().st_size < PUZZLE_BYTES
    assert head_of(game)["made by"].startswith(f"escale study mine {slug} ")
    assert not list(puzzle_faults(game))


@pytest.mark.parametrize("slug", SLUGS)
def test_whoever_follows_the_hints_solves_it(slug: str) -> None:
    """Each reply is legal and each next move is there, to the end; also off the stored line."""
    game = escale.game(slug)
    short = [one for one in puzzles_of(game).values() if one.moves <= SHORT]
    for puzzle in short[:: len(short) // 4]:
        here = puzzle.start(game)
        for _ in range(puzzle.moves):
            move = next_move(puzzle, here)
            assert move is not None
            here = here.play(move)
            verdict = judge(puzzle, here)
            for lang in LANGUAGES:
                assert puzzle_words.verdict(game, puzzle, move, verdict, lang)
            for reply in verdict.replies:
                here = here.play(reply)
        assert verdict.kind == "solved"
        assert next_move(puzzle, here) is None
        for lang in LANGUAGES:
            first = puzzle.start(game).find(puzzle.line[0])
            assert puzzle_words.first_hint(game, puzzle, first, lang)
            assert puzzle_words.goal(game, puzzle, lang)
            assert puzzle_words.proof(game, puzzle, lang)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_mistake_is_refuted(slug: str) -> None:
    """After other first moves there is an answer that saves the other, or they win too late."""
    game = escale.game(slug)
    puzzle = min(puzzles_of(game).values(), key=lambda one: one.moves)
    start = puzzle.start(game)
    seat = start.turn
    assert seat is not None
    others = [move for move in start.moves() if move.text != puzzle.line[0]]
    for move in others[:: max(1, len(others) // 12)]:
        here = start.play(move)
        verdict = judge(puzzle, here)
        assert verdict.kind in ("wrong", "slower")
        if puzzle.proof == "only":
            assert verdict.kind == "wrong"
        if verdict.kind == "slower":
            assert puzzle.proof != "only"
        for reply in verdict.replies:
            here = here.play(reply)
        if verdict.kind == "wrong" and here.turn == seat and not game.has_exercises:
            ends = [here.play(one).outcome for one in here.moves()]
            assert not any(end and end.shares[seat] == 1 for end in ends), move.text


def test_one_for_each_day() -> None:
    first = datetime.date(2026, 1, 1)
    days = [of_the_day(first + datetime.timedelta(days)) for days in range(2 * len(TWO))]
    found = [(game.slug, puzzle.id) for game, puzzle in filter(None, days)]
    assert {slug for slug, _ in found} == set(TWO)      # a board game, easy to middling
    assert all(puzzle.stars[1] <= DAY_STARS for _, puzzle in filter(None, days))
    assert len(set(found)) == len(found) == len(days)
    assert all(one[0] != other[0] for one, other in pairwise(found))
    assert of_the_day(first) == days[0]


def rated(*found: int, slower: tuple[int, ...] = (0,) * 6) -> Puzzle:
    fields = {"id": "", "position": "", "moves": 2, "line": "a b c", "proof": "only",
              "themes": "", "found": list(found), "slower": list(slower), "from": ""}
    return Puzzle.from_json(fields)


def test_difficulty_follows_from_the_tries_and_has_an_error() -> None:
    """The fewer solve it the harder it is; tries that won too late count neither way."""
    hard, middling, easy = rated(0, 0, 0, 2, 10, 18), rated(0, 4, 10, 16, 19, 20), rated(
        9, 18, 20, 20, 20, 20)
    assert easy.rating[0] < 1000 < middling.rating[0] < 1500 < hard.rating[0]
    assert 1 <= easy.stars[1] < middling.stars[1] < hard.stars[1] <= MOST_STARS
    for puzzle in (hard, middling, easy):
        least, likely, most = puzzle.stars
        assert least <= likely <= most
        assert 0 < puzzle.rating[1] < 400
    uneven = rated(0, 11, 10, 10, 6, 0)                 # the levels do not see what it is about
    assert uneven.rating[1] > 2 * middling.rating[1]
    untried = rated(*[0] * 6, slower=(LEVEL_TRIES,) * 6)
    assert untried.rating == (1400, 400)
    half = rated(5, 9, 10, 10, 10, 10, slower=(10,) * 6)
    assert half.rating[0] < middling.rating[0]


def test_faults_of_a_file_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many that are only soonest, one that the weakest solves always, one without contact."""
    game = escale.game("canyon-1972")
    known = puzzles_of(game)
    first = next(iter(known.values()))
    marked = {id: replace(one, proof="soonest") for id, one in known.items()}
    marked[first.id] = replace(first, themes=("quiet",), found=(LEVEL_TRIES,) * 6)
    monkeypatch.setattr("escale.devkit.puzzles.puzzles_of", lambda _: marked)
    told = "\n".join(puzzle_faults(game))
    assert "puzzles are marked soonest: expected 20%" in told
    assert f"puzzle {first.id}: mousse solves it 20 times of 20: that is no puzzle" in told
    assert f"puzzle {first.id}: expected one of the themes capture" in told
