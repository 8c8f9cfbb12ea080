"""Requests of clients that hold no seat yet: for a new table, or for a seat at one."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from escale.match.clock import Pace
from escale.match.limits import (
    MOST_SEATS,
    GameName,
    LevelName,
    NewName,
    OrderId,
    PositionText,
    Value,
)


class PersonSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="person"):
    """A seat for a person, held by the new token."""

    name: NewName = ""
    later: Annotated[
        bool,
        Meta(description="Begin only when this seat has seen the commitment and done `sit`, with "
             "a value of its own: so the secret cannot have been chosen to suit the value."),
    ] = False


class ComputerSeat(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="computer"
):
    """A seat for the computer."""

    level: LevelName


class OpenSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="open"):
    """A seat that anyone may take."""


class BotSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="bot"):
    """A challenge: a seat for a bot, which accepts by sitting down, or declines."""

    name: NewName


AnySeat = PersonSeat | ComputerSeat | OpenSeat | BotSeat


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to set up."""

    game: GameName
    seats: Annotated[list[AnySeat], Meta(min_length=2, max_length=MOST_SEATS)]
    options: Annotated[dict[str, str], Meta(max_length=20)] = field(default_factory=dict)
    position: Annotated[
        PositionText | None,
        Meta(description="The text of a position to begin from; null for the game's own."),
    ] = None
    clock: Pace | None = None
    public: Annotated[bool, Meta(description="Whether the lobby lists it.")] = False
    hints: Annotated[
        bool,
        Meta(description="Whether people who play against each other may ask for hints; against "
             "the computer, and at one screen, they always may."),
    ] = False
    phrases: Annotated[
        bool,
        Meta(description="Whether people may only say set phrases, and have names from a list: for "
             "children. A house may ask for it at all its tables."),
    ] = False
    value: Value | None = None
    id: OrderId | None = None


class Sitting(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for an open seat."""

    name: NewName = ""
    value: Value | None = None
    id: OrderId | None = None

