"""One schema of the events of an evening.

An evening is a log, as a match is: a plan, and events with numbers. Everything else follows from
them (`evening.py`). In JSON the word in `do` says which kind an event is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from escale.match.limits import (
    MOST_SEATS,
    UNSEEN,
    ActionId,
    EventNumber,
    GameName,
    LevelName,
    NewName,
    SeatCount,
    Time,
)
from escale.match.reading import checker, reader, tag

FORMAT: Final = 1
MOST_GUESTS = 200
MOST_ROUNDS = 50
MOST_EVENTS = 6000
"""The events of one evening; with them it takes about a megabyte."""
MOST_MINUTES = 600

Format = Literal["round-robin", "swiss", "keizer", "ladder", "free"]
BoardKind = Literal["screen", "real"]
"""Whether a game is played on phones, or on a board of wood or paper."""
By = Literal["host", "players", "house"]
"""The source of a result: the host, the players' agreement, or a match in this house."""

Title = Annotated[
    str, Meta(min_length=1, max_length=60, pattern=rf"^(?![\s\S]*[{UNSEEN}])[\s\S]*\S",
              description="The name of an evening.")
]
GuestNumber = Annotated[int, Meta(ge=1, le=MOST_GUESTS, description="A guest, counted from 1.")]
TableNumber = Annotated[int, Meta(ge=1, le=MOST_GUESTS, description="A table in the room.")]
RoundNumber = Annotated[int, Meta(ge=1, le=100_000, description="Counted from 1.")]
Minutes = Annotated[int, Meta(ge=1, le=MOST_MINUTES)]
Places = Annotated[
    list[Annotated[int, Meta(ge=1, le=MOST_SEATS)]],
    Meta(min_length=2, max_length=MOST_SEATS,
         description="The place of each seat: 1 is the winner's, and equal numbers are a draw."),
]


class Plan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The host's decisions about an evening."""

    escale_evening: Literal[1]
    """The version of this format."""
    title: Title
    format: Format
    games: Annotated[list[GameName], Meta(min_length=1, max_length=20)]
    """The games of the rounds, one after the other."""
    seed: Annotated[str, Meta(max_length=64)]
    """Decides between equal pairings, such as in the first round."""
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None
    """The number of planned rounds; a round robin derives it from the number of guests."""
    minutes: Minutes | None = None
    """The time for one round."""
    clock: bool = False
    """Whether each player has a clock with a fair part of these minutes."""
    seats: SeatCount = 4
    """The number of people at one table of a ladder."""
    fill: LevelName | None = None
    """The level of the computer that takes an empty seat; null for a bye."""
    board: BoardKind = "screen"
    """Where games are played, unless the host chooses another way for a table."""


class Pairing(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Guests who play a game at one table."""

    table: TableNumber
    game: GameName
    seats: Annotated[list[GuestNumber], Meta(min_length=2, max_length=MOST_SEATS)]
    """The guests in the order of the game's seats."""
    board: BoardKind = "screen"


# ---- events ----


class Event(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True,
    tag_field="do",
):
    """Something that has happened in an evening."""

    n: EventNumber | None = None
    """Its number, given by the fold."""
    at: Time = 0
    id: ActionId | None = None
    """The sender's own number for the request: the same request sent twice is done once."""


class Joined(Event, frozen=True, tag="join"):
    """A guest has come, at any time of the evening."""

    who: GuestNumber
    name: NewName
    level: LevelName | None = None
    """The computer's level; null for a person or a bot."""
    bot: bool = False
    """Whether it is a bot with an account."""
    phone: bool = False
    """Whether the guest has a phone that is known here; others are entered by the host."""


class Renamed(Event, frozen=True, tag="rename"):
    """A guest has another name."""

    who: GuestNumber
    name: NewName


class Left(Event, frozen=True, tag="leave"):
    """A guest has left, and is no longer paired."""

    who: GuestNumber


class Returned(Event, frozen=True, tag="return"):
    """A guest who had left is there again."""

    who: GuestNumber


class Paired(Event, frozen=True, tag="pair"):
    """The pairings of a new round. With it, the round before is over."""

    round: RoundNumber
    pairings: Annotated[list[Pairing], Meta(max_length=MOST_GUESTS)]
    byes: Annotated[list[GuestNumber], Meta(max_length=MOST_GUESTS)]
    """The guests who are there and do not play in this round."""


class Started(Event, frozen=True, tag="start"):
    """The round begins: its time runs, and its tables are open."""

    round: RoundNumber


class SatDown(Event, frozen=True, tag="sit"):
    """In free play, guests have found each other; the game is a round of its own."""

    round: RoundNumber
    pairing: Pairing


class BoardChosen(Event, frozen=True, tag="board"):
    """A game that has no result yet is played on another kind of board."""

    round: RoundNumber
    table: TableNumber
    board: BoardKind


class Reported(Event, frozen=True, tag="report"):
    """A player has said how a game at a real board ended."""

    round: RoundNumber
    table: TableNumber
    by: GuestNumber
    places: Places


class Decided(Event, frozen=True, tag="result"):
    """How a game has ended; a later decision replaces it."""

    round: RoundNumber
    table: TableNumber
    places: Places
    by: By


class Extended(Event, frozen=True, tag="extend"):
    """The round has more minutes."""

    round: RoundNumber
    minutes: Minutes


class Planned(Event, frozen=True, tag="plan"):
    """The host has changed the plan."""

    plan: Plan


class Closed(Event, frozen=True, tag="close"):
    """The evening is over."""


class Undone(Event, frozen=True, tag="undo"):
    """The host has taken an event back: the last result, round or pairing, or the end."""

    of: EventNumber


AnyEvent = (
    Joined | Renamed | Left | Returned | Paired | Started | SatDown | BoardChosen | Reported
    | Decided | Extended | Planned | Closed | Undone
)
EVENTS: dict[str, type[Event]] = {tag(kind): kind for kind in get_args(AnyEvent)}

read_plan: Callable[[str | bytes], Plan] = reader(Plan)
read_event: Callable[[str | bytes], Event] = reader(AnyEvent)
checked_plan: Callable[[Plan], Plan] = checker(read_plan)
checked_event: Callable[[Event], Event] = checker(read_event)


def as_json(line: Plan | Event) -> dict[str, Any]:
    """A line of the log as plain data."""
    plain: dict[str, Any] = msgspec.to_builtins(line)
    return plain
