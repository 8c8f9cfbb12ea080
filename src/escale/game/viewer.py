"""Viewers of a table: one type, passed explicitly to everything that is made for a person."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Seat:
    """A player, who sees what is open, and their own hand."""

    number: int


class Watcher(Enum):
    """Viewers without a seat: use `ALL` and `SPECTATOR`."""

    ALL = "all"
    SPECTATOR = "spectator"


ALL: Final = Watcher.ALL
"""Sees everything: for analysis, the house's own transcripts, and finished games."""
SPECTATOR: Final = Watcher.SPECTATOR
"""Sees everything that all at the table may see."""

HIDDEN: Final = "?"
"""The sign for hidden parts in a move's text."""

Viewer = Seat | Literal[Watcher.ALL, Watcher.SPECTATOR]
"""`ALL`, `SPECTATOR` or `Seat(n)`."""


def viewer_on_turn(turn: int | None) -> Viewer:
    """The seat to move; `ALL` while it is the turn of chance, and when the game is over."""
    return ALL if turn is None or turn < 0 else Seat(turn)
