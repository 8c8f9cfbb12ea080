"""The ledger of a match: its header, its events, and their results so far.

State is a fold over the events. Each event goes through `Ledger.happen`, both when it happens and
when it is replayed: it is checked first, and a refused event leaves no trace.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from msgspec import convert, structs

from escale.game.errors import BadMessage, MatchOver, NotBegun, NotNow, NotYourTurn
from escale.game.fair_random import FairRandom
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Outcome, PlayedMoves, Position
from escale.game.viewer import ALL, Seat, Viewer
from escale.kernel import CHANCE
from escale.match.clock import DAY_MS, Clock, Pace, Reading
from escale.match.events import (
    FORMAT,
    Answered,
    Began,
    Declined,
    Drawn,
    Ended,
    Event,
    Flagged,
    Header,
    Nudged,
    Offered,
    OutcomeFacts,
    Paused,
    Played,
    Published,
    RematchOpened,
    Reopened,
    Resigned,
    Said,
    SaidPhrase,
    Sat,
    TookBack,
    Withdrew,
    checked_header,
)
from escale.match.seating import Offer, Player

OFFERS = ("draw", "takeback")
"""The offers that are possible during the game."""
REMATCH = ("rematch",)
"""The offers that are possible after the end."""
BEFORE = (Began, Sat, Declined, Withdrew, Said, SaidPhrase, Published)
"""The events that are possible before the beginning."""
NUDGE_AFTER_MS = 12 * 60 * 60 * 1000
"""The time after a move before others may remind a person whose turn it is."""
MOST_PAUSED_MS = 60 * DAY_MS
"""The time that one seat may be on holiday in one game."""
NEVER = 1 << 30
"""An index in the line beyond all others."""
KEPT_EVERY_PLIES = 16
"""The number of moves between two positions of a line that are kept …"""
MOST_KEPT = 8
"""… and the number of positions that are kept, the last ones."""
AFTER = (Ended, Sat, Said, SaidPhrase, Offered, Answered, RematchOpened)
"""The events that are possible after the end."""


def facts_of(outcome: Outcome) -> OutcomeFacts:
    """An outcome, read from the last event.

    The cells that show it follow from the position, and are not in the event.
    """
    facts = outcome.as_json()
    facts.pop("cells", None)
    return convert(facts, OutcomeFacts)


class StandingLine:
    """The moves that stand on a table, and the position after them.

    Some positions between are kept, so that taking a move back costs about as much as making it,
    however long the line is. Otherwise a match with many takebacks would take hours to read.
    """

    def __init__(self, start: Position, codes: Sequence[int] = ()) -> None:
        self._start = start
        self.codes = array("Q", codes)
        self._kept: list[tuple[int, Position]] = []
        """Kept positions, each with the number of moves before it, the last one last."""
        self.position = start
        """The position after all moves."""
        if codes:
            self._reach(len(codes))

    def add(self, code: int, position: Position) -> None:
        """Add a move, and the position after it."""
        self.codes.append(code)
        self.position = position
        self._keep()

    def cut(self, ply: int) -> None:
        """Remove all but the first moves."""
        if ply < len(self.codes):
            del self.codes[ply:]
            while self._kept and self._kept[-1][0] > ply:
                self._kept.pop()
            self._reach(ply)

    def _reach(self, ply: int) -> None:
        """Replay from the last kept position before `ply`."""
        at, position = self._kept[-1] if self._kept else (0, self._start)
        stops = [*range(at + KEPT_EVERY_PLIES - at % KEPT_EVERY_PLIES, ply, KEPT_EVERY_PLIES), ply]
        for stop in stops[-MOST_KEPT:]:
            if stop > at:
                reached = position.after(self.codes[at:stop])
                position = Position(
                    reached.game, reached.options, reached.kernel(),
                    fair_random=reached.fair_random, chance_count=reached.chance_count,
                    line=PlayedMoves(self._start, self.codes[:stop], stop),
                )
                at, self.position = stop, position
                self._keep(stop)
        self.position = position

    def _keep(self, ply: int | None = None) -> None:
        ply = len(self.codes) if ply is None else ply
        if ply and ply % KEPT_EVERY_PLIES == 0:
            self._kept.append((ply, self.position))
            del self._kept[:-MOST_KEPT]


class Ledger:
    """The events of a match, and the state that follows from them."""

    def __init__(
        self, start: Position, *, players: Iterable[Player] = (),
        fair_random: FairRandom | None = None, commitment: str | None = None,
        pace: Pace | None = None, waits: bool = False, hints: bool = False,
        set_up_by: str | None = None, phrases: bool = False,
    ) -> None:
        """`fair_random` draws the chance outcomes; a follower has no secret."""
        self.start = start
        self.game: Game[Any] = start.game
        self.fair_random = fair_random
        self.commitment = fair_random.commitment if fair_random else commitment
        self.header = checked_header(Header(
            escale=FORMAT, game=self.game.slug, start=start.text,
            seats=list(players) or [Player() for _ in range(start.seats)],
            commitment=self.commitment, clock=pace, waits=waits, hints=hints,
            set_up_by=set_up_by, phrases=phrases,
        ))
        self.players = list(self.header.seats)
        if len(self.players) != start.seats:
            raise NotNow(f"{start.seats} seats need {start.seats} players")
        if not waits and any(player.open or player.value for player in self.players):
            raise NotNow("with an open seat, or with values, a match has to wait for its beginning")
        self.events: list[Event] = []
        self.plies_after = array("I")
        """For each event, the number of moves on the table after it."""
        self._codes = array("Q")
        self.begun = not waits
        """Whether moves can be played yet."""
        self.values: tuple[str | None, ...] = ()
        """The seats' values for the chance outcomes."""
        self.offer: Offer | None = None
        self.ended = False
        """Whether the match has its last event."""
        self.again = False
        """Whether all have agreed to a rematch."""
        self.next: str | None = None
        """The table of the rematch."""
        self._unshown: dict[int, int] = {}
        self.next_commitment: str | None = None
        """The commitment to the secret of a rematch; it is shown at the end, before any value."""
        self.next_values: dict[int, str] = {}
        """The seats' values for the chance outcomes of the rematch."""
        self._people = {
            seat for seat, player in enumerate(self.players)
            if player.level is None and not player.open
        }
        """The seats on which people have sat, though a computer may play for them now."""
        self._line = StandingLine(start.alone())
        self._movers: list[int] = []
        """The maker of each move that stands on the table: a seat, or `CHANCE`."""
        self._agreed: Outcome | None = None
        self._clock = Clock(pace, start.seats) if pace else None
        self._played = False
        self._paused_until: dict[int, int] = {}
        self._paused_for: dict[int, int] = {}
        """The milliseconds of holidays that each seat has had in this game."""

    # ---- queries ----

    @cached_property
    def composed(self) -> bool:
        """Whether it begins from a position other than the game's own."""
        usual = self.game.start_with(self.start.options.changed, seats=self.start.seats)
        return self.start.text != usual.text

    @property
    def dealt_by_hand(self) -> bool:
        """Whether hidden cards were not drawn by chance, but set up."""
        return self.game.hides and self.composed

    @property
    def position(self) -> Position:
        """The position on the table."""
        return self._line.position

    def only_of(self, seats: Collection[int]) -> bool:
        """Whether all seats but these are the computer's."""
        return all(
            player.level is not None or seat in seats for seat, player in enumerate(self.players)
        )

    def alone(self, seats: Collection[int]) -> bool:
        """Whether no other people than those on these seats have ever sat here."""
        return self._people <= set(seats)

    @property
    def ply(self) -> int:
        """The number of moves and chance outcomes on the table."""
        return len(self._movers)

    @property
    def positions(self) -> Sequence[Position]:
        """Every position of the line, from the start on; replayed on each call."""
        return list(self.walk())

    def walk(self) -> Iterator[Position]:
        """Yield the positions of `positions`, for callers that need few of them at once."""
        return self.start.along(self._line.codes)

    def line(self) -> list[str]:
        """The texts of the moves and chance outcomes on the table."""
        texts: list[str] = []
        for event, ply in zip(self.events, self.plies_after, strict=True):
            if isinstance(event, Played | Drawn):
                texts.append(event.move)
            del texts[ply:]
        return texts

    def moves_since(self, since: int, until: int | None = None) -> list[Move | None]:
        """For each event after number `since`, up to `until`, the move that it made, if any."""
        until = len(self.events) if until is None else until
        last = self.position.last
        is_last = since == until - 1 == len(self.events) - 1
        if is_last and isinstance(self.events[since], Played | Drawn) \
                and last is not None and last.code == self._codes[since]:
            return [last]                       # the usual case after a move: no replay is needed
        if not any(isinstance(event, Played | Drawn) for event in self.events[since:until]):
            return [None] * (until - since)
        line = StandingLine(self.start, self._standing(since))
        moves: list[Move | None] = []
        for number in range(since, until):
            if isinstance(self.events[number], Played | Drawn):
                move = Move(line.position, self._codes[number])
                moves.append(move)
                line.add(move.code, line.position.follow(move.code).alone())
            else:
                moves.append(None)
            line.cut(self.plies_after[number])
        return moves

    def _standing(self, count: int) -> list[int]:
        """The numbers of the moves that were on the table after that many events."""
        codes: list[int] = []
        for number in range(min(count, len(self.events))):
            if isinstance(self.events[number], Played | Drawn):
                codes.append(self._codes[number])
            del codes[self.plies_after[number]:]
        return codes

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended: by the rules, by resignation, by agreement or by the clock."""
        return self._agreed or self.position.outcome

    @property
    def turn(self) -> int | None:
        """The seat to move, `CHANCE`, or None before the beginning and after the end."""
        return self.position.turn if self.begun and self._agreed is None else None

    @property
    def choosing(self) -> tuple[int, ...]:
        """The seats that have to choose now; several if they choose at the same time."""
        return self.position.choosing if self.begun and self._agreed is None else ()

    def clock(self, now: int) -> Reading | None:
        """The clock at a time, in Unix milliseconds; None without a clock."""
        return self._clock.read(now) if self._clock else None

    def happen(self, event: Event) -> Event:
        """Check an event that was read, number it, apply it and record it."""
        number = len(self.events) + 1
        if event.n not in (None, number):
            raise BadMessage(f"expected event {number}, not {event.n}")
        if getattr(event, "seat", 0) >= self.start.seats:
            raise BadMessage(f"expected a seat from 0 to {self.start.seats - 1}")
        if self.outcome is not None and not isinstance(event, AFTER):
            raise MatchOver("the match is over")
        if not self.begun and not isinstance(event, BEFORE):
            raise NotBegun("the match has not begun")
        if self._clock and event.at is None:
            raise NotNow("with a clock, every event needs its time")
        self._apply(event)
        move = self.position.last if isinstance(event, Played | Drawn) else None
        if isinstance(event, Played):
            assert move is not None
            event = structs.replace(event, n=number, move=move.text)
        else:
            event = structs.replace(event, n=number)
        self.events.append(event)
        self.plies_after.append(self.ply)
        self._codes.append(move.code if move else 0)
        self._note_secrets(event)
        if self.outcome is not None and self.offer is not None and self.offer.what in OFFERS:
            self.offer = None
        if self._clock:
            assert event.at is not None
            mover = event.seat if isinstance(event, Played) else None
            self._clock.turn(event.at, self._thinkers(), mover)
        return event

    def rewind(self, count: int) -> None:
        """Remove all events after the first `count`, and fold the others again.

        This is for events that could not be stored, and were not announced.
        """
        ended = any(isinstance(event, Ended) for event in self.events[:count])
        promised = self.next_commitment
        fresh = type(self)(
            self.start, players=self.header.seats, commitment=self.commitment,
            fair_random=self.fair_random and replace(self.fair_random, values=()),
            pace=self.header.clock, waits=self.header.waits, hints=self.header.hints,
            set_up_by=self.header.set_up_by, phrases=self.header.phrases,
        )
        for event in self.events[:count]:
            fresh.happen(event)
        if not ended:
            fresh.next_commitment = promised
        vars(self).update(vars(fresh))

    def _note_secrets(self, event: Event) -> None:
        """Record which moves have not been shown yet, each with its index in the line.

        A move that is taken back before it is shown stays hidden until the end.
        """
        last = self.ply
        secrets = {n: place if place <= last else NEVER for n, place in self._unshown.items()}
        if isinstance(event, Played):
            assert event.n is not None
            secrets[event.n] = last
        shown = last - self.position.unshown
        self._unshown = {n: place for n, place in secrets.items() if place > shown}

    def shows(self, event: Event, viewer: Viewer) -> bool:
        """Whether a viewer may know a move: everyone may, unless it is not shown yet."""
        if viewer is ALL or self.outcome is not None or not isinstance(event, Played):
            return True
        return event.n not in self._unshown or viewer == Seat(event.seat)

    def _thinkers(self) -> tuple[int, ...]:
        """The seats whose time runs: people's, and in real time not before the first move."""
        assert self._clock is not None
        if not self._played and not self._clock.pace.days:
            return ()
        return tuple(seat for seat in self.choosing if self.players[seat].level is None)

    # ---- each event: first its conditions, then its effects ----

    def _apply(self, event: Event) -> None:
        """Let an event change the match; an impossible one changes nothing and raises."""
        match event:
            case Played():
                self._play(event)
            case Drawn():
                self._draw(event)
            case Began():
                self._begin(event)
            case Sat():
                self._sit(event)
            case Declined():
                self._decline(event)
            case Withdrew():
                self._withdraw(event)
            case Offered():
                self._offer(event)
            case Answered():
                self._answer(event)
            case TookBack():
                self._took_back(event)
            case Resigned():
                self._resign(event)
            case Flagged():
                self._flag(event)
            case Reopened():
                self._reopen(event)
            case Paused():
                self._pause(event)
            case Nudged():
                self._nudge(event)
            case Ended():
                self._end(event)
            case RematchOpened():
                self._rematch(event)
            case Said() | SaidPhrase() | Published():
                pass                        # changes nothing in the game
            case _:
                raise BadMessage(f"nothing is known of {type(event).__name__}")

    def _begin(self, event: Began) -> None:
        if self.begun:
            raise NotNow("the match has begun already")
        if any(player.open for player in self.players):
            raise NotNow("a seat is still open")
        if len(event.values) != self.start.seats:
            raise BadMessage(f"expected {self.start.seats} values, one for each seat")
        for player, value in zip(self.players, event.values, strict=True):
            if player.value not in (None, value):
                raise NotNow("a value is not the one that its seat gave")
        self.begun = True
        self.values = tuple(event.values)
        if self.fair_random is not None:
            self.fair_random = replace(self.fair_random, values=self.values)

    def _play(self, event: Played) -> None:
        if event.seat not in self.choosing:
            raise NotYourTurn("it is not this seat's turn")
        if event.seat in self._late(event):
            raise NotNow("this seat is out of time")
        self._move(event.seat, event.move)
        self._played = True
        self.offer = None

    def _draw(self, event: Drawn) -> None:
        if self.turn != CHANCE:
            raise NotNow("chance has nothing to decide now")
        self._move(CHANCE, event.move)

    def _move(self, seat: int, text: str) -> None:
        before = self.position
        move = before.with_turn(seat).find(text)
        if move.seat != seat:
            raise NotYourTurn("this is another seat's move")
        self._line.add(move.code, before.follow(move.code).alone())
        self._movers.append(seat)
        before.drop_caches()

    def _resign(self, event: Resigned) -> None:
        if self.start.seats != 2:
            raise NotNow("with more than two seats, let the computer play on instead")
        self._lose(event.seat, "resignation")

    def _lose(self, loser: int, ending: str) -> None:
        shares = tuple(0.0 if seat == loser else 1.0 for seat in range(2))
        self._agreed = Outcome(self.game, ending, None, shares)

    def _late(self, event: Event) -> tuple[int, ...]:
        """The seats that are out of time when an event happens."""
        if self._clock is None or event.at is None:
            return ()
        return self._clock.read(event.at).flagged

    def _flag(self, event: Flagged) -> None:
        seat = event.seat
        if seat not in self._late(event):
            raise NotNow("this seat is not out of time")
        if self.start.seats == 2:
            self._lose(seat, "time")
        elif event.level is None:
            raise BadMessage("expected the level at which the computer plays on")
        else:
            self.players[seat] = structs.replace(self.players[seat], level=event.level)

    def _reopen(self, event: Reopened) -> None:
        if self._clock is None or event.at is None:
            raise NotNow("without a clock, no time needs to be forgiven")
        self._clock.skip(event.at, event.closed)

    def _pause(self, event: Paused) -> None:
        if self._clock is None or self._clock.pace.days is None or event.at is None:
            raise NotNow("only clocks of days can stand still")
        if event.seat in self._late(event):
            raise NotNow("this seat is out of time")
        before = max(0, self._paused_until.get(event.seat, 0) - event.at)
        length = max(0, event.until - event.at)
        total = self._paused_for.get(event.seat, 0) - before + length
        if total > MOST_PAUSED_MS:
            raise NotNow("this seat was on holiday for long enough in this game")
        self._paused_until[event.seat], self._paused_for[event.seat] = event.until, total
        self._clock.pause(event.seat, event.at, event.until)

    def _nudge(self, event: Nudged) -> None:
        if event.at is None or not self.may_nudge(event.seat, event.at):
            raise NotNow(
                "expected another seat's turn, half a day since the last move, and no nudge since"
            )

    def may_nudge(self, seat: int, at: int) -> bool:
        """Whether a seat may remind the others at a time."""
        waits = any(self.players[one].level is None for one in self.choosing)
        live = self._clock is not None and self._clock.pace.days is None
        if seat in self.choosing or not waits or live:
            return False
        for event in reversed(self.events):
            if isinstance(event, Nudged):
                return False
            if isinstance(event, Played | Drawn | Began | TookBack):
                return event.at is not None and at - event.at >= NUDGE_AFTER_MS
        return False

    def _offer(self, event: Offered) -> None:
        possible = OFFERS if self.outcome is None else REMATCH
        if event.what not in possible:
            raise NotNow(f"expected an offer of {' or '.join(possible)}")
        if self.offer is not None:
            raise NotNow("another offer waits for its answer")
        if self.again:
            raise NotNow("the rematch is agreed")
        if event.what == "takeback":
            self._before(event.seat)
        self._give(event.seat, event.value, event.what)
        self.offer = Offer(event.seat, event.what)

    def _give(self, seat: int, value: str | None, what: str) -> None:
        """A value for the rematch; it means nothing with other offers."""
        if value is not None and what in REMATCH:
            self.next_values[seat] = value

    def _answer(self, event: Answered) -> None:
        offer = self.offer
        if offer is None or (offer.seat == event.seat and event.yes):
            raise NotNow("there is no offer for this seat to answer")
        self._give(event.seat, event.value, offer.what)
        if not event.yes:
            self.offer = None
            return
        offer.agreed.add(event.seat)
        if len(offer.agreed) < self.start.seats - 1:
            return
        self.offer = None
        if offer.what == "draw":
            seats = self.start.seats
            self._agreed = Outcome(self.game, "agreement", None, (1 / seats,) * seats)
        elif offer.what == "takeback":
            self._take_back(self._before(offer.seat))
        else:
            self.again = True

    def _before(self, seat: int) -> int:
        """The index in the line of positions of a seat's last move."""
        for index in range(self.ply - 1, -1, -1):
            if self._movers[index] == seat:
                return index
        raise NotNow("this seat has made no move that could be taken back")

    @property
    def last_person(self) -> int | None:
        """The person whose move a takeback would undo: the last one on the table by a person."""
        return next(
            (seat for seat in reversed(self._movers)
             if seat != CHANCE and self.players[seat].level is None), None,
        )

    def _took_back(self, event: TookBack) -> None:
        self._take_back(self._before(event.seat))
        self.offer = None

    def _take_back(self, ply: int) -> None:
        before = self.position
        self._line.cut(ply)
        del self._movers[ply:]
        before.drop_caches()

    def _sit(self, event: Sat) -> None:
        seat, value = event.seat, self.players[event.seat].value
        if event.value is not None:
            if self.begun:
                raise NotNow("the match has begun: values can no longer change")
            if value not in (None, event.value):
                raise NotNow("this seat has given its value already")
            value = event.value
        if self._clock and event.at is not None and event.level is None and \
                self._clock.read(event.at).expired(seat):
            raise NotNow("this seat is out of time")
        self.players[seat] = Player(event.name, event.level, value=value, bot=event.bot)
        if event.level is None:
            self._people.add(seat)

    def _decline(self, event: Declined) -> None:
        player = self.players[event.seat]
        if not player.open or not player.name:
            raise NotNow("no person is expected on this seat")
        self.players[event.seat] = Player(open=True)

    def _withdraw(self, event: Withdrew) -> None:
        awaited = self.players[event.whom] if event.whom < self.start.seats else Player()
        if not awaited.open or not awaited.bot:
            raise NotNow("no bot is expected on this seat")
        self.players[event.whom] = Player(open=True)

    def _end(self, event: Ended) -> None:
        if self.ended:
            raise NotNow("the end has been written down already")
        if self.outcome is None or event.outcome != facts_of(self.outcome):
            raise NotNow("the match did not end like this")
        if event.secret is not None and FairRandom(event.secret).commitment != self.commitment:
            raise NotNow("the secret is not the one that was committed to")
        self.ended = True
        self.next_commitment = event.rematch

    def _rematch(self, event: RematchOpened) -> None:
        if not self.again or self.next is not None:
            raise NotNow("no rematch is agreed")
        self.next = event.table
