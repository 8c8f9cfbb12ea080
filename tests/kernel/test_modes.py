"""Compiled and uncompiled: the same seed gives the same games and the same trees."""

from __future__ import annotations

import json
from typing import Any

import pytest

import escale
from escale import kernel
from tests.kernel import evaluation_of, search, starts, uncompiled, walk

SCRIPT = (
    "import json; from tests.kernel.test_modes import report; print(json.dumps(report({slug!r})))"
)


def report(slug: str) -> dict[str, Any]:
    """What comes of a game, with every option."""
    found = {}
    for name, position in starts(slug).items():
        line = walk(position, kernel.Random(9), 200)
        turns = [met for met in line if met.turn != kernel.CHANCE]
        late = [met for met in turns if met in line[:13] and met.legal_moves()][-1]
        ends = [met for met in turns if 0 < len(met.legal_moves()) < 99]
        end = [late, *ends][-4:][0]
        found[name] = {
            "playouts": kernel.playouts(position, 1, seed=3),
            "late playouts": kernel.playouts(late, 1, seed=2**63 + 1),
            "perft": [kernel.perft(position, depth) for depth in range(2)],
            "search": tree(position, 5),
            "late search": tree(late, 6),
            "alpha-beta": look(position, 5),
            "late alpha-beta": look(late, 6),
            "last alpha-beta": look(end, 7),
            "last search": tree(end, 7),
            "information sets": [tree(met, 8, "ismcts") for met in (late, end)],
            "evaluations": [judged(met) for met in walk(late, kernel.Random(3), 30)[:-1]],
            "games": [
                (met.key(), met.legal_moves(), met.ways())
                for met in walk(late, kernel.Random(7), 40)
            ],
        }
    return found


def tree(position: kernel.State, seed: int, method: str = "mcts") -> dict[str, Any]:
    """What a search found, but for the time it took."""
    thought = search(position, method, simulations=6, seed=seed, lines=2)._asdict()
    del thought["milliseconds"]
    return thought


def judged(state: kernel.State) -> list[Any]:
    """All that a game thinks of a state."""
    opinion = evaluation_of(state)
    return [
        opinion.evaluate(state), opinion.draw_odds(state), opinion.forced(state),
        opinion.quiet(state), opinion.captures(state), opinion.winning_move(state),
        opinion.estimate(state),
        opinion.prefer(state, kernel.Random(4)) if state.turn >= 0 else None,
    ]


def look(position: kernel.State, seed: int) -> dict[str, Any]:
    """The same of alpha-beta."""
    if position.seats != 2:
        return {}
    thought = search(position, "alphabeta", nodes=200, seed=seed, lines=1 + seed % 2)._asdict()
    del thought["milliseconds"]
    return thought


@pytest.mark.skipif(not kernel.COMPILED, reason="there is nothing to compare with")
@pytest.mark.parametrize("slug", [game.slug for game in escale.games()])
def test_compiled_and_uncompiled_agree(slug: str) -> None:
    slow = uncompiled(SCRIPT.format(slug=slug))
    fast = json.loads(json.dumps(report(slug)))
    assert slow.keys() == fast.keys()
    for name in fast:
        for what in fast[name]:
            assert slow[name][what] == fast[name][what], (name, what)
