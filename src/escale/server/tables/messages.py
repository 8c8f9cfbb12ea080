"""The messages over HTTP and live connections, except events and actions.

The OpenAPI document and the types of the browser's scripts are made from them.
"""

from __future__ import annotations

from types import NoneType
from typing import Annotated, Any, Literal, Union, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, field, structs

from escale.game.changes import WIRE
from escale.game.scene import Tally
from escale.match.clock import Pace, Reading
from escale.match.events import EVENTS, OutcomeFacts
from escale.match.limits import Atoms, SeatNumber
from escale.server.edge.problems import Refusal

Branch = Annotated[
    dict[str, Any],
    Meta(title="SentBranch",
         description="The legal moves as a tree: each atom leads to more atoms, or completes a "
         "move: 1 where its text is the atoms joined by hyphens, else its text, else both with "
         "the ways of the pieces, if those are not through the cells among the atoms: "
         "`[1, \"-2 4-1\"]` after a3 and c for a3-c2 and a4-c1, without what the first two atoms, "
         "and then the way before, have in the same place. Null where the house has to be asked "
         "for the branch."),
]
Turn = Annotated[
    int | Literal["chance"] | None,
    Meta(description="The seat to move; null before the beginning and after the end."),
]


# ---- requests ----


class Attempt(Struct, frozen=True, forbid_unknown_fields=True):
    """The atoms that a player has chosen."""

    atoms: Atoms
    as_: SeatNumber = field(name="as")


# ---- answers ----


class SituationState(Struct, frozen=True):
    """The facts that the prompts of a game need beyond the atoms."""

    name: Annotated[str, Meta(description="Such as `must-jump`; mostly empty.")]
    values: Annotated[dict[str, str], Meta(description="What fills gaps of the sentences.")]


class OutcomeState(OutcomeFacts, frozen=True, kw_only=True):
    """How a match ended, with a sentence."""

    text: str
    cells: Annotated[list[str], Meta(description="The cells and areas that show it, if any do.")]
    where: Annotated[str, Meta(description="The same in a sentence; empty where there are none.")]
    after: Annotated[
        str,
        Meta(description="What the last moves did to the pieces, such as `after the capture on "
             "d4`; empty where they did nothing of the kind."),
    ] = ""


class CountdownState(Struct, frozen=True):
    """Something that will end the game by itself, soon."""

    ending: Annotated[str, Meta(description="The ending that it leads to.")]
    left: Annotated[
        int | None,
        Meta(description="After how many more plies, unless something else happens meanwhile; "
             "null where it is this position that ends the game when it comes again."),
    ]
    text: str


class Badge(Struct, frozen=True):
    """The emblem of a seat, and the game's counts for it."""

    symbol: Annotated[str, Meta(description="A symbol of the game's art.")]
    name: Annotated[str, Meta(description="What it shows, such as the seat's piece.")]
    tallies: Annotated[list[str], Meta(description="What is counted, in words.")]


class Opened(Struct, frozen=True):
    """A new table; the token is shown this once."""

    table: str
    token: str
    seats: list[int]


class Seated(Struct, frozen=True):
    """Your seat's token, shown this once."""

    token: str


class SeatState(Struct, frozen=True, omit_defaults=True):
    """The player of a seat."""

    seat: int
    label: str
    name: str
    status: Literal["open", "person", "computer"]
    level: str | None
    level_name: str | None
    present: bool
    awaited: Annotated[bool, Meta(description="Whether its owner has yet to `sit`.")]
    called: Annotated[
        str, Meta(description="Their name in sentences; no two players have the same.")
    ]
    bot: Annotated[
        bool, Meta(description="Whether that is a bot: a program with an account, no person.")
    ] = False


class ListedTable(Struct, frozen=True):
    """A public table."""

    table: str
    game: str
    seats: list[SeatState]
    ply: Annotated[int, Meta(description="Moves and chance outcomes so far.")]
    moves: Annotated[int, Meta(description="Moves of players so far.")]
    begun: bool
    at: Annotated[int, Meta(description="When something last happened, in Unix milliseconds.")]
    dealt_by_hand: Annotated[
        str | None,
        Meta(description="Where hidden cards were set up and not drawn by chance, a sentence that "
             "says so."),
    ]
    n: Annotated[int, Meta(description="The number of its last event.")]
    clock: Pace | None


class You(Struct, frozen=True):
    """Which seats are yours."""

    seats: list[int]
    as_: int | None = field(name="as")


class OfferState(Struct, frozen=True):
    """An offer that waits for its answers."""

    seat: int
    what: str
    agreed: list[int]


