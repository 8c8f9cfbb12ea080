"""Puzzles in words, as pages show them."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cache
from typing import Any

from escale.game.game import Game
from escale.opponents import LEVELS
from escale.study import puzzle_words
from escale.study.puzzles import of_the_day, puzzles_of


@dataclass(frozen=True, slots=True)
class ShownPuzzle:
    """A puzzle as pages show it."""

    id: str
    game: str
    title: str
    number: int
    """Its place among the puzzles of its game."""
    moves: int
    level: str
    """The weakest level that finds it, by name; empty where none does."""
    goal: str
    proof: str
    themes: list[str]


@cache
def show_puzzles(game: Game[Any], lang: str) -> dict[str, ShownPuzzle]:
    """The puzzles of a game by their ids, the easiest first."""
    known = puzzles_of(game)
    names = {level: game.texts.say(f"level.{level}", lang) for level in LEVELS}
    return {
        puzzle.id: ShownPuzzle(
            puzzle.id, game.slug, game.title, number, puzzle.moves,
            names[puzzle.level] if puzzle.level else "",
            puzzle_words.goal(game, puzzle, lang), puzzle_words.proof(game, puzzle, lang),
            puzzle_words.themes(game, puzzle, lang),
        )
        for number, puzzle in enumerate(known.values(), 1)
    }


def puzzle_of_the_day(lang: str) -> ShownPuzzle | None:
    """The puzzle of this day, the same for everybody; None where there are no puzzles."""
    found = of_the_day(datetime.datetime.now(datetime.UTC).date())
    return show_puzzles(found[0], lang)[found[1].id] if found else None
