"""Reviews: of every game, complete, honest about what is known, and in words."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import msgspec
import pytest

from bench.planted import measure
from escale.game.errors import NotNow
from escale.game.fair_random import FairRandom
from escale.game.texts import LANGUAGES
from escale.games import game, games
from escale.kernel import CHANCE, Limit, Random
from escale.match.events import Played
from escale.match.match import Match, Player
from escale.opponents import think
from escale.render.curve import curve
from escale.study.judging import LOSSES, Budget
from escale.study.review import MOST_TURNING_POINTS, TURNING_POINT_MOVES, Review, read_review, whole
from escale.study.review import review as making
from escale.study.review_words import SYMBOLS, write_review

SMALL = Budget(nodes=400, simulations=24)
SLUGS = [box.slug for box in games()]


def begun(slug: str, seed: int) -> Match:
    """A match before its first move."""
    box = game(slug)
    start = box.start_with({}, seats=box.seats[0])
    match = Match(
        start, players=[Player(f"P{seat}", bot=seat == 1) for seat in range(start.seats)],
        fair_random=FairRandom(f"{seed:032x}"),
    )
    match.draw_chance()
    return match


@cache
def played(slug: str, seed: int = 3) -> Match:
    """A match between weak players to its end, by rule or by resignation after a while."""
    match, random = begun(slug, seed), Random(seed)
    while match.outcome is None:
        seat = match.turn
        assert seat is not None
        if match.start.seats == 2 and match.position.plies == 30:
            match.resign(seat)
            break
        match.play(seat, think(match.position, "mousse", seed=random.below(1 << 30)).move)
        match.draw_chance()
    return match


@cache
def reviewed(slug: str) -> Review:
    return whole(played(slug), SMALL)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_game_is_reviewed_whole(slug: str) -> None:
    match, review = played(slug), reviewed(slug)
    assert match.outcome is not None
    assert [(move.seat, move.move) for move in review.moves] == [
        (event.seat, event.move) for event in match.events if isinstance(event, Played)
    ]
    assert len(review.curve) == len(review.moves) + 1
    assert review.curve[-1].shares == pytest.approx(match.outcome.shares, abs=1e-4)
    for point in review.curve:
        assert len(point.shares) == match.start.seats
        assert sum(point.shares) == pytest.approx(1, abs=0.001)
    positions = match.positions
    for move in review.moves:
        before = positions[move.ply]
        assert before.turn == move.seat
        assert move.forced == (len(before.moves()) == 1)
        assert (move.open is not None) == match.game.hides
        if move.forced:
            assert move.mark is None
        if move.mark in LOSSES:
            assert move.loss >= LOSSES[move.mark] - 1e-3
            assert move.best != move.move
    assert len(review.turns) <= MOST_TURNING_POINTS
    gaps = [later.index - turn.index for turn, later in pairwise(review.turns)]
    assert min(gaps, default=TURNING_POINT_MOVES) >= TURNING_POINT_MOVES
    for turn in review.turns:
        here = positions[review.moves[turn.index].ply]
        assert turn.better.moves[0] == review.moves[turn.index].best
        for text in turn.better.moves:              # it can be played at the table as it was
            assert here.turn != CHANCE
            here = here.play(text)
    assert read_review(msgspec.json.encode(review)) == review


@pytest.mark.parametrize("slug", SLUGS)
def test_a_review_is_told_in_every_language(slug: str) -> None:
    match, review = played(slug), reviewed(slug)
    for lang in LANGUAGES:
        found = write_review(review, match, lang)
        assert len(found.moves) == len(review.moves)
        assert found.line == match.line()
        assert [seat.player for seat in found.seats[:2]] == [
            "P0", "P1 (robot)" if lang == "fr" else "P1 (bot)"
        ]
        for move, data in zip(found.moves, review.moves, strict=True):
            assert move.judged
            assert move.symbol == (SYMBOLS[data.mark] if data.mark else "")
            assert bool(move.why) == (data.mark in (*LOSSES, "only"))
            assert sum(move.before) == pytest.approx(100, abs=len(found.seats))
        assert bool(found.knowing) == match.game.hides
        every = msgspec.json.encode(found).decode()
        assert "review." not in every
        assert "{" not in "".join(turn.title + turn.why + turn.open for turn in found.turns)
        drawn = curve(
            [*(move.before for move in found.moves), found.end],
            [(seat.name, seat.colour) for seat in found.seats], "<&>", {0: "<x>"},
        )
        assert drawn.count("<polygon") == match.start.seats
        assert "<x>" not in drawn


@pytest.mark.parametrize("slug", ["tortuga", "canyon-1997"])
def test_a_review_can_be_read_while_it_is_made(slug: str) -> None:
    """The last moves first; nothing that has been said is unsaid, and words are there for all."""
    match, total = played(slug), len(reviewed(slug).moves)
    steps = list(making(match, SMALL))
    partial = [step.review for step in steps if step.review is not None]
    assert len(partial) == total + 1
    assert [step.done for step in steps] == sorted(step.done for step in steps)
    for judged, review in enumerate(partial):
        pending = [move.pending for move in review.moves]
        assert pending == [True] * (total - judged) + [False] * judged
        assert review.moves[total - judged:] == partial[-1].moves[total - judged:]
        assert all(turn.index >= total - judged for turn in review.turns)
    assert partial[-1] == reviewed(slug)
    half = write_review(partial[total // 2], match, "fr")
    assert half.moves[0].judged == "Pas encore jugé"
    assert half.moves[0].before == []
    drawn = curve([*(move.before for move in half.moves), half.end],
                  [(seat.name, seat.colour) for seat in half.seats], "", {})
    lone = curve([*([] for _ in half.moves), half.end],
                 [(seat.name, seat.colour) for seat in half.seats], "", {})
    assert drawn.count("<polygon") == lone.count("<polygon") == match.start.seats


def test_the_same_match_gives_the_same_review() -> None:
    assert whole(played("qenj1"), SMALL) == reviewed("qenj1")


def test_a_match_that_goes_on_is_refused() -> None:
    match = begun("qenj1", 3)
    with pytest.raises(NotNow):
        whole(match, SMALL)


def test_what_was_taken_back_is_not_judged() -> None:
    match = begun("qenj1", 3)
    first, second = match.position.moves()[0].text, match.position.moves()[1].text
    seat = match.turn
    assert seat is not None
    match.play(seat, first)
    match.take_back(seat)
    match.play(seat, second)
    match.resign(seat)
    assert [move.move for move in whole(match, SMALL).moves] == [second]


def test_a_planted_blunder_is_the_turning_point() -> None:
    """A player who wins by a proof throws the win away; the review says so, and how it was won."""
    match, random = begun("qenj1", 8), Random(8)
    planted = None
    while match.outcome is None:
        seat, position = match.turn, match.position
        assert seat is not None
        found = think(position, limit=Limit(nodes=20_000), seed=random.below(1 << 30))
        move = found.move
        if planted is None and found.proven and found.shares[seat] == 1:
            for other in position.moves():
                after = position.play(other)
                reply = think(after, limit=Limit(nodes=20_000)) if after.turn is not None else None
                if reply is not None and reply.proven and reply.shares[seat] == 0:
                    planted = sum(isinstance(event, Played) for event in match.events)
                    move = other
                    break
        match.play(seat, move)
        match.draw_chance()
    assert planted is not None
    review = whole(match, Budget(nodes=20_000))
    blunder = review.moves[planted]
    assert (blunder.mark, blunder.before, blunder.after) == ("blunder", 1.0, 0.0)
    assert blunder.proven
    assert blunder.wins
    assert planted in [turn.index for turn in review.turns]
    [turn] = [turn for turn in review.turns if turn.index == planted]
    assert turn.better.proven
    assert turn.better.shares[blunder.seat] == 1


@pytest.mark.parametrize("slug", ["qenj1", "tortuga"])
def test_planted_blunders_are_found_and_sound_moves_are_not_blamed(slug: str) -> None:
    """The bench of docs/study.md, short."""
    rates = measure(game(slug), 6, Budget(nodes=60_000), proof=40_000)
    assert rates.planted >= 6
    assert rates.found == rates.planted
    assert rates.sound >= 6
    assert rates.blamed == 0


@pytest.mark.parametrize("slug", ["qenj1", "tortuga"])
def test_no_swing_is_left_out(slug: str) -> None:
    """What a move costs is what the searches before and after it say."""
    swings = 0
    for seed in range(4):
        match = played(slug, seed)
        review = whole(match, Budget(nodes=3000))
        for index, (move, later) in enumerate(pairwise(review.moves)):
            after, before = review.curve[index + 1], review.curve[index]
            assert before.shares[move.seat] == move.before
            if later.ply == move.ply + 1 and (after.proven or not move.loses):
                swings += before.shares[move.seat] - after.shares[move.seat] >= 0.2
                assert abs(after.shares[move.seat] - move.after) < 0.1
        worst = max(review.moves, key=lambda move: move.loss if move.mark else 0)
        if worst.mark == "blunder":
            assert review.moves.index(worst) in [turn.index for turn in review.turns]
    assert swings


def test_a_review_of_another_version_is_made_again() -> None:
    kept = msgspec.json.encode(reviewed("qenj1"))
    assert read_review(kept.replace(b'"version":2', b'"version":1')) is None
    assert read_review(b"{}") is None
