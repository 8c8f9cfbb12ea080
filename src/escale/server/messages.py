"""The shapes of what goes in and out over HTTP and live connections, except events and actions.

The OpenAPI document and the types of the browser's scripts are made from them.
"""

from __future__ import annotations

from types import NoneType
from typing import Annotated, Any, Literal, Union, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, field, structs

from escale.game.changes import WIRE
from escale.game.scene import Area, Cell, Kind, Label, Panel, Scene, Tally
from escale.match.clock import Reading
from escale.match.events import EVENTS, OutcomeFacts
from escale.match.limits import (
    About,
    Atoms,
    GameName,
    LanguageWish,
    MoveText,
    PositionText,
    SeatCount,
    SeatNumber,
)

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


# ---- what arrives ----


class Attempt(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody pointed at."""

    atoms: Atoms
    as_: SeatNumber = field(name="as")


class StudyQuestion(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A position that somebody studies: where a line begins, and the moves since."""

    position: Annotated[
        PositionText | None,
        Meta(description="A position's text; null for the beginning of a game."),
    ] = None
    options: Annotated[
        dict[str, str], Meta(description="Of the beginning; or they add to those in the text.")
    ] = field(default_factory=dict)
    seats: Annotated[
        SeatCount | None, Meta(description="At the beginning; null for the fewest.")
    ] = None
    line: Annotated[
        list[MoveText],
        Meta(max_length=1000, description="The moves since, chance outcomes among them."),
    ] = field(default_factory=list)
    draw: Annotated[
        bool, Meta(description="Whether chance outcomes that come next are drawn.")
    ] = False
    open: Annotated[
        bool, Meta(description="Whether all cards lie open; else the seat to move looks.")
    ] = False
    as_: Annotated[
        SeatNumber | None, Meta(description="The seat that looks, on its turn or not.")
    ] = field(name="as", default=None)
    lang: LanguageWish | None = None


class StudyAttempt(StudyQuestion, frozen=True, kw_only=True):
    """What somebody pointed at in such a position."""

    atoms: Atoms


class BotDescription(Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot says of itself; what it leaves out stays as it was."""

    about: About | None = None
    games: Annotated[
        list[GameName],
        Meta(max_length=100, description="The games that it plays; none of them for all."),
    ] | None = None


# ---- what is answered ----


class SituationState(Struct, frozen=True):
    """What the prompts of a game must know beyond the atoms."""

    name: Annotated[str, Meta(description="Such as `must-jump`; mostly empty.")]
    values: Annotated[dict[str, str], Meta(description="What fills gaps of the sentences.")]



class Refusal(Struct, frozen=True, omit_defaults=True):
    """Why something is not done."""

    code: Annotated[str, Meta(description="For programs.")]
    message: Annotated[str, Meta(description="For people, in the language asked for.")]
    rule: Annotated[str, Meta(description="The paragraph that forbids it.")] | None = None
    cells: Annotated[list[str], Meta(description="What to light on the board.")] | None = None
    detail: Annotated[str, Meta(description="What was expected, in English.")] | None = None
    request: Annotated[str, Meta(description="The request's name in the log of the host.")] | \
        None = None


class OptionFacts(Struct, frozen=True):
    """A choice before the game."""

    name: str
    sentence: str
    default: str
    quick: Annotated[str, Meta(description="What the pages suggest where one clicks to play.")]
    values: Annotated[list[dict[str, str]], Meta(description="Each value with its sentence.")]


class LevelFacts(Struct, frozen=True):
    """A level of the computer, or an engine that the host has named."""

    level: str
    name: str


class GameFacts(Struct, frozen=True):
    """What is to be known of a game before it is played."""

    slug: str
    title: str
    pitch: Annotated[str, Meta(description="What it is about, in one line.")]
    authors: list[str]
    publisher: str
    year: int | None
    minutes: list[int]
    age: int
    seats: Annotated[list[int], Meta(description="Fewest and most.")]
    seat_names: list[str]
    mechanisms: list[str]
    hidden: Annotated[bool, Meta(description="Whether seats have hidden hands.")]
    options: list[OptionFacts]
    levels: list[LevelFacts]


class ExampleFacts(Struct, frozen=True):
    """A figure of the rules: a position, and what is tried there."""

    id: str
    rules: list[str]
    caption: str
    position: str
    line: list[str]
    move: str | None
    attempt: str | None
    refused: str | None
    cells: list[str]


class OutcomeState(OutcomeFacts, frozen=True, kw_only=True):
    """How a match ended, told in a sentence."""

    text: str
    cells: Annotated[list[str], Meta(description="The cells and areas that show it, if any do.")]
    where: Annotated[str, Meta(description="The same in a sentence; empty where there are none.")]


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
    """What stands for a seat, and what the game counts for it."""

    symbol: Annotated[str, Meta(description="A symbol of the game's art.")]
    name: Annotated[str, Meta(description="What it shows, such as the seat's piece.")]
    tallies: Annotated[list[str], Meta(description="What is counted, in words.")]


class AttemptResult(Struct, frozen=True, omit_defaults=True):
    """Whether an attempt in a figure is a move, or why not."""

    legal: bool
    move: str | None = None
    told: str | None = None
    scene: Scene | None = None
    outcome: OutcomeState | None = None
    text: str | None = None
    rule: str | None = None
    cells: list[str] | None = None


class Opened(Struct, frozen=True):
    """A new table; the token is shown this once."""

    table: str
    token: str
    seats: list[int]


class Seated(Struct, frozen=True):
    """Your seat's token, shown this once."""

    token: str


class ListedBot(Struct, frozen=True):
    """A bot of this house, and how it has done."""

    name: str
    about: About
    games: Annotated[
        list[str], Meta(description="The games that it plays; empty where it may be asked for any.")
    ]
    listening: Annotated[bool, Meta(description="Whether it hears of a challenge at once.")]
    won: int
    drawn: int
    lost: int


class BotFacts(Struct, frozen=True):
    """A bot, to itself."""

    name: str
    about: About
    games: list[str]
    tables: Annotated[
        list[str], Meta(description="Where it sits, or is asked to, and the match goes on.")
    ]


class SeatState(Struct, frozen=True, omit_defaults=True):
    """Who sits there."""

    seat: int
    label: str
    name: str
    status: Literal["open", "person", "computer"]
    level: str | None
    level_name: str | None
    present: bool
    awaited: Annotated[bool, Meta(description="Whether its owner has yet to `sit`.")]
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
    ],
    frozen=True, omit_defaults=True, module=__name__,
    namespace={"__doc__": "Something that happens on the table during a move."},
)


