"""Engines of others as contenders: `engine:ms=500,memory=256,python3 mine.py --deep`.

Every game has a process of its own, so that a crash costs one game, and results do not depend on
which games were played before in the same process.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from escale.game.errors import BadOption
from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import Limit
from escale.opponents.client import Engine
from escale.opponents.line_process import EngineError

KIND = "engine"
MOVE_MILLISECONDS = 1000
"""The time for a move, if the name gives none."""
MEMORY_MEGABYTES = 1024
"""The megabytes of memory, if the name gives none."""
GRACE_SECONDS = 1.0
"""Seconds that a move may take longer: the machine has other work, too."""
MOVE_SECONDS = 60.0
"""Seconds for a move if the budget is not a time."""
SETTINGS = ("ms", "nodes", "simulations", "memory")

Chooser = Callable[[Position, int], Move]
"""Chooses a move for the seat to move; the seed makes the choice repeatable."""

_SETTING = re.compile(rf"({'|'.join(SETTINGS)})=(\d+),")


@dataclass(frozen=True, slots=True)
class Program:
    """A program, with the resources that it may use."""

    command: tuple[str, ...]
    limit: Limit
    memory: int

    @classmethod
    def parse(cls, text: str) -> Program:
        """Read settings, each followed by a comma, and the command; BadOption if there is none."""
        settings: dict[str, int] = {}
        while found := _SETTING.match(text):
            settings[found[1]] = int(found[2])
            text = text[found.end():]
        try:
            command = shlex.split(text)
            if not command:
                raise BadOption("an engine needs a command")
            memory = settings.pop("memory", MEMORY_MEGABYTES)
            milliseconds = settings.pop("ms", None if settings else MOVE_MILLISECONDS)
            limit = Limit(
                **settings, seconds=None if milliseconds is None else milliseconds / 1000
            )
            if not memory or len(settings) > 1:
                raise BadOption("an engine needs some memory, and one budget")
        except ValueError as error:
            raise BadOption(str(error)) from None
        return cls(tuple(command), limit, memory)

    @contextmanager
    def seated(self) -> Iterator[Chooser]:
        """The program at a table; EngineError when it fails."""
        with Engine.open(
            self.command, memory=self.memory, grace=GRACE_SECONDS, patience=MOVE_SECONDS
        ) as engine:
            yield lambda position, seed: engine.play(position, self.limit, seed=seed)

    def check(self) -> None:
        """Start the program once; BadOption if that fails, or if it does not say hello."""
        try:
            with self.seated():
                pass
        except EngineError as error:
            raise BadOption(f"{shlex.join(self.command)}: {error}") from None
