"""How a chain of jumps is made: the compiled rules only say where it ends and what it captures.

A *way* is the cells on which a pawn lands, beginning with its own. It never comes twice to the same
cell with the same captures: that would only be longer. Where it could still go on, to a cell on
which it has not yet been with these captures, a player who ends it there adds `stop`; where it
could not, nothing is added. So no way begins with another, and each prefix of a way is a move.

The notation of a move is its shortest way, the first found in the order of the eight directions.
Input accepts the other ways too, shortest first, as long as there are no more than `MOST_WAYS`:
crowded boards made on purpose have millions, positions met in play a few dozen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from escale.games.canyon_1972.geometry import DIRECTIONS, reach
from escale.kernel import each_bit

STOP, PASS = "stop", "pass"
MOST_WAYS = 2000

#: For each cell, the cells next to it as bits, each with the cell behind it, as bit and number.
JUMPS = tuple(
    tuple(
        (1 << cell + east + 8 * north, 1 << behind, behind)
        for east, north in DIRECTIONS
        if (behind := reach(cell, 2 * east, 2 * north)) is not None
    )
    for cell in range(64)
)


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

    @property
    def end(self) -> int:
        """Where the pawn stands."""
        return self.cells[-1]

    def hops(self, table: Table) -> Iterator[Way]:
        """Each way that is one jump longer."""
        cells, left, since = self
        taken = table.own & ~(1 << cells[0]) | left
        free = ~(taken | table.canyon)
        for over, landing, to in JUMPS[cells[-1]]:
            if taken & over and free & landing:
                if left & over:
                    yield Way((*cells, to), left ^ over, len(cells))
                elif to not in cells[since:]:
                    yield Way((*cells, to), left, since)

    def open(self, table: Table) -> bool:
        """Whether the chain could go on."""
        return any(True for _ in self.hops(table))


def captures(enemies: int, left: int) -> int:
    """The enemies that are missing, numbered as in a compiled move."""
    if left == enemies:
        return 0
    return sum(1 << i for i, bit in enumerate(each_bit(enemies)) if not left >> bit & 1)


def left_by(enemies: int, captured: int) -> int:
    """The enemies that a compiled move leaves on the board."""
    if captured == 0:
        return enemies
    return sum(1 << bit for i, bit in enumerate(each_bit(enemies)) if not captured >> i & 1)


@lru_cache(maxsize=64)
def shortest(table: Table, start: int) -> dict[tuple[int, int], Way]:
    """The shortest way of the pawn on `start` for each end and each set of enemies left."""
    first = Way((start,), table.enemy, 0)
    found = {(start, table.enemy): first}
    waiting = deque([first])
    while waiting:
        for way in waiting.popleft().hops(table):
            if found.setdefault((way.end, way.left), way) is way:
                waiting.append(way)
    return found


def way_of(table: Table, start: int, end: int, left: int) -> Way | None:
    """The way that is a move's notation; None for a plain step.

    A chain that ends where it began is the move of the pawn with the shortest way.
    """
    if start != end:
        return shortest(table, start).get((end, left))
    rounds = (shortest(table, pawn).get((pawn, left)) for pawn in each_bit(table.own))
    return min((way for way in rounds if way), key=lambda way: len(way.cells))


def ways(table: Table) -> Iterator[Way]:
    """The ways of all pawns, those with fewer jumps first."""
    waiting = deque(Way((pawn,), table.enemy, 0) for pawn in each_bit(table.own))
    while waiting:
        for way in waiting.popleft().hops(table):
            yield way
            waiting.append(way)
