"""One schema of the events at a table, and of the actions that people request there.

Every kind of event and of action is declared here, once, with its limits. The ledger, HTTP, live
connections, the OpenAPI document, transcripts, and the types of the browser's scripts derive from
it. In JSON the word in `do` says which kind it is.

Events are in the past tense: `Played` has happened. Actions are orders: `Play` asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, get_args

import msgspec
from msgspec import Struct, field

from escale.game.errors import BadMessage
from escale.match.clock import Pace
from escale.match.limits import (
    ActionId,
    Digest,
    EventNumber,
    GameName,
    Known,
    LanguageWish,
    LevelName,
    MoveText,
    Name,
    NewName,
    PositionText,
    Saying,
    SeatNumber,
    Secret,
    TableName,
    Time,
    TokenText,
    Value,
)
from escale.match.reading import checker, reader, tag
from escale.match.seating import Player

FORMAT: Final = 1

Fault = Literal["died", "late", "nonsense", "illegal", "refused"]
"""The way in which an engine failed."""
PhraseName = Literal[
    "hello", "good-luck", "have-fun", "nice-move", "well-played", "oops", "sorry", "one-moment",
    "your-turn", "thanks", "again", "goodbye",
]
"""A set phrase, which everyone reads in their own language."""
Reason = Literal["later", "busy", "game", "options", "clock"]
"""Why a challenge is declined: not now, too many games, not this game, options or clock."""


class Header(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of a transcript: the set-up, before any event."""

    escale: Literal[1]
    """The version of this format."""
    game: GameName
    start: PositionText
    """The text of the first position, options included."""
    seats: list[Player]
    commitment: Digest | None
    """The SHA-256 of the secret from which chance outcomes are drawn."""
    clock: Pace | None = None
    waits: bool = False
    """Whether nothing can be played before `begin`."""
    hints: bool = False
    """Whether people who play against each other may ask for hints."""
    set_up_by: NewName | None = None
    """The name of the person who set up the first position, if it is not the game's own: with
    hidden cards, that person knows them all.
    """
    phrases: bool = False
    """Whether people may only say set phrases, and have names from a list: for children."""


# ---- events ----


class Event(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True,
    tag_field="do",
):
    """An event at a table."""

    n: EventNumber | None = None
    """Its number, given by the ledger."""
    at: Time | None = None
    """Its time."""
    id: ActionId | None = None
    """The sender's own number for the request; only the sender gets it."""


class Began(Event, frozen=True, tag="begin"):
    """All seats are taken; the value of each, or null, determines the chance outcomes."""

    values: list[Value | None]


class Sat(Event, frozen=True, tag="sit"):
    """A person, or the computer, takes a seat, or changes the name."""

    seat: SeatNumber
    name: Name
    level: LevelName | None
    """The computer's level; null for a person."""
    value: Value | None = None
    """The value of this seat for the chance outcomes; only before the match begins."""
    fault: Fault | None = None
    """If an engine had to give the seat up: the way in which it failed."""
    bot: bool = False
    """Whether a bot with an account holds the seat."""


class Declined(Event, frozen=True, tag="decline"):
    """The person who was expected on an open seat declines it: anyone may take it."""

    seat: SeatNumber
    reason: Reason | None = None


class Withdrew(Event, frozen=True, tag="withdraw"):
    """The challenge to a bot is withdrawn: anyone may take its seat."""

    seat: SeatNumber
    """The seat that withdraws the challenge."""
    whom: SeatNumber
    """The seat on which the bot was expected."""


class Played(Event, frozen=True, tag="play"):
    """A move in the game's notation; of a move that is not shown yet, others see only a part."""

    seat: SeatNumber
    move: MoveText


class Drawn(Event, frozen=True, tag="draw"):
    """A chance outcome; before the end a seat sees only the part that it may know."""

    move: MoveText


class Offered(Event, frozen=True, tag="offer"):
    """During the game `draw` or `takeback`, after the end `rematch`."""

    seat: SeatNumber
    what: Literal["draw", "takeback", "rematch"]
    value: Value | None = None
    """The value of this seat for the chance outcomes of the rematch."""


class Answered(Event, frozen=True, tag="answer"):
    """An answer to the offer: with all it takes effect; its maker can withdraw it."""

    seat: SeatNumber
    yes: bool
    value: Value | None = None
    """The value of this seat for the chance outcomes of the rematch."""


class TookBack(Event, frozen=True, tag="takeback"):
    """A seat's last move is undone, with all later ones; no other seat had to agree."""

    seat: SeatNumber


class Resigned(Event, frozen=True, tag="resign"):
    """A seat resigns: of two seats, the other wins."""

    seat: SeatNumber


class Flagged(Event, frozen=True, tag="flag"):
    """Out of time: of two seats the other wins, of more the computer plays on at `level`."""

    seat: SeatNumber
    level: LevelName | None = None


class Reopened(Event, frozen=True, tag="reopen"):
    """The house was closed: that time is not counted for any seat."""

    closed: Time | None = None
    """For how many milliseconds since the last event; null for all of them."""


class Paused(Event, frozen=True, tag="pause"):
    """The person of a seat is on holiday: with a clock of days, their time stands still."""

    seat: SeatNumber
    until: Time
    """Until this time; one that has passed ends the holiday."""


class Nudged(Event, frozen=True, tag="nudge"):
    """A seat reminds those whose turn it is, in a friendly way."""

    seat: SeatNumber


