"""Makes the changes at a table happen one after another, also among several processes."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from escale.server.edge.problems import Problem

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
