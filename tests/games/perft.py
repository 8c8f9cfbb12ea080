"""Compute perft tables with the literal witnesses, and write them beside those.

    python -m tests.games.perft tortuga

does so for a game, in a few minutes; without a name, for all that have a `perft.py`.

``nodes[0]`` of a table is the number of moves in its position, ``nodes[1]`` the number of sequences
of two moves, and so on.  Two ways of moving that leave the same position are one move, and a won
game has no continuation.  Sequences that lead to the same position are counted together, so that
every position is looked at once per depth: this changes the time taken, not the numbers.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import escale
from tests.games import folder_of, part_of

Cells = dict[str, str]


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


def file_of(game: escale.Game[Any]) -> Path:
    """The file with a game's tables: one for each game of a family."""
    family = [other for other in escale.games() if folder_of(other) == folder_of(game)]
    return folder_of(game) / ("perft.toml" if len(family) == 1 else f"perft.{game.slug}.toml")


def main(slugs: list[str]) -> None:
    """Write the tables of these games, or of all."""
    for game in map(escale.game, slugs) if slugs else escale.games():
        positions = part_of(game, "perft")
        if positions is not None:
            header = f"# Counted by the witness: `python -m tests.games.perft {game.slug}`.\n"
            text = "\n".join([header, *positions.entries(game.slug)])
            file_of(game).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