class OutcomeFacts(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a match ended."""

    ending: str
    """One of the game's endings."""
    rule: str | None
    """The paragraph of the rules that ends it."""
    winners: list[int]
    """No seat, when every seat has the same share."""
    shares: list[float]
    """Each seat's share of the win."""
    scores: list[int] | None = None
    """The points of each seat, if points decide."""


class Ended(Event, frozen=True, tag="end"):
    """How the match ended, and the secret from which its chance outcomes were drawn."""

    outcome: OutcomeFacts
    secret: Secret | None = None
    rematch: Digest | None = None
    """The SHA-256 of the secret of a rematch: fixed before any seat gives a value for it."""


class RematchOpened(Event, frozen=True, tag="rematch"):
    """The address of the agreed rematch."""

    table: TableName


class Published(Event, frozen=True, tag="publish"):
    """The table enters the public list, or leaves it."""

    seat: SeatNumber
    public: bool


class Said(Event, frozen=True, tag="say"):
    """A message to all at the table."""

    seat: SeatNumber
    text: Saying


class SaidPhrase(Event, frozen=True, tag="phrase"):
    """A set phrase to all at the table."""

    seat: SeatNumber
    phrase: PhraseName


AnyEvent = (
    Began | Sat | Declined | Withdrew | Played | Drawn | Offered | Answered | TookBack | Resigned
    | Flagged | Reopened | Paused | Nudged | Ended | RematchOpened | Published | Said
    | SaidPhrase
)
EVENTS: dict[str, type[Event]] = {tag(kind): kind for kind in get_args(AnyEvent)}


# ---- actions ----


class Action(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do"):
    """A request from the holder of a seat."""

    id: ActionId
    seat: SeatNumber
    n: Known | None = None


class Play(Action, frozen=True, tag="play"):
    """Play a move; it is refused as stale if the table has changed since event `n`."""

    n: Known = field()
    move: MoveText


class Resign(Action, frozen=True, tag="resign"):
    """Resign; with more than two seats, hand your seat to the computer instead."""


class MakeOffer(Action, frozen=True, tag="offer"):
    """Offer a draw, ask to take your last move back, or after the end to play again."""

    what: Literal["draw", "takeback", "rematch"]
    value: Value | None = None
    """Your value for the chance outcomes of the rematch."""


class GiveAnswer(Action, frozen=True, tag="answer"):
    """Answer the offer on the table; the seat that made it withdraws it with no."""

    yes: bool
    value: Value | None = None
    """Your value for the chance outcomes of the rematch."""


class TakeBack(Action, frozen=True, tag="takeback"):
    """Undo a seat's last move and all later ones, if all seats of other people are yours."""


class Hand(Action, frozen=True, tag="hand"):
    """Let the computer play on for your seat, for an open one, or for one whose owner has left."""

    level: LevelName | None = None


class Take(Action, frozen=True, tag="take"):
    """Take your seat back from the computer."""


class Rename(Action, frozen=True, tag="rename"):
    """Change the name of your seat."""

    name: NewName


class Say(Action, frozen=True, tag="say"):
    """Send a message to all at the table."""

    text: Saying


class SayPhrase(Action, frozen=True, tag="phrase"):
    """Say a set phrase to all at the table."""

    phrase: PhraseName


class Nudge(Action, frozen=True, tag="nudge"):
    """Remind those whose turn it is; once a turn, and half a day after the last move."""


class Publish(Action, frozen=True, tag="publish"):
    """List the table in the lobby, or remove it: anyone may sit down there, or watch."""

    public: bool


class SitDown(Action, frozen=True, tag="sit"):
    """Sit down on your seat that was created with `later`, having seen the commitment."""

    value: Value | None = None


class Decline(Action, frozen=True, tag="decline"):
    """Decline the open seat on which you are expected; anyone may take it then."""

    reason: Reason | None = None


class Withdraw(Action, frozen=True, tag="withdraw"):
    """Withdraw the challenge to a bot; anyone may take its seat then."""

    whom: SeatNumber
    """The seat on which the bot is expected."""


AnyAction = (
    Play | Resign | MakeOffer | GiveAnswer | TakeBack | Hand | Take | Rename | Say | SayPhrase
    | Publish | SitDown | Decline | Withdraw | Nudge
)
ACTIONS: dict[str, type[Action]] = {tag(kind): kind for kind in get_args(AnyAction)}


class View(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="view"):
    """Over a live connection: look as another of your seats."""

    as_: SeatNumber | None = field(default=None, name="as")
    id: ActionId | None = None


class Hello(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="hello"):
    """The first message over a live connection."""

    token: TokenText | None = None
    as_: SeatNumber | None = field(default=None, name="as")
    since: Known | None = None
    """The last event that you know; without it the whole state is sent."""
    lang: LanguageWish | None = None
    lean: bool = False
    """Programs that follow the game by themselves get events without scenes and sentences."""


class _Sender(Struct, frozen=True):
    """The part of a faulty message that names its request."""

    id: ActionId | None = None


# ---- reading and writing ----

read_header: Callable[[str | bytes], Header] = reader(Header)
read_event: Callable[[str | bytes], Event] = reader(AnyEvent)
read_action: Callable[[str | bytes], Action] = reader(AnyAction)
read_message: Callable[[str | bytes], Action | View] = reader(AnyAction | View)
read_hello: Callable[[str | bytes], Hello] = reader(Hello)
_read_sender: Callable[[str | bytes], _Sender] = reader(_Sender)
checked_header: Callable[[Header], Header] = checker(read_header)
checked_event: Callable[[Event], Event] = checker(read_event)


def sender_id(message: str | bytes) -> str | None:
    """The sender's own number for a message, which a refusal repeats."""
    try:
        return _read_sender(message).id
    except BadMessage:
        return None


def as_json(line: Header | Event) -> dict[str, Any]:
    """A line of a transcript as plain data; an event's number comes first."""
    plain: dict[str, Any] = msgspec.to_builtins(line)
    return {"n": line.n, **plain} if isinstance(line, Event) else plain