Change = defstruct(
    "Change", [
        ("kind", str), *((name, str | None, None) for name in WIRE if name != "kind"),
        ("way", list[str], []),
        # Its sentence, if a part of the move explains what follows.
        ("sentence", str | UnsetType, UNSET),
    ],
    frozen=True, omit_defaults=True, module=__name__,
    namespace={"__doc__": "Something that happens on the table during a move."},
)


class Pause(Struct, frozen=True):
    """A moment within a move at which people look at the table."""

    after: Annotated[int, Meta(description="How many of the move's changes have happened.")]
    scene: Annotated[
        dict[str, Any], Meta(description="What differs from the state of play after them.")
    ]


def _event_fields() -> dict[str, Any]:
    """All fields of all kinds of events, as they are sent; most null fields are left out."""
    found: dict[str, Any] = {}
    for kind in EVENTS.values():
        for each in structs.fields(kind):
            if each.name not in ("n", "id"):
                parts = [part for part in get_args(each.type) if part is not NoneType]
                sent = Union[tuple(parts)] if parts and each.default is None else each.type  # noqa: UP007
                found[each.name] = found[each.name] | sent if each.name in found else sent
    return found


LogItem = defstruct(
    "LogItem",
    [
        ("n", int), ("do", Literal[tuple(EVENTS)]), ("ply", int), ("sentence", str),
        *((name, sent | UnsetType, UNSET) for name, sent in _event_fields().items()),
        ("label", str | UnsetType, UNSET),                  # the move, or phrase, as people read it
        ("by", str | UnsetType, UNSET),                     # the computer that played for a person
        ("changes", list[Change] | UnsetType, UNSET),       # type: ignore[valid-type]
        ("pauses", list[Pause] | UnsetType, UNSET),
    ],
    frozen=True, omit_defaults=True, module=__name__,
    namespace={"__doc__": "One line of the log: an event, and the sentence that tells it."},
)


class StateOfPlay(Struct, frozen=True, omit_defaults=True):
    """The parts of a scene beyond its board; a missing or null part is as on the board."""

    board: Annotated[str, Meta(description="The address of the board; it never changes.")]
    turn: int | None
    highlights: dict[str, str]
    tallies: dict[str, list[Tally]]
    pieces: Annotated[
        list[Any],
        Meta(description="Each `[at, kind]`; then, if it does not lie in the middle of its cell or "
             "on the first spot of its area, the number of the spot or `[x, y]`; then pairs such "
             "as `[\"label\", \"7\"]`."),
    ]
    width: float | None = None
    height: float | None = None
    quarters: int | None = None
    places: dict[str, list[str]] | None = None
    cells: Annotated[
        list[Any],
        Meta(description="Cells, or runs `[first, count, dx, dy, extra, symbol, glyph]` of the "
             "board's, moved; what follows `dy` only where it differs."),
    ] | None = None
    areas: Annotated[
        list[Any], Meta(description="Areas, or `[number, dx, dy]` of the board's, moved.")
    ] | None = None
    labels: Annotated[
        list[Any], Meta(description="Labels, or runs `[first, count]` of the board's.")
    ] | None = None
    panels: Annotated[
        list[Any], Meta(description="Panels, or runs `[first, count]` of the board's.")
    ] | None = None
    hulls: Annotated[
        list[list[str]], Meta(description="Cells that together form one thing, along a line.")
    ] | None = None


