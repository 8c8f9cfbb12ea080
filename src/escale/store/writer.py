"""One thread writes, and commits everything that waits in one transaction.

Durable writes are slow because each commit waits for the disk. Changes that arrive during a commit
go into the next transaction. So the writer needs no timer: the busier the house, the larger the
groups.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine, delete, exc, func, insert, select, update
from sqlalchemy.sql import Executable, bindparam

from escale.store.database import is_locked, writing
from escale.store.errors import Busy, Conflict, StoreError
from escale.store.file_guard import FileGuard
from escale.store.notices import Notice, Notifier
from escale.store.schema import (
    bots,
    evening_events,
    evening_tokens,
    evenings,
    events,
    outbox,
    probe,
    rated_games,
    reviews,
    tables,
    tokens,
)

WAITING_CHANGES = 10_000
"""Changes that may wait at most."""
GROUP_CHANGES = 2_000
"""Changes in one transaction at most."""
REMEMBERED_HEADS = 50_000
"""Tables whose last event's number is remembered at most."""

PROBE = ""
"""The table name of a write that concerns no table."""

Rows = list[dict[str, Any]]

STATEMENTS: dict[str, Executable] = {
    "tables": insert(tables),
    "dropped": delete(tokens).where(
        tokens.c.table_id == bindparam("of"), tokens.c.sha256 == bindparam("token")
    ),
    "tokens": insert(tokens),
    "events": insert(events),
    "over": update(tables).where(tables.c.id == bindparam("of")).values(over=True),
    "public": update(tables).where(tables.c.id == bindparam("of")).values(
        public=bindparam("listed")
    ),
    "due": update(tables).where(tables.c.id == bindparam("of")).values(due=bindparam("at")),
    "next_secret": update(tables).where(tables.c.id == bindparam("of")).values(
        next_secret=bindparam("promised")
    ),
    "results": update(bots).where(bots.c.sha256 == bindparam("of")).values(
        won=bots.c.won + bindparam("more_won"), drawn=bots.c.drawn + bindparam("more_drawn"),
        lost=bots.c.lost + bindparam("more_lost"),
    ),
    "described": update(bots).where(bots.c.sha256 == bindparam("of")).values(
        about=bindparam("line"), games=bindparam("played")
    ),
    "old_notices": delete(outbox).where(
        outbox.c.endpoint_id == bindparam("whose"), outbox.c.table_id == bindparam("of")
    ),
    "notices": insert(outbox),
    "rated": insert(rated_games),
    "old_review": delete(reviews).where(reviews.c.table_id == bindparam("of")),
    "review": insert(reviews),
    "evenings": insert(evenings),
    "evening_tokens": insert(evening_tokens),
    "evening_events": insert(evening_events),
    "evening_changed": update(evenings).where(evenings.c.id == bindparam("of")).values(
        changed=bindparam("now")
    ),
    "evening_closed": update(evenings).where(evenings.c.id == bindparam("of")).values(
        closed=bindparam("over")
    ),
    "evening_events_gone": delete(evening_events).where(
        evening_events.c.evening_id == bindparam("of")
    ),
    "evening_tokens_gone": delete(evening_tokens).where(
        evening_tokens.c.evening_id == bindparam("of")
    ),
    "evening_gone": delete(evenings).where(evenings.c.id == bindparam("of")),
    "probe": update(probe).values(at=bindparam("stamp")),
}
"""The statements, in the order in which they are executed."""


@dataclass(slots=True, eq=False)
class Write:
    """A change that is written completely or not at all."""

    table: str
    rows: Mapping[str, Rows]
    """The rows for each statement."""
    notice: Notice | None = None
    """The notice that is sent once it is written."""
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    done: asyncio.Future[None] = field(init=False)
    error: StoreError | None = None

    def __post_init__(self) -> None:
        self.done = self.loop.create_future()


