"""Puzzles: positions with one move to find, kept as data beside each game.

`puzzles.jsonl` in a game's folder has one JSON object a line: the first has the command that made
the file, each of the others a puzzle. `escale study mine` writes it; `mining.py` explains what is
proven of every puzzle.
"""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

from escale.game.game import Game
from escale.game.position import Position
from escale.games import games
from escale.opponents import LEVELS

FILE = "puzzles.jsonl"
LEVEL_TRIES = 20
"""The number of tries of each level."""
BEGINNERS = LEVELS[:2]
"""The levels of absolute beginners."""
BEGINNER_MOVES = 2
"""The moves of the solver in a puzzle for beginners."""
RATINGS = tuple(800 + 240 * number for number in range(len(LEVELS)))
"""The rating of each level as a solver: the levels are about as far apart (docs/strength.md)."""
ELO = math.log(10) / 400
"""The steepness of a logistic curve whose unit is the Elo."""
PRIOR = (1400, 400)
"""Mean and deviation of the ratings of puzzles before any level has tried them."""
STAR_RATINGS = (700, 900, 1150, 1450)
"""The ratings from which a puzzle has two, three, four and five stars."""
MOST_STARS = len(STAR_RATINGS) + 1
DAY_STARS = 3
"""The most stars of a puzzle of the day."""

Proof = Literal["only", "clear", "soonest"]
"""The proven fact about all other first moves: `only`, none of them wins at all; `clear`, none of
them wins within one move more; `soonest`, none of them wins within as many moves.
"""


@dataclass(frozen=True)
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
    """The number of `LEVEL_TRIES` tries that solved it, level by level."""
    slower: tuple[int, ...]
    """The number of tries that would have won for certain, but too late: they do not count."""
    origin: str
    """The game of the arena from which it comes, and the ply."""

    @property
    def plies(self) -> int:
        """The number of plies within which it is won."""
        return len(self.line)

    @property
    def for_beginners(self) -> bool:
        """Whether it is short, and the second level solves it in at least half of its tries."""
        counted = LEVEL_TRIES - self.slower[1]
        return self.moves == BEGINNER_MOVES and 2 * self.found[1] >= counted > 0

    @cached_property
    def rating(self) -> tuple[int, int]:
        """Its difficulty as an Elo number, and the standard error.

        A level solves it as often as a player of the level's rating would win against a player
        of this one. The tries of a level resemble each other: if the levels differ more from the
        curve than chance would have it, the error is larger by as much.
        """
        tries = [LEVEL_TRIES - slower for slower in self.slower]
        mean, deviation = PRIOR
        here = float(mean)
        for _ in range(60):
            odds = [1 / (1 + math.exp(ELO * (here - rating))) for rating in RATINGS]
            slope = sum(
                ELO * (all_ * share - found)
                for all_, share, found in zip(tries, odds, self.found, strict=True)
            ) - (here - mean) / deviation**2
            weight = sum(
                ELO**2 * all_ * share * (1 - share)
                for all_, share in zip(tries, odds, strict=True)
            ) + 1 / deviation**2
            here += max(-200.0, min(200.0, slope / weight))
        spread = sum(
            (found - all_ * share) ** 2 / (all_ * share * (1 - share) + 0.5)
            for all_, share, found in zip(tries, odds, self.found, strict=True)
        ) / (len(LEVELS) - 1)
        return round(here), round(math.sqrt(max(1.0, spread) / weight))

    @property
    def stars(self) -> tuple[int, int, int]:
        """Its difficulty in stars, from 1 to `MOST_STARS`: at least, most likely, and at most."""
        rating, error = self.rating
        least, likely, most = (
            1 + sum(one >= least for least in STAR_RATINGS)
            for one in (rating - error, rating, rating + error)
        )
        return least, likely, most

    def start(self, game: Game[Any]) -> Position:
        """The position to solve."""
        return game.position(self.position)

    def as_json(self) -> dict[str, Any]:
        """Plain data, for a line of the file."""
        slower = {"slower": list(self.slower)} if any(self.slower) else {}
        return {
            "id": self.id, "position": self.position, "moves": self.moves,
            "line": " ".join(self.line), "proof": self.proof, "themes": " ".join(self.themes),
            "found": list(self.found), **slower, "from": self.origin,
        }

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Puzzle:
        """The puzzle that `as_json` has written."""
        return cls(
            fields["id"], fields["position"], fields["moves"], tuple(fields["line"].split()),
            fields["proof"], tuple(fields["themes"].split()), tuple(fields["found"]),
            tuple(fields.get("slower", [0] * len(fields["found"]))), fields["from"],
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
    ordered = sorted(puzzles, key=lambda puzzle: (*puzzle.rating, puzzle.moves, puzzle.id))
    lines = [head, *(puzzle.as_json() for puzzle in ordered)]
    written = "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )
    path.write_text(written, "utf-8")
    _read.cache_clear()


def of_the_day(day: datetime.date) -> tuple[Game[Any], Puzzle] | None:
    """The puzzle of a day: easy to middling, the board games in turn.

    It returns after all others of its game. None if no game has such puzzles.
    """
    having = {
        game: [puzzle for puzzle in puzzles_of(game).values() if puzzle.stars[1] <= DAY_STARS]
        for game in games() if not game.has_exercises
    }
    having = {game: puzzles for game, puzzles in having.items() if puzzles}
    if not having:
        return None
    since, which = divmod(day.toordinal(), len(having))
    game, puzzles = list(having.items())[which]
    puzzles.sort(key=lambda puzzle: puzzle.id)      # in random order
    return game, puzzles[since % len(puzzles)]
