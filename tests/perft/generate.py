"""Compute the perft tables with the literal witnesses, and write them beside this file.

Run from the root of the repository, for a few minutes: ``python -m tests.perft.generate``, or with
the name of one game (``tortuga``, ``canoe`` or ``canyon_1972``) to write that table only.

``nodes[0]`` of a table is the number of moves in its position, ``nodes[1]`` the number of sequences
of two moves, and so on.  Two ways of moving that leave the same position are one move, and a won
game has no continuation.  Sequences that lead to the same position are counted together, so that
every position is looked at once per depth: this changes the time taken, not the numbers.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.witness import canoe, canyon_1972, tortuga

HERE = Path(__file__).parent
Cells = dict[str, str]

START_DEPTH = 6
MIDGAME_DEPTH = 5
CANOE_START_DEPTH = 4
CANOE_MIDGAME_DEPTH = 3
CANYON_START_DEPTH = 5
CANYON_MIDGAME_DEPTH = 3


def nodes(cells: Cells, turn: int, depth: int, successors: Callable[..., list[Cells]]) -> list[int]:
    """The number of sequences of 1, 2, ... ``depth`` moves."""
    found = []
    reached = Counter({frozenset(cells.items()): 1})
    for ply in range(depth):
        seat = (turn + ply) % 2
        next_reached: Counter[frozenset[tuple[str, str]]] = Counter()
        total = 0
        for table, sequences in reached.items():
            tables = successors(dict(table), seat)
            total += sequences * len(tables)
            if ply + 1 < depth:
                for next_table in tables:
                    next_reached[frozenset(next_table.items())] += sequences
        found.append(total)
        reached = next_reached
    return found


def table(**holders: str) -> Cells:
    """A position from the cells of each holder: ``table(south="d1 d2", north="d7")``."""
    return {cell: holder for holder, cells in holders.items() for cell in cells.split()}


# Each with its name and the seat to move.
TORTUGA_MIDGAMES: list[tuple[str, int, Cells]] = [
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
        "North close to the base, the four option sets differ",
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
        "a race: both are near the enemy base",
        0,
        table(
            south="c5 e4 d4 a1",
            north="c2 e3 d3 g4",
            neutral="d5 b2",
        ),
    ),
]

CANOE_MIDGAMES: list[tuple[str, int, Cells]] = [
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

CANYON_MIDGAMES: list[tuple[str, int, Cells]] = [
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
        "a dense board, hundreds of chains",
        0,
        table(
            red="a2 a3 b2 b8 c3 d3 e7 f7 g5 h1",
            yellow="a5 a7 b4 b5 d2 d7 d8 f6 f8",
        ),
    ),
]


def inline(pairs: dict[str, str]) -> str:
    """An inline table of TOML."""
    return "{ " + ", ".join(f'{key} = "{value}"' for key, value in pairs.items()) + " }"


def entry(
    name: str, options: dict[str, str], cells: Cells | None, turn: int, numbers: list[int]
) -> str:
    """One ``[[table]]``; ``cells`` is None for the start."""
    lines = ["[[table]]", f'name = "{name}"']
    if options:
        lines.append(f"options = {inline(options)}")
    if cells is not None:
        lines.append(f"cells = {inline(dict(sorted(cells.items())))}")
    lines.append(f"turn = {turn}")
    lines.append(f"nodes = {numbers}")
    return "\n".join(lines) + "\n"


def tortuga_entries() -> Iterator[str]:
    """The starts, then every midgame position, under every set of options."""
    rules = [(obligation, longest) for obligation in ("any", "start") for longest in ("off", "on")]
    for formation in ("edges", "compact"):
        for obligation, longest in rules:
            successors = partial(tortuga.successors, obligation=obligation, longest=longest)
            numbers = nodes(tortuga.start(formation), 0, START_DEPTH, successors)
            options = {"formation": formation, "obligation": obligation, "longest": longest}
            name = f"start, {formation}, obligation {obligation}, longest {longest}"
            yield entry(name, options, None, 0, numbers)
    for title, turn, cells in TORTUGA_MIDGAMES:
        for obligation, longest in rules:
            successors = partial(tortuga.successors, obligation=obligation, longest=longest)
            numbers = nodes(cells, turn, MIDGAME_DEPTH, successors)
            options = {"formation": "edges", "obligation": obligation, "longest": longest}
            name = f"{title}, obligation {obligation}, longest {longest}"
            yield entry(name, options, cells, turn, numbers)


def canoe_entries() -> Iterator[str]:
    """The start, then every midgame position."""
    numbers = nodes(canoe.start(), 0, CANOE_START_DEPTH, canoe.successors)
    yield entry("start", {}, None, 0, numbers)
    for title, turn, cells in CANOE_MIDGAMES:
        numbers = nodes(cells, turn, CANOE_MIDGAME_DEPTH, canoe.successors)
        yield entry(title, {}, cells, turn, numbers)


def canyon_successors(cells: Cells, turn: int, canyon: str) -> list[Cells]:
    """The tables after every move; none when the last move has ended the game."""
    if canyon_1972.ended(cells, 1 - turn, canyon=canyon):
        return []
    tables = canyon_1972.successors(cells, turn, canyon=canyon)
    assert tables, "the positions chosen here are such that nobody passes"
    return tables


def canyon_entries() -> Iterator[str]:
    """The start, then every midgame position, with narrow and with wide passes."""
    places: list[tuple[str, int, Cells | None, int]] = [
        ("start", 0, None, CANYON_START_DEPTH),
        *((*midgame, CANYON_MIDGAME_DEPTH) for midgame in CANYON_MIDGAMES),
    ]
    for title, turn, cells, depth in places:
        for width in canyon_1972.CANYONS:
            successors = partial(canyon_successors, canyon=width)
            numbers = nodes(cells or canyon_1972.start(), turn, depth, successors)
            yield entry(f"{title}, {width}", {"canyon": width}, cells, turn, numbers)


def write(game: str, entries: Iterator[str]) -> None:
    """Write one game's file."""
    header = f"# Written by tests/perft/generate.py with the witness of {game}.\n"
    text = "\n".join([header, *entries])
    (HERE / f"{game}.toml").write_text(text, encoding="utf-8")


def main(games: list[str]) -> None:
    """Write the tables of these games, or of all."""
    writers = {"tortuga": tortuga_entries, "canoe": canoe_entries, "canyon_1972": canyon_entries}
    for game in games or list(writers):
        write(game, writers[game]())


if __name__ == "__main__":
    main(sys.argv[1:])
