"""Compiled and uncompiled: the same seed gives the same games and the same trees."""

from __future__ import annotations

import json
from typing import Any

import pytest

from escale import kernel
from tests.kernel import starts, uncompiled, walk

SCRIPT = "import json; from tests.kernel.test_modes import report; print(json.dumps(report()))"


def report() -> dict[str, Any]:
    """What comes of every game, with every option."""
    found = {}
    for name, position in starts().items():
        late = walk(position, kernel.Random(9), 12)[-1]
        found[name] = {
            "playouts": kernel.playouts(position, 6, seed=3),
            "late playouts": kernel.playouts(late, 6, seed=2**63 + 1),
            "perft": [kernel.perft(position, depth) for depth in range(3)],
            "search": tree(position, 5),
            "late search": tree(late, 6),
            "games": [
                [(met.hash(), met.legal(), met.ways()) for met in walk(late, kernel.Random(n), 60)]
                for n in range(2)
            ],
        }
    return found


def tree(position: kernel.Position, seed: int) -> dict[str, Any]:
    """What a search found, but for the time it took."""
    thought = kernel.think(position, simulations=60, seed=seed)._asdict()
    del thought["milliseconds"]
    return thought


@pytest.mark.skipif(not kernel.COMPILED, reason="there is nothing to compare with")
def test_compiled_and_uncompiled_agree() -> None:
    slow = uncompiled(SCRIPT)
    fast = json.loads(json.dumps(report()))
    assert slow.keys() == fast.keys()
    for name in fast:
        for what in fast[name]:
            assert slow[name][what] == fast[name][what], (name, what)
