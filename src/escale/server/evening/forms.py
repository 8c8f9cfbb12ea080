"""The forms of an evening: what its host decides, and what guests say."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, get_args
from urllib.parse import parse_qsl

from starlette.requests import Request

from escale.game.errors import BadMessage
from escale.games import game as game_named
from escale.games import games
from escale.opponents import LEVELS
from escale.server.evening.events import (
    MOST_MINUTES,
    MOST_ROUNDS,
    Format,
    Plan,
)
from escale.server.evening.refusals import Refused
from escale.server.pages import forms

FORMATS: tuple[Format, ...] = get_args(Format)
SIZES = (3, 4, 5, 6)
MANY = ("ladder", "free")
"""Formats for games of more than two."""


async def fields_of(request: Request) -> dict[str, str]:
    """The fields of a form; of several with one name the games are joined by commas."""
    found: dict[str, str] = {}
    for name, value in parse_qsl((await request.body()).decode("utf-8", "replace")):
        found[name] = f"{found[name]},{value}" if name == "games" and name in found else value
    return found


def plan_of(fields: Mapping[str, str], *, seed: str = "") -> Plan:
    """The plan that a form describes; the errors say what does not fit."""
    slugs = [slug for slug in fields.get("games", "").split(",") if slug][:20]
    format = fields.get("format", FORMATS[1])
    if format not in FORMATS:
        raise BadMessage(f"expected one of {', '.join(FORMATS)}", "format")
    if not slugs:
        raise Refused("no-game")
    title = forms.name(fields, "title")
    if not title:
        raise Refused("no-title")
    minutes = whole(fields, "minutes", MOST_MINUTES)
    fill = fields.get("fill", "")
    return Plan(
        escale_evening=1, title=title, format=format,
        games=[game_named(slug).slug for slug in slugs], seed=seed or secrets.token_hex(8),
        rounds=whole(fields, "rounds", MOST_ROUNDS), minutes=minutes,
        clock="clock" in fields and minutes is not None,
        seats=whole(fields, "seats", SIZES[-1]) or 4, fill=fill if fill in LEVELS else None,
        board="real" if fields.get("board") == "real" else "screen",
    )


def plan_fields(plan: Plan) -> dict[str, Any]:
    """What a form shows of a plan."""
    return {
        "title": plan.title, "format": plan.format, "games": plan.games,
        "rounds": plan.rounds or "", "minutes": plan.minutes or "", "clock": plan.clock,
        "seats": plan.seats, "fill": plan.fill or "", "board": plan.board,
    }


NEW: dict[str, Any] = {
    "title": "", "format": "swiss", "games": [], "rounds": 3, "minutes": "", "clock": False,
    "seats": 4, "fill": "", "board": "screen",
}
"""What the form for a new evening shows."""


def choices(lang: str) -> dict[str, Any]:
    """What there is to choose from in the form of a plan."""
    return {
        "formats": FORMATS, "sizes": SIZES, "levels": LEVELS,
        "boxes": [
            {"slug": game.slug, "title": game.title, "seats": game.seats} for game in games()
        ],
        "level_names": {
            level: games()[0].called(level, lang, ("level",)) for level in LEVELS
        },
    }


def whole(fields: Mapping[str, str], name: str, most: int) -> int | None:
    """A whole number from 1 on, or None for an empty field."""
    text = fields.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= most):
        raise BadMessage(f"expected a number from 1 to {most}", name)
    return int(text)


def number(fields: Mapping[str, str], name: str) -> int:
    """A number that a button sends."""
    found = whole(fields, name, 10**6)
    if found is None:
        raise BadMessage("expected a number", name)
    return found


def places(fields: Mapping[str, str], seats: int) -> list[int]:
    """A result: `places` as the button of a game for two sends it, else a field for each seat.

    The places that people choose need no gaps after equal ones: two first ones and a second mean
    1, 1, 3.
    """
    if "places" in fields:
        found = [int(part) for part in fields["places"].split("-") if part.isdecimal()]
    else:
        found = [number(fields, f"place-{seat}") for seat in range(seats)]
    if len(found) != seats:
        raise Refused("places")
    return [1 + sum(other < own for other in found) for own in found]
