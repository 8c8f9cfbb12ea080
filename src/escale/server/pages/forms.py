"""The form on the page of a game, as an order for a table that programs could send, too."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from escale.game.errors import BadSetup
from escale.game.game import Game
from escale.match.clock import Pace
from escale.match.limits import NAME_LETTERS, UNSEEN
from escale.opponents import LEVELS
from escale.server.tables.orders import (
    AnySeat,
    BotSeat,
    ComputerSeat,
    OpenSeat,
    Order,
    PersonSeat,
)
from escale.server.tables.phrases import is_listed

WAYS = ("computer", "screen", "link", "bot")
"""Against the computer, on this screen, by a link, against a bot."""
BOT = "bot:"
"""The prefix of a bot's name in the choice of a seat's player."""
LEVEL = LEVELS[0]
"""The computer's level for a first game; afterwards the browser remembers the last one."""
CLOCKS = ("none", "live", "days")
MINUTES = (3, 5, 10, 15, 20, 30, 45, 60)
INCREMENTS = (0, 3, 5, 10, 20, 30)
DAYS = (1, 2, 3, 5, 7, 14)
_UNSEEN = re.compile(f"[{UNSEEN}]")


def order(
    box: Game[Any], fields: Mapping[str, str], lang: str, guest: str, *, phrases_only: bool = False
) -> Order:
    """The order that a form makes; BadSetup names the field that is wrong.

    Every missing field has a default. `guest` is the name of a person who gave none or, where
    people only say set phrases, one that is on no list.
    """
    way = fields.get("way", WAYS[0])
    if way not in WAYS:
        raise BadSetup("way", way=way, known=WAYS)
    seats = box.seat_count(_whole(fields, "seats", box.seats[0]))
    options = {**box.quick, **{
        option.name: fields[f"option-{option.name}"]
        for option in box.options if f"option-{option.name}" in fields
    }}
    phrases = way == "link" and "phrases" in fields
    if phrases or phrases_only:
        fields = {field: value for field, value in fields.items()
                  if not field.startswith("name") or is_listed(name(fields, field), box)}
    return Order(
        game=box.slug, options=dict(box.choose(options)),
        seats=[_seat(box, fields, lang, guest, way, seat, seats) for seat in range(seats)],
        clock=_clock(fields) if way in ("link", "bot") else None,
        public=way == "link" and "public" in fields,
        hints=way in ("link", "bot") and "hints" in fields,
        phrases=phrases,
    )


def _seat(
    box: Game[Any], fields: Mapping[str, str], lang: str, guest: str, way: str, seat: int,
    seats: int,
) -> AnySeat:
    """The player whom the form puts on a seat: a person, a computer, a bot, or no one yet."""
    me = PersonSeat(name(fields, "name") or guest, later=True)
    if way == "screen":
        called = name(fields, f"name-{seat}") or box.seat_name(seat, lang)
        return PersonSeat(called, later=True)
    if way in ("computer", "bot"):
        own = _whole(fields, "my-seat", 0)
        if not 0 <= own < seats:
            raise BadSetup("own-seat", seat=own, last=seats - 1)
        if seat == own:
            return me
        return BotSeat(name(fields, "bot")) if way == "bot" \
            else ComputerSeat(fields.get("level", LEVEL))
    chosen = fields.get(f"seat-{seat}", "me" if seat == 0 else "open")
    if chosen == "me":
        return me
    if chosen.startswith(BOT):
        return BotSeat(chosen.removeprefix(BOT))
    return OpenSeat() if chosen == "open" else ComputerSeat(chosen)


def name(fields: Mapping[str, str], field: str) -> str:
    """A name without invisible letters, such as those that change the direction of a line."""
    seen = _UNSEEN.sub("", fields.get(field, ""))
    return "".join(letter for letter in seen if letter.isprintable()).strip()[:NAME_LETTERS]


def _clock(fields: Mapping[str, str]) -> Pace | None:
    kind = fields.get("clock", CLOCKS[0])
    if kind == "live":
        return Pace.live(
            60 * _one_of(MINUTES, fields, "minutes", 10),
            _one_of(INCREMENTS, fields, "increment", 10),
        )
    if kind == "days":
        return Pace.daily(_one_of(DAYS, fields, "days", 3))
    if kind != "none":
        raise BadSetup("clock", clock=kind, known=CLOCKS)
    return None


def _one_of(known: tuple[int, ...], fields: Mapping[str, str], name: str, default: int) -> int:
    value = _whole(fields, name, default)
    if value not in known:
        raise BadSetup("one-of", field=name, value=value, known=known)
    return value


def _whole(fields: Mapping[str, str], name: str, default: int) -> int:
    text = fields.get(name, "").strip() or str(default)
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise BadSetup("number", field=name, value=text)
    return int(text)
