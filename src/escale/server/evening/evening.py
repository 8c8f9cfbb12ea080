"""The fold: a plan and events become guests, rounds and results.

Every event goes through `Evening.happen`, when it happens and when it is read again. It is checked
before it changes anything. An event that was undone counts as if it had never happened.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec import structs

from escale.game.errors import BadMessage, NotNow
from escale.games import game as game_named
from escale.server.evening.events import (
    MOST_EVENTS,
    MOST_GUESTS,
    BoardChosen,
    BoardKind,
    By,
    Closed,
    Decided,
    Event,
    Extended,
    Joined,
    Left,
    Paired,
    Pairing,
    Plan,
    Planned,
    Renamed,
    Reported,
    Returned,
    SatDown,
    Started,
    Undone,
)
from escale.server.evening.refusals import Refused

UNDOABLE = (Paired, Started, SatDown, Decided, Closed)
"""The events that the host can take back, the last one first."""
DEPENDENT = (BoardChosen, Reported, Extended)
"""Events that lose their meaning when the round or the pairing before them is taken back."""


@dataclass(slots=True)
class Guest:
    """A person, a computer or a bot that takes part."""

    who: int
    name: str
    level: str | None = None
    bot: bool = False
    phone: bool = False
    present: bool = True
    since: int = 1
    """The first round for which the guest was there."""

    @property
    def person(self) -> bool:
        """Whether it is a person."""
        return self.level is None and not self.bot


@dataclass(slots=True)
class Game:
    """A game at one table of the room."""

    round: int
    table: int
    game: str
    seats: list[int]
    board: BoardKind
    n: int
    """The number of the event that paired it."""
    reports: dict[int, list[int]] = field(default_factory=dict)
    """The result as each player has reported it."""
    places: list[int] | None = None
    """The place of each seat, once it is decided."""
    by: By | None = None
    disputed: bool = False
    """Whether the host has undone the result of the match here, which then no longer counts."""

    @property
    def over(self) -> bool:
        """Whether it has a result."""
        return self.places is not None


@dataclass(slots=True)
class Round:
    """A round."""

    number: int
    games: list[Game]
    byes: list[int]
    n: int
    """The number of the event that paired it."""
    started: int | None = None
    """When it began, in Unix milliseconds."""
    minutes: int | None = None
    """Its time, with the minutes that the host has added."""

    @property
    def running(self) -> bool:
        """Whether it has begun, and some game has no result."""
        return self.started is not None and any(not game.over for game in self.games)

    def ends(self) -> int | None:
        """When its time is up, in Unix milliseconds; None if it has no time, or has not begun."""
        if self.started is None or self.minutes is None:
            return None
        return self.started + 60_000 * self.minutes


class Evening:
    """The state of an evening, which follows from its log."""

    def __init__(self, plan: Plan, events: Iterable[Event] = ()) -> None:
        check_plan(plan)
        self.first_plan = plan
        self.events: list[Event] = []
        self._clear()
        for event in events:
            self.happen(event)

    def _clear(self) -> None:
        self.plan = self.first_plan
        self.guests: dict[int, Guest] = {}
        self.rounds: list[Round] = []
        self.closed: int | None = None
        """When it was closed, in Unix milliseconds."""
        self.done: dict[str, int] = {}
        """The number of the event of each request."""
        self._disputed: set[tuple[int, int]] = set()

    # ---- queries ----

    @property
    def n(self) -> int:
        """The number of the last event."""
        return len(self.events)

    @property
    def round(self) -> Round | None:
        """The last round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def running(self) -> list[Game]:
        """The games that are being played: in free play of all rounds, else of the last one."""
        rounds = self.rounds if self.plan.format == "free" else self.rounds[-1:]
        return [
            game for one in rounds if one.started is not None for game in one.games
            if not game.over
        ]

    def present(self) -> list[Guest]:
        """The guests who are there, in the order in which they came."""
        return [guest for guest in self.guests.values() if guest.present]

    def find(self, round: int, table: int) -> Game:
        """The game at a table in a round; Refused if there is none."""
        for one in self.rounds:
            if one.number == round:
                for game in one.games:
                    if game.table == table:
                        return game
        raise Refused("no-such-table", round=round, table=table)

    def games_of(self, who: int) -> list[Game]:
        """All games of a guest, the first one first."""
        return [game for one in self.rounds for game in one.games if who in game.seats]

    def free_table(self) -> int:
        """The lowest number of a table at which no game is being played."""
        taken = {game.table for game in self.running}
        return next(number for number in range(1, MOST_GUESTS + 2) if number not in taken)

    def undoable(self) -> Event | None:
        """The event that the host would take back next; None if there is none."""
        undone = {event.of for event in self.events if isinstance(event, Undone)}
        last = self.round
        for event in reversed(self.events):
            if isinstance(event, UNDOABLE) and event.n not in undone:
                if isinstance(event, Closed | SatDown):
                    return event
                # Of an earlier round nothing is undone before the rounds after it.
                if self.plan.format == "free" or (last and event.round == last.number):
                    return event
        return None

    # ---- the fold ----

    def happen(self, event: Event) -> Event:
        """Check an event, number it, apply it and record it."""
        number = len(self.events) + 1
        if event.n not in (None, number):
            raise BadMessage(f"expected event {number}, not {event.n}")
        if number > MOST_EVENTS and not isinstance(event, Closed):
            raise Refused("too-long")
        if self.closed is not None and not isinstance(event, Undone | Renamed | Decided):
            raise Refused("over")
        event = structs.replace(event, n=number)
        self._apply(event)
        self.events.append(event)
        if event.id is not None:
            self.done[event.id] = number
        return event

    def rewind(self, count: int) -> None:
        """Forget all events after the first `count`, which could not be stored."""
        self._fold(self.events[:count])

    def _fold(self, events: list[Event]) -> None:
        """Fold these events again, without those that were undone."""
        undone = {event.of for event in events if isinstance(event, Undone)}
        contested: dict[tuple[int, int], int] = {}
        disputed: set[tuple[int, int]] = set()
        for event in events:
            if isinstance(event, Decided) and event.n in undone:
                contested[event.round, event.table] = event.n or 0
                if event.by == "house":
                    disputed.add((event.round, event.table))
        self._clear()
        self.events = []
        self._disputed = disputed
        for event in events:
            # With a result, what players have said about it is undone, too.
            dropped = isinstance(event, Reported) and \
                (event.n or 0) < contested.get((event.round, event.table), 0)
            if event.n not in undone and not isinstance(event, Undone) and not dropped:
                try:
                    self._apply(event)
                except NotNow:
                    if not isinstance(event, DEPENDENT):
                        raise
            self.events.append(event)
            if event.id is not None:
                self.done[event.id] = event.n or 0

    def _apply(self, event: Event) -> None:
        match event:
            case Joined():
                self._join(event)
            case Renamed():
                guest = self._guest(event.who)
                guest.name = event.name
            case Left():
                guest = self._guest(event.who)
                if not guest.present:
                    raise Refused("left-already", name=guest.name)
                guest.present = False
            case Returned():
                guest = self._guest(event.who)
                if guest.present:
                    raise Refused("there-already", name=guest.name)
                guest.present = True
            case Paired():
                self._pair(event)
            case Started():
                self._start(event)
            case SatDown():
                self._sit(event)
            case BoardChosen():
                self._choose_board(event)
            case Reported():
                self._report(event)
            case Decided():
                self._decide(event)
            case Extended():
                self._extend(event)
            case Planned():
                self._change_plan(event)
            case Closed():
                self.closed = event.at
            case Undone():
                self._undo(event)
            case _:
                raise BadMessage(f"nothing is known of {type(event).__name__}")

    def _guest(self, who: int) -> Guest:
        guest = self.guests.get(who)
        if guest is None:
            raise BadMessage(f"there is no guest {who}", "who")
        return guest

    def _join(self, event: Joined) -> None:
        if len(self.guests) >= MOST_GUESTS:
            raise Refused("full", most=MOST_GUESTS)
        if event.who != len(self.guests) + 1:
            raise BadMessage(f"expected guest {len(self.guests) + 1}", "who")
        if not event.name.strip() and event.level is None:
            raise Refused("no-name")
        self.guests[event.who] = Guest(
            event.who, event.name, event.level, event.bot, event.phone, since=len(self.rounds) + 1
        )

    def _pair(self, event: Paired) -> None:
        if self.plan.format == "free":
            raise Refused("free-play")
        last = self.round
        if event.round != len(self.rounds) + 1:
            raise Refused("other-round")
        if last is not None and last.started is None:
            raise Refused("not-begun")
        if not event.pairings:
            raise Refused("too-few")
        seated = [who for one in event.pairings for who in one.seats] + event.byes
        if len(set(seated)) != len(seated) or \
                len({one.table for one in event.pairings}) != len(event.pairings):
            raise BadMessage("a guest or a table is there twice", "pairings")
        for who in seated:
            if not self._guest(who).present:
                raise Refused("has-left", name=self.guests[who].name)
        self.rounds.append(Round(
            event.round, [self._game(event.round, one, event.n) for one in event.pairings],
            list(event.byes), event.n or 0,
        ))

    def _game(self, round: int, pairing: Pairing, n: int | None) -> Game:
        fits = game_named(pairing.game).seats
        if not fits[0] <= len(pairing.seats) <= fits[1]:
            title = game_named(pairing.game).title
            raise Refused("seats", title=title, least=fits[0], most=fits[1])
        if not any(self._guest(who).person for who in pairing.seats):
            raise Refused("no-person")
        board = pairing.board
        if any(not self.guests[who].person for who in pairing.seats):
            board = "screen"                    # a computer has no hands
        return Game(
            round, pairing.table, pairing.game, list(pairing.seats), board, n or 0,
            disputed=(round, pairing.table) in self._disputed,
        )

    def _start(self, event: Started) -> None:
        last = self.round
        if last is None or last.number != event.round:
            raise Refused("other-round")
        if last.started is not None:
            raise Refused("begun-already")
        last.started, last.minutes = event.at, self.plan.minutes

    def _sit(self, event: SatDown) -> None:
        if self.plan.format != "free":
            raise Refused("not-free-play")
        if event.round != len(self.rounds) + 1:
            raise Refused("other-round")
        pairing, playing = event.pairing, self.running
        if len(set(pairing.seats)) != len(pairing.seats):
            raise BadMessage("a guest is there twice", "seats")
        for who in pairing.seats:
            guest = self._guest(who)
            if not guest.present:
                raise Refused("has-left", name=self.guests[who].name)
            if guest.person and any(who in game.seats for game in playing):
                raise Refused("playing", name=guest.name)
        if any(pairing.table == game.table for game in playing):
            raise Refused("table-taken", table=pairing.table)
        self.rounds.append(Round(
            event.round, [self._game(event.round, pairing, event.n)], [], event.n or 0,
            started=event.at, minutes=self.plan.minutes,
        ))

    def _choose_board(self, event: BoardChosen) -> None:
        game = self.find(event.round, event.table)
        if game.over:
            raise Refused("has-result")
        if event.board == "real" and any(not self.guests[who].person for who in game.seats):
            raise Refused("on-screen")
        game.board = event.board

    def _report(self, event: Reported) -> None:
        game = self.find(event.round, event.table)
        if event.by not in game.seats:
            raise Refused("not-yours")
        if game.over:
            raise Refused("has-result")
        self._must_have_begun(game)
        if game.board != "real":
            raise Refused("on-screen")
        game.reports[event.by] = checked_places(event.places, game)

    def _must_have_begun(self, game: Game) -> None:
        if self.rounds[game.round - 1].started is None:
            raise Refused("not-begun")

    def _decide(self, event: Decided) -> None:
        game = self.find(event.round, event.table)
        self._must_have_begun(game)
        if event.by == "house" and (game.over or game.disputed):
            raise Refused("has-result")
        game.places, game.by = checked_places(event.places, game), event.by

    def _extend(self, event: Extended) -> None:
        last = self.round
        if last is None or last.number != event.round or last.minutes is None:
            raise Refused("no-time")
        last.minutes += event.minutes

    def _change_plan(self, event: Planned) -> None:
        check_plan(event.plan)
        if self.rounds and (event.plan.format, event.plan.seed) != \
                (self.plan.format, self.plan.seed):
            raise Refused("format-fixed")
        self.plan = event.plan

    def _undo(self, event: Undone) -> None:
        last = self.undoable()
        if last is None or last.n != event.of:
            raise Refused("not-the-last")
        n = event.n
        assert n is not None
        # `happen` records the event itself.
        self._fold([*self.events, event])
        self.events.pop()


def agreed(evening: Evening, game: Game) -> list[int] | None:
    """The result on which all players of a real board agree; None while they do not.

    Players without a phone cannot confirm it, so the host decides about their games.
    """
    said = list(game.reports.values())
    if game.over or len(said) < len(game.seats) or any(one != said[0] for one in said):
        return None
    return said[0]


def checked_places(places: list[int], game: Game) -> list[int]:
    """Places that a game can end with: one for each seat, as in a race (1, 2, 2, 4)."""
    if len(places) != len(game.seats):
        raise BadMessage(f"expected {len(game.seats)} places, one for each seat", "places")
    for place in places:
        if place != 1 + sum(other < place for other in places):
            raise Refused("places")
    return list(places)


def check_plan(plan: Plan) -> None:
    """BadMessage if the format does not suit the games."""
    for slug in plan.games:
        game = game_named(slug)
        least, most = game.seats
        if plan.format in ("round-robin", "swiss", "keizer") and least > 2:
            raise Refused("game-for-more", title=game.title)
        if plan.format == "ladder" and most < 3:
            raise Refused("game-for-two", title=game.title)
    if plan.clock and plan.minutes is None:
        raise Refused("clock-minutes")
