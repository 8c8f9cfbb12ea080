"""Letting an action happen in a match: whose seat it is, what is stale, what has to be asked."""

from __future__ import annotations

from msgspec import structs

from escale.game.errors import NotYourTurn
from escale.match.events import Action, Hand, MakeOffer, Play, TakeBack
from escale.match.match import Match
from escale.server.problems import Problem
from escale.server.tables.actions import event_of
from escale.server.tables.past import Past
from escale.server.tables.presence import Presence
from escale.server.tables.seat_tokens import SeatTokens
from escale.server.tables.services import Services


class Acting:
    """Actions at one table."""

    def __init__(
        self, match: Match, past: Past, tokens: SeatTokens, presence: Presence,
        services: Services,
    ) -> None:
        self._match = match
        self._past = past
        self._tokens = tokens
        self._presence = presence
        self._services = services

    def act(self, action: Action, seats: tuple[int, ...]) -> None:
        """Do what somebody who holds `seats` asks for, or say why it cannot be."""
        match, seat, now = self._match, action.seat, self._services.now()
        if not seats:
            raise Problem("no-seat")
        if seat not in seats and not (isinstance(action, Hand) and self._abandoned(seat)):
            raise Problem("not-your-seat")
        if isinstance(action, Play):
            if not self._past.mattered <= action.n <= len(match.events):
                raise Problem("stale")
            if match.turn == seat and match.players[seat].level is not None:
                raise NotYourTurn("the computer plays for this seat")
        if isinstance(action, TakeBack) and not match.only_of(seats):
            raise Problem("ask-first")
        if isinstance(action, Hand) and action.level is not None:
            self._services.thinkers.check(action.level, match.game.slug)
        event = event_of(action, match.players[seat])
        match.add(structs.replace(event, at=now, id=action.id))
        offer = match.offer
        if isinstance(action, MakeOffer) and offer is not None and offer.what != "draw":
            # Who holds several seats agrees with themselves.
            for other in seats:
                if other != seat and match.offer is offer and match.players[other].level is None:
                    match.answer(other, True, at=now)

    def _abandoned(self, seat: int) -> bool:
        """Whether others may hand this seat to the computer: nobody came, or somebody left.

        With a clock, the clock decides.
        """
        if not 0 <= seat < self._match.start.seats:
            return False
        player = self._match.players[seat]
        if player.open and not self._tokens.hold(seat):
            return True
        if player.level is not None or self._match.clock(0) is not None:
            return False
        away = self._presence.away(seat)
        return away is not None and away >= 1000 * self._services.away
