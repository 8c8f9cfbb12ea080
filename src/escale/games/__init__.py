"""The shelf: one folder a game, in this package or in another one.

A folder here is on the shelf when its package has `GAMES`. Other packages bring games by an entry
point of the group `escale.games`, which names an object with `GAMES`, such as their package:

```toml
[project.entry-points."escale.games"]
breakthrough = "escale_breakthrough"
```

A package that cannot be used is left out and reported by name; the other games stay.
"""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import get_annotations
from pkgutil import iter_modules
from typing import Any

from escale.game.definition import Definition
from escale.game.errors import UnknownGame
from escale.game.game import Game

GROUP = "escale.games"
"""The group of entry points by which other packages bring games."""


@cache
def shelf() -> dict[str, Game[Any]]:
    """Every game that is installed, by its slug, in alphabetical order."""
    folders = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    found = {game.slug: game for folder in folders for game in getattr(folder, "GAMES", ())}
    for point in entry_points(group=GROUP):
        try:
            found |= _brought(point, found)
        except Exception as error:  # code of other packages may raise anything
            reason = f"{type(error).__name__}: {error}"
            warnings.warn(f"games left out: {_name(point)}: {reason}", RuntimeWarning, 2)
    return dict(sorted(found.items()))


def _brought(point: EntryPoint, known: Iterable[str]) -> dict[str, Game[Any]]:
    """The games that an entry point brings, if all of them can be played."""
    found: dict[str, Game[Any]] = {}
    for game in point.load().GAMES:
        if not isinstance(game, Game):
            raise TypeError(f"GAMES must hold instances of Game, not {game!r}")
        facts = [name for part in Definition.__mro__ for name in get_annotations(part)]
        missing = [name for name in facts if not hasattr(game, name)]
        if missing:
            raise TypeError(f"{type(game).__name__} lacks {', '.join(missing)}")
        if game.slug in known or game.slug in found:
            raise ValueError(f"a game called {game.slug!r} is already on the shelf")
        # Read the files that pages and commands need: a missing file is found now, not by a
        # visitor.
        _ = game.texts, game.rules, game.examples, game.art, game.start().moves()
        found[game.slug] = game
    return found


def _name(point: EntryPoint) -> str:
    return f"{point.name} ({point.dist.name} {point.dist.version})" if point.dist else point.name


def games() -> list[Game[Any]]:
    """Every game."""
    return list(shelf().values())


def game(slug: str) -> Game[Any]:
    """The game of that name; UnknownGame lists the known ones."""
    known = shelf()
    try:
        return known[slug]
    except KeyError:
        near = difflib.get_close_matches(slug, known, 1)
        raise UnknownGame(slug, list(known), "".join(near)) from None
