"""Figures of refused attempts: what must be chosen instead is not crossed out."""

from __future__ import annotations

import escale
from escale.render.framing import figure_scene


def test_the_piece_that_must_be_played_is_not_crossed_out() -> None:
    refused = 0
    for game in escale.games():
        for example in game.examples:
            if example.attempt is None:
                continue
            scene = figure_scene(example, game)
            crossed = {place for place, why in scene.highlights.items() if why == "refused"}
            tried = game.split(example.attempt)
            if tried[0] not in game.position(example.position, line=example.line).choices().next:
                first = game.position(example.position, line=example.line).choices().next
                assert not crossed & set(first), (game.slug, example.id)
                refused += bool(set(example.cells) & set(first))
            assert crossed or not example.cells
    assert refused > 1
