"""The coach asks before what is a blunder, and only then."""

from __future__ import annotations

import pytest

from bench.coach import Sample, measure, row
from escale.games import game
from escale.study.coach import remark
from escale.study.judging import Budget


@pytest.mark.parametrize(("slug", "position", "move"), [
    # All is lost already, proven; or the win is only made longer.
    ("qenj1", "-/b3.../.b2../..b1g3/-/-/-/...r1/.y2g2r3/..y3g1/.r2../...y1 A 4 north=B "
     "dots=-123---43424 setup=quick", "j4-k3"),
    ("canyon-1972", "8/6R1/5R2/7R/Y7/8/2YY4/8 red 114 best=36,39 quiet=3", "g7-h7"),
    ("tortuga", "4/NS1N1/S1S1NN/SSS3N/2SN1N/S4/2N1 south 13", "c1-a1"),
])
def test_no_warning_that_a_long_search_does_not_confirm(
    slug: str, position: str, move: str
) -> None:
    assert not remark(game(slug).position(position), move).warns


@pytest.mark.parametrize(("slug", "position", "move"), [
    ("qenj1", "...y2/.b1../.r2../..g2./.y3../..b3./...r3/b2.../..y1./g3.../...g1/r1... A 0 "
     "north=A dots=422323413141 setup=quick", "k4-l2"),
    ("qenj4", "..rwbw/..rw../..bb../..rw../..wb../-/..rr../-/..bwbr B 2", "b3-c2"),
])
def test_a_warning_where_the_loss_is_deep(slug: str, position: str, move: str) -> None:
    assert remark(game(slug).position(position), move).warns


def test_what_is_wrong_hard_and_missed() -> None:
    def sample(warned: bool, loss: float, *, lost: bool = False) -> Sample:
        return Sample("random", warned, loss, lost, False)

    wrong, lost = sample(True, 0.04), sample(True, 0.0, lost=True)
    hard, right, missed, fine = (
        sample(True, 0.15), sample(True, 0.4), sample(False, 0.4), sample(False, 0.0)
    )
    assert [one.wrong for one in (wrong, lost, hard, right, missed)] == [True, True, *[False] * 3]
    assert [one.hard for one in (wrong, hard, right)] == [False, True, False]
    assert [one.missed for one in (right, missed, fine)] == [False, True, False]
    assert row("x", [wrong, lost, hard, right, missed, fine]) == (
        "| x | 6 | 4 | 50 % | 25 % | 2 | 0 % | 50 % |"
    )
    assert row("x", []) == "| x | 0 | 0 | – | – | 0 | – | – |"


def test_the_bench_of_the_docs_in_short() -> None:
    samples = measure(game("tortuga"), 6, long=Budget(nodes=20_000))
    assert len(samples) == 6
    assert len({one.player for one in samples}) > 1
    assert sum(one.wrong for one in samples) <= 1
