"""All that tests one game stands in a folder here, named like the game's own; a family has one.

    witness.py       the rules once more, word by word, by an author who has not read `rules.py`
    expected.toml    small positions worked out by hand
    test_facts.py    what the rules state as facts, checked on the witness
    test_compare.py  the compiled rules against the witness
    perft.py         positions to count from; perft.toml has the witness's numbers
    refusals.py      attempts, and the sentences that answer them
    golden/          games written out for people to read
    test_*.py        whatever else holds of this game

What all games share is in this folder itself.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import escale

HERE = Path(__file__).parent

#: The games of this package: those that others bring have their tests elsewhere.
OURS = [game for game in escale.games() if type(game).__module__.startswith("escale.games.")]


def folder_of(game: escale.Game[Any]) -> Path:
    """The folder of what tests a game."""
    return HERE / type(game).__module__.rpartition(".")[2]


def part_of(game: escale.Game[Any], name: str) -> ModuleType | None:
    """A module of that folder, if it is there."""
    folder = folder_of(game)
    if not (folder / f"{name}.py").exists():
        return None
    return importlib.import_module(f"{__name__}.{folder.name}.{name}")