class TableState(Struct, frozen=True, tag_field="type", tag="state"):
    """A table as you may see it."""

    table: str
    game: str
    title: str
    n: Annotated[int, Meta(description="The number of the last event.")]
    ply: int
    moves: Annotated[int, Meta(description="Moves of players so far.")]
    begun: bool
    seats: list[SeatState]
    you: You
    turn: Turn
    choosing: Annotated[
        list[int],
        Meta(description="The seats that have to choose now: several where they choose at the same "
             "time. Empty when it is the turn of chance."),
    ]
    unshown: Annotated[
        int,
        Meta(description="How many of the latest moves only their own seats know yet."),
    ]
    veiled: Annotated[
        bool, Meta(description="Whether some seat sees something that a spectator does not.")
    ]
    thinking: bool
    countdowns: Annotated[
        list[CountdownState],
        Meta(description="What ends the game by itself within twenty plies; mostly nothing."),
    ]
    outcome: OutcomeState | None
    offer: OfferState | None
    takeback: Annotated[
        int | None,
        Meta(description="The person's seat whose move stands last: that a takeback undoes."),
    ]
    clock: Reading | None
    scene: StateOfPlay
    near: Annotated[
        int,
        Meta(description="Of two seats that sit opposite, the one below the board as it is drawn."),
    ]
    badges: Annotated[list[Badge], Meta(description="One for each seat.")]
    choices: Branch | None
    situation: Annotated[
        SituationState | None, Meta(description="With `choices`, for the sentence that asks.")
    ]
    log: Annotated[
        list[LogItem],                              # type: ignore[valid-type]
        Meta(description="The last events; earlier ones are asked for, page by page."),
    ]
    public: bool
    composed: Annotated[
        bool, Meta(description="Whether it begins from a position of its own.")
    ]
    dealt_by_hand: Annotated[
        str | None,
        Meta(description="Where hidden cards were set up and not drawn by chance, a sentence that "
             "says so."),
    ]
    commitment: str
    values: list[str | None]
    secret: str | None
    next: Annotated[str | None, Meta(description="The table of the rematch.")]
    hidden: bool
    phrases: Annotated[
        bool,
        Meta(description="Whether people only say set phrases, and have names from a list."),
    ]
    away: Annotated[
        float,
        Meta(description="Seconds after which others may hand the seat of a player who left to "
             "the computer, where there is no clock."),
    ]
    hints: Annotated[
        bool,
        Meta(description="Whether people who play against each other may ask for hints here."),
    ]
    closed: Annotated[bool, Meta(description="Whether the host has closed the table.")]
    nudge: Annotated[
        list[int], Meta(description="The seats that may `nudge` those whose turn it is.")
    ]


class StaleRefusal(Refusal, frozen=True):
    """The action cannot be done now; for a stale move, with the present state of the table."""

    state: TableState | None = None


class MoveFacts(Struct, frozen=True):
    """A legal move."""

    text: str
    atoms: list[str]


class BoardText(Struct, frozen=True):
    """The board in characters and words."""

    n: Annotated[int, Meta(description="The number of the last event.")]
    text: str


class LegalMoves(Struct, frozen=True):
    """The legal moves; none when it is not your turn."""

    n: int
    turn: Turn
    over: bool
    moves: list[MoveFacts]
    total: Annotated[int, Meta(description="How many there are; `skip` those you know.")]


class Became(Struct, frozen=True):
    """A cell beside the way of a piece that jumps, and what stands there after the jump."""

    at: str
    symbol: Annotated[
        str | None, Meta(description="The drawing of the piece; null where the cell is empty.")
    ]
    facing: float | None


class ChoiceFacts(Struct, frozen=True):
    """The atoms that may follow some atoms."""

    choices: Annotated[Branch, Meta(description="Empty where the atoms are a whole move.")]
    labels: Annotated[dict[str, str], Meta(description="What people call every atom.")]
    prompt: Annotated[str, Meta(description="What is asked there, in your language.")]
    became: Annotated[
        list[Became],
        Meta(description="What the atoms have done to pieces that do not go themselves, as far as "
             "all moves agree that begin with them."),
    ]


class Reason(Struct, frozen=True):
    """The reason why an attempt is no move."""

    legal: bool
    text: str
    rule: str | None
    cells: list[str]


class Done(Struct, frozen=True):
    """The event that an action became."""

    n: int


class Reported(Struct, frozen=True):
    """A table that a player has reported to the host."""

    table: str


class Events(Struct, frozen=True, tag_field="type", tag="events"):
    """The events since one that you know."""

    n: int
    events: list[LogItem]                           # type: ignore[valid-type]
    state: Annotated[dict[str, Any], Meta(description="What changed of the table's state.")]


class LogPage(Struct, frozen=True):
    """Events before one that you know."""

    log: list[LogItem]                              # type: ignore[valid-type]


class Presence(Struct, frozen=True, tag_field="type", tag="presence"):
    """Over a live connection: which seats have a person looking at the table."""

    present: list[bool]


class Acknowledged(Struct, frozen=True, tag_field="type", tag="done"):
    """Over a live connection: the event that an action became, on the disk."""

    id: str
    n: int


class Refused(StaleRefusal, frozen=True, tag_field="type", tag="refused", kw_only=True):
    """Over a live connection: the reason why an action is refused."""

    id: str | None


class Ply(Struct, frozen=True):
    """The table after a number of moves."""

    ply: int
    move: str | None
    sentence: str
    scene: StateOfPlay
    pauses: Annotated[
        list[StateOfPlay],
        Meta(description="The moments within the last move at which people look."),
    ]
