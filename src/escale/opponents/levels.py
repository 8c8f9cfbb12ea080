"""The strength of each level in each game: budgets and noise, found by matches, kept as data.

Beside each game, `levels.toml` has a line for each level:

```toml
bosco = { method = "alphabeta", nodes = 2000, noise = 60, sure = 2 }
```

Strength does not depend on time, so that a busy machine plays the same. The ceiling of time
protects waiting players, and is not reached in normal play. `escale arena calibrate` writes these
files.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from escale import kernel
from escale.game.errors import BadOption, BadSetting, BadSetup
from escale.game.game import Game

LEVELS = ("mousse", "matelot", "bosco", "pilote", "capitaine", "amiral")
"""The levels, from the weakest to the strongest; their names are in the house's texts."""
CEILINGS = dict(zip(LEVELS, (1.0, 1.0, 1.0, 3.0, 3.0, 3.0), strict=True))
"""Seconds after which a level moves in any case."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way of thinking: a method of the kernel, and its settings."""

    method: str
    settings: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, method: str, settings: Mapping[str, Any]) -> Way:
        """Make a way; BadOption if the method does not have one of the settings."""
        if method not in kernel.SETTINGS:
            raise BadSetting("method", method=method[:40], known=list(kernel.SETTINGS))
        budget, *others = kernel.SETTINGS[method]
        for name, value in settings.items():
            if name not in (budget, *others) or type(value) is not int or value < 0:
                raise BadSetting(
                    "method-setting", method=method, known=(budget, *others), name=name[:40],
                    value=str(value)[:40],
                )
        if settings.get(budget) == 0:
            raise BadSetting("method-budget", method=method, name=budget)
        return cls(method, tuple((name, settings[name]) for name in (budget, *others)
                                 if settings.get(name)))

    @classmethod
    def parse(cls, text: str) -> Way:
        """Read the text of `word`, such as `alphabeta:nodes=2000,noise=60`."""
        method, _, rest = text.partition(":")
        pairs = [part.partition("=") for part in rest.split(",") if rest]
        return cls.of(method, {name: int(value) if value.isdecimal() else value
                               for name, _, value in pairs})

    @property
    def word(self) -> str:
        """The way as one word, such as `alphabeta:nodes=2000`."""
        return f"{self.method}:" + ",".join(f"{name}={value}" for name, value in self.settings)

    @property
    def budgeted(self) -> bool:
        """Whether the way sets its own budget."""
        return kernel.SETTINGS[self.method][0] in dict(self.settings)

    def as_toml(self) -> str:
        """The way as an inline table of TOML."""
        pairs = "".join(f", {name} = {value}" for name, value in self.settings)
        return f'{{ method = "{self.method}"{pairs} }}'


def way_of(game: Game[Any], level: str) -> Way:
    """How a level thinks about a game; BadOption lists the levels."""
    if level not in LEVELS:
        raise BadSetup("level", level=level, known=LEVELS)
    return read_levels(game.folder / "levels.toml")[level]


@cache
def read_levels(path: Path) -> dict[str, Way]:
    """The levels in a file, which must have all of them and nothing else."""
    found = tomllib.loads(path.read_text("utf-8"))
    if tuple(found) != LEVELS:
        raise BadOption(f"{path}: expected {', '.join(LEVELS)}; found {', '.join(found)}")
    ways = {}
    for level, settings in found.items():
        ways[level] = Way.of(settings.pop("method", ""), settings)
        if not ways[level].budgeted:
            raise BadOption(f"{path}: {level} needs a budget")
    return ways


def write_levels(path: Path, ways: Mapping[str, Way], note: str) -> None:
    """Write a file for `read_levels`, with a note above."""
    lines = [f"# {line}".rstrip() for line in note.splitlines()]
    lines += [f"{level} = {ways[level].as_toml()}" for level in LEVELS]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    read_levels.cache_clear()
