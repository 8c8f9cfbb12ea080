"""Makes the changes at a table happen one after another, also among several processes.

A change that fails because another process wrote first is undone; the table applies what that
process wrote, and tries the change again.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from escale.game.errors import EscaleError
from escale.server.edge.problems import Problem
from escale.store import Conflict, Gap, StoreError

if TYPE_CHECKING:
    from escale.server.tables.table import Table

P = ParamSpec("P")
T = TypeVar("T")

ATTEMPTS = 50
"""A change is tried this often while other processes keep writing first."""


class Overtaken(Exception):
    """Another process wrote first: the table has its events, and this change was not made."""


def one_at_a_time(
    method: Callable[Concatenate[Table, P], Coroutine[Any, Any, T]]
) -> Callable[Concatenate[Table, P], Coroutine[Any, Any, T]]:
    """Run a method under the table's lock, and again whenever another process wrote first."""
    @wraps(method)
    async def alone(table: Table, /, *arguments: P.args, **named: P.kwargs) -> T:
        try:
            async with table.lock:
                for _ in range(ATTEMPTS):
                    try:
                        return await method(table, *arguments, **named)
                    except Overtaken:
                        continue
                raise Problem("unavailable")
        finally:
            table.note_use()

    return alone


async def refresh_table(table: Table) -> None:
    """Read everything that any process has acknowledged before."""
    gap = await table.journal.read_gap()
    if gap is not None and (
        gap.events or gap.damaged or gap.deleted or _is_moderated(table, gap)
    ):
        async with table.lock:
            if not table.gone:
                await _catch_up(table, gap)


async def was_overtaken(table: Table, error: EscaleError) -> bool:
    """Whether a change failed only because another process had written.

    Then the attempt is undone, and the table has the other process's events.
    """
    if isinstance(error, StoreError) and not isinstance(error, Conflict):
        return False
    try:
        gap = await table.journal.read_gap()
        if gap is None:
            return False
        await table.journal.undo_unwritten()
        return await _catch_up(table, gap)
    except StoreError:
        return False
    except BaseException:
        table.forget()
        raise


async def _catch_up(table: Table, gap: Gap) -> bool:
    """Apply what another process has written; returns whether there was anything new."""
    if gap.deleted:
        table.deleted = True
        table.forget()
        return True
    if _is_moderated(table, gap):               # or here, after it was read
        gap = await table.journal.read_gap() or gap
    since = table.journal.length
    try:
        table.journal.replay(gap)
        if table.audiences.followed:
            await table.views.prepare()
    except BaseException:
        table.forget()                          # the next visitor gets the error
        raise
    happened, moderated = table.journal.length > since, _is_moderated(table, gap)
    if happened:
        table.tell(since)
    if moderated:
        table.set_moderation(gap.closed, gap.muted)
    return happened or moderated


def _is_moderated(table: Table, gap: Gap) -> bool:
    """Whether the host has decided something through another process."""
    return (gap.closed, gap.muted) != (table.closed, table.muted)
