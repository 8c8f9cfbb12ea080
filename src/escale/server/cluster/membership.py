"""Which processes are alive, and which of them owns a name: the table of that name, say.

Every process holds one advisory lock of PostgreSQL, under a number of its own, for as long as its
connection lives; the locks that are held are the processes that are alive. A name is owned by the
process that gives the highest hash with it (rendezvous hashing). All processes compute the same
owner without exchanging messages, names spread evenly, and when a process dies only its own names
move. A lock for each table would need no hash, but PostgreSQL has room for a few thousand locks.

For a moment, processes may disagree about which of them are alive. Then two may act as the owner of
a table, or none. Two are harmless: the primary key of the events lets only one of them write.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from psycopg import AsyncConnection

JOINING = 0x657363616D
"""The lock under which processes join, one after another …"""
PROCESS, OPENED = 0x65736370, 0x6573636F
"""… and the first halves of those that they keep: their numbers, and when the house opened."""

_HELD = """
SELECT classid::bigint, objid::bigint FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 2 AND granted AND classid::bigint IN (%s, %s)
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


def owner(name: str, processes: Collection[int]) -> int:
    """The process that owns a name; 0 if there is none."""
    return max(processes, key=lambda number: _weight(name, number), default=0)


def _weight(name: str, process: int) -> bytes:
    return blake2b(f"{process}:{name}".encode(), digest_size=8).digest()


@dataclass(frozen=True, slots=True)
class Membership:
    """This process among the others."""

    number: int
    opened: int
    """When the house was opened by the first of them, in Unix seconds."""
    alive: frozenset[int]


async def join(connection: AsyncConnection[Any], opened: int) -> Membership:
    """Take a number, and keep it while the connection lives.

    The first process opens the house, at `opened`.
    """
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (JOINING,))
        alive, times = await _held(connection)
        since = min(times) if times else opened
        number = 0
        while number == 0:
            wanted = 1 + secrets.randbelow(2**31 - 1)
            cursor = await connection.execute(
                "SELECT pg_try_advisory_lock(%s, %s)", (PROCESS, wanted)
            )
            if (await cursor.fetchone() or [False])[0]:
                number = wanted
        await connection.execute("SELECT pg_advisory_lock_shared(%s, %s)", (OPENED, since))
    return Membership(number, since, alive | {number})


async def alive(connection: AsyncConnection[Any]) -> frozenset[int]:
    """The processes that hold their locks."""
    return (await _held(connection))[0]


async def _held(connection: AsyncConnection[Any]) -> tuple[frozenset[int], list[int]]:
    cursor = await connection.execute(_HELD, (PROCESS, OPENED))
    rows = await cursor.fetchall()
    numbers = frozenset(number for kind, number in rows if kind == PROCESS)
    return numbers, [number for kind, number in rows if kind == OPENED]
