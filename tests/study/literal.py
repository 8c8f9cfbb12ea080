"""What a seat of two could do if it were its turn, by the literal witnesses: to check claims.

A claim such as "threatens to win" is checked by giving that seat the turn on the witness's table
and trying every move there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import escale
from tests.games.canoe import witness as canoe
from tests.games.canyon_1972 import test_compare as canyon_tables
from tests.games.canyon_1972 import witness as canyon
from tests.games.compare import only_places
from tests.games.qenj import test_compare as qenj_tables
from tests.games.qenj import witness as qenj
from tests.games.tortuga import witness as tortuga

Cells = dict[str, str]


@dataclass(frozen=True)
class Try:
    """What one move of a seat would do."""

    cells: Cells
    wins: bool
    """The game is over, and this seat has won it."""
    taken: frozenset[str]
    """Where something was taken."""


def table(position: escale.Position) -> Cells:
    """What stands on the board."""
    slug = position.game.slug
    return qenj_tables.table(position) if "qenj" in slug else only_places(position.cells)


def tries(position: escale.Position, seat: int) -> list[Try]:
    """Every move of a seat on this table, as if it were its turn."""
    return list({"tortuga": _tortuga, "canoe": _canoe, "canyon-1972": _canyon}.get(
        position.game.slug, _qenj
    )(position, seat))


def _won(seat: int) -> tuple[float, float]:
    return (1.0, 0.0) if seat == 0 else (0.0, 1.0)


def _tortuga(position: escale.Position, seat: int) -> Iterator[Try]:
    cells, enemy = table(position), tortuga.SEATS[1 - seat]
    rules = {name: position.options[name] for name in ("obligation", "longest")}
    for after in tortuga.successors(cells, seat, **rules):
        shares = tortuga.outcome(after, 1 - seat, plies=position.plies + 1, **rules)
        # An enemy that was jumped lies on its back, or stands again on another side.
        over = {cell for cell, who in cells.items() if who == enemy and after.get(cell) != enemy}
        yield Try(after, shares == _won(seat), frozenset(over))


def _canoe(position: escale.Position, seat: int) -> Iterator[Try]:
    cells, plies = table(position), position.plies
    for after in canoe.successors(cells, seat, swap=position.options["swap"], plies=plies):
        shares = canoe.outcome(after, 1 - seat, plies=plies + 1)
        yield Try(after, shares == _won(seat), frozenset())


def _canyon(position: escale.Position, seat: int) -> Iterator[Try]:
    state = canyon_tables.state_of(position, 1)
    occurrences = {canyon.position(state.cells, seat): 1}
    state = replace(state, turn=seat, occurrences=occurrences)
    enemy = canyon.SEATS[1 - seat]
    for after in canyon.successors(state.cells, seat, canyon=state.canyon):
        outcome = canyon.outcome(canyon.made(state, after))
        gone = {cell for cell, who in state.cells.items() if who == enemy and cell not in after}
        yield Try(after, outcome is not None and outcome[0] == _won(seat), frozenset(gone))


def _qenj(position: escale.Position, seat: int) -> Iterator[Try]:
    before = qenj_tables.state_of(position)
    state = qenj.begin(
        before.game, before.cells, before.north, turn=seat, taken=before.taken,
        unstack=before.unstack,
    )
    for atoms, result in qenj.ways(state.game, state.cells, state.side, unstack=state.unstack):
        outcome = qenj.outcome(qenj.made(state, result))
        wins = outcome is not None and outcome[0] == _won(seat)
        # The last atom is where a piece was taken out.
        taken = frozenset(atoms[-1:]) if result.taken is not None else frozenset()
        yield Try(result.cells, wins, taken)
