"""The facts of a game, for programs and for pages."""

from __future__ import annotations

from functools import cache
from typing import Any

from escale.game.game import Game
from escale.opponents import LEVELS
from escale.server.messages import (
    GameFacts,
    LevelFacts,
    OptionFacts,
)


@cache
def facts(box: Game[Any], lang: str, engines: tuple[str, ...] = ()) -> GameFacts:
    """What is to be known of a game before it is played; `engines` are the host's, by name."""
    say = box.texts.say
    return GameFacts(
        slug=box.slug, title=box.title, pitch=say("pitch", lang),
        authors=list(box.authors), publisher=box.publisher, year=box.year,
        minutes=list(box.minutes), age=box.age, seats=list(box.seats),
        seat_names=[box.seat_name(seat, lang) for seat in range(box.seats[1])],
        mechanisms=[say(f"mechanism.{name}", lang) for name in box.mechanisms],
        hidden=box.hides,
        options=[
            OptionFacts(
                name=option.name, sentence=say(f"option.{option.name}", lang),
                default=option.default, quick=box.quick.get(option.name, option.default),
                values=[
                    {"value": value, "sentence": say(f"option.{option.name}.{value}", lang)}
                    for value in option.values
                ],
            )
            for option in box.options
        ],
        levels=[LevelFacts(level, box.called(level, lang, ("level",))) for level in LEVELS]
        + [LevelFacts(name, name) for name in engines],
    )
