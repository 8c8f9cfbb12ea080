"""Reads JSON into the structs of the schema; errors explain in a sentence what is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, get_args

import msgspec

from escale.game.errors import BadMessage
from escale.match.limits import PATTERNS

encode = msgspec.json.Encoder().encode
_PLACE = re.compile(r"(.*) - at `(?:key in )?\$\.?(.*)`", re.DOTALL)


def reader(kind: Any) -> Callable[[str | bytes], Any]:
    """A function that reads one kind of struct, or one of several; BadMessage explains a fault."""
    decoder = msgspec.json.Decoder(kind)

    def read(text: str | bytes) -> Any:
        try:
            return decoder.decode(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            malformed = not isinstance(error, msgspec.ValidationError)
            raise BadMessage(*_explain(str(error), kind), malformed=malformed) from None

    return read


def checker(read: Callable[[str | bytes], Any]) -> Callable[[Any], Any]:
    """A function that checks a struct made in Python, as if it had been sent."""

    def checked(struct: Any) -> Any:
        try:
            text = encode(struct)
        except (TypeError, ValueError, OverflowError) as error:
            raise BadMessage(str(error)[:200]) from None
        return read(text)

    return checked


def tag(kind: type[msgspec.Struct]) -> str:
    """The word that identifies a struct of a tagged union: `play` for a move."""
    return str(kind.__struct_config__.tag)


def _explain(error: str, kind: Any) -> tuple[str, str]:
    """What was expected at which place, and the place alone."""
    for pattern, words in PATTERNS.items():
        error = error.replace(f"`str` matching regex {pattern!r}", words)
    found = _PLACE.fullmatch(error)
    what, where = (found[1], found[2]) if found else (error, "")
    kinds = [tag(one) for one in get_args(kind) or [kind] if isinstance(one, type)
             and issubclass(one, msgspec.Struct) and one.__struct_config__.tag_field]
    if kinds and (where == "do" or "required field `do`" in what):
        what, where = f"expected one of {', '.join(kinds)}", "do"
    what = what if what[:4] == "JSON" else what[:1].lower() + what[1:]
    return f"{where[:80]}: {what[:300]}" if where else what[:300], where[:80]
