"""Where perft counts Canyon (1972)'s moves from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tests.games.canyon_1972 import witness
from tests.games.perft import Cells, entry, nodes, table

START_DEPTH = 5
MIDGAME_DEPTH = 3

#: Each with its name and the seat to move.
MIDGAMES: list[tuple[str, int, Cells]] = [
    (
        "both armies meet at the pass",
        0,
        table(
            red="a5 a6 a7 b5 b8 c4 c8 b3 a4 d3 e2",
            yellow="a8 d8 d7 e7 e8 f6 e6 c3 f5 g4",
        ),
    ),
    (
        "Yellow runs through Red's camp, four captures in one chain",
        1,
        table(
            red="b2 b4 d2 d1 c3 h5 g7 f7",
            yellow="a1 a3 c1 e2 f6 g5 h3 h2",
        ),
    ),
    (
        "a pawn captures and comes back to where it started",
        0,
        table(
            red="a1 a3 b1 c2 b3 e1 h8",
            yellow="b2 a2 d1 d2 b4 c3 g5",
        ),
    ),
    (
        "Red is one step from the end",
        0,
        table(
            red="h8 g8 h7 h6 f7",
            yellow="a1 a2 b3 c3 g7",
        ),
    ),
    (
        "the last yellow pawn can be captured",
        0,
        table(red="c2 e2 a6 g8", yellow="c3"),
    ),
    (
        "two pawns can run the same round",
        0,
        table(red="a1 a3 b1 b3 c2", yellow="b2 h4"),
    ),
    (
        "a crowd in both passes of the short canyon",
        0,
        table(
            red="b6 b7 a6 c4 b5 g2 f1 e2 d2",
            yellow="c7 c8 d7 a8 e6 g3 h2 g4 f5",
        ),
    ),
    (
        "a dense board, hundreds of chains",
        0,
        table(
            red="a2 a3 b2 b8 c3 d3 e7 f7 g5 h1",
            yellow="a5 a7 b4 b5 d2 d7 d8 f6 f8",
        ),
    ),
]


def successors(cells: Cells, turn: int, canyon: str) -> list[Cells]:
    """The tables after every move; none when the last move has ended the game."""
    if witness.ended(cells, 1 - turn, canyon=canyon):
        return []
    tables = witness.successors(cells, turn, canyon=canyon)
    assert tables, "the positions chosen here are such that nobody passes"
    return tables


def entries(slug: str) -> Iterator[str]:
    """The start, then every midgame position, with every canyon in which no pawn stands."""
    places: list[tuple[str, int, Cells | None, int]] = [
        ("start", 0, None, START_DEPTH),
        *((*midgame, MIDGAME_DEPTH) for midgame in MIDGAMES),
    ]
    for title, turn, cells, depth in places:
        held = cells or witness.start()
        for option, canyon in witness.CANYONS.items():
            if canyon.isdisjoint(held):
                moves = partial(successors, canyon=option)
                numbers = nodes(held, turn, depth, moves)
                yield entry(f"{title}, {option}", {"canyon": option}, cells, turn, numbers)
