"""Viewers of a table: one type, passed explicitly to everything that leaves for a person."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: sees what is open, and their own hand."""

    number: int


class Watcher(Enum):
    """Viewers without a seat: use `ALL` and `SPECTATOR`."""

    ALL = "all"
    SPECTATOR = "spectator"


ALL: Final = Watcher.ALL
"""Sees everything: analysis, transcripts that the house keeps, games that are over."""
SPECTATOR: Final = Watcher.SPECTATOR
"""Sees what is open to all at the table."""

HIDDEN: Final = "?"
"""What stands in a move's text for what a viewer may not know."""

Viewer = Seat | Literal[Watcher.ALL, Watcher.SPECTATOR]
"""`ALL`, `SPECTATOR` or `Seat(n)`."""


def viewer_on_turn(turn: int | None) -> Viewer:
    """The seat to move; `ALL` while it is the turn of chance, and when the game is over."""
    return ALL if turn is None or turn < 0 else Seat(turn)
