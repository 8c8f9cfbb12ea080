"""Sentences about puzzles, from the texts of the study or of the game.

If a game's puzzles are exercises, its own texts name their task.
"""

from __future__ import annotations

from typing import Any

from escale.game.game import Game
from escale.game.moves import Move
from escale.study.puzzles import Puzzle
from escale.study.solving import Verdict
from escale.study.themes import theme_name
from escale.study.words import words


def _say(game: Game[Any], key: str, lang: str, **values: object) -> str:
    own = f"exercise.{key}"
    if game.has_exercises and own in game.texts:
        return game.texts.say(own, lang, **values)
    return words().say(f"puzzle.{key}", lang, **values)


def goal(game: Game[Any], puzzle: Puzzle, lang: str) -> str:
    """The seat to move, and its task."""
    seat = puzzle.start(game).turn
    assert seat is not None
    return _say(game, "goal", lang, seat=game.seat_name(seat, lang), moves=puzzle.moves)


def proof(game: Game[Any], puzzle: Puzzle, lang: str) -> str:
    """A sentence on what is proven of all other moves."""
    if game.has_exercises:
        return _say(game, "proof", lang)
    return words().say(f"puzzle.proof.{puzzle.proof}", lang)


def themes(game: Game[Any], puzzle: Puzzle, lang: str) -> list[str]:
    """A phrase for each theme."""
    return [theme_name(game, theme, lang) for theme in puzzle.themes]


def verdict(game: Game[Any], puzzle: Puzzle, move: Move, found: Verdict, lang: str) -> str:
    """The sentence to the solver about a move."""
    reply = ", ".join(reply.label(lang) for reply in found.replies)
    if found.kind == "wrong":
        key = "over" if not found.replies else "lost" if found.lost else "late"
    else:
        key = found.kind
    return _say(game, key, lang, move=move.label(lang), reply=reply, moves=puzzle.moves)


def first_hint(game: Game[Any], puzzle: Puzzle, move: Move, lang: str) -> str:
    """The theme, and the piece to look at, if that does not reveal the move."""
    sentences = []
    if puzzle.themes:
        theme = theme_name(game, puzzle.themes[0], lang)
        sentences.append(words().say("puzzle.hint.theme", lang, theme=theme))
    if len(move.atoms) > 1:
        place = game.label(move.atoms[0], lang)
        sentences.append(words().say("puzzle.hint.look", lang, place=place))
    return " ".join(sentences)


def second_hint(move: Move, lang: str) -> str:
    """The move itself."""
    return words().say("puzzle.hint.move", lang, move=move.label(lang))


def hint_rule(game: Game[Any], puzzle: Puzzle) -> str | None:
    """The paragraph that a hint cites, such as `tortuga#chain`."""
    return f"{game.slug}#{game.themes[puzzle.themes[0]]}" if puzzle.themes else None
