"""Hypothesis strategies: positions that play can reach, and texts that break parsers."""

from __future__ import annotations

from hypothesis import strategies as st

import escale
from escale.devkit.starts import option_sets


@st.composite
def positions(draw: st.DrawFn, most: int = 60) -> escale.Position:
    """A position of any game, with any options, some way into the game."""
    game = draw(st.sampled_from(escale.games()))
    options = draw(st.sampled_from(option_sets(game)))
    seats = draw(st.integers(*game.seats))
    position: escale.Position = game.start_with(options, seats=seats)
    for choice in draw(st.lists(st.integers(0, 10**6), max_size=most)):
        moves = position.moves()
        if not moves:
            break
        position = position.play(moves[choice % len(moves)])
    return position


def nonsense() -> st.SearchStrategy[str]:
    """Any text, and texts that look nearly right."""
    words = st.sampled_from(
        ["d1", "d2", "D3", "a9", "z1", "south", "north", "reserve", "chance", "0", "1", "-1", "",
         "S2N/S3N/S4N/SS3NN/S4N/S3N/S2N", "4/13/13/13/11/7", "light", "dark", "seen=2", "seen=9",
         "first=south", "longest=maybe", "=", "/", "9" * 30, "\x00", "é", "d2-d3", "pass", "stop"]
    )
    nearly = st.lists(words, max_size=8).map
    return st.one_of(st.text(max_size=80), nearly(" ".join), nearly("-".join))
