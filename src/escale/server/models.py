"""The shapes of what goes in and out over HTTP, as the OpenAPI document describes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from escale.server.actions import Action

Seat = Annotated[int, Field(ge=0, le=5, description="A seat, counted from 0.")]
Name = Annotated[str, Field(max_length=40, description="What to call somebody.")]
Value = Annotated[
    str | None,
    Field(pattern="^[A-Za-z0-9_-]{1,64}$",
          description="A random word that is mixed into the lots, so that nobody chooses them."),
]
ActionId = Annotated[
    str,
    Field(min_length=1, max_length=64, pattern="^[ -~]+$",
          description="A unique word of yours: the same action sent twice is done once."),
]


class Input(BaseModel):
    """What arrives: exactly these fields, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


# ---- what arrives ----


class PersonSeat(Input):
    """A seat for somebody who shares the new token."""

    kind: Literal["person"]
    name: Name = ""
    later: bool = Field(
        default=False,
        description="Begin only when this seat has seen the commitment and done `sit`, with a "
        "value of its own: then nobody can have chosen the secret to suit the value.",
    )


class ComputerSeat(Input):
    """A seat for the computer."""

    kind: Literal["computer"]
    level: str = Field(max_length=40, description="A level of `GET /api/games`.")


class OpenSeat(Input):
    """A seat that waits for somebody."""

    kind: Literal["open"]


AnySeat = Annotated[PersonSeat | ComputerSeat | OpenSeat, Field(discriminator="kind")]


class LiveClock(Input):
    """So many seconds for the whole game, and some more for every move."""

    initial: int = Field(ge=1, le=86_400)
    increment: int = Field(ge=0, le=86_400)


class DayClock(Input):
    """So many days for every move."""

    days: int = Field(ge=1, le=60)


class Order(Input):
    """A table to set up."""

    game: str = Field(max_length=40, description="A game's slug.")
    options: dict[str, str] = Field(default_factory=dict, max_length=20)
    seats: list[AnySeat] = Field(min_length=2, max_length=6)
    clock: LiveClock | DayClock | None = None
    public: bool = Field(default=False, description="Whether the lobby lists it.")
    value: Value = None


class Sitting(Input):
    """Somebody who wants an open seat."""

    name: Name = ""
    value: Value = None


class Attempt(Input):
    """What somebody pointed at."""

    as_: Seat = Field(alias="as")
    atoms: list[Annotated[str, Field(max_length=60)]] = Field(max_length=60)


class FigureAttempt(Input):
    """What somebody pointed at in a figure."""

    position: str = Field(max_length=2000, description="A position's text.")
    line: list[Annotated[str, Field(max_length=200)]] = Field(default_factory=list, max_length=60)
    atoms: list[Annotated[str, Field(max_length=60)]] = Field(max_length=60)
    lang: Literal["fr", "en"] | None = None


class _Act(Input):
    id: ActionId
    seat: Seat
    n: int | None = Field(default=None, ge=0, description="The last event that you know of.")

    def action(self) -> Action:
        """The same as it arrives over a live connection."""
        return Action(**self.model_dump())


class Play(_Act):
    """Play a move."""

    do: Literal["play"]
    n: int = Field(ge=0, description="The last event that you know of: a move about an older table "
                   "is refused as stale.")
    move: str = Field(max_length=1000, description="The move's text.")


class Resign(_Act):
    """Give the game up; among more than two, hand your seat to the computer instead."""

    do: Literal["resign"]


class MakeOffer(_Act):
    """Offer a draw, ask to take one's last move back, or after the end to play again."""

    do: Literal["offer"]
    what: Literal["draw", "takeback", "rematch"]
    value: Value = None


class GiveAnswer(_Act):
    """Answer the offer on the table; whoever made it may withdraw it with no."""

    do: Literal["answer"]
    yes: bool
    value: Value = None


class Hand(_Act):
    """Let the computer play on for your seat, for an open one, or for one whose owner has left."""

    do: Literal["hand"]
    level: str | None = Field(default=None, max_length=40)


class Take(_Act):
    """Take your seat back from the computer."""

    do: Literal["take"]


class Rename(_Act):
    """Be called differently."""

    do: Literal["rename"]
    name: Name


class Say(_Act):
    """Say something to everybody at the table."""

    do: Literal["say"]
    text: str = Field(min_length=1, max_length=500)


class SitDown(_Act):
    """Sit down on your seat that was created with `later`, having seen the commitment."""

    do: Literal["sit"]
    value: Value = None


AnyAction = Annotated[
    Play | Resign | MakeOffer | GiveAnswer | Hand | Take | Rename | Say | SitDown,
    Field(discriminator="do"),
]


