"""Tables that are safe for children: set phrases instead of free chat, and names from a list."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.match.events import PhraseName
from escale.server.edge.problems import Problem, sentences

PHRASES: tuple[PhraseName, ...] = get_args(PhraseName)


def phrase_words(lang: str) -> dict[str, str]:
    """Every set phrase in a language, by its name."""
    return {name: sentences().say(f"phrase.{name}", lang) for name in PHRASES}


@cache
def listed_names(lang: str) -> tuple[str, ...]:
    """The names that people may choose from."""
    return tuple(sentences().say("phrases.names", lang).split(", "))


def is_listed(name: str, game: Game[Any]) -> bool:
    """Whether a name is empty, on a list, a guest's or that of a seat, in any language."""
    return any(
        name in ("", sentences().say("seat.guest", lang), *listed_names(lang))
        or name in {game.seat_name(seat, lang) for seat in range(game.seats[1])}
        for lang in LANGUAGES
    )


def check_name(name: str, game: Game[Any]) -> None:
    """Problem if a name is on no list."""
    if not is_listed(name, game):
        raise Problem("listed-name", detail=f"expected one of {', '.join(listed_names('en'))}")
