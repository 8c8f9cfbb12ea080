"""Canoë's swap: when it may be played, what it does, and that the computer knows its worth."""

from __future__ import annotations

import pytest

import escale
from escale.opponents import think

GAME = escale.game("canoe")


def test_dark_takes_lights_hole_and_it_is_lights_turn() -> None:
    before = GAME.start(swap="on").play("j4")
    after = before.play("swap")
    assert after.turn == 0
    assert after.cells == {"j4": "dark", "light reserve": 13, "dark reserve": 12}
    assert after.text == "4/13/9D3/13/11/7 light 2 swap=on"
    assert GAME.position(after.text) == after
    cells = dict(before.cells)
    for change in before.find("swap").changes:
        change.apply(cells)
    assert cells == after.cells


def test_it_may_be_said_in_every_language() -> None:
    before = GAME.start(swap="on").play("j4")
    assert before.find("échanger") == before.find("Swap") == before.find("swap")


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("4/13/9L3/13/11/7 dark 1 swap=on", True),
        ("4/13/9L3/13/11/7 dark 1", False),
        ("4/13/9L3/13/11/7 dark 3 swap=on", False),     # it has taken its peg back
        ("4/13/13/13/11/7 light 0 swap=on", False),
        ("4/13/9D3/13/11/7 light 2 swap=on", False),
        ("4/13/9L3/13/11/7 light 1 swap=on", False),
    ],
)
def test_only_on_darks_first_turn(text: str, may: bool) -> None:
    moves = [move.text for move in GAME.position(text).moves()]
    assert ("swap" in moves) == may


def test_who_may_swap_has_the_better_side() -> None:
    for move in GAME.start().moves():
        bare, free = (GAME.start(swap=swap).play(move.text).kernel() for swap in ("off", "on"))
        worth = GAME.evaluation.evaluate(bare)
        assert GAME.evaluation.evaluate(free) == abs(worth)
        after = GAME.start(swap="on").play(move.text).play("swap").kernel()
        assert GAME.evaluation.evaluate(after) == worth


@pytest.mark.parametrize("level", ["pilote", "capitaine"])
def test_the_computer_swaps_a_good_peg(level: str) -> None:
    assert think(GAME.start(swap="on").play("j4"), level).move.text == "swap"
