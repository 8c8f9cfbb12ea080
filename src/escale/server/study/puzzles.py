"""Puzzles on the web: what comes of a solver's move, and hints, as jobs of the study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from escale.game.position import Position
from escale.games import game
from escale.server.study.positions import shown
from escale.server.study.puzzle_messages import PuzzleHint, PuzzleVerdict
from escale.study import puzzle_words
from escale.study.puzzles import Puzzle, puzzles_of
from escale.study.solving import judge, next_move


def puzzle_verdict(question: dict[str, Any]) -> Iterator[PuzzleVerdict]:
    """What the last move of a line is worth, and what the others reply."""
    puzzle, here = _reached(question)
    move = here.last
    assert move is not None
    found = judge(puzzle, here)
    text = puzzle_words.verdict(here.game, puzzle, move, found, question["lang"])
    yield PuzzleVerdict(found.kind, text, [reply.text for reply in found.replies])


def puzzle_hint(question: dict[str, Any]) -> Iterator[PuzzleHint]:
    """The theme and its rule, or the move itself."""
    puzzle, here = _reached(question)
    move, lang = next_move(puzzle, here), question["lang"]
    if move is None:
        yield PuzzleHint("")
    elif question["hint"] == 1:
        text = puzzle_words.first_hint(here.game, puzzle, move, lang)
        place = move.atoms[0] if len(move.atoms) > 1 else None
        yield PuzzleHint(text, puzzle_words.hint_rule(here.game, puzzle), place)
    else:
        yield PuzzleHint(puzzle_words.second_hint(move, lang), move=shown(move, lang))


def _reached(question: dict[str, Any]) -> tuple[Puzzle, Position]:
    box = game(question["game"])
    puzzle = puzzles_of(box)[question["puzzle"]]
    here = puzzle.start(box)
    for move in question["line"]:
        here = here.play(move)
    return puzzle, here