class Look(Struct, frozen=True):
    """A moment within a move at which people look at the table."""

    after: Annotated[int, Meta(description="How many of the move's changes have happened.")]
    scene: Annotated[
        dict[str, Any], Meta(description="What differs from the state of play after them.")
    ]


def _event_fields() -> dict[str, Any]:
    """Every field that some kind of event has, as it is sent: what is null is mostly left out."""
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
        ("n", int), ("do", Literal[tuple(EVENTS)]), ("ply", int), ("told", str),
        *((name, sent | UnsetType, UNSET) for name, sent in _event_fields().items()),
        ("label", str | UnsetType, UNSET),                  # the move as people read it
        ("changes", list[Change] | UnsetType, UNSET),       # type: ignore[valid-type]
        ("looks", list[Look] | UnsetType, UNSET),
    ],
    frozen=True, omit_defaults=True, module=__name__,
    namespace={"__doc__": "One line of the log: an event, and the sentence that tells it."},
)


class BoardFacts(Struct, frozen=True):
    """What does not change while a game is played: the cells, and all that is drawn with them."""

    width: float
    height: float
    quarters: int
    places: Annotated[
        dict[str, list[str]], Meta(description="The cells that stand for an atom.")
    ]
    cells: list[Cell]
    areas: list[Area]
    labels: list[Label]
    panels: list[Panel]
    kinds: Annotated[dict[str, Kind], Meta(description="The kinds of pieces, by their names.")]


