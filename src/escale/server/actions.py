"""Messages as they arrive over a live connection."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from escale.server.problems import Problem

T = TypeVar("T")

KINDS = ("play", "resign", "offer", "answer", "hand", "take", "rename", "say", "sit")
LOOK = "view"
"""What is done to no table: to look through the eyes of another of one's seats."""


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody at a table does; which fields it needs depends on what it is."""

    do: str
    id: str = ""
    seat: int = -1
    n: int | None = None
    move: str | None = None
    what: str | None = None
    yes: bool | None = None
    level: str | None = None
    name: str | None = None
    text: str | None = None
    value: str | None = None
    as_: int | None = msgspec.field(default=None, name="as")


class Hello(msgspec.Struct, frozen=True, kw_only=True):
    """The first message over a live connection."""

    do: str
    token: str | None = None
    as_: int | None = msgspec.field(default=None, name="as")
    since: int | None = None
    lang: str | None = None
    lean: bool = False


_action = msgspec.json.Decoder(Action)
_hello = msgspec.json.Decoder(Hello)


def read_action(message: str | bytes) -> Action:
    """An action, or Problem."""
    return _read(_action, message)


def read_hello(message: str | bytes) -> Hello:
    """A greeting, or Problem."""
    hello = _read(_hello, message)
    if hello.do != "hello":
        raise Problem("bad-request", detail="expected do: hello first")
    return hello


def _read(decoder: msgspec.json.Decoder[T], message: str | bytes) -> T:
    try:
        return decoder.decode(message)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Problem("bad-request", detail=str(error)[:200]) from None
