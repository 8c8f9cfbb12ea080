"""What is drawn of a table: nothing lies on what is written."""

from __future__ import annotations

import pytest

import escale
from escale.game.viewer import ALL

STONE = 27
"""A pebble that was taken out reaches so far."""
NAME = 18
"""So far reaches the name of a column, across, too: where the board is turned, it stays upright."""


@pytest.mark.parametrize("slug", ["qenj3", "qenj4"])
def test_pebbles_taken_out_lie_beside_the_names_of_columns(slug: str) -> None:
    scene = escale.game(slug).start(seed=1).scene(ALL)
    names = [label for label in scene.labels if str(label.text).strip("()") in "abcdefghi"]
    assert len(names) == 11                 # all columns, and the two that are shown again
    spots = [spot for area in scene.areas if area.id.endswith(" out") for spot in area.spots]
    assert spots
    assert min(abs(label.y - y) for label in names for _, y in spots) >= STONE + NAME
    bottom = max(y for cell in scene.cells for _, y in cell.outline)
    assert min(label.y - bottom for label in names) >= NAME
