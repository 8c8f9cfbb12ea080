"""What is done at a table is done there one thing after another, also among several processes."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from escale.server.problems import Problem

if TYPE_CHECKING:
    from escale.server.tables.table import Table

P = ParamSpec("P")
T = TypeVar("T")

ATTEMPTS = 50
"""How often other processes may be faster, in a row."""


class Overtaken(Exception):
    """Another process was faster: the table is as that one left it, and nothing was done here."""


def one_at_a_time(
    method: Callable[Concatenate[Table, P], Coroutine[Any, Any, T]]
) -> Callable[Concatenate[Table, P], Coroutine[Any, Any, T]]:
    """Under the table's lock; from the start again each time another process was faster."""
    @wraps(method)
    async def alone(table: Table, /, *arguments: P.args, **named: P.kwargs) -> T:
        async with table.lock:
            for _ in range(ATTEMPTS):
                try:
                    return await method(table, *arguments, **named)
                except Overtaken:
                    continue
            raise Problem("unavailable")

    return alone
