"""Applies actions to a match: checks the seat, finds repeated actions, refuses stale moves."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from escale.game.errors import BadMessage, NotNow, NotYourTurn
from escale.game.viewer import SPECTATOR
from escale.match.events import (
    Action,
    Answered,
    Began,
    Decline,
    Declined,
    Ended,
    Event,
    Flagged,
    GiveAnswer,
    Hand,
    MakeOffer,
    Nudge,
    Nudged,
    Offered,
    Play,
    Played,
    Publish,
    Published,
    Rename,
    Resign,
    Resigned,
    Said,
    SaidPhrase,
    Sat,
    Say,
    SayPhrase,
    SitDown,
    Take,
    TakeBack,
    TookBack,
    Withdraw,
    Withdrew,
)
from escale.match.match import Match
from escale.match.seating import Player
from escale.server.edge.problems import Problem
from escale.server.tables.phrases import check_name
from escale.server.tables.presence import Presence
from escale.server.tables.seat_tokens import SeatTokens
from escale.server.tables.services import Services

MOST_EVENTS = 20_000
"""A match with so many can only be resigned; no game that people play has a tenth of them."""
SUBSTITUTE_LEVEL = "bosco"
"""The level that plays on for a person who left, when none was chosen."""
CHANGES_MOVES = (Began, Flagged, Ended)
"""Events that change what can be played, other than those that change the position."""


class ActionHistory:
    """The actions that were done, and the events that made older moves stale."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._done: dict[tuple[int, str], int] = {}
        self.stale_before = 0
        """The last event that changed what can be played: moves about an earlier table are stale.
        """
        self.add_events(match.events)

    def add_events(self, events: Iterable[Event]) -> None:
        """Remember new events."""
        plies = self._match.plies_after
        for event in events:
            n: int = event.n or 0
            if event.id is not None:
                self._done[getattr(event, "seat", -1), event.id] = n
            before = plies[n - 2] if n > 1 else 0
            if isinstance(event, CHANGES_MOVES) or (
                plies[n - 1] != before and self._match.shows(event, SPECTATOR)
            ):
                self.stale_before = n   # a hidden choice makes no other seat's choice stale

    def find_event(self, action: Action) -> int | None:
        """The number of the event that an action has become, if it was done."""
        return self._done.get((action.seat, action.id))


class Acting:
    """Actions at one table."""

    def __init__(
        self, match: Match, history: ActionHistory, tokens: SeatTokens, presence: Presence,
        services: Services, *, phrases: bool,
    ) -> None:
        """With `phrases`, people only say set phrases, and have names from a list."""
        self._match = match
        self._history = history
        self._tokens = tokens
        self._presence = presence
        self._services = services
        self._phrases = phrases

    def act(self, action: Action, seats: tuple[int, ...]) -> None:
        """Apply an action of the holder of `seats`; an `EscaleError` explains a refusal."""
        if not seats:
            raise Problem("no-seat")
        match, seat, now = self._match, action.seat, self._services.now()
        match action:
            case Hand() if seat not in seats and not self._is_abandoned(seat):
                raise Problem("not-your-seat")
            case Hand(level=str(level)):
                self._services.thinkers.check(level, match.game.slug)
            case Hand():
                pass
            case _ if seat not in seats:
                raise Problem("not-your-seat")
            case _ if len(match.events) >= MOST_EVENTS and not isinstance(action, Resign):
                raise Problem("too-long")
            case Play(n=n) if not self._history.stale_before <= n <= len(match.events):
                raise Problem("stale")
            case Play() if seat in match.choosing and match.players[seat].level is not None:
                raise NotYourTurn("the computer plays for this seat")
            case Say() if self._phrases:
                raise Problem("phrases-only")
            case Rename(name=name) if self._phrases:
                check_name(name, match.game)
            case TakeBack() if not match.only_of(seats):
                raise Problem("ask-first")
        event = event_of(action, match.players[seat])
        match.add(structs.replace(event, at=now, id=action.id))
        if isinstance(action, MakeOffer) and action.what != "draw":
            self._agree_with_oneself(seats, seat, now)

    def may_sit(self, seat: int, token: str, name: str) -> bool:
        """Whether a token still has to take a seat; Problem if another has it, or for the name."""
        match = self._match
        if not 0 <= seat < match.start.seats:
            raise Problem("not-your-seat")
        mine, free = seat in self._tokens.held(token), match.players[seat].open
        if mine and not free:
            return False
        if not free or (not mine and self._tokens.is_held(seat)):
            raise Problem("seat-taken")
        if self._phrases:
            check_name(name, match.game)
        return True

    def _agree_with_oneself(self, seats: tuple[int, ...], seat: int, now: int) -> None:
        """Accept an offer on all other seats of the player who made it."""
        match = self._match
        offer = match.offer
        for other in seats:
            if offer is not None and match.offer is offer and other != seat \
                    and match.players[other].level is None:
                match.answer(other, True, at=now)

    def _is_abandoned(self, seat: int) -> bool:
        """Whether others may hand this seat to the computer: its owner never came, or has left.

        With a clock, the clock decides.
        """
        if not 0 <= seat < self._match.start.seats:
            return False
        player = self._match.players[seat]
        if player.open and not self._tokens.is_held(seat):
            return True
        if player.level is not None or self._match.clock(0) is not None:
            return False
        away = self._presence.away(seat)
        return away is not None and away >= 1000 * self._services.away


def event_of(action: Action, player: Player) -> Event:
    """The event that an action becomes; `player` sits on its seat now."""
    seat = action.seat
    match action:
        case Play(move=move):
            return Played(seat, move)
        case Resign():
            return Resigned(seat)
        case MakeOffer(what=what, value=value):
            return Offered(seat, what, value)
        case GiveAnswer(yes=yes, value=value):
            return Answered(seat, yes, value)
        case TakeBack() if player.level is not None:
            raise NotNow("the computer plays for this seat")
        case TakeBack():
            return TookBack(seat)
        case Say(text=text):
            return Said(seat, text)
        case SayPhrase(phrase=phrase):
            return SaidPhrase(seat, phrase)
        case Publish(public=public):
            return Published(seat, public)
        case Nudge():
            return Nudged(seat)
        case SitDown() if not player.open:
            raise NotNow("this seat is taken already")
        case SitDown(value=value):
            return Sat(seat, player.name, None, value, bot=player.bot)
        case Decline(reason=reason):
            return Declined(seat, reason)
        case Withdraw(whom=whom):
            return Withdrew(seat, whom)
        case Hand(level=level):
            return Sat(seat, player.name, level or SUBSTITUTE_LEVEL, bot=player.bot)
        case Take() if player.level is None:
            raise NotNow("this seat is yours already")
        case Take():
            return Sat(seat, player.name, None, bot=player.bot)
        case Rename() if player.bot:
            raise NotNow("a bot keeps the name of its account")
        case Rename(name=name):
            return Sat(seat, name, player.level)
        case _:
            raise BadMessage(f"nothing is known of {type(action).__name__}")
