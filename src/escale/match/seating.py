"""The people and computers on the seats, and their offers to each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from escale.game.game import Game
from escale.game.texts import LANGUAGES, house
from escale.match.limits import LevelName, Name, Value


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A seat with its holder: a person, the computer at a level, or none yet."""

    # These two have a factory, so that they are written even if they are the default.
    name: Name = msgspec.field(default_factory=str)
    level: LevelName | None = msgspec.field(default_factory=lambda: None)
    open: bool = False
    value: Value | None = None
    """The value of this seat's browser for the chance outcomes."""
    bot: bool = False
    """Whether a bot with an account holds the seat, also while the computer plays for it."""


def named(name: str, bot: bool, lang: str) -> str:
    """A player's name for a line of text; a bot is marked as one."""
    return house().say("bot.named", lang, name=name) if bot and name else shown(name, lang)


def shown(name: str, lang: str) -> str:
    """A person's name in the reader's language: guests without a name are called Guest there."""
    say = house().say
    guests = (say("seat.guest", each) for each in LANGUAGES)
    return say("seat.guest", lang) if name and name in guests else name


def set_up_words(name: str | None, lang: str) -> str:
    """A note that hidden cards were set up, and not drawn by chance."""
    if not name:
        return house().say("dealt.by-hand", lang)
    return house().say("dealt.by", lang, name=shown(name, lang))


def called(players: Sequence[Player], game: Game[Any], lang: str) -> list[str]:
    """The names of a table's players in sentences, each of them different.

    A name, or a level, else the seat's own name. Equal names get the seat's name in addition.
    """
    labels = [game.seat_name(seat, lang) for seat in range(len(players))]
    names = [
        _called(player, game, lang) or label for player, label in zip(players, labels, strict=True)
    ]
    return [
        name if names.count(name) == 1
        else house().say("called.twice", lang, name=name, seat=label)
        for name, label in zip(names, labels, strict=True)
    ]


def _called(player: Player, game: Game[Any], lang: str) -> str:
    if player.level is None:
        return named(player.name, player.bot, lang)
    level = game.called(player.level, lang, ("level",))
    return stand_in(level, player.name, lang)


def stand_in(level: str, name: str, lang: str) -> str:
    """The name of a computer, which may play for a person with a name."""
    return house().say("called.stand-in", lang, level=level, name=shown(name, lang)) \
        if name else level


@dataclass(slots=True)
class Offer:
    """An offer that waits for the others' answers."""

    seat: int
    what: str
    agreed: set[int] = field(default_factory=set)
