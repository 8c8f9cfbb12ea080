"""The duties of the house at a table: clock, computers, rematch."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from escale.game.position import Position
from escale.match.clock import Reading
from escale.match.events import Fault, Sat
from escale.match.match import Match
from escale.server.tables.acting import SUBSTITUTE_LEVEL
from escale.server.tables.computer_turns import ComputerTurns
from escale.server.tables.rematch import Rematch
from escale.server.tables.seat_tokens import SeatTokens
from escale.server.tables.services import Services
from escale.store import Conflict

if TYPE_CHECKING:
    from escale.server.tables.table import Table

ALARM_DELAY_SECONDS = 0.01
"""The alarm rings this long after the time is up: ringing too early would be useless."""
ALARM_RECHECK_SECONDS = 86_400.0
"""The longest time until the clock is read again."""


class HouseDuties:
    """The duties at one table. Of several processes only the table's owner does them."""

    def __init__(
        self, table: Table, match: Match, tokens: SeatTokens, rematch: Rematch, services: Services
    ) -> None:
        """`table` is a weak proxy, so that its duties do not keep it in memory."""
        self._table = table
        self._match = match
        self._tokens = tokens
        self._rematch = rematch
        self._services = services
        me: HouseDuties = weakref.proxy(self)
        self._alarm = ClockAlarm(lambda: services.start(me._time_is_up()))
        self._computers = ComputerTurns(match, services.thinkers, services.start, me)

    @property
    def thinking(self) -> bool:
        """Whether the computer thinks about a move."""
        return self._computers.thinking

    def look_at_table(self) -> None:
        """Called after every change: set the clock's alarm, start computers, open the rematch."""
        if not self._services.cluster.owns(self._table.id):
            self.hand_over()
            return
        self._alarm.set(self._match.clock(self._services.now()))
        self._computers.look_at_table()
        if self._rematch.due:
            self._services.start(self._open_rematch())

    def hand_over(self) -> None:
        """Stop the clock and the computers, which another process may take over."""
        self._alarm.cancel()
        self._computers.stop_watching()

    def stop(self) -> None:
        """Stop for good, because the table leaves the memory."""
        self._alarm.cancel()
        self._computers.stop()

    # ---- the clock ----

    async def _time_is_up(self) -> None:
        table = self._table
        await self.look_at_clock()
        if not table.gone and not self._alarm.is_set:
            self._alarm.set(self._match.clock(self._services.now()))

    async def look_at_clock(self) -> None:
        """Write the event if a seat is out of time."""
        match, now = self._match, self._services.now

        def flagged() -> tuple[int, ...]:
            reading = match.clock(now())
            return () if reading is None else reading.flagged

        def flag() -> None:
            seat = flagged()[0]             # the alarm rings again for other seats
            match.flag(seat, None if match.start.seats == 2 else SUBSTITUTE_LEVEL, at=now())

        await self._table.change_by_house(flag, lambda: bool(flagged()))

    # ---- computers ----

    def charged_address(self) -> str:
        """The address whose budget the computers spend."""
        return self._table.charged_address

    async def play(self, seat: int, position: Position, move: str) -> None:
        """Play a computer's move, unless the table has changed since the computer thought."""
        await self._table.change_by_house(
            lambda: self._match.play(seat, move, at=self._services.now()),
            lambda: self._is_computers_turn(seat, position),
        )

    async def give_up(self, seat: int, position: Position, fault: Fault) -> None:
        """Give the seat of an engine that failed to the house's own computer, with the reason."""
        name = self._match.players[seat].name
        await self._table.change_by_house(
            lambda: self._match.add(
                Sat(seat, name, SUBSTITUTE_LEVEL, fault=fault, at=self._services.now())
            ),
            lambda: self._is_computers_turn(seat, position),
        )

    def _is_computers_turn(self, seat: int, position: Position) -> bool:
        """Whether it still is a computer's turn in the position that it thought about.

        Hidden choices of other seats in the meantime make no difference.
        """
        match = self._match
        return seat in match.choosing and match.position.shown == position.shown \
            and match.players[seat].level is not None

    async def answer(self, seat: int, yes: bool) -> None:
        """Answer an offer for a computer, if the offer still stands."""
        def is_asked() -> bool:
            offer = self._match.offer
            return offer is not None and seat != offer.seat and seat not in offer.agreed

        await self._table.change_by_house(
            lambda: self._match.answer(seat, yes, at=self._services.now()), is_asked
        )

    # ---- the rematch ----

    async def _open_rematch(self) -> None:
        table, name = self._table, self._rematch.name
        if await self._services.find_table(name) is None:
            with suppress(Conflict):            # another process has just opened it
                await self._services.set_up_table(
                    name, self._rematch.match(), public=table.public,
                    tokens=self._rematch.tokens(self._tokens.all),
                    charged_address=table.charged_address,
                )
        await table.change_by_house(
            lambda: self._match.rematch(name, at=self._services.now()), lambda: self._rematch.due
        )


class ClockAlarm:
    """Wakes a table when the time of a seat is up; the clock itself is read from the events."""

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        """Whether the alarm is going to ring."""
        return self._timer is not None

    def set(self, reading: Reading | None) -> None:
        """Set the alarm for the first seat that runs out of time; cancel it if no clock runs."""
        self.cancel()
        if reading is not None and reading.soonest is not None:
            seconds = min(reading.soonest / 1000 + ALARM_DELAY_SECONDS, ALARM_RECHECK_SECONDS)
            self._timer = asyncio.get_running_loop().call_later(seconds, self._rings)

    def cancel(self) -> None:
        """Do not ring."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _rings(self) -> None:
        self._timer = None
        self._ring()
