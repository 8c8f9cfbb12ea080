"""Where perft counts Canoë's moves from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.games.canoe import witness
from tests.games.perft import Cells, entry, nodes, table

START_DEPTH = 4
MIDGAME_DEPTH = 3

#: Each with its name and the seat to move.
MIDGAMES: list[tuple[str, int, Cells]] = [
    (
        "Light plants to win",
        0,
        table(light="a3 b4 c4 f3 g4 h4 i3 d1", dark="a5 d4 g3 k4"),
    ),
    (
        "Light has a peg too many, Dark a peg too few",
        0,
        table(light="a3 b4 c4 d3 e2 h3 i4 j4 k3", dark="c5 d4 e4 f5 h2 i3 j3 l4"),
    ),
    (
        "Dark to act, both are one action from winning",
        1,
        table(light="b5 c4 d4 e5 g1 h2 i2", dark="k5 l4 l3 k2 a3 b2 c2"),
    ),
    (
        "Light's reserve is used up",
        0,
        table(
            light="a5 b5 c5 d5 a4 b4 c4 d4 a3 b3 c3 d3 b2",
            dark="e4 m3 h3 i4 j4",
        ),
    ),
    (
        "both reserves are used up, Light is one move from winning",
        1,
        table(
            light="a3 b4 c4 d3 f5 g4 h4 i4 k6 m3 e1 g1 l2",
            dark="a5 b3 c3 d4 f4 g3 h3 i3 k3 m5 j1 h1 c6",
        ),
    ),
]


#: Dark has had its first turn, so there is no swap, not even when its peg is taken back.
A_PEG_EACH = table(light="g3", dark="a3")


def from_the_start(cells: Cells, turn: int, swap: str) -> list[Cells]:
    """The tables after every action, in a game of so few that Dark's first turn shows.

    Dark finds Light's one peg and none of its own on its first turn; on a later one it does so
    again after five plies at the earliest.
    """
    first = turn == 1 and list(cells.values()) == ["light"]
    return witness.successors(cells, turn, swap=swap, plies=1 if first else 0)


def entries(slug: str) -> Iterator[str]:
    """The start, with the swap and without, then every midgame position."""
    for swap in witness.SWAPS:
        numbers = nodes(witness.start(), 0, START_DEPTH, partial(from_the_start, swap=swap))
        yield entry(f"start, swap {swap}", {"swap": swap}, None, 0, numbers)
    numbers = nodes(A_PEG_EACH, 0, START_DEPTH, partial(witness.successors, swap="on"))
    yield entry("a peg each, swap on", {"swap": "on"}, A_PEG_EACH, 0, numbers)
    for title, turn, cells in MIDGAMES:
        numbers = nodes(cells, turn, MIDGAME_DEPTH, witness.successors)
        yield entry(title, {}, cells, turn, numbers)
