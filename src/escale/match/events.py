"""What events are made of, and the limits of what people may write into them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from escale.game.errors import NotNow

Entry = dict[str, Any]
"""One event: its number `n`, what was done in `do`, what that needs; `at`, when, in Unix
milliseconds; `id`, by which the sender knows it."""

NAME = 40
SAYING = 500
MOVE = 1000
LINE = 5000
WORD = 64
"""The most letters in what people and programs write; WORD is for what programs make up."""

FIELDS = {
    "begin": {"values"},
    "sit": {"seat", "name", "level", "value"},
    "play": {"seat", "move"},
    "draw": {"move"},
    "offer": {"seat", "what"},
    "answer": {"seat", "yes"},
    "resign": {"seat"},
    "flag": {"seat", "level"},
    "reopen": set[str](),
    "end": {"outcome", "secret"},
    "rematch": {"table"},
    "say": {"seat", "text"},
}
"""What each kind of event may say."""

LATEST = 1 << 53
INVISIBLE = {*map(chr, range(0x202A, 0x202F)), *map(chr, range(0x2066, 0x206A))}
"""Letters that turn the direction of writing round, and so the names of others."""


def number_entry(event: Mapping[str, Any], number: int, seats: int) -> Entry:
    """An event with its number, if it is one that can be understood; NotNow says why not."""
    entry: Entry = {"n": number, **event}
    if type(entry["n"]) is not int or entry["n"] != number:
        raise NotNow(f"expected event {number}, not {str(entry['n'])[:40]}")
    do = entry.get("do")
    if not isinstance(do, str) or do not in FIELDS:
        raise NotNow(f"expected one of {', '.join(FIELDS)}; got {str(do)[:40]!r}")
    for name in entry.keys() - FIELDS[do] - {"n", "do", "at", "id"}:
        raise NotNow(f"an event {do!r} has no {str(name)[:40]!r}")
    if "seat" in FIELDS[do] and not (
        type(entry.get("seat")) is int and 0 <= entry["seat"] < seats
    ):
        raise NotNow(f"expected a seat from 0 to {seats - 1}")
    if "at" in entry and not (type(entry["at"]) is int and 0 <= entry["at"] < LATEST):
        raise NotNow("expected a time in milliseconds for 'at'")
    if "id" in entry:
        text(entry, "id", WORD)
    return entry


def text(entry: Mapping[str, Any], name: str, most: int, *, lines: bool = False) -> str:
    """A text that can be shown; NotNow if it is none, too long, or would upset a page."""
    value = entry.get(name)
    if not isinstance(value, str):
        raise NotNow(f"expected a text for {name!r}")
    if len(value) > most:
        raise NotNow(f"{name!r} has {len(value)} letters; {most} are the most")
    for letter in value:
        if unicodedata.category(letter) in ("Cc", "Cs") or letter in INVISIBLE:
            if lines and letter == "\n":
                continue
            raise NotNow(f"{name!r} has a letter that cannot be shown: {letter!a}")
    return value


def word(value: object, name: str) -> str:
    """A word of letters, digits, `-` and `_`, as programs make them up."""
    if not isinstance(value, str) or not re.fullmatch(f"[A-Za-z0-9_-]{{1,{WORD}}}", value):
        raise NotNow(f"expected a word of up to {WORD} letters, digits, '-' and '_' for {name}")
    return value
