"""Other processes of the same house: which tables they keep, what they have written, who is there.

`Alone` is the company of a house on a file of its own: there is none. `Company` is that of a house
on PostgreSQL, where others may come and go at any time, on this machine or elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from escale.game.errors import EscaleError
from escale.store import Gap, Store, StoreError
from escale.store.notices import Words
from escale.store.ownership import Membership, keeper

if TYPE_CHECKING:
    from escale.server.tables.table import Table

log = logging.getLogger("escale")

POLL = 5
"""Beats, of a second each, between two looks for what no notice has told."""
TOGETHER = 500
"""Tables that are asked about in one question."""
NOBODY = "-"
"""In place of seats."""

Wanted = tuple[int, list[asyncio.Future[Gap | None]]]
"""The last event that is known of a table, and those who want to know what came after it."""
Used = tuple[str, str, float]
"""Of which limit somebody has used how much."""


class AnyCompany(Protocol):
    """What a table needs to know of other processes."""

    shared: bool
    """Whether others may write to the same tables."""

    def keeps(self, table: str) -> bool:
        """Whether this process runs the clock of a table, and thinks for its computers."""

    async def gap(self, table: str, known: int) -> Gap | None:
        """What others have written after an event, and what the host has decided."""

    def here(self, table: str, seats: Collection[int]) -> None:
        """Tell the others who is connected to a table through this process."""

    def seen(self, table: str, seats: Collection[int]) -> None:
        """Tell the others that somebody has asked for something."""

    def seated(self, table: str, bot: str) -> None:
        """Tell the others that a bot, by the SHA-256 of its token, has a seat at a table."""

    def listens(self, bot: str, yes: bool) -> None:
        """Tell the others whether a bot listens through this process."""


class HearsOfBots(Protocol):
    """Who is told what other processes say of bots."""

    def seated_elsewhere(self, table: str, sha256: str) -> None:
        """A bot, by the SHA-256 of its token, has a seat at a table."""

    def listens_elsewhere(self, process: int, sha256: str, yes: bool) -> None:
        """A bot listens through another process, or no longer."""

    def say_who_listens(self) -> None:
        """Tell the others which bots listen through this process."""


class Alone:
    """No other process: everything is kept here, and nothing has to be told."""

    shared = False

    def keeps(self, table: str) -> bool:
        """All of them."""
        return True

    async def gap(self, table: str, known: int) -> Gap | None:
        """Nobody else writes."""
        return None

    def here(self, table: str, seats: Collection[int]) -> None:
        """Nobody has to know."""

    def seen(self, table: str, seats: Collection[int]) -> None:
        """Nobody has to know."""

    def seated(self, table: str, bot: str) -> None:
        """Nobody has to know."""

    def listens(self, bot: str, yes: bool) -> None:
        """Nobody has to know."""


class Gaps:
    """Reads what others have written, for many tables in one question.

    While one question waits for its answer more tables are asked about, and the next question
    takes all of them. What is asked is always read after it was asked: who asks sees whatever was
    acknowledged before.
    """

    def __init__(
        self, store: Store, background: Callable[[Coroutine[Any, Any, None]], None]
    ) -> None:
        self._store = store
        self._background = background
        self._wanted: dict[str, Wanted] = {}
        self._reading = False

    async def gap(self, table: str, known: int) -> Gap | None:
        """What was written after an event; at one table nobody asks twice at once."""
        asked: asyncio.Future[Gap | None] = asyncio.get_running_loop().create_future()
        since, waiting = self._wanted.get(table, (known, []))
        self._wanted[table] = min(since, known), [*waiting, asked]
        if not self._reading:
            self._reading = True
            self._background(self._read())
        return await asked

    async def _read(self) -> None:
        try:
            while self._wanted:
                names = list(self._wanted)[:TOGETHER]
                await self._answer({name: self._wanted.pop(name) for name in names})
        finally:
            self._reading = False

    async def _answer(self, taken: Mapping[str, Wanted]) -> None:
        found: dict[str, Gap] = {}
        failed: StoreError | None = StoreError("the house is closing")
        try:
            found = await self._store.gaps({name: since for name, (since, _) in taken.items()})
            failed = None
        except StoreError as error:
            failed = error
        finally:
            for name, (_, waiting) in taken.items():
                for asked in waiting:
                    if asked.done():            # who asked has gone
                        continue
                    if failed is None:
                        asked.set_result(found.get(name))
                    else:
                        asked.set_exception(failed)


class Company:
    """The processes on one database, as this one knows them."""

    shared = True

    def __init__(
        self, store: Store, tables: Mapping[str, Table],
        background: Callable[[Coroutine[Any, Any, None]], None],
        wake: Callable[[Iterable[str]], None], look: Callable[[], Coroutine[Any, Any, None]],
    ) -> None:
        """`wake` reads tables at which something is due, `look` looks which they are."""
        self._store = store
        self._tables = tables
        self._background = background
        self._wake = wake
        self._look = look
        self._gaps = Gaps(store, background)
        self._lifeline = store.lifeline(self)
        self._number = 0
        self._alive: frozenset[int] = frozenset()
        self._beats = 0
        self.opened = 0
        """When the first process opened the house, in Unix milliseconds."""
        self.bots: HearsOfBots | None = None
        """Told what other processes say of bots."""
        self._used: Callable[[], Iterable[Used]] = tuple
        self._used_elsewhere: Callable[[str, str, float], None] = lambda what, who, amount: None

    async def open(self, now: int) -> None:
        """Join the others; who finds nobody opens the house now, in Unix milliseconds."""
        await self._lifeline.start(now // 1000)

    async def close(self) -> None:
        """Leave them."""
        await self._lifeline.close()

    def share_limits(
        self, used: Callable[[], Iterable[Used]], elsewhere: Callable[[str, str, float], None]
    ) -> None:
        """Tell the others each second what was used of limits, and let them tell the same."""
        self._used, self._used_elsewhere = used, elsewhere

    # ---- what tables ask ----

    def keeps(self, table: str) -> bool:
        """Whether this process runs the clock of a table, and thinks for its computers."""
        return keeper(table, self._alive) == self._number

    async def gap(self, table: str, known: int) -> Gap | None:
        """What others have written after an event, and what the host has decided."""
        return await self._gaps.gap(table, known)

    def here(self, table: str, seats: Collection[int]) -> None:
        """Tell the others who is connected to a table through this process."""
        if len(self._alive) > 1:
            self._store.tell(f"here {table} {_numbers(seats)}")

    def seen(self, table: str, seats: Collection[int]) -> None:
        """Tell the others that somebody has asked for something."""
        if len(self._alive) > 1:
            self._store.tell(f"seen {table} {_numbers(seats)}")

    def seated(self, table: str, bot: str) -> None:
        """Tell the others that a bot, by the SHA-256 of its token, has a seat at a table."""
        if len(self._alive) > 1:
            self._store.tell(f"bot {table} {bot}")

    def listens(self, bot: str, yes: bool) -> None:
        """Tell the others whether a bot listens through this process."""
        if len(self._alive) > 1:
            self._store.tell(f"listens {bot} {'yes' if yes else 'no'}")

    def ask_who_is_at(self, table: str) -> None:
        """Ask the others who is connected to a table that has just been read."""
        if len(self._alive) > 1:
            self._store.tell(f"who {table}")

    # ---- what the lifeline tells ----

    def hear(self, sender: int, words: Words) -> None:
        """Another process has said something; this one hears itself, too."""
        if sender != self._number:
            with suppress(ValueError):      # somebody else's notice
                self._heed(sender, words)

    def _heed(self, sender: int, words: Words) -> None:
        match words:
            case ["at", id, n, mark]:
                self._happened(id, int(n), mark)
            case ["here", id, seats] if id in self._tables:
                self._tables[id].elsewhere(sender, _seats(seats))
            case ["seen", id, seats] if id in self._tables:
                self._tables[id].seen_elsewhere(_seats(seats))
            case ["who", id] if id in self._tables:
                self.here(id, self._tables[id].connected)
            case ["bot", id, bot] if self.bots is not None:
                self.bots.seated_elsewhere(id, bot)
            case ["listens", bot, yes] if self.bots is not None:
                self.bots.listens_elsewhere(sender, bot, yes == "yes")
            case ["decided", id]:
                self._decided(id)
            case ["deleted", id] if id in self._tables:
                self._look_at(self._tables[id])
            case ["used", what, who, amount]:
                self._used_elsewhere(what, who, float(amount))

    def _happened(self, id: str, n: int, mark: str) -> None:
        """A table is at event `n`; where something is due, the mark is for whom it is done."""
        table = self._tables.get(id)
        if table is not None:
            table.patron = mark or table.patron
            if table.awaited or (mark and self.keeps(id)):
                self._background(self._catch_up(table, n))
        elif mark and self.keeps(id):
            self._wake([id])

    def _decided(self, id: str) -> None:
        """The host has closed a table or its chat, or opened them again."""
        if id in self._tables:
            self._look_at(self._tables[id])
        elif self.keeps(id):
            self._wake([id])

    def _look_at(self, table: Table) -> None:
        self._background(self._catch_up(table, table.known + 1))

    async def _catch_up(self, table: Table, n: int) -> None:
        try:
            await table.catch_up(n)
        except EscaleError as error:        # the next look, or the next who comes, will
            log.warning("table %s stays behind for now: %s", table.id, error)

    def joined(self, membership: Membership) -> None:
        """This process has a number: whatever it has not been told of, it reads now."""
        self._number, self._alive = membership.number, membership.alive
        self.opened = 1000 * membership.opened
        self._store.called(self._number)
        self._say_who_is_here()
        self._changed()

    def changed(self, alive: frozenset[int]) -> None:
        """Processes have come or gone: their tables are kept by others now."""
        gone, come = self._alive - alive, alive - self._alive
        self._alive = alive
        if gone:
            for table in list(self._tables.values()):
                table.gone_elsewhere(gone)
        if come:
            self._say_who_is_here()
        self._changed()

    def _say_who_is_here(self) -> None:
        for table in list(self._tables.values()):
            if table.connected:
                self.here(table.id, table.connected)
        if self.bots is not None:
            self.bots.say_who_listens()

    def _changed(self) -> None:
        for table in list(self._tables.values()):
            table.look_after()
        self._catch_up_all()                # a process that died may not have said what it wrote
        self._background(self._look())

    def _catch_up_all(self) -> None:
        for table in list(self._tables.values()):
            if table.awaited or self.keeps(table.id):
                self._look_at(table)

    def beat(self) -> None:
        """A second has passed: tell what addresses have used; now and then look at all tables."""
        self._beats += 1
        if self._beats % POLL == 0:
            self._catch_up_all()
            if self.bots is not None:
                self.bots.say_who_listens()
        if len(self._alive) > 1:
            for what, who, amount in self._used():
                self._store.tell(f"used {what} {who} {amount:g}")

    def reached(self, yes: bool) -> None:
        """Whether the database can be reached."""
        self._store.reached(yes)


def _numbers(seats: Collection[int]) -> str:
    return ",".join(map(str, sorted(seats))) or NOBODY


def _seats(numbers: str) -> frozenset[int]:
    if numbers == NOBODY:
        return frozenset()
    return frozenset(int(number) for number in numbers.split(","))
