"""The shelf: one folder a game.

A package in this folder that has `GAMES` is on the shelf. No other file has to know about it.
"""

from __future__ import annotations

import difflib
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from escale.game.errors import UnknownGame
from escale.game.game import Game


@cache
def shelf() -> dict[str, Game[Any]]:
    """Every game by its slug, in alphabetical order."""
    found = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    boxes = {box.slug: box for folder in found for box in getattr(folder, "GAMES", ())}
    return dict(sorted(boxes.items()))


def games() -> list[Game[Any]]:
    """Every game."""
    return list(shelf().values())


def game(slug: str) -> Game[Any]:
    """The game of that name; UnknownGame lists the known ones."""
    try:
        return shelf()[slug]
    except KeyError:
        near = difflib.get_close_matches(slug, shelf(), 1)
        raise UnknownGame(
            f"unknown game {slug[:60]!r}; known games: {', '.join(shelf())}"
            + (f" (did you mean {near[0]}?)" if near else "")
        ) from None
