"""Puzzles: positions with one move to find, kept as data beside each game.

`puzzles.jsonl` in a game's folder has one JSON object a line: the first has the command that made
the file, each of the others a puzzle. `escale study mine` writes it; `mining.py` explains what is
proven of every puzzle.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from escale.game.game import Game
from escale.game.position import Position
from escale.games import games
from escale.opponents import LEVELS

FILE = "puzzles.jsonl"
LEVEL_TRIES = 20
"""The number of tries of each level."""

Proof = Literal["only", "soonest"]
"""The proven fact about all other first moves: `only`, none of them wins at all; `soonest`, none of
them wins within as many moves.
"""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in which the seat to move must find the one move that wins in time."""

    id: str
    position: str
    moves: int
    """The number of the solver's moves, against the longest defence."""
    line: tuple[str, ...]
    """The solution: the moves of all seats to the end, against the longest defence."""
    proof: Proof
    themes: tuple[str, ...]
    """Its themes, in the order of the game's `themes`."""
    found: tuple[int, ...]
    """The number of `LEVEL_TRIES` tries that found the move, level by level."""
    origin: str
    """The game of the arena from which it comes, and the ply."""

    @property
    def plies(self) -> int:
        """The number of plies within which it is won."""
        return len(self.line)

    @property
    def level(self) -> str | None:
        """The weakest level that finds the move in at least half of its tries, or None."""
        found = (level for level, times in zip(LEVELS, self.found, strict=True)
                 if 2 * times >= LEVEL_TRIES)
        return next(found, None)

    @property
    def difficulty(self) -> int:
        """From 1, if the second level finds it, to 6, if none does."""
        return LEVELS.index(self.level) if self.level else len(LEVELS)

    def start(self, game: Game[Any]) -> Position:
        """The position to solve."""
        return game.position(self.position)

    def as_json(self) -> dict[str, Any]:
        """Plain data, for a line of the file."""
        return {
            "id": self.id, "position": self.position, "moves": self.moves,
            "line": " ".join(self.line), "proof": self.proof, "themes": " ".join(self.themes),
            "found": list(self.found), "from": self.origin,
        }

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Puzzle:
        """The puzzle that `as_json` has written."""
        return cls(
            fields["id"], fields["position"], fields["moves"], tuple(fields["line"].split()),
            fields["proof"], tuple(fields["themes"].split()), tuple(fields["found"]),
            fields["from"],
        )


def puzzles_of(game: Game[Any]) -> dict[str, Puzzle]:
    """The puzzles of a game by their ids, from the easiest to the hardest; empty without any."""
    return _read(game.folder / FILE)[1]


def head_of(game: Game[Any]) -> dict[str, Any]:
    """Facts about the making of a game's puzzles, such as the command."""
    return _read(game.folder / FILE)[0]


@cache
def _read(path: Path) -> tuple[dict[str, Any], dict[str, Puzzle]]:
    if not path.exists():
        return {}, {}
    head, *lines = map(json.loads, path.read_text("utf-8").splitlines())
    puzzles = map(Puzzle.from_json, lines)
    return head, {puzzle.id: puzzle for puzzle in puzzles}


def write_puzzles(path: Path, head: dict[str, Any], puzzles: Iterable[Puzzle]) -> None:
    """Write the file, the easiest and shortest puzzles first."""
    ordered = sorted(puzzles, key=lambda puzzle: (puzzle.difficulty, puzzle.moves, puzzle.id))
    lines = [head, *(puzzle.as_json() for puzzle in ordered)]
    written = "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )
    path.write_text(written, "utf-8")
    _read.cache_clear()


def of_the_day(day: datetime.date) -> tuple[Game[Any], Puzzle] | None:
    """The puzzle of a day, the games in turn; it returns after all others of its game.

    None if no game has puzzles.
    """
    having = [game for game in games() if puzzles_of(game)]
    if not having:
        return None
    since, which = divmod(day.toordinal(), len(having))
    game = having[which]
    puzzles = sorted(puzzles_of(game).values(), key=lambda puzzle: puzzle.id)    # in random order
    return game, puzzles[since % len(puzzles)]
