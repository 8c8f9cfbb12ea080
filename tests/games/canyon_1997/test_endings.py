"""Canyon (1997): the canoes on the landings show how it ended; nothing ends it by itself."""

from __future__ import annotations

import random
from collections.abc import Iterator

import escale
from escale.games.canyon_1997.cards import SEATS
from tests.games.canyon_1997 import witness
from tests.games.canyon_1997.test_compare import GAME, set_up, strewn
from tests.games.endings import check_cells


def ended(chance: random.Random) -> Iterator[escale.Position]:
    """The ends of strewn rounds in which a canoe lands."""
    while True:
        position = set_up(strewn(chance))
        assert position.countdowns == ()
        while position.turn is not None and position.turn != escale.CHANCE:
            position = position.play(chance.choice(position.moves()))
        if position.turn is None:
            yield position


def shown(position: escale.Position) -> set[str]:
    """The landings that hold a canoe; all winners are among them."""
    landings = witness.cells_with(witness.RIVER, "L")
    held = {cell for cell in landings if cell in position.cells}
    assert position.outcome is not None
    for seat in position.outcome.winners:
        assert any(position.cells[cell] == SEATS[seat] for cell in held)
    return held


def test_the_canoes_that_have_landed_show_it() -> None:
    check_cells(GAME, ended(random.Random(1)), shown, "landing", "shared")
