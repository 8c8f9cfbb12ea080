"""What several commands have in common: reading options, and the facts of a game."""

from __future__ import annotations

from typing import Any

from escale.game.errors import BadOption
from escale.game.game import Game


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
        "shelf.facts", lang, seats=_span(*box.seats), minutes=_span(*box.minutes), age=box.age
    )


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}-{high}"