class StateOfPlay(Struct, frozen=True, omit_defaults=True):
    """What a scene has beyond its board; what is missing or null is as on the board."""

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
    commitment: str
    values: list[str | None]
    secret: str | None
    next: Annotated[str | None, Meta(description="The table of the rematch.")]
    hidden: bool
    away: Annotated[
        float,
        Meta(description="Seconds after which others may hand the seat of somebody who left to "
             "the computer, where there is no clock."),
    ]
    hints: Annotated[
        bool,
        Meta(description="Whether people who play against each other may ask for hints here."),
    ]
    closed: Annotated[bool, Meta(description="Whether the host has closed the table.")]


class StaleRefusal(Refusal, frozen=True):
    """Not now; a stale move brings the table as it is."""

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
    """What can be played; nothing when it is not your turn."""

    n: int
    turn: Turn
    over: bool
    moves: list[MoveFacts]
    total: Annotated[int, Meta(description="How many there are; `skip` those you know.")]


class ChoiceFacts(Struct, frozen=True):
    """What may follow some atoms."""

    choices: Branch
    labels: Annotated[dict[str, str], Meta(description="What people call every atom.")]
    prompt: Annotated[str, Meta(description="What is asked there, in your language.")]


class Reason(Struct, frozen=True):
    """Why an attempt is no move."""

    legal: bool
    text: str
    rule: str | None
    cells: list[str]


class Done(Struct, frozen=True):
    """The event that an action became."""

    n: int


class Events(Struct, frozen=True, tag_field="type", tag="events"):
    """What happened since."""

    n: int
    events: list[LogItem]                           # type: ignore[valid-type]
    state: Annotated[dict[str, Any], Meta(description="What changed of the table's state.")]


class LogPage(Struct, frozen=True):
    """Events before one that you know."""

    log: list[LogItem]                              # type: ignore[valid-type]


class Presence(Struct, frozen=True, tag_field="type", tag="presence"):
    """Over a live connection: which seats have somebody looking."""

    present: list[bool]


class Acknowledged(Struct, frozen=True, tag_field="type", tag="done"):
    """Over a live connection: the event that an action became, on the disk."""

    id: str
    n: int


class Refused(StaleRefusal, frozen=True, tag_field="type", tag="refused", kw_only=True):
    """Over a live connection: why an action is not done."""

    id: str | None


class Ply(Struct, frozen=True):
    """The table after a number of moves."""

    ply: int
    move: str | None
    told: str
    scene: StateOfPlay
    looks: Annotated[
        list[StateOfPlay],
        Meta(description="The moments within the last move at which people look."),
    ]


# ---- the study ----


class ShownMove(Struct, frozen=True):
    """A move as it is pointed out."""

    text: str
    label: Annotated[str, Meta(description="The move as people read it.")]
    atoms: list[str]
    ways: Annotated[
        list[list[str]], Meta(description="The cells through which each piece goes that moves.")
    ]


class StudyPosition(Struct, frozen=True):
    """A position that somebody studies."""

    start: Annotated[str, Meta(description="The text of the position where the line begins.")]
    line: Annotated[list[str], Meta(description="The moves since, with those that were drawn.")]
    spelled: Annotated[list[str], Meta(description="These moves as people read them.")]
    position: Annotated[str, Meta(description="The text of the position that they lead to.")]
    turn: Turn
    ply: Annotated[int, Meta(description="How many moves the seats have made.")]
    moves: Annotated[int, Meta(description="How many legal moves there are.")]
    scene: StateOfPlay
    near: Annotated[
        int,
        Meta(description="Of two seats that sit opposite, the one below the board as it is drawn."),
    ]
    badges: Annotated[list[Badge], Meta(description="One for each seat.")]
    choices: Branch | None
    labels: Annotated[dict[str, str], Meta(description="What people call every atom.")]
    situation: SituationState | None
    countdowns: list[CountdownState]
    outcome: OutcomeState | None
    last: Annotated[ShownMove | None, Meta(description="The last move of the line.")]
    told: Annotated[str, Meta(description="That move in a sentence.")]
    changes: Annotated[
        list[Change],                               # type: ignore[valid-type]
        Meta(description="What happens on the table during it."),
    ]
