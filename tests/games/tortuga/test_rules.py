"""What Tortuga's compiled rules promise beyond what a witness of single positions can see."""

from __future__ import annotations

import escale
from escale.devkit.starts import random_starts
from escale.kernel import COMPILED

GAME = escale.game("tortuga")


def test_no_position_comes_again() -> None:
    for start, random in random_starts(GAME, 3000 if COMPILED else 40, seed=16):
        state = start.kernel().copy()
        met = set()
        while moves := state.legal_moves():
            assert state.key() not in met
            met.add(state.key())
            state.play(moves[random.below(len(moves))])


def test_a_position_has_no_history() -> None:
    position = GAME.start(first="south").play("d2-d3").play("d6-d5")
    assert position.kernel().occurrences == 1
    assert "seen" not in position.text
