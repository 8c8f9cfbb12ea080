"""Who sits where, and what they propose to one another."""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from escale.game.texts import house
from escale.match.limits import LevelName, Name, Value


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sits on a seat: a person, the computer at a level, or nobody yet."""

    # Made by a factory, these two are written even where they are the default.
    name: Name = msgspec.field(default_factory=str)
    level: LevelName | None = msgspec.field(default_factory=lambda: None)
    open: bool = False
    value: Value | None = None
    """What this seat's browser mixes into what chance decides."""
    bot: bool = False
    """Whether a bot with an account holds the seat, also while the computer plays for it."""


def named(name: str, bot: bool, lang: str) -> str:
    """What to call somebody in a line of text, where nothing else marks a bot as one."""
    return house().say("bot.named", lang, name=name) if bot else name


@dataclass(slots=True)
class Offer:
    """Something proposed that waits for the others' answers."""

    seat: int
    what: str
    agreed: set[int] = field(default_factory=set)
