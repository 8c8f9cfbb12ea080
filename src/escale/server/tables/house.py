"""The house: all tables, read from the store when somebody comes."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import structs

from escale.game.errors import BadSetup, EscaleError, Impossible, NotNow
from escale.game.fair_random import FairRandom
from escale.game.position import Position
from escale.game.texts import LANGUAGES
from escale.games import game as game_named
from escale.match.match import Match, Player
from escale.server.metrics.counts import Counts
from escale.server.off_loop import off_loop
from escale.server.settings import Settings
from escale.server.tables.bots import Bots
from escale.server.tables.company import Alone, Company
from escale.server.tables.computers import Thinkers
from escale.server.tables.due import due
from escale.server.tables.names import fingerprint, table_name, table_token
from escale.server.tables.orders import (
    AnySeat,
    BotSeat,
    ComputerSeat,
    OpenSeat,
    Order,
    PersonSeat,
)
from escale.server.tables.rematch import Rematch
from escale.server.tables.services import Services
from escale.server.tables.table import Table
from escale.server.tables.tidying import TIDYING, Tidying
from escale.store import Bot, Conflict, Damaged, NewTable, Store, StoreError, Token

log = logging.getLogger("escale")

LOBBY = 2 * 86_400_000
"""Milliseconds for which a public table without any event is listed."""
SWEEP = 60
"""Seconds between two looks for tables that nobody needs in memory, and for those that are due."""
THINKING = 50
"""Tables that are woken for the computer's sake, and have not been thought about yet, at most."""


@dataclass(frozen=True, slots=True)
class Created:
    """A new table, and the only copy of the token that holds its seats."""

    table: str
    token: str
    seats: tuple[int, ...]


