"""Every game keeps the contract, and has all that tests it: what `escale check` asks, and more."""

from __future__ import annotations

from typing import Any

import pytest

import escale
from escale.devkit.check import check
from tests.games import OURS, folder_of
from tests.sizes import sized

EVERY_GAME = pytest.mark.parametrize("game", OURS, ids=lambda game: str(game.slug))


@EVERY_GAME
def test_it_keeps_the_contract(game: escale.Game[Any]) -> None:
    report = check(game, games=sized(2, 10, 2))
    assert [fault for _, faults in report for fault in faults] == []


@EVERY_GAME
def test_it_has_its_proofs(game: escale.Game[Any]) -> None:
    folder = folder_of(game)
    for name in ("witness.py", "expected.toml", "test_facts.py", "test_compare.py"):
        assert (folder / name).is_file(), f"{folder.name}: see docs/adding-a-game.md, The proof"
    assert list(folder.glob(f"golden/{game.slug}*.txt"))
