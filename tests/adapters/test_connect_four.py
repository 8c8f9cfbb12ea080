"""The game that `bench/adapters.py` compares libraries by is the same game."""

from __future__ import annotations

import random

import pyspiel
import pytest

from bench.compiled import compiled


@pytest.mark.exhaustive
def test_it_is_openspiel_s_connect_four() -> None:
    """Compiled for this, which takes some seconds."""
    theirs, choice = pyspiel.load_game("connect_four"), random.Random(3)
    start = compiled("connect_four").ConnectFourState()
    ended = set()
    for _ in range(2000):
        here, there = start.copy(), theirs.new_initial_state()
        while not there.is_terminal():
            assert here.legal_moves() == there.legal_actions()
            move = choice.choice(there.legal_actions())
            here.play(move)
            there.apply_action(move)
        assert here.legal_moves() == []
        assert [2 * share - 1 for share in here.result()[1]] == there.returns()
        ended.add(tuple(there.returns()))
    assert len(ended) == 3