# ---- what is answered ----


class Error(BaseModel):
    """Why something is not done."""

    code: str = Field(description="For programs.")
    message: str = Field(description="For people, in the language asked for.")
    rule: str | None = Field(default=None, description="The paragraph that forbids it.")
    cells: list[str] = Field(default_factory=list, description="What to light on the board.")
    detail: str | None = Field(default=None, description="What was expected, in English.")


class StaleError(Error):
    """Not now; a stale move brings the table as it is."""

    state: dict[str, Any] | None = None


class OptionFacts(BaseModel):
    """A choice before the game."""

    name: str
    sentence: str
    default: str
    quick: str = Field(description="What starts at once against the computer.")
    values: list[dict[str, str]] = Field(description="Each value with its sentence.")


class LevelFacts(BaseModel):
    """A level of the computer."""

    level: str
    name: str


class GameFacts(BaseModel):
    """What a box says."""

    slug: str
    title: str
    authors: list[str]
    publisher: str
    year: int | None
    minutes: list[int]
    age: int
    seats: list[int] = Field(description="Fewest and most.")
    seat_names: list[str]
    mechanisms: list[str]
    hidden: bool = Field(description="Whether seats have hidden hands.")
    options: list[OptionFacts]
    levels: list[LevelFacts]


class ExampleFacts(BaseModel):
    """A figure of the rules that one can touch."""

    model_config = ConfigDict(extra="allow")
    id: str
    rules: list[str]
    caption: str
    position: str
    line: list[str]
    scene: dict[str, Any]
    choices: dict[str, Any] | None


class Verdict(BaseModel):
    """Whether an attempt in a figure is a move, or why not."""

    legal: bool
    move: str | None = None
    told: str | None = None
    scene: dict[str, Any] | None = None
    outcome: dict[str, Any] | None = None
    text: str | None = None
    rule: str | None = None
    cells: list[str] | None = None


class Opened(BaseModel):
    """A new table; the token is shown this once."""

    table: str
    token: str
    seats: list[int]


class Seated(BaseModel):
    """Your seat's token, shown this once."""

    token: str


class SeatState(BaseModel):
    """Who sits there."""

    seat: int
    label: str
    name: str
    status: Literal["open", "person", "computer"]
    level: str | None
    level_name: str | None
    present: bool
    awaited: bool = Field(description="Whether its owner has yet to `sit`.")


class ListedTable(BaseModel):
    """A public table."""

    table: str
    game: str
    seats: list[SeatState]
    ply: int = Field(description="Moves and chance outcomes so far.")
    moves: int = Field(description="Moves of players so far.")
    begun: bool
    at: int = Field(description="When something last happened, in Unix milliseconds.")


class You(BaseModel):
    """Which seats are yours."""

    seats: list[int]
    as_: int | None = Field(alias="as")


class TableState(BaseModel):
    """A table as you may see it."""

    model_config = ConfigDict(extra="allow")
    type: Literal["state"]
    table: str
    game: str
    title: str
    n: int = Field(description="The number of the last event.")
    ply: int
    begun: bool
    seats: list[SeatState]
    you: You
    turn: int | Literal["chance"] | None
    thinking: bool
    outcome: dict[str, Any] | None
    offer: dict[str, Any] | None
    clock: dict[str, Any] | None
    scene: dict[str, Any]
    choices: dict[str, Any] | None
    labels: dict[str, str]
    log: list[dict[str, Any]]
    public: bool
    commitment: str
    values: list[str | None]
    secret: str | None
    next: str | None = Field(description="The table of the rematch.")
    text: str
    hidden: bool
    away: float = Field(
        description="Seconds after which others may hand the seat of somebody who left to the "
        "computer, where there is no clock."
    )


class MoveText(BaseModel):
    """A legal move."""

    text: str
    atoms: list[str]


class LegalMoves(BaseModel):
    """What can be played; nothing when it is not your turn."""

    n: int
    turn: int | Literal["chance"] | None
    over: bool
    moves: list[MoveText]


class Branch(BaseModel):
    """What may follow some atoms."""

    choices: dict[str, Any]
    labels: dict[str, str]


class Reason(BaseModel):
    """Why an attempt is no move."""

    legal: bool
    text: str
    rule: str | None
    cells: list[str]


class Done(BaseModel):
    """The event that an action became."""

    n: int


class Events(BaseModel):
    """What happened since."""

    type: Literal["events"]
    n: int
    events: list[dict[str, Any]]
    state: dict[str, Any]


class Ply(BaseModel):
    """The table after so many moves."""

    ply: int
    move: str | None
    told: str
    scene: dict[str, Any]
    text: str
