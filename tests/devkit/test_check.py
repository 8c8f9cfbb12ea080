"""The conformance kit finds what a game has got wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import pytest

from escale.devkit.check import check
from escale.game.scene import Board
from escale.games.qenj import Qenj4


@pytest.mark.parametrize(("places", "part", "fault"), [
    ({"pass": ("z9",)}, "facts", "the places of pass are not cells of the board"),
    ({"pass": ()}, "facts", "the places of pass are not cells of the board"),
    ({"noon": ("a1",)}, "moves", "no legal move has the atom noon, which has places"),
])
def test_places_are_cells_and_stand_for_atoms_of_moves(
    places: Mapping[str, tuple[str, ...]], part: str, fault: str
) -> None:
    class Wrong(Qenj4):
        board: ClassVar[Board] = replace(Qenj4.board, places=places)

    report = dict(check(Wrong(), games=1))
    assert fault in report[part]


def test_an_atom_that_is_no_cell_needs_a_name() -> None:
    class Wrong(Qenj4):
        buttons = (*Qenj4.buttons, "hop")

    report = dict(check(Wrong(), games=1))
    assert "the atom hop has no name that people read" in report["texts"]