class Writer:
    """The thread that writes, and the queue before it."""

    def __init__(self, engine: Engine, guard: FileGuard, notifier: Notifier | None = None) -> None:
        """With a `notifier`, other processes may write to the same tables."""
        self._connection = writing(engine).connect()
        self._guard = guard
        self._notifier = notifier
        self._queue: queue.SimpleQueue[Write | Notice | None] = queue.SimpleQueue()
        self._heads: dict[str, int] = {}
        self._closed = False
        self.committed: Callable[[int, float], None] = lambda _changes, _seconds: None
        """Called in the writer's thread with the changes and seconds of every group."""
        self.unreachable = False
        """Whether the database is known not to answer; then writes are not repeated."""
        self._thread = threading.Thread(target=self._run, name="escale-store", daemon=True)
        self._thread.start()

    async def write(self, change: Write) -> None:
        """Write a change; returns when it is on the disk."""
        if self._closed:
            raise StoreError("the store is closed")
        if self._queue.qsize() >= WAITING_CHANGES:
            raise Busy("the database is too slow for what is being played; try again in a moment")
        self._queue.put(change)
        await change.done

    def announce(self, notice: Notice) -> None:
        """Send a notice once the waiting changes are written."""
        if self._notifier is not None and not self._closed:
            self._queue.put(notice)

    def learn(self, table: str, head: int) -> None:
        """Note the number of a table's last event, which another process has written."""
        self._heads[table] = max(head, self._heads.get(table, 0))

    def close(self) -> None:
        """Write the changes that wait, then stop."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            self._thread.join()
            self._connection.close()
            if self._notifier is not None:
                self._notifier.close()

    def _run(self) -> None:
        while (first := self._queue.get()) is not None:
            waiting = [first]
            last = False
            while len(waiting) < GROUP_CHANGES:
                try:
                    item = self._queue.get_nowait()
                except queue.Empty:
                    break
                if item is None:
                    last = True
                    break
                waiting.append(item)
            group = [item for item in waiting if isinstance(item, Write)]
            if group:
                began = monotonic()
                self._commit(group)
                self.committed(len(group), monotonic() - began)
                self._look_for_file(group)
                _report(group)
            if self._notifier is not None:
                self._notifier.send([
                    *(item for item in waiting if isinstance(item, Notice)),
                    *(change.notice for change in group if change.notice and not change.error),
                ])
            if last:
                return

    def _look_for_file(self, group: list[Write]) -> None:
        """Fail a group of changes if the file to which they were written is gone."""
        try:
            self._guard.check()
        except StoreError as error:
            for change in group:
                change.error = error
                self._heads.pop(change.table, None)

    # ---- transactions ----

    def _commit(self, group: list[Write], *, again: bool = True) -> None:
        """Write a group in one transaction; after an error in halves, to find its cause."""
        try:
            with self._connection.begin():
                self._check(group)
                _execute(self._connection, self._in_order(group))
        except Exception as error:          # any error: those who wait must get it
            for change in group:
                change.error = None
                self._heads.pop(change.table, None)
            if self._connection.invalidated and again and not self.unreachable:
                self._commit(group, again=False)        # the next begin connects again
            elif self._connection.invalidated or len(group) == 1 or is_locked(error):
                for change in group:
                    change.error = _failure(change, error)
            else:
                middle = len(group) // 2
                self._commit(group[:middle])
                self._commit(group[middle:])

    def _in_order(self, group: list[Write]) -> list[Write]:
        """The changes to execute; with other processes, sorted by table.

        Two transactions that touch the same rows in different orders would wait for each other.
        """
        good = [change for change in group if change.error is None]
        return good if self._notifier is None else sorted(good, key=lambda change: change.table)

    # ---- numbers follow one another ----

    def _check(self, group: list[Write]) -> None:
        """Mark changes whose events are not the next ones of their table."""
        if len(self._heads) > REMEMBERED_HEADS:
            self._heads.clear()
        for change in group:
            rows = change.rows.get("events")
            if not rows:
                continue
            head = 0 if "tables" in change.rows else self._head(change.table)
            first, last = rows[0]["n"], rows[-1]["n"]
            if head is None:
                change.error = Conflict(f"there is no table {change.table}")
            elif first != head + 1:
                change.error = Conflict(
                    f"table {change.table}: expected event {head + 1}, not {first}"
                )
            else:
                self._heads[change.table] = last

    def _head(self, table: str) -> int | None:
        """The number of a table's last event; None if there is no such table."""
        head = self._heads.get(table)
        if head is None:
            last = select(func.max(events.c.n)).where(events.c.table_id == table).scalar_subquery()
            known = self._connection.execute(
                select(func.coalesce(last, 0)).where(tables.c.id == table)
            ).scalar()
            head = None if known is None else int(known)
        return head


def _execute(connection: Connection, group: list[Write]) -> None:
    """Carry out all changes of a group, each statement once."""
    rows: defaultdict[str, Rows] = defaultdict(list)
    for change in group:
        for name, more in change.rows.items():
            rows[name] += more
    # A bot may play at several tables of a group, and of another process's group.
    rows["results"].sort(key=lambda row: str(row["of"]))
    for name, statement in STATEMENTS.items():
        if rows[name]:
            connection.execute(statement, rows[name])


def _report(group: list[Write]) -> None:
    """Answer the callers that wait; each event loop is woken once."""
    loops: defaultdict[asyncio.AbstractEventLoop, list[Write]] = defaultdict(list)
    for change in group:
        loops[change.loop].append(change)
    for loop, changes in loops.items():
        try:
            loop.call_soon_threadsafe(_resolve, changes)
        except RuntimeError:                # the loop is closed: no caller waits any more
            continue


def _resolve(changes: list[Write]) -> None:
    for change in changes:
        if change.done.done():              # the caller has gone; the change is written
            continue
        if change.error is None:
            change.done.set_result(None)
        else:
            change.done.set_exception(change.error)


def _failure(change: Write, error: Exception) -> StoreError:
    """The database's own message about an error, without the statement and its secrets."""
    cause = error.orig if isinstance(error, exc.DBAPIError) else error
    reason = (str(cause).strip() or type(error).__name__).splitlines()[0]
    kind = Conflict if isinstance(error, exc.IntegrityError) \
        else Busy if is_locked(error) else StoreError
    return kind(f"table {change.table}: {reason}")
