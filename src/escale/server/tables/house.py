"""The house: its tables, which are read from the store when a client or the house needs them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import structs
from starlette.requests import HTTPConnection

from escale.game.errors import BadSetup, EscaleError, NotNow
from escale.game.fair_random import FairRandom
from escale.game.texts import LANGUAGES
from escale.match.match import Match
from escale.server.cluster.news import WhoIsConnected
from escale.server.cluster.port import Cluster, cluster_of
from escale.server.settings import Settings
from escale.server.tables.accounts import Accounts, NoAccounts
from escale.server.tables.closures import Closures
from escale.server.tables.computers import Thinkers
from escale.server.tables.counts import Counts
from escale.server.tables.due import due
from escale.server.tables.memory import TableMemory
from escale.server.tables.names import fingerprint, is_table_name, table_name, table_token
from escale.server.tables.orders import BotSeat, Order, PersonSeat
from escale.server.tables.other_processes import OtherProcesses
from escale.server.tables.overtaking import refresh_table
from escale.server.tables.people import NOTEBOOK, NoPeople, People
from escale.server.tables.phrases import check_name
from escale.server.tables.rematch import Rematch
from escale.server.tables.services import Services
from escale.server.tables.setting_up import first_match, first_position, people_of, players_of
from escale.server.tables.table import Table
from escale.server.tables.tidying import TIDYING, Tidying
from escale.server.workers.off_loop import off_loop
from escale.server.workers.shared_reading import SharedReading
from escale.store import Bot, Conflict, Damaged, NewTable, Store, StoreError, Token

log = logging.getLogger("escale")

LISTED_MILLISECONDS = 2 * 86_400_000
"""A public table without a new event is listed for this long."""
SWEEP_SECONDS = 60
"""The time between two searches for tables that can leave the memory or are due."""
EVENTS_AT_ONCE = 100
"""Events that are read before another address has its turn."""
THINKING_TABLES = 50
"""While computers think at this many tables, no more tables are woken for computers."""


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
        self.accounts: Accounts = NoAccounts()
        self.people: People = NoPeople()
        self.cluster: Cluster = cluster_of(self.store)
        self.cluster.subscribe(OtherProcesses(
            self.cluster, self.tables, self.start, self._wake, self._wake_due, self.read_again,
        ).hear)
        self.tidying = Tidying(
            self.store, settings.retention, now, self.counts, self._in_use,
            lambda: self.cluster.owns(TIDYING),
        )
        self._listed = SharedReading(
            lambda: self.store.public(self.now() - LISTED_MILLISECONDS)
        )
        self.closures = Closures(self.store, self.cluster, now)
        self.memory = TableMemory(now, self.forget_table)
        self._services = Services(
            store=self.store, cluster=self.cluster, thinkers=self.thinkers, counts=self.counts,
            now=now, away=settings.away, phrases_only=settings.phrases_only,
            accounts=lambda: self.accounts, people=lambda: self.people,
            closed_since=self.closures.since, start=self.start,
            find_table=self.table, set_up_table=self._set_up, forget_table=self.forget_table,
            note_use=self.memory.note_use, note_change=self._note_change,
        )
        self._listeners: list[Callable[[Table], None]] = []
        self._damaged: set[str] = set()
        self._opening: dict[str, asyncio.Task[Table | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    # ---- opening and closing ----

    async def open(self) -> None:
        """Open the cluster and the workers, and wake the tables that are due."""
        self.loop = asyncio.get_running_loop()
        await self.cluster.open(self.now())
        await self.closures.open()
        self.start(self.closures.run())
        self.start(self._wake(await self.store.due(self.now() + 1000 * SWEEP_SECONDS)))
        self.start(self._sweep())
        self.start(self.tidying.run())

    def register_accounts(self, accounts: Accounts) -> None:
        """Let bots with accounts play at the tables; call this before `open`."""
        self.accounts = accounts

    def register_people(self, people: People) -> None:
        """Let notebooks hold seats at the tables; call this before `open`."""
        self.people = people

    def listen(self, listener: Callable[[Table], None]) -> None:
        """Have a function called whenever a table of this process has new events."""
        self._listeners.append(listener)

    def _note_change(self, table: Table) -> None:
        for listener in self._listeners:
            listener(table)

    async def holder(self, connection: HTTPConnection, token: str | None) -> str | None:
        """What a request holds seats by: its token if it has one, else its notebook.

        None if the token begins like a bot's and is none, or could be no client's.
        """
        if token:
            return None if token.startswith(NOTEBOOK) else await self.accounts.holder(token)
        return await self.people.holder(connection.cookies)

    async def _wake(self, tables: Iterable[str]) -> None:
        """Wake tables one after the other, so that clocks run and computers move."""
        for id in tables:
            if id in self.tables or id in self._damaged or not self.cluster.owns(id):
                continue
            while sum(table.duties.thinking for table in self.tables.values()) >= THINKING_TABLES:
                await asyncio.sleep(0.1)
            try:
                await self.table(id)
            except Damaged:                     # the error is in the log already
                continue
            except EscaleError as error:
                log.error("table %s cannot be woken: %s", id, error)
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Close all connections, and write nothing more."""
        for table in list(self.tables.values()):
            self.forget_table(table)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.cluster.close()
        await self.thinkers.close()
        self.store.close()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background, until the house closes."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("something failed in the background", exc_info=error)

    async def _sweep(self) -> None:
        """Regularly forget the tables that are not needed, and wake those that are due."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            before = self.now() - 1000 * self.settings.idle
            for table in list(self.tables.values()):
                if table.last_used < before and not table.needed:
                    self.forget_table(table)
            await self._wake_due()

    async def _wake_due(self) -> None:
        """Wake the tables at which something is due soon."""
        try:
            await self._wake(await self.store.due(self.now() + 2000 * SWEEP_SECONDS))
        except StoreError as error:
            log.error("what is due cannot be read: %s", error)

    # ---- tables ----

    def playing(self) -> int:
        """The number of tables in memory with a running match."""
        return sum(
            table.match.begun and table.match.outcome is None for table in self.tables.values()
        )

    def _in_use(self) -> dict[str, bool]:
        """The tables in memory, and whether they have to stay there."""
        return {id: table.needed for id, table in self.tables.items()}

    async def delete(self, id: str) -> bool:
        """Delete a table, for good; whether there was one."""
        self._damaged.discard(id)
        table = self.tables.get(id)
        if table is None:
            return await self.store.housekeeping.delete(id)
        async with table.lock:
            self.forget_table(table)
            table.deleted = await self.store.housekeeping.delete(id)
            return table.deleted

    async def table(self, id: str) -> Table | None:
        """The table with this name, from memory or the store; `Damaged` if it is unreadable."""
        table = self.tables.get(id)
        if table is None and not is_table_name(id):
            return None
        if table is not None:
            table.last_used = self.now()
            await refresh_table(table)
            return None if table.deleted else table
        if id not in self._opening:
            self._opening[id] = asyncio.create_task(self._read(id))
        try:
            table = await asyncio.shield(self._opening[id])
        finally:
            self._opening.pop(id, None)
        if table is not None:
            await refresh_table(table)           # while it was read, notices about it were missed
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
            fair_random = FairRandom(kept.secret or "")
            match = await off_loop(Match.resume, [kept.header], fair_random)
            for first in range(0, len(kept.events), EVENTS_AT_ONCE):
                await off_loop(match.follow, kept.events[first: first + EVENTS_AT_ONCE])
        except Exception as error:          # a damaged line may raise any error
            raise self._quarantined(id, error) from error
        table = Table(
            self._services, id, match, public=kept.public, tokens=kept.tokens,
            rematch=Rematch(id, match, kept.next_secret), due=kept.due,
            closed=kept.closed, muted=kept.muted,
        )
        await self.tidying.protect_table(table, kept.created)
        self.tables[id] = table
        self.cluster.announce(WhoIsConnected(id))
        await table.wake()
        return table

    def _quarantined(self, id: str, error: Exception) -> Damaged:
        """Keep a table closed until the house opens next time; log that once."""
        self._damaged.add(id)
        log.error("table %s is damaged and stays closed; the others go on: %s", id, error)
        return Damaged(f"table {id} is damaged")

    async def read_again(self, table: Table) -> None:
        """Remove a table from memory once it is not being changed; its clients come back."""
        async with table.lock:
            self.forget_table(table)

    def forget_table(self, table: Table) -> None:
        """Remove a table from memory; the store has it."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]
        self.memory.drop(table)
        table.close()

    async def create(
        self, order: Order, address: str = "", bot: tuple[Bot, str] | None = None, *,
        holders: Mapping[int, str] | None = None,
    ) -> Created:
        """A new table; its people's seats are all held by one new token.

        A second order with the same id returns the same table. `address` is the client's. A `bot`
        that orders a table holds its seats under its own name and token. `holders` are others that
        hold seats, each by its SHA-256.
        """
        start = first_position(order) if order.position is None \
            else await off_loop(first_position, order)
        phrases = order.phrases or self.settings.phrases_only
        if phrases:
            for wish in order.seats:
                if isinstance(wish, PersonSeat):
                    check_name(wish.name, start.game)
        players = players_of(order, self.thinkers.check)
        people = people_of(order)
        if bot is not None:
            for seat in people:
                players[seat] = structs.replace(players[seat], name=bot[0].name, bot=True)
        asked = await self._challenged(order)
        if not people and not any(player.open for player in players):
            raise BadSetup("no-person")
        match = first_match(order, start, players, phrases=phrases)
        token = table_token(order.id) if bot is None else bot[1]
        created = Created(table_name(order.id), token, tuple(people))
        held: dict[str, list[int]] = {} if holders else {fingerprint(token): []}
        for seat in people:
            held.setdefault((holders or {}).get(seat) or fingerprint(token), []).append(seat)
        for seat, challenged in asked.items():
            held.setdefault(challenged.sha256, []).append(seat)
        tokens = [
            Token(sha256, tuple(sorted(seats)))
            for sha256, seats in held.items() if seats or bot is None
        ]
        if order.id is not None and await self._ordered(created.table, match):
            return created
        try:
            await self._set_up(
                created.table, match, public=order.public, tokens=tokens, charged_address=address
            )
        except Conflict:                        # the same order at the same time
            if not await self._ordered(created.table, match):
                raise
        self.accounts.challenged(created.table, asked.values())
        return created

    async def _challenged(self, order: Order) -> dict[int, Bot]:
        """The bots that an order challenges, by seat; each has yet to accept."""
        return {
            seat: await self.accounts.challenge(wish.name, order.game)
            for seat, wish in enumerate(order.seats) if isinstance(wish, BotSeat)
        }

    async def _ordered(self, id: str, match: Match) -> bool:
        """Whether this table was ordered before; NotNow if the order was a different one."""
        table = await self.table(id)
        if table is None:
            return False
        if structs.replace(table.match.header, commitment=match.commitment) != match.header:
            raise NotNow("another table was ordered under this id")
        return True

    async def _set_up(
        self, id: str, match: Match, *, public: bool, tokens: Sequence[Token],
        charged_address: str = "",
    ) -> Table:
        """Store a new table, and begin the match if no seat is open."""
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
        table.charged_address = charged_address
        self.tables[id] = table
        self.accounts.seated(id, [token.sha256 for token in tokens])
        await table.wake()
        return table

    async def public_tables(self, lang: str = LANGUAGES[0]) -> list[dict[str, Any]]:
        """Public tables that are being played or have an open seat, newest first."""
        found = []
        for listed in await self._listed.get():
            try:
                table = await self.table(listed.id)
            except Damaged:
                continue
            if table is not None and table.match.outcome is None:
                found.append({
                    "table": listed.id, "game": table.match.game.slug,
                    "seats": table.views.seats(table.presence.seats(), lang),
                    "ply": table.match.ply, "moves": table.match.position.plies,
                    "begun": table.match.begun, "at": listed.changed,
                    "dealt_by_hand": table.views.dealt_by_hand(lang),
                    "n": len(table.match.events), "clock": table.match.header.clock,
                })
        return found
