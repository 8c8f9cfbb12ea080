"""Checks puzzles: they must be readable, legal and varied, and their file not too large."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from escale.game.errors import EscaleError
from escale.game.game import Game
from escale.opponents import LEVELS
from escale.study.mining import MOST_SOONEST, TRIVIAL_SHARE, name_of
from escale.study.puzzles import FILE, LEVEL_TRIES, Puzzle, head_of, puzzles_of
from escale.study.solving import achieved
from escale.study.words import words

PUZZLE_BYTES = 200_000
"""The most bytes of a game's file of puzzles."""


def puzzle_faults(game: Game[Any]) -> Iterator[str]:
    """Faults in a game's themes, and in its puzzles if it has any."""
    numbers = game.rules["fr"].numbers
    for theme, paragraph in game.themes.items():
        if paragraph not in numbers:
            yield f"the theme {theme} cites {paragraph}, which is no paragraph"
        if f"theme.{theme}" not in game.texts and f"puzzle.theme.{theme}" not in words():
            yield f"missing text theme.{theme}"
    path = game.folder / FILE
    if not path.exists():
        return
    if path.stat().st_size > PUZZLE_BYTES:
        yield f"{FILE} has {path.stat().st_size} bytes, more than {PUZZLE_BYTES}"
    known = puzzles_of(game)
    if head_of(game).get("game") != game.slug or "made by" not in head_of(game):
        yield f"the first line of {FILE} must say the game and the command that made it"
    if len(known) + 1 != len(path.read_text("utf-8").splitlines()):
        yield f"two puzzles of {FILE} have the same id"
    soonest = sum(puzzle.proof == "soonest" for puzzle in known.values())
    if soonest > MOST_SOONEST * len(known):
        yield f"{soonest} of {len(known)} puzzles are marked soonest: expected {MOST_SOONEST:.0%}"
    for puzzle in known.values():
        try:
            yield from (f"puzzle {puzzle.id}: {fault}" for fault in _faults(game, puzzle))
        except EscaleError as error:
            yield f"puzzle {puzzle.id}: {error}"


def _faults(game: Game[Any], puzzle: Puzzle) -> Iterator[str]:
    """Faults in one puzzle; tests check its proof."""
    here = puzzle.start(game)
    solver, moves = here.turn, 0
    if here.text != puzzle.position:
        yield f"its position is written {here.text!r}"
    if name_of(here) != puzzle.id:
        yield f"its id must be {name_of(here)}"
    for text in puzzle.line:
        moves += here.turn == solver
        here = here.play(text)
    if moves != puzzle.moves:
        yield f"its line has {moves} moves of the solver, not {puzzle.moves}"
    if solver not in (achieved(here) or ()):
        yield "its line does not lead to what is asked for"
    if unknown := [theme for theme in puzzle.themes if theme not in game.themes]:
        yield f"the game has no theme {unknown[0]}"
    if len(puzzle.found) != len(LEVELS) or not all(0 <= one <= LEVEL_TRIES for one in puzzle.found):
        yield f"expected how many of {LEVEL_TRIES} tries found it, for {len(LEVELS)} levels"
    elif puzzle.found[0] > TRIVIAL_SHARE * LEVEL_TRIES:
        yield f"{LEVELS[0]} solves it {puzzle.found[0]} times of {LEVEL_TRIES}: that is no puzzle"
    if game.puzzle_contact and not game.puzzle_contact & set(puzzle.themes):
        yield f"expected one of the themes {', '.join(sorted(game.puzzle_contact))}"
