"""The facts of a game in a line, and lines broken for the terminal."""

from __future__ import annotations

import textwrap
from typing import Any

from escale.game.game import Game
from escale.game.texts import span


def facts_of(game: Game[Any], lang: str) -> str:
    """The number of players, the duration, and the age from which a game can be played."""
    return game.texts.say(
        "shelf.facts", lang, seats=span(*game.seats), minutes=span(*game.minutes), age=game.age
    )


def wrap_text(text: str, width: int, indent: int = 0) -> str:
    r"""A text in lines of at most `width` letters, indented after a break.

    It is broken at ordinary spaces only: Rich would also break it at the no-break spaces of French
    punctuation.

    >>> wrap_text("Quel jeu\u202f?", 9)
    'Quel\njeu\u202f?'
    """
    return "\n".join(
        textwrap.fill(
            line, width, subsequent_indent=" " * indent, break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.split("\n")
    )
