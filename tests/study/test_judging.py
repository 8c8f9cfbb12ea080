"""Judging moves: one scale, the same effort, nothing blamed that is not wrong."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from escale.game.errors import NotNow
from escale.game.position import Position
from escale.games import game
from escale.kernel import CHANCE, Limit, Random
from escale.opponents import think
from escale.study.judging import (
    LAST_LOOK_FACTOR,
    LOSSES,
    ONLY_MOVE_MARGIN,
    Budget,
    judge,
    with_open_cards,
)

SMALL = Budget(nodes=4000, simulations=200)


def positions(slug: str, seed: int, seats: int | None = None) -> Iterator[Position]:
    """Every decision of a game between weak players."""
    position = game(slug).start(seed=seed, seats=seats)
    random = Random(seed)
    while position.turn is not None:
        yield position
        position = position.play(think(position, "mousse", seed=random.below(1 << 30)).move)


def proven_wins(slug: str, seeds: range) -> Iterator[Position]:
    for seed in seeds:
        for position in positions(slug, seed):
            found = think(position, limit=Limit(nodes=4000))
            if found.proven and position.turn is not None and found.shares[position.turn] == 1:
                yield position


def test_the_same_budget_and_seed_give_the_same_judgement() -> None:
    position = next(iter(positions("tortuga", 2)))
    move = position.moves()[3]
    one, other = (judge(position, move.text, SMALL, seed=9) for _ in range(2))
    assert (one.mark, one.loss, one.best.shares) == (other.mark, other.loss, other.best.shares)
    assert [move.text for move in one.best.moves] == [move.text for move in other.best.moves]


def test_the_best_line_is_at_least_as_good_as_what_was_played() -> None:
    for position in positions("qenj1", 4):
        for move in list(position.moves())[:3]:
            judgement = judge(position, move, SMALL)
            assert judgement.before >= judgement.after - 0.005
            assert judgement.best.moves[0].code in [legal.code for legal in position.moves()]
            assert judgement.played.moves[0].code == move.code


@pytest.mark.parametrize("slug", ["qenj1", "tortuga"])
def test_where_a_longer_search_proves_that_all_is_lost_nothing_is_blamed(slug: str) -> None:
    budget, lost = Budget(nodes=4000), 0
    for seed in range(12):
        for position in positions(slug, seed):
            seat = position.turn
            assert seat is not None
            limit = Limit(nodes=LAST_LOOK_FACTOR * budget.nodes)
            longer, shorter = (
                think(position, limit=one).lines[0] for one in (limit, Limit(nodes=budget.nodes))
            )
            if not (longer.proven and longer.shares[seat] <= 0) or shorter.proven:
                continue
            for move in position.moves():
                judgement = judge(position, move, budget)
                lost += judgement.played.proven
                assert not judgement.played.proven or judgement.loss < LOSSES["inaccuracy"]
    assert lost > 5


def test_a_win_that_is_thrown_away_is_a_blunder_and_one_that_is_kept_is_none() -> None:
    thrown = kept = 0
    for position in proven_wins("qenj1", range(3, 9)):
        seat = position.turn
        assert seat is not None
        for move in position.moves():
            after = position.play(move)
            reply = think(after, limit=Limit(nodes=4000)) if after.turn is not None else None
            if reply is not None and not reply.proven:
                continue
            share = (reply.shares if reply else after.outcome.shares)[seat]  # type: ignore[union-attr]
            judgement = judge(position, move, SMALL)
            if share == 1:
                kept += 1
                assert judgement.mark in ("best", "only", "good"), (position.text, move.text)
            else:
                thrown += 1
                assert judgement.mark == "blunder", (position.text, move.text)
                assert judgement.best.proven
                assert judgement.before == 1
    assert thrown > 20
    assert kept > 20


def test_one_legal_move_has_no_mark_and_no_loss() -> None:
    forced = next(p for p in positions("tortuga", 3) if len(p.moves()) == 1)
    judgement = judge(forced, forced.moves()[0], SMALL)
    assert judgement.forced
    assert judgement.mark is None
    assert judgement.loss == 0


def test_nothing_is_blamed_where_everything_loses() -> None:
    lost = next(
        position
        for seed in range(20) for position in positions("qenj1", seed)
        if len(position.moves()) > 1
        and (found := think(position, limit=Limit(nodes=4000))).proven
        and found.shares[position.turn or 0] == 0
    )
    for move in lost.moves():
        judgement = judge(lost, move, SMALL)
        assert judgement.mark is None
        assert judgement.loss == 0
        assert not judgement.forced


def test_the_only_move_is_called_so_and_only_that() -> None:
    for position in proven_wins("qenj1", range(3, 9)):
        seat = position.turn
        assert seat is not None
        judgements = [judge(position, move, SMALL) for move in position.moves()]
        for judgement in judgements:
            if judgement.mark == "only":
                others = [other for other in judgements if other is not judgement]
                assert all(1 - other.after >= ONLY_MOVE_MARGIN for other in others)
                assert all(other.mark == "blunder" and other.only for other in others)
                return
    raise AssertionError("no only move was found")


def test_chance_and_the_end_are_not_judged() -> None:
    start = game("canyon-1997").start(seats=3)
    assert start.turn == CHANCE
    with pytest.raises(NotNow):
        judge(start, start.moves()[0], SMALL)


def test_a_decision_is_judged_by_what_its_seat_could_know() -> None:
    """Two tables that look alike to a seat: the same judgement."""
    position = next(
        p for p in positions("canyon-1997", 5, seats=4) if p.plies > 8 and len(p.moves()) > 2
    )
    seat = position.turn
    assert seat is not None
    assert position.game.hides
    other = position.imagine(seat, Random(77))
    assert other.text != position.text
    move = position.moves()[0].text
    one, two = judge(position, move, SMALL), judge(other, move, SMALL)
    assert one.best.shares == two.best.shares
    assert one.played.shares == two.played.shares
    assert not one.proven
    open_one, open_two = (
        with_open_cards(table, [table.find(move)], SMALL)[0] for table in (position, other)
    )
    assert open_one.shares != open_two.shares
    here = position
    for step in open_one.moves:             # it can be played at the real table
        here = here.play(step.text)


def test_losses_are_graded() -> None:
    assert sorted(LOSSES.values(), reverse=True) == list(LOSSES.values())
    assert list(LOSSES) == ["blunder", "mistake", "inaccuracy"]
