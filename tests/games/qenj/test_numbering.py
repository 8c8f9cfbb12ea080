"""The compiled rules' own table of numbers is that of the game's atoms."""

from __future__ import annotations

import pytest

from escale.adapters.actions import actions_of
from escale.games.qenj import GAMES, Qenj
from escale.games.qenj.numbering import ATOMS


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_atoms_that_are_no_cells(game: Qenj) -> None:
    numbers = actions_of(game, game.start().options).numbers
    names = {"column": "a", "colour": game.box.colours[0]}
    for kind, row in ATOMS.items():
        expected = numbers.get(names.get(kind, kind))
        assert (row[game.box.number] or None) == expected, kind
