"""Searches that compare some of the root's moves only, and searches with open cards."""

from __future__ import annotations

import pytest

from escale import kernel
from escale.games import game
from escale.kernel import Limit

LIMITS = {
    "alphabeta": Limit(nodes=2000), "mcts": Limit(simulations=300),
    "ismcts": Limit(simulations=300),
}


@pytest.mark.parametrize("method", kernel.METHODS)
def test_only_the_moves_asked_for_are_compared(method: str) -> None:
    box = game("canyon-1997" if method == "ismcts" else "qenj1")
    state = box.start(seed=4).kernel()
    legal = state.legal_moves()
    assert len(legal) > 3
    asked = [legal[-1], legal[1]]
    found = kernel.search(
        state, method, LIMITS[method], lines=5, among=asked, evaluation=box.evaluation
    )
    assert {line.moves[0] for line in found.lines} == set(asked)
    alone = kernel.search(
        state, method, LIMITS[method], among=asked[:1], evaluation=box.evaluation
    )
    assert alone.move == asked[0]
    assert sum(alone.shares) == pytest.approx(1)
    if method == "ismcts":
        assert alone.simulations == 300, "a move that is asked about is not taken for forced"
    for wrong in ([], [max(legal) + 1], [*asked, max(legal) + 1]):
        with pytest.raises(ValueError, match="compares legal moves"):
            kernel.search(state, method, LIMITS[method], among=wrong)


def test_with_open_cards_the_table_is_as_it_is() -> None:
    box = game("canyon-1997")
    position = box.start(seed=4)
    while position.plies < 10 or len(position.moves()) < 3:     # the cards are being played
        position = position.play(position.moves()[0])
    other = position.imagine(position.turn or 0, kernel.Random(9))
    move = position.moves()[0].code
    closed, opened = (
        [
            kernel.search(
                table.kernel(), "ismcts", Limit(simulations=400), among=[move],
                evaluation=box.evaluation, **settings,
            ).shares
            for table in (position, other)
        ]
        for settings in ({}, {"open_cards": True})
    )
    assert closed[0] == closed[1], "what a seat cannot know makes no difference"
    assert opened[0] != opened[1]
