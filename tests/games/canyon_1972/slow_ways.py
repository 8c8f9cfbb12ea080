"""Ways of making a chain, found one jump at a time: `chains` must find the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from escale.games.canyon_1972.geometry import DIRECTIONS, reach
from escale.kernel import each_bit


class Table(NamedTuple):
    """What stands on the board when a chain begins, in bits."""

    own: int
    enemy: int
    canyon: int


class Way(NamedTuple):
    """A chain as it is made."""

    cells: tuple[int, ...]
    """Where the pawn starts, then each landing."""
    left: int
    """The enemies not yet captured."""
    since: int
    """How many of the cells came before the last capture."""

    def hops(self, table: Table) -> Iterator[Way]:
        """Each way that is one jump longer."""
        cells, left, since = self
        taken = table.own & ~(1 << cells[0]) | left
        for east, north in DIRECTIONS:
            to = reach(cells[-1], 2 * east, 2 * north)
            if to is None or (taken | table.canyon) >> to & 1:
                continue
            over = 1 << (cells[-1] + to) // 2
            if left & over:
                yield Way((*cells, to), left ^ over, len(cells))
            elif taken & over and to not in cells[since:]:
                yield Way((*cells, to), left, since)

    def atoms(self, table: Table) -> tuple[int, ...]:
        """The cells, and 64 for `stop` where the chain could go on."""
        return (*self.cells, 64) if any(True for _ in self.hops(table)) else self.cells


Shortest = dict[tuple[int, int], Way]
"""A way for each end and each set of enemies left."""


def shortest(table: Table, start: int) -> Shortest:
    """The shortest ways of the pawn on `start`."""
    first = Way((start,), table.enemy, 0)
    found = {(start, table.enemy): first}
    waiting = deque([first])
    while waiting:
        for way in waiting.popleft().hops(table):
            if found.setdefault((way.cells[-1], way.left), way) is way:
                waiting.append(way)
    return found


def notation(table: Table, found: dict[int, Shortest], move: int) -> tuple[int, ...]:
    """How a move is written, by the shortest ways of all pawns."""
    start, end, left = move & 63, move >> 6 & 63, left_by(table.enemy, move >> 12)
    if move == 0:
        return (65,)
    if start != end:
        way = found[start].get((end, left))
        return way.atoms(table) if way else (start, end)
    rounds = [found[pawn][pawn, left] for pawn in found if (pawn, left) in found[pawn]]
    return min(rounds, key=lambda way: len(way.cells)).atoms(table)


def ways(table: Table) -> Iterator[Way]:
    """The ways of all pawns, those with fewer jumps first."""
    waiting = deque(Way((pawn,), table.enemy, 0) for pawn in each_bit(table.own))
    while waiting:
        for way in waiting.popleft().hops(table):
            yield way
            waiting.append(way)


def left_by(enemies: int, captured: int) -> int:
    """The enemies that a compiled move leaves on the board."""
    return sum(1 << bit for i, bit in enumerate(each_bit(enemies)) if not captured >> i & 1)
