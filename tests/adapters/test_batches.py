"""Questions about many positions are answered as those about each one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import escale
from escale import kernel
from escale.adapters import batches
from escale.kernel.weights import row_of
from tests.games import OURS


def some(game: escale.Game[Any]) -> list[escale.Position]:
    """The positions of a random game at which seats move."""
    position, random = game.start(seed=3), kernel.Random(1)
    met: list[escale.Position] = []
    while position.turn is not None and len(met) < 12:
        met.append(position)
        position = position.play(position.moves()[random.below(len(position.moves()))])
    return met


@pytest.mark.parametrize("game", OURS, ids=lambda game: str(game.slug))
def test_each_is_answered(game: escale.Game[Any]) -> None:
    positions = some(game)
    assert batches.perft(positions, 1).tolist() == [len(position.moves()) for position in positions]
    shares = batches.playouts(positions, 3, seed=5)
    assert shares.shape == (len(positions), game.seats[0])
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(positions)))
    assert np.array_equal(shares, batches.playouts(positions, 3, seed=5))
    alone = kernel.playouts(positions[0].kernel(), 3, seed=5).shares
    assert shares[0].tolist() == [share / 3 for share in alone]
    values = batches.evaluate(positions)
    assert values.tolist() == [game.evaluation.evaluate(each.kernel()) for each in positions]


def test_features_add_up_to_evaluations() -> None:
    game = escale.game("tortuga")
    positions = some(game)
    found = batches.features(positions)
    row = np.array(row_of(game.evaluation.numbers))
    assert np.array_equal(found @ row, batches.evaluate(positions))


def test_no_positions_are_no_answers() -> None:
    assert batches.perft([], 2).shape == (0,)
    assert batches.evaluate([]).shape == (0,)
    assert batches.features([]).shape == (0, 0)
    assert batches.playouts([], 2).size == 0
