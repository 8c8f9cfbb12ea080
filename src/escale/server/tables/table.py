"""One table: its match, who holds its seats, who watches, and one thing happening at a time.

All that happens is written down durably before anybody is told. While it is being written the
table is locked; if writing fails, this table is forgotten and read again from the store.

Where several processes share a database, another may have written first. Then the table catches up
with what it wrote, tells those who watch here as if it had happened here, and tries again.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from time import monotonic

from escale.game.errors import EscaleError
from escale.game.position import Position
from escale.kernel import CHANCE
from escale.match.events import (
    Action,
    Decline,
    Declined,
    Ended,
    Event,
    Fault,
    Published,
    Sat,
    Say,
    Withdraw,
    Withdrew,
)
from escale.match.match import Match, Player
from escale.server.off_loop import off_loop
from escale.server.problems import Problem
from escale.server.tables.acting import Acting
from escale.server.tables.actions import SUBSTITUTE
from escale.server.tables.audiences import Audiences, Listener, Shown
from escale.server.tables.bot_results import bot_results
from escale.server.tables.clock_alarm import ClockAlarm
from escale.server.tables.computer_turns import ComputerTurns
from escale.server.tables.due import due as due_at
from escale.server.tables.names import fingerprint
from escale.server.tables.orders import Sitting
from escale.server.tables.overtaking import Overtaken, one_at_a_time
from escale.server.tables.past import Past
from escale.server.tables.presence import Presence
from escale.server.tables.rematch import Rematch
from escale.server.tables.seat_tokens import SeatTokens
from escale.server.tables.services import Services
from escale.server.tables.views import Sight, Views
from escale.store import Conflict, Gap, StoreError, Token

SOON = 300_000
"""Milliseconds; what is further away, the house looks for in the store when it is near."""


class Table:
    """A match with people around it."""

    def __init__(
        self, services: Services, id: str, match: Match, *, public: bool, tokens: Iterable[Token],
        rematch: Rematch, due: int | None, closed: bool = False, muted: bool = False,
    ) -> None:
        """`due` is what the store knows of it; `closed` and `muted`, what the host decided."""
        self._services = services
        self._now = services.now
        self.id = id
        self.match = match
        self.public = public
        self._tokens = SeatTokens(tokens)
        self.views = Views(match)
        self.lock = asyncio.Lock()
        self.touched = self._now()
        self.gone = False
        self.deleted = False
        self.closed = closed
        self.muted = muted
        self.patron = ""
        """The address for which its computers think: of who set it up, or played last."""
        # What belongs to the table does not keep it: once forgotten, it leaves the memory at once.
        me: Table = weakref.proxy(self)
        self._presence = Presence(match.start.seats, self._now)
        self._audiences = Audiences(self.views, lambda sight: me._common(sight))
        self._alarm = ClockAlarm(lambda: services.background(me._time_up()))
        self._computers = ComputerTurns(
            match, services.thinkers, services.background,
            lambda seat, position, move: me.move(seat, position, move),
            lambda seat, yes: me.answer(seat, yes),
            lambda seat, position, fault: me.give_up(seat, position, fault),
            lambda: me.patron,
        )
        self._rematch = rematch
        self._due = due
        self._kept = len(match.events)
        self._news = asyncio.Event()
        self._polled = 0
        """How many wait for news."""
        self._past = Past(match)
        self._acting = Acting(match, self._past, self._tokens, self._presence, services)

    # ---- who is who ----

    def held(self, token: str | None) -> tuple[int, ...]:
        """The seats that a token holds."""
        return self._tokens.held(token)

    def revoke(self, gone: Collection[str]) -> None:
        """Tokens, by their SHA-256, are nobody's any more: who looks with one sees no more."""
        if self._tokens.revoke(gone):
            self._audiences.close()

    def present(self) -> list[bool]:
        """Which seats have somebody looking; the computer always is."""
        return self._presence.present(self.match.players)

    def seen(self, seats: Iterable[int]) -> None:
        """Somebody who holds these seats has just asked for something."""
        if surprises := self._presence.seen(seats):
            self._services.company.seen(self.id, surprises)

    @property
    def needed(self) -> bool:
        """Whether it has to stay in memory: somebody watches, or something is going to happen."""
        return self.awaited or self.lock.locked() or self._computers.thinking

    @property
    def awaited(self) -> bool:
        """Whether somebody wants to know at once what happens: who watches, or the house itself."""
        return self._audiences.followed or self._polled > 0 or (
            self._is_soon(self._due) and self._services.company.keeps(self.id)
        )

    def _is_soon(self, due: int | None) -> bool:
        return due is not None and due < self._now() + SOON

    @property
    def followed(self) -> bool:
        """Whether somebody looks at it."""
        return self._audiences.followed

    @property
    def thinking(self) -> bool:
        """Whether the computer thinks about a move here."""
        return self._computers.thinking

    # ---- what can be done ----

    @one_at_a_time
    async def do(self, action: Action, seats: tuple[int, ...]) -> int:
        """Do what somebody who holds `seats` asks for, once; the number of the event it became."""
        began = monotonic()
        self._must_be_here()
        done = self._past.became(action)
        if done is not None and action.seat in seats:
            return done
        before = len(self.match.events)

        def act() -> None:
            self._must_be_open(action)
            self._acting.act(action, seats)

        left = action.seat if isinstance(action, Decline) \
            else action.whom if isinstance(action, Withdraw) else None
        tokens, dropped = self._tokens.released(left)
        await self._change(act, tokens=tokens, dropped=dropped)
        self._services.counts.acted(action, monotonic() - began)
        return before + 1

    @one_at_a_time
    async def sit(self, seat: int, sitting: Sitting, token: str, *, bot: bool = False) -> None:
        """Somebody takes an open seat, once: a token that holds it already is answered the same."""
        self._must_be_here()
        if not 0 <= seat < self.match.start.seats:
            raise Problem("not-your-seat")
        mine, free = seat in self.held(token), self.match.players[seat].open
        if mine and not free:
            return
        if not free or (not mine and self._tokens.hold(seat)):
            raise Problem("seat-taken")
        self._presence.seen([seat])

        def take() -> None:
            self._must_be_open()
            player = Player(sitting.name, value=sitting.value, bot=bot)
            self.match.sit(seat, player, at=self._now())

        tokens, dropped = self._tokens.with_seat(token, seat)
        await self._change(take, tokens=tokens, dropped=dropped)
        self._services.seated(self.id, [fingerprint(token)])

    @one_at_a_time
    async def move(self, seat: int, position: Position, move: str) -> bool:
        """The computer plays a move for a seat, if the table still is as it was thought about."""
        if not self._is_computers(seat, position):
            return False
        await self._change(lambda: self.match.play(seat, move, at=self._now()))
        return True

    @one_at_a_time
    async def give_up(self, seat: int, position: Position, fault: Fault) -> bool:
        """An engine has failed at a move: the house's own computer takes its seat, and says why."""
        if not self._is_computers(seat, position):
            return False
        name = self.match.players[seat].name
        await self._change(
            lambda: self.match.add(Sat(seat, name, SUBSTITUTE, fault=fault, at=self._now()))
        )
        return True

    def _is_computers(self, seat: int, position: Position) -> bool:
        """Whether the computer still has to move as it was thought about."""
        return not self.gone and not self.closed and self.match.position == position \
            and self.match.turn == seat and self.match.players[seat].level is not None

    @one_at_a_time
    async def answer(self, seat: int, yes: bool) -> None:
        """The computer answers an offer, if there still is one."""
        offer = self.match.offer
        if self.gone or self.closed or offer is None:
            return
        if seat == offer.seat or seat in offer.agreed:
            return
        await self._change(lambda: self.match.answer(seat, yes, at=self._now()))

    @one_at_a_time
    async def look_at_clock(self) -> None:
        """Write it down if somebody is out of time."""
        reading = self.match.clock(self._now())
        if self.gone or self.closed or reading is None or reading.flagged is None:
            return
        seat = reading.flagged
        level = None if self.match.start.seats == 2 else SUBSTITUTE
        await self._change(lambda: self.match.flag(seat, level, at=self._now()))

    @one_at_a_time
    async def wake(self) -> None:
        """Do what is due on a table that was just read: begin, draw what is due, drop lost time.

        When it is first read after the house was closed, by a player who comes back at once or by
        the house itself, the time since the last event before that does not count.
        """
        if self.gone or self.closed:
            return
        reading = self.match.clock(self._now())
        forgive = reading is not None and reading.kind == "live" \
            and reading.running is not None \
            and (self.match.events[-1].at or 0) < self._services.opened()
        await self._change(
            lambda: self.match.reopen(at=self._now()) if forgive else None,
            dropped=self._tokens.orphans(self.match.players),
        )

    @one_at_a_time
    async def rematch_at(self, table: str) -> None:
        """Tell everybody where the rematch is."""
        if not self.gone and self.match.again and self.match.next is None:
            await self._change(lambda: self.match.rematch(table, at=self._now()))

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Look at the table while nothing happens there.

        Problem if it is forgotten: what could not be written down stands on no table.
        """
        async with self.lock:
            self._must_be_here()
            yield

    def _must_be_here(self) -> None:
        if self.gone:
            raise Problem("unknown-table" if self.deleted else "unavailable")

    def _must_be_open(self, action: Action | None = None) -> None:
        if self.closed:
            raise Problem("closed")
        if self.muted and isinstance(action, Say):
            raise Problem("muted")

    # ---- what the host decides ----

    @one_at_a_time
    async def decide(self, *, closed: bool | None = None, muted: bool | None = None) -> None:
        """Close the table or open it again, mute its chat or not; those who look come back."""
        self._must_be_here()
        if self.closed and closed is False:
            reading = self.match.clock(self._now())
            if reading is not None and reading.running is not None and reading.kind == "live":
                # While it was closed, nobody's time ran.
                await self._change(lambda: self.match.reopen(at=self._now()))
        closed = self.closed if closed is None else closed
        muted = self.muted if muted is None else muted
        await self._services.store.housekeeping.decide(
            self.id, closed=closed, muted=muted,
            due=None if closed else due_at(self.match, self._now()),
        )
        self._decided(closed, muted)

    def _decided(self, closed: bool, muted: bool) -> None:
        """The host has decided something, here or through another process."""
        self.closed, self.muted = closed, muted
        self._due = None if closed else due_at(self.match, self._now())
        if closed:
            self._rest()
        self.look_after()
        self._audiences.close()

    # ---- writing down, and telling ----

    async def _change(
        self, act: Callable[[], object], *, tokens: Sequence[Token] = (),
        dropped: Sequence[Token] = (),
    ) -> None:
        """Let something happen, with what follows from it; keep it in one write; tell everybody."""
        match = self.match
        try:
            act()
            now = self._now()
            if not match.begun and not any(player.open for player in match.players):
                match.begin(at=now)
            if match.turn == CHANCE and match.fair_random is not None:
                match.draw_chance(at=now)
            await self.views.prepare()
            new, due = match.events[self._kept:], due_at(match, now)
            if new or tokens:
                await self._keep(new, due, tokens=tokens, dropped=dropped)
            elif (dropped or due != self._due) and self._services.company.keeps(self.id):
                with suppress(StoreError):      # the table can be played at without it
                    await self._keep(new, due, dropped=dropped)
        except EscaleError as error:
            if await self._overtaken(error):
                raise Overtaken from None
            if len(match.events) != self._kept:
                self._services.forget(self)
            raise Problem.of(error) from None
        except BaseException:
            self._services.forget(self)
            raise
        self._tokens.change(tokens, dropped)
        self._happened(new, due)

    def _happened(self, new: Sequence[Event], due: int | None) -> None:
        """Events are written down, by whichever process: tell everybody, see what follows."""
        since, self._kept = self._kept, len(self.match.events)
        self._due = None if self.closed else due
        if new:
            self._past.add(new)
            for event in new:
                if isinstance(event, Published):
                    self.public = event.public
            self.touched = self._now()
            self._audiences.tell(since)
            self._news.set()
            self._news = asyncio.Event()
            if any(isinstance(event, Declined | Withdrew) for event in new):
                self._audiences.close()         # who held that seat sees no more than others
        self.look_after()

    async def _keep(
        self, new: Sequence[Event], due: int | None, *, tokens: Sequence[Token] = (),
        dropped: Sequence[Token] = (),
    ) -> None:
        """Write down what is new, in one write."""
        ends = any(isinstance(event, Ended) for event in new)
        await self._services.store.append(
            self.id, new, tokens=tokens, dropped=dropped, due=... if due == self._due else due,
            next_secret=self._rematch.secret if ends else None,
            results=bot_results(self.match, self._tokens.all) if ends else (),
            mark=self.patron or "unknown" if self._is_soon(due) else "",
        )

    # ---- what other processes have written ----

    @property
    def known(self) -> int:
        """The number of the last event that is known here to be written down."""
        return self._kept

    async def refresh(self) -> None:
        """See all that was acknowledged before, by whichever process."""
        if self._services.company.shared:
            gap = await self._services.company.gap(self.id, self._kept)
            if gap is not None and self._is_news(gap):
                async with self.lock:
                    if not self.gone:
                        await self._fill(gap)

    async def catch_up(self, n: int) -> None:
        """Another process has written event `n`."""
        if self._kept < n and not self.gone:
            await self.refresh()

    async def _overtaken(self, error: EscaleError) -> bool:
        """Whether something could not be done here only because another process had written.

        If so, what was tried is undone, and the table has caught up.
        """
        company = self._services.company
        if not company.shared or (
            isinstance(error, StoreError) and not isinstance(error, Conflict)
        ):
            return False
        try:
            if len(self.match.events) != self._kept:
                await off_loop(self.match.rewind, self._kept)
            gap = await company.gap(self.id, self._kept)
            return gap is not None and await self._fill(gap)
        except StoreError:
            return False
        except BaseException:
            self._services.forget(self)
            raise

    def _is_news(self, gap: Gap) -> bool:
        return bool(gap.events) or gap.damaged or gap.deleted or self._is_decided(gap)

    def _is_decided(self, gap: Gap) -> bool:
        """Whether the host has decided something through another process."""
        return (gap.closed, gap.muted) != (self.closed, self.muted)

    async def _fill(self, gap: Gap) -> bool:
        """Let happen here what another process has written; whether there was anything new."""
        if gap.deleted:
            self.deleted = True
            self._services.forget(self)
            return True
        if self._is_decided(gap):       # or here, after it was read
            gap = await self._services.company.gap(self.id, self._kept) or gap
        happened, decided = await self._go_on(gap), self._is_decided(gap)
        if decided:
            self._decided(gap.closed, gap.muted)
        return happened or decided

    async def _go_on(self, gap: Gap) -> bool:
        """Let the events happen that another process has written; whether there were any."""
        try:
            if gap.damaged:
                raise Problem("damaged")
            new = [event for event in gap.events if (event.n or 0) > self._kept]
            if not new:
                return False
            for event in new:
                self.match.happen(event)
            await self.views.prepare()
        except BaseException:
            self._services.forget(self)         # what it is, the next who comes will be told
            raise
        if gap.tokens is not None:
            self._tokens.all = list(gap.tokens)
        if gap.next_secret is not None:
            self._rematch.adopt(gap.next_secret)
        self._happened(self.match.events[self._kept:], due_at(self.match, self._now()))
        return True

    # ---- what follows ----

    def look_after(self) -> None:
        """After every change: the clock, computers' turns and answers, the rematch.

        One process does that, for as long as it lives.
        """
        if self.gone or self.closed:
            return
        if not self._services.company.keeps(self.id):
            self._rest()
            return
        self._alarm.set(self.match.clock(self._now()))
        self._computers.look()
        if self._rematch.due:
            self._services.background(self._open_rematch())

    def _rest(self) -> None:
        """Clock and computers are another process's, or nobody's."""
        self._alarm.cancel()
        self._computers.rest()

    async def _time_up(self) -> None:
        await self.look_at_clock()
        if not self.gone and not self._alarm.is_set:
            self._alarm.set(self.match.clock(self._now()))

    async def _open_rematch(self) -> None:
        name = self._rematch.name
        if await self._services.find(name) is None:
            with suppress(Conflict):            # another process has just opened it
                await self._services.set_up(
                    name, self._rematch.match(), public=self.public,
                    tokens=self._rematch.tokens(self._tokens.all), patron=self.patron,
                )
        await self.rematch_at(name)

    # ---- what is shown ----

    def _common(self, sight: Sight) -> Shown:
        shown = self.views.common(
            sight, table=self.id, public=self.public, present=self.present(), now=self._now(),
            away=self._services.away,
        )
        shown["closed"] = self.closed
        if self.closed:
            shown["thinking"] = False
        return shown

    def state(self, sight: Sight) -> Shown:
        """The whole state as somebody sees it."""
        return {
            "type": "state", **self._common(sight), **self.own(sight),
            "log": self.views.page(sight),
        }

    def own(self, sight: Sight) -> Shown:
        """What of the state is theirs alone."""
        return {
            "you": {"seats": list(sight.seats), "as": sight.seat}, **self.views.choices(sight),
        }

    def gap(self, sight: Sight, since: int) -> Shown:
        """What somebody missed who knows the events up to `since`; the state, if it is much."""
        if not self.views.on_page(since):
            return self.state(sight)
        return {
            "type": "events", "n": len(self.match.events), "events": self.views.news(sight, since),
            "state": {**self._common(sight), **self.own(sight)},
        }

    # ---- who watches ----

    def join(self, listener: Listener) -> None:
        """Somebody begins to follow; the lock must be held."""
        self._audiences.join(listener)

    def part(self, listener: Listener) -> None:
        """Somebody stops following."""
        self._audiences.part(listener)

    def arrive(self, seats: Iterable[int]) -> None:
        """Somebody with these seats has come."""
        self._presence.arrive(seats)
        self._tell_presence(seats)

    def depart(self, seats: Iterable[int]) -> None:
        """Somebody with these seats has gone."""
        self.touched = self._now()
        self._presence.depart(seats)
        self._tell_presence(seats)

    def _tell_presence(self, seats: Iterable[int]) -> None:
        self._audiences.tell_presence(self.present())
        if tuple(seats) and not self.gone:
            self._services.company.here(self.id, self.connected)

    @property
    def connected(self) -> frozenset[int]:
        """The seats that are connected through this process."""
        return self._presence.connected

    def elsewhere(self, process: int, seats: frozenset[int]) -> None:
        """Who is connected through another process now."""
        self._presence.elsewhere(process, seats)
        self._audiences.tell_presence(self.present())

    def gone_elsewhere(self, processes: Iterable[int]) -> None:
        """These processes have ended."""
        self._presence.forget(processes)
        self._audiences.tell_presence(self.present())

    def seen_elsewhere(self, seats: Iterable[int]) -> None:
        """Somebody has asked another process for something."""
        self._presence.seen(seat for seat in seats if seat < self.match.start.seats)

    async def news(self, since: int, seconds: float) -> None:
        """Wait until more than `since` events have happened, or until the time is up."""
        waiting = self._news
        if self._kept > since or self.gone:
            return
        self._polled += 1
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await waiting.wait()
        finally:
            self._polled -= 1

    def close(self) -> None:
        """Send everybody away: the table is read again when they come back."""
        self.gone = True
        if self.connected:
            self._services.company.here(self.id, ())
        self._alarm.cancel()
        self._computers.stop()
        self._news.set()
        self._audiences.close()
        self.match.position.rest()
