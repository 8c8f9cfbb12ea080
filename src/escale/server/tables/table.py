"""One table: its match, the holders of its seats, its followers, one change after another.

A change is durably stored before any client hears of it. The table is locked while the change is
being written; if that fails, the table is forgotten and read again from the store.

If several processes share a database, another may have written first. Then the table applies what
it wrote, sends it to its own followers, and tries the change again.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from time import monotonic

from escale.game.errors import EscaleError
from escale.kernel import CHANCE
from escale.match.events import (
    Action,
    Decline,
    Declined,
    Play,
    Published,
    Say,
    SayPhrase,
    Withdraw,
    Withdrew,
)
from escale.match.match import Match, Player
from escale.server.edge.problems import Problem
from escale.server.tables.acting import Acting, ActionHistory
from escale.server.tables.audiences import Audiences
from escale.server.tables.due import due as due_at
from escale.server.tables.due import forgive_time, pause_clocks, time_runs
from escale.server.tables.house_duties import HouseDuties
from escale.server.tables.journal import Journal
from escale.server.tables.names import fingerprint
from escale.server.tables.orders import Sitting
from escale.server.tables.overtaking import Overtaken, one_at_a_time, was_overtaken
from escale.server.tables.presence import Presence
from escale.server.tables.rematch import Rematch
from escale.server.tables.seat_tokens import SeatTokens
from escale.server.tables.services import Services
from escale.server.tables.state import common_state
from escale.server.tables.views import Views
from escale.store import Busy, Token
from escale.store.notices import TokensChanged


class Table:
    """A match with people around it."""

    def __init__(
        self, services: Services, id: str, match: Match, *, public: bool, tokens: Iterable[Token],
        rematch: Rematch, due: int | None, closed: bool = False, muted: bool = False,
    ) -> None:
        """`due` is the time in the store; `closed` and `muted` are the host's decisions."""
        self._services = services
        self.away = services.away
        self.now = services.now
        self.id = id
        self.match = match
        self.public = public
        self.closed = closed
        self.muted = muted
        self.phrases = match.header.phrases or services.phrases_only
        """Whether people only say set phrases, and have names from a list."""
        self.gone = False
        """Whether it is no longer in memory."""
        self.deleted = False
        self.last_used = self.now()
        """When it was read, or something changed, in Unix milliseconds."""
        self.charged_address = ""
        """The address that pays for its computers: the one that created it or acted last."""
        self.lock = asyncio.Lock()
        # Weak: its collaborators do not keep a forgotten table in memory.
        me: Table = weakref.proxy(self)
        self.views = Views(match)
        self.audiences = Audiences(self.views, lambda sight: common_state(me, sight))
        self.presence = Presence(
            id, match, services.now, services.cluster, lambda seats: me._tell_presence(seats)
        )
        self._tokens = SeatTokens(tokens)
        self._history = ActionHistory(match)
        self._acting = Acting(
            match, self._history, self._tokens, self.presence, services, phrases=self.phrases
        )
        self.journal = Journal(id, match, self._tokens, rematch, due, services)
        self.duties = HouseDuties(me, match, self._tokens, rematch, services)

    # ---- queries ----

    def held(self, token: str | None) -> tuple[int, ...]:
        """The seats that a token holds."""
        return self._tokens.held(token)

    @property
    def holders(self) -> tuple[Token, ...]:
        """All that hold seats here."""
        return tuple(self._tokens.all)

    def revoke_tokens(self, gone: Collection[str]) -> None:
        """Take the seats from tokens, given as SHA-256; they show only what spectators see."""
        if self._tokens.revoke(gone):
            self.audiences.close()

    @property
    def length(self) -> int:
        """The number of the last event that is known to be stored."""
        return self.journal.length

    @property
    def awaits_news(self) -> bool:
        """Whether followers or the house must hear of an event at once."""
        return self.audiences.awaits_news or (
            self.journal.due_soon and self._services.cluster.owns(self.id)
        )

    @property
    def needed(self) -> bool:
        """Whether the table has to stay in memory."""
        return self.awaits_news or self.lock.locked() or self.duties.thinking

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Lock the table for reading; Problem if it is forgotten."""
        async with self.lock:
            self._must_be_here()
            yield
        self.note_use()

    def note_use(self) -> None:
        """The table was used, and may take more memory than before."""
        self._services.note_use(self)

    @property
    def size(self) -> int:
        """The estimated bytes that can be freed; the table itself only if it is not needed."""
        return (0 if self.needed else self.journal.size) + self.views.size

    def _must_be_here(self) -> None:
        if self.gone:       # it may have a change that was not stored
            raise Problem("unknown-table" if self.deleted else "unavailable")

    def _must_be_open(self, action: Action | None = None) -> None:
        if self.closed:
            raise Problem("closed")
        if self.muted and isinstance(action, Say | SayPhrase):
            raise Problem("muted")

    # ---- changes ----

    @one_at_a_time
    async def do(self, action: Action, seats: tuple[int, ...]) -> int:
        """Do an action of the holder of `seats` once; returns the number of its event."""
        began = monotonic()
        self._must_be_here()
        done = self._history.find_event(action)
        if done is not None and action.seat in seats:
            return done
        before = len(self.match.events)
        if isinstance(action, Play) and action.seat in seats and action.seat in self.match.choosing:
            await self.views.prepare_spelling(action.move)

        def act() -> None:
            self._must_be_open(action)
            self._acting.act(action, seats)

        match action:
            case Decline(seat=freed) | Withdraw(whom=freed):
                tokens, dropped = self._tokens.released(freed)
                await self._change(act, tokens=tokens, dropped=dropped)
            case _:
                await self._change(act)
        self._services.counts.acted(action, monotonic() - began)
        return before + 1

    @one_at_a_time
    async def sit(self, seat: int, sitting: Sitting, token: str, *, bot: bool = False) -> None:
        """Give an open seat to a token, once; a token that holds it already is answered the same.
        """
        self._must_be_here()
        if not self._acting.may_sit(seat, token, "" if bot else sitting.name):
            return
        self.presence.mark_present([seat])

        def take() -> None:
            self._must_be_open()
            player = Player(sitting.name, value=sitting.value, bot=bot)
            self.match.sit(seat, player, at=self.now())

        tokens, dropped = self._tokens.with_seats(token, (seat,))
        await self._change(take, tokens=tokens, dropped=dropped)
        self._services.accounts().seated(self.id, [fingerprint(token)])

    @one_at_a_time
    async def share_seats(self, token: str, holder: str) -> tuple[int, ...]:
        """Let another holder have the seats of a token, too; returns these seats."""
        self._must_be_here()
        seats = self.held(token)
        tokens, dropped = self._tokens.with_seats(holder, seats)
        if tokens:
            self._tokens.check_room()
            await self._change(lambda: None, tokens=tokens, dropped=dropped)
            self._services.cluster.announce(TokensChanged(self.id))
        return seats

    @one_at_a_time
    async def change_by_house(
        self, act: Callable[[], object], is_wanted: Callable[[], bool]
    ) -> None:
        """Make a change by the house itself, if it is still wanted once the table is locked."""
        if not self.gone and not self.closed and is_wanted():
            await self._change(act)

    @one_at_a_time
    async def wake(self) -> None:
        """Do what is due on a table that was just read: begin, draw chance, drop lost time.

        If this is the first time since the house was closed, that time does not count; on a
        real-time clock nor does any since the table's last event.
        """
        if self.gone or self.closed:
            return
        await self._change(
            lambda: forgive_time(
                self.match, self.now(), self._services.cluster.opened, self._services.closed_since
            ),
            dropped=self._tokens.orphans(self.match.players),
        )

    @one_at_a_time
    async def pause(self, sha256: str, until: int) -> None:
        """Let the clocks of days of a holder's seats stand still until a time.

        The holder is given by the SHA-256 under which the seats are held.
        """
        self._must_be_here()
        if not self.closed:
            seats = [
                seat for token in self.holders if token.sha256 == sha256 for seat in token.seats
            ]
            await self._change(lambda: pause_clocks(self.match, seats, until, self.now()))

    @one_at_a_time
    async def moderate(self, *, closed: bool | None = None, muted: bool | None = None) -> None:
        """Close or open the table, mute its chat or not, as the host decided.

        All connections are closed, and clients read the table again.
        """
        self._must_be_here()
        if self.closed and closed is False and time_runs(self.match, self.now()):
            await self._change(lambda: self.match.reopen(at=self.now()))   # no time has passed
        closed = self.closed if closed is None else closed
        muted = self.muted if muted is None else muted
        await self._services.store.housekeeping.decide(
            self.id, closed=closed, muted=muted,
            due=None if closed else due_at(self.match, self.now()),
        )
        self.set_moderation(closed, muted)

    def set_moderation(self, closed: bool, muted: bool) -> None:
        """Apply a decision of the host, made here or through another process."""
        self.closed, self.muted = closed, muted
        self.journal.due = None if closed else due_at(self.match, self.now())
        self.look_after()
        self.audiences.close()

    # ---- one change: apply it, store it, send it, let the house do what follows ----

    async def _change(
        self, act: Callable[[], object], *, tokens: Sequence[Token] = (),
        dropped: Sequence[Token] = (),
    ) -> None:
        match, since = self.match, self.journal.length
        try:
            act()
            if not match.begun and not any(player.open for player in match.players):
                match.begin(at=self.now())
            if match.turn == CHANCE and match.fair_random is not None:
                match.draw_chance(at=self.now())
            if self.audiences.followed:
                await self.views.prepare()
            await self.journal.write(tokens, dropped, self.charged_address)
        except EscaleError as error:
            if await was_overtaken(self, error):
                raise Overtaken from None
            if self.journal.is_behind:
                if isinstance(error, Busy):             # it is known that nothing was written
                    await self.journal.undo_unwritten()
                else:
                    self.forget()
            raise Problem.of(error) from None
        except BaseException:
            self.forget()
            raise
        self.tell(since)

    def tell(self, since: int) -> None:
        """Send the events after `since`, which are stored, and let the house do what follows."""
        if self.closed:
            self.journal.due = None
        if new := self.match.events[since:]:
            self._history.add_events(new)
            self.last_used = self.now()
            seat_given_up = False
            for event in new:
                match event:
                    case Published(public=public):
                        self.public = public
                    case Declined() | Withdrew():
                        seat_given_up = True
            self.audiences.tell(since)
            self._services.note_change(self)
            if seat_given_up:
                self.audiences.close()      # its former holder sees no more than others
        self.look_after()

    def forget(self) -> None:
        """Leave the memory, because it is unknown what the store has; it is read again."""
        self._services.forget_table(self)

    def look_after(self) -> None:
        """Let the house do what is due at this table now."""
        if self.closed:
            self.duties.hand_over()
        elif not self.gone:
            self.duties.look_at_table()

    # ---- followers ----

    def _tell_presence(self, seats: list[bool]) -> None:
        self.last_used = self.now()
        self.audiences.tell_presence(seats)

    async def wait_for_event(self, since: int, seconds: float) -> None:
        """Wait until more than `since` events have happened, or until the time is up."""
        if self.length <= since and not self.gone:
            await self.audiences.wait_for_news(seconds)

    def close(self) -> None:
        """Close all connections; the table is read again when clients come back."""
        self.gone = True
        self.presence.close()
        self.duties.stop()
        self.audiences.close()
        self.match.position.drop_caches()
