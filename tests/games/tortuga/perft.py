"""Where perft counts Tortuga's moves from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

from tests.games.perft import Cells, entry, nodes, table
from tests.games.tortuga import witness

START_DEPTH = 6
MIDGAME_DEPTH = 5

#: Each with its name and the seat to move.
MIDGAMES: list[tuple[str, int, Cells]] = [
    (
        "enemies first or after a neutral, chains of one or two enemies",
        0,
        table(
            south="b1 d1 f2 f3 g1 g2",
            north="a4 c4 d7 e1 e4 e5 e6 g4",
            neutral="c3 d2",
        ),
    ),
    (
        "the only enemies come after a neutral",
        1,
        table(
            south="a2 a4 b2 c1 c2 e2 e3",
            north="d5 d6 e5 e6 f5",
            neutral="b4 d2 d4 f3",
        ),
    ),
    (
        "five neutrals, mixed chains with several choices",
        0,
        table(
            south="a3 b3 c2 d2 d3 f5 g1",
            north="b5 c3 d4 d5",
            neutral="a2 b4 c5 f2 f4",
        ),
    ),
    (
        "North close to the base, the sets of options differ",
        1,
        table(
            south="a1 b2 c1 c2 e4 e5 e6 f5",
            north="a3 b5 c6 d2 d3 d5",
            neutral="c4 d6",
        ),
    ),
    (
        "compulsory chains begin over a neutral or over an enemy",
        0,
        table(
            south="b1 b2 c1 c2 e1 f1",
            north="b5 c5 c6 d4 d7 e2 f5 g4",
            neutral="d3 e4",
        ),
    ),
    (
        "two routes over friends to the same cell",
        0,
        table(
            south="d2 d3 c2 b3 c4 g1",
            north="d7 e6 g4 f5",
            neutral="e4",
        ),
    ),
    (
        "a North army of friends, free chains unless a neutral leads to an enemy",
        1,
        table(
            south="a3 d1 e2 f3 g1 g2",
            north="b1 c4 d6 d7 e5 e6 g4",
            neutral="b3 c2 d4",
        ),
    ),
    (
        "the only chain over an enemy is too short to oblige anybody",
        0,
        table(
            south="d1 e3 f4 a1 g1 g2",
            north="c3 c5 d7 g4 c6 a4 b5",
            neutral="d2 a2",
        ),
    ),
    (
        "a long chain past the base, and a shorter one to it",
        0,
        table(
            south="d1 a1 g2",
            north="c1 b2 b4 c6 c2 e3 e4 e5 g4",
            neutral="a2",
        ),
    ),
    (
        "a race: both are near the enemy base",
        0,
        table(
            south="c5 e4 d4 a1",
            north="c2 e3 d3 g4",
            neutral="d5 b2",
        ),
    ),
]


def entries(slug: str) -> Iterator[str]:
    """The starts, then every midgame position, under every set of options."""
    rules = list(product(("any", "start"), witness.LONGEST))
    for formation in ("edges", "compact"):
        for obligation, longest in rules:
            successors = partial(witness.successors, obligation=obligation, longest=longest)
            numbers = nodes(witness.start(formation), 0, START_DEPTH, successors)
            options = {"formation": formation, "obligation": obligation, "longest": longest}
            name = f"start, {formation}, obligation {obligation}, longest {longest}"
            yield entry(name, options, None, 0, numbers)
    for title, turn, cells in MIDGAMES:
        for obligation, longest in rules:
            successors = partial(witness.successors, obligation=obligation, longest=longest)
            numbers = nodes(cells, turn, MIDGAME_DEPTH, successors)
            options = {"formation": "edges", "obligation": obligation, "longest": longest}
            name = f"{title}, obligation {obligation}, longest {longest}"
            yield entry(name, options, cells, turn, numbers)