def unix_time() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class House:
    """All tables of this process."""

    def __init__(
        self, settings: Settings, *, now: Callable[[], int] = unix_time,
        store: Store | None = None, counts: Counts | None = None,
    ) -> None:
        self.settings = settings
        self.now = now
        self.store = store or Store(settings.database)
        self.thinkers = Thinkers(
            settings.workers, settings.seconds, engines=settings.engines
        )
        self.tables: dict[str, Table] = {}
        self.counts = counts or Counts()
        self.store.on_commit(self.counts.committed)
        self._opened = now()
        self.company: Alone | Company = Company(
            self.store, self.tables, self._start,
            lambda tables: self._start(self._wake(tables)), self._wake_due,
        ) if self.store.shared else Alone()
        self.tidying = Tidying(
            self.store, settings.retention, now, self.counts, self._in_use,
            lambda: self.company.keeps(TIDYING),
        )
        self.bots = Bots(self.store, self.company, self.tables, self.table, now)
        if isinstance(self.company, Company):
            self.company.bots = self.bots
        self._services = Services(
            store=self.store, thinkers=self.thinkers, company=self.company, now=now,
            opened=lambda: self._opened, away=settings.away, background=self._start,
            find=self.table, set_up=self._set_up, forget=self.forget, counts=self.counts,
            seated=self.bots.seated,
        )
        self._damaged: set[str] = set()
        self._opening: dict[str, asyncio.Task[Table | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- opening and closing ----

    async def open(self) -> None:
        """Go on with what was going on when the house closed."""
        self.loop = asyncio.get_running_loop()
        if isinstance(self.company, Company):
            await self.company.open(self.now())
            self._opened = self.company.opened
        self._start(self._wake(await self.store.due(self.now() + 1000 * SWEEP)))
        self._start(self._sweep())
        self._start(self.tidying.run())
        self._start(self.bots.watch())

    async def _wake(self, tables: Iterable[str]) -> None:
        """Wake tables at which something is due, one after the other: computers' turns, clocks."""
        for id in tables:
            if id in self.tables or id in self._damaged or not self.company.keeps(id):
                continue
            while sum(table.thinking for table in self.tables.values()) >= THINKING:
                await asyncio.sleep(0.1)
            try:
                await self.table(id)
            except Damaged:                     # it has been said
                continue
            except EscaleError as error:
                log.error("table %s cannot be woken: %s", id, error)
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Let everybody go, and write no more."""
        self.bots.close_all()
        for table in list(self.tables.values()):
            self.forget(table)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if isinstance(self.company, Company):
            await self.company.close()
        await self.thinkers.close()
        self.store.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("something failed in the background", exc_info=error)

    async def _sweep(self) -> None:
        """Now and then, forget the tables that nobody needs, and wake those that are due."""
        while True:
            await asyncio.sleep(SWEEP)
            before = self.now() - 1000 * self.settings.idle
            for table in list(self.tables.values()):
                if table.touched < before and not table.needed:
                    self.forget(table)
            await self._wake_due()

    async def _wake_due(self) -> None:
        """Wake the tables at which something is due soon."""
        try:
            await self._wake(await self.store.due(self.now() + 2000 * SWEEP))
        except StoreError as error:
            log.error("what is due cannot be read: %s", error)

    # ---- tables ----

    def playing(self) -> int:
        """How many tables are in memory whose match goes on."""
        return sum(
            table.match.begun and table.match.outcome is None for table in self.tables.values()
        )

    def _in_use(self) -> dict[str, bool]:
        """The tables in memory, and whether somebody looks at them."""
        return {id: table.needed for id, table in self.tables.items()}

    async def delete(self, id: str) -> bool:
        """Delete a table, for good; whether there was one."""
        self._damaged.discard(id)
        table = self.tables.get(id)
        if table is None:
            return await self.store.housekeeping.delete(id)
        async with table.lock:
            self.forget(table)
            table.deleted = await self.store.housekeeping.delete(id)
            return table.deleted

    async def table(self, id: str) -> Table | None:
        """The table of that name, from memory or from the store; `Damaged` if it is unreadable."""
        table = self.tables.get(id)
        if table is not None:
            table.touched = self.now()
            await table.refresh()
            return None if table.deleted else table
        if id not in self._opening:
            self._opening[id] = asyncio.create_task(self._read(id))
        try:
            table = await asyncio.shield(self._opening[id])
        finally:
            self._opening.pop(id, None)
        if table is not None:
            await table.refresh()           # of what was written meanwhile no notice was heeded
        return table

    async def _read(self, id: str) -> Table | None:
        if id in self._damaged:
            raise Damaged(f"table {id} is damaged")
        try:
            kept = await self.store.load(id)
        except Damaged as error:
            raise self._quarantined(id, error) from error
        if kept is None:
            return None
        try:
            match = await off_loop(
                Match.resume, [kept.header, *kept.events], FairRandom(kept.secret or "")
            )
        except Exception as error:          # nobody knows where a damaged line leads
            raise self._quarantined(id, error) from error
        table = Table(
            self._services, id, match, public=kept.public, tokens=kept.tokens,
            rematch=Rematch(id, match, kept.next_secret), due=kept.due,
            closed=kept.closed, muted=kept.muted,
        )
        await self.tidying.keep(table, kept.created)
        self.tables[id] = table
        if isinstance(self.company, Company):
            self.company.ask_who_is_at(id)
        await table.wake()
        return table

    def _quarantined(self, id: str, error: Exception) -> Damaged:
        """Keep a table closed until the house opens next time, and say so, once."""
        self._damaged.add(id)
        log.error("table %s is damaged and stays closed; the others go on: %s", id, error)
        return Damaged(f"table {id} is damaged")

    def forget(self, table: Table) -> None:
        """Let a table out of memory; the store has it."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]
        table.close()

    async def create(
        self, order: Order, who: str = "", bot: tuple[Bot, str] | None = None
    ) -> Created:
        """A new table; its people's seats are all held by one new token. `who` is the address.

        Ordered again under the same id, it is the same table. A `bot` that orders one has the
        seats under its own name and token.
        """
        start = await off_loop(_first_position, order)
        players = [self._player(seat, order.game) for seat in order.seats]
        people = [
            seat for seat, wish in enumerate(order.seats) if isinstance(wish, PersonSeat)
        ]
        if bot is not None:
            for seat in people:
                players[seat] = structs.replace(players[seat], name=bot[0].name, bot=True)
        asked = await self._challenged(order)
        if not people and not any(player.open for player in players):
            raise BadSetup("no-person")
        if people and order.value is not None:
            players[people[0]] = structs.replace(players[people[0]], value=order.value)
        match = Match(
            start, players=players, fair_random=FairRandom(secrets.token_hex(16)),
            pace=order.clock, waits=True, hints=order.hints,
        )
        token = table_token(order.id) if bot is None else bot[1]
        created = Created(table_name(order.id), token, tuple(people))
        holders = {fingerprint(token): list(people)}
        for seat, challenged in asked.items():
            holders.setdefault(challenged.sha256, []).append(seat)
        tokens = [
            Token(sha256, tuple(sorted(held)))
            for sha256, held in holders.items() if held or bot is None
        ]
        if order.id is not None and await self._ordered(created.table, match):
            return created
        try:
            await self._set_up(
                created.table, match, public=order.public, tokens=tokens, patron=who
            )
        except Conflict:                        # the same order at the same time
            if not await self._ordered(created.table, match):
                raise
        return created

    async def _challenged(self, order: Order) -> dict[int, Bot]:
        """The bots that an order wants on its seats; each has yet to accept."""
        found = {}
        for seat, wish in enumerate(order.seats):
            if isinstance(wish, BotSeat):
                bot = await self.bots.named(wish.name)
                if bot is None:
                    raise BadSetup("bot", name=wish.name)
                if not bot.plays(order.game):
                    raise BadSetup("bot-game", name=wish.name)
                await self.bots.must_have_room(bot)
                found[seat] = bot
        return found

    def _player(self, wish: AnySeat, slug: str) -> Player:
        """Whom an order wants on a seat."""
        match wish:
            case ComputerSeat(level=level):
                self.thinkers.check(level, slug)
                return Player("", level)
            case PersonSeat(name=name, later=later):
                # Who comes later has a name and a token, and an open seat until then.
                if later and not name:
                    raise BadSetup("no-name")
                return Player(name, open=later)
            case BotSeat(name=name):
                return Player(name, open=True, bot=True)
            case OpenSeat():
                return Player(open=True)

    async def _ordered(self, id: str, match: Match) -> bool:
        """Whether this table was ordered before; NotNow if it was another one."""
        table = await self.table(id)
        if table is None:
            return False
        if structs.replace(table.match.header, commitment=match.commitment) != match.header:
            raise NotNow("another table was ordered under this id")
        return True

    async def _set_up(
        self, id: str, match: Match, *, public: bool, tokens: Sequence[Token], patron: str = ""
    ) -> Table:
        """Write a new table down, and let it begin if nobody is missing."""
        assert match.fair_random is not None
        rematch, now = Rematch(id, match), self.now()
        await self.store.create(
            NewTable(id, match.header, match.fair_random.secret, public, tokens, due(match, now)),
            match.events,
        )
        table = Table(
            self._services, id, match, public=public, tokens=tokens, rematch=rematch,
            due=due(match, now),
        )
        table.patron = patron
        self.tables[id] = table
        self.bots.seated(id, [token.sha256 for token in tokens])
        await table.wake()
        return table

    async def public_tables(self, lang: str = LANGUAGES[0]) -> list[dict[str, Any]]:
        """Public tables that are being played or wait for somebody, newest first."""
        found = []
        for listed in await self.store.public(self.now() - LOBBY):
            try:
                table = await self.table(listed.id)
            except Damaged:
                continue
            if table is not None and table.match.outcome is None:
                found.append({
                    "table": listed.id, "game": table.match.game.slug,
                    "seats": table.views.seats(table.present(), lang),
                    "ply": table.match.ply, "moves": table.match.position.plies,
                    "begun": table.match.begun, "at": listed.changed,
                })
        return found


def _first_position(order: Order) -> Position:
    """Where a match begins: as its game does, or from a position of its own that goes on."""
    box, seats = game_named(order.game), len(order.seats)
    if order.position is None:
        return box.start_with(order.options, seats=seats)
    start = box.position(order.position, options=order.options)
    if start.turn is None:
        raise Impossible("over")
    if start.seats != seats:
        raise BadSetup("position-seats", wanted=seats, seats=start.seats)
    return start
