"""What several commands have in common: reading options, the facts of a game, breaking lines."""

from __future__ import annotations

import textwrap
from typing import Any

from escale.game.errors import BadOption
from escale.game.game import Game
from escale.game.texts import span


def option_words(words: list[str] | None) -> dict[str, str]:
    """Options given as NAME=VALUE."""
    options = {}
    for word in words or []:
        name, equals, value = word.partition("=")
        if not equals:
            raise BadOption(f"expected NAME=VALUE, such as formation=compact; got {word[:60]!r}")
        options[name] = value
    return options


def facts(box: Game[Any], lang: str) -> str:
    """How many people can play a game, how long it takes, and from what age."""
    return box.texts.say(
        "shelf.facts", lang, seats=span(*box.seats), minutes=span(*box.minutes), age=box.age
    )


def wrapped(text: str, width: int, indent: int = 0) -> str:
    r"""A text in lines of at most that width, broken at ordinary spaces only.

    Lines after a break are indented.

    Rich would break it at the no-break spaces of French punctuation, too.

    >>> wrapped("Quel jeu\u202f?", 9)
    'Quel\njeu\u202f?'
    """
    return "\n".join(
        textwrap.fill(
            line, width, subsequent_indent=" " * indent, break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.split("\n")
    )
