"""What the lid of a box says about a game, and looking for a box by it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from escale.game.game import Game
from escale.games import games
from escale.server import pictures, prose

COLOURS = 6
"""So many colours of cardboard are in the styles."""


@cache
def lid(box: Game[Any], lang: str) -> dict[str, Any]:
    """What a lid says about a game."""
    rules = box.rules[lang]
    kinds = [(kind, box.texts.say(f"mechanism.{kind}", lang)) for kind in box.mechanisms]
    spoken = (box.title, *box.authors, box.publisher, box.year or "", rules.introduction,
              *(name for _, name in kinds))
    return {
        "slug": box.slug, "title": box.title, "authors": ", ".join(box.authors),
        "publisher": box.publisher, "year": box.year, "seats": box.seats,
        "minutes": box.minutes, "age": box.age, "kinds": kinds,
        "introduction": rules.introduction, "cover": pictures.cover(box),
        "lid": [game.slug for game in games()].index(box.slug) % COLOURS,
        "words": prose.plain(" ".join(map(str, spoken))),
    }


def matches(box: Mapping[str, Any], asked: Mapping[str, str]) -> bool:
    """Whether a box is one of those that somebody is looking for; what is no number is ignored."""
    fewest, most = box["seats"]
    return (
        all(word in box["words"] for word in prose.plain(asked["q"]).split())
        and (not asked["players"].isdecimal() or fewest <= int(asked["players"]) <= most)
        and (not asked["minutes"].isdecimal() or box["minutes"][1] <= int(asked["minutes"]))
        and (not asked["kind"] or asked["kind"] in dict(box["kinds"]))
    )
