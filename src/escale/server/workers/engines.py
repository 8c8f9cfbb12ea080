"""Engines that the host lets people play against, each under a name of the host's.

A visitor chooses a name, never a command. `escale serve --engine NAME=COMMAND` adds one engine;
a file given by `--engine-file FILE` can say more about each:

```toml
["Old Turtle"]
command = ["/opt/turtle/engine", "--quiet"]
games = ["tortuga"]     # without this line: all games
seconds = 2             # to think about a move
memory = 512            # megabytes
processes = 1           # how many may think at the same time
```
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from escale.game.errors import BadOption, BadSetting
from escale.games import game
from escale.match.limits import NewName
from escale.opponents import LEVELS


class NamedEngine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An engine, and the resources that it may use."""

    command: tuple[str, ...]
    name: NewName = ""
    """The name that people choose, and see on its seat."""
    games: tuple[str, ...] = ()
    """The games that it plays; empty for all."""
    seconds: float = 3.0
    """The time to think about a move."""
    memory: int = 1024
    """Megabytes, for each of its processes."""
    processes: int = 1
    """How many of its processes may think at the same time."""

    def __post_init__(self) -> None:
        if not self.command or not 0.01 <= self.seconds <= 60:
            raise ValueError("expected a command, and from 0.01 to 60 seconds")
        if self.memory < 1 or not 1 <= self.processes <= 64:
            raise ValueError("expected some memory, and from 1 to 64 processes")

    def plays(self, slug: str) -> bool:
        """Whether people can choose it as an opponent at this game."""
        return not self.games or slug in self.games


def names_at(slug: str, engines: Iterable[NamedEngine]) -> tuple[str, ...]:
    """The names of the engines that can be chosen at a game."""
    return tuple(engine.name for engine in engines if engine.plays(slug))


def named_engines(words: Iterable[str], file: Path | None = None) -> tuple[NamedEngine, ...]:
    """The engines of the options `--engine` and `--engine-file`; BadOption says what is wrong."""
    found = [*(_read(file) if file else ()), *(_parsed(word) for word in words)]
    names = [engine.name for engine in found]
    for name in names:
        if not name.strip() or name in LEVELS or names.count(name) > 1:
            raise BadSetting("engine-name", name=name)
    return tuple(found)


def _parsed(word: str) -> NamedEngine:
    name, _, command = word.partition("=")
    try:
        return _checked({"name": name.strip(), "command": shlex.split(command)})
    except ValueError as error:
        raise BadSetting("engine", got=word, why=error) from None


def _read(file: Path) -> list[NamedEngine]:
    try:
        found = tomllib.loads(file.read_text("utf-8"))
        return [_checked({"name": name, **about}) for name, about in found.items()]
    except (OSError, ValueError, TypeError, LookupError) as error:
        raise BadOption(f"{file}: {error}") from None


def _checked(fields: dict[str, object]) -> NamedEngine:
    engine = msgspec.convert(fields, NamedEngine)       # its ValidationError is a ValueError
    for slug in engine.games:
        game(slug)
    return engine
