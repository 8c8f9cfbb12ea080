"""The computer at a table: it moves where it has a seat, and answers offers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from escale.game.position import Position
from escale.match.events import Fault
from escale.match.match import Match
from escale.match.seating import Offer
from escale.opponents.line_process import EngineError

if TYPE_CHECKING:
    from escale.server.tables.computers import Thinkers

DRAW_MARGIN = 0.02
"""The computer agrees to a draw if its expected share is at most this far above an even one."""


class ComputerSeats(Protocol):
    """Acts for the computer's seats, unless the table has changed since the computer thought."""

    def play(self, seat: int, position: Position, move: str) -> Awaitable[None]:
        """Play a move."""

    def answer(self, seat: int, yes: bool) -> Awaitable[None]:
        """Answer the offer on the table."""

    def give_up(self, seat: int, position: Position, fault: Fault) -> Awaitable[None]:
        """Replace an engine that has failed by the house's own computer."""

    def charged_address(self) -> str:
        """The address that pays for thinking."""


class ComputerTurns:
    """The computer's seats at one table."""

    def __init__(
        self, match: Match, thinkers: Thinkers,
        start: Callable[[Coroutine[Any, Any, None]], None], seats: ComputerSeats,
    ) -> None:
        """`start` runs a coroutine in the background."""
        self._match = match
        self._thinkers = thinkers
        self._start = start
        self._seats = seats
        self._about: dict[int, Position] = {}
        """The position that each thinking seat thinks about, as all players see it."""
        self._stopped = False

    @property
    def thinking(self) -> bool:
        """Whether the computer thinks about a move."""
        return bool(self._about)

    def look_at_table(self) -> None:
        """Called after every change: start thinking for computers that must move or answer."""
        match = self._match
        if match.offer is not None:
            self._start(self._answer_offer(match.offer))
        due = [seat for seat in match.choosing if match.players[seat].level is not None]
        known = match.position.shown if due else None
        for seat in [seat for seat in self._about if seat not in due]:
            del self._about[seat]
        for seat in due:
            assert known is not None
            if self._about.get(seat) != known:
                self._about[seat] = known
                self._start(self._think(seat, known))

    def stop_watching(self) -> None:
        """Stop, because another process thinks at this table now."""
        self._about.clear()

    def stop(self) -> None:
        """Play no move and give no answer any more."""
        self._about.clear()
        self._stopped = True

    async def _think(self, seat: int, position: Position) -> None:
        """Think for a seat, and play the move."""
        if self._stopped:
            return
        try:
            if self._about.get(seat) is not position:
                return                      # the table changed before thinking began
            level = self._match.players[seat].level
            assert level is not None
            move = await self._thinkers.choose(
                self._match, level, self._seats.charged_address(), seat
            )
            done = partial(self._seats.play, seat, position, move)
        except EngineError as error:
            done = partial(self._seats.give_up, seat, position, error.fault)
        finally:
            if self._about.get(seat) is position:
                del self._about[seat]
        if not self._stopped:
            await done()

    async def _answer_offer(self, offer: Offer) -> None:
        """Computers agree to takebacks and rematches, and to a draw unless they stand better."""
        match = self._match
        for seat, player in enumerate(match.players):
            if self._stopped or player.level is None or seat == offer.seat:
                continue
            yes = True
            if offer.what == "draw" and match.turn is not None:
                share = await self._thinkers.share(match, seat, self._seats.charged_address())
                yes = share <= 1 / match.start.seats + DRAW_MARGIN
            if self._stopped or match.offer is not offer or seat in offer.agreed:
                return
            await self._seats.answer(seat, yes)
