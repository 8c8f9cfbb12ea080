"""Access to the database with a thread and connections of its own.

Players, whose changes the writer's thread commits, never wait for it longer than for one small
transaction.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, Engine, exc

from escale.store.database import writing
from escale.store.errors import StoreError
from escale.store.file_guard import FileGuard

Result = TypeVar("Result")


class OwnThread:
    """Runs transactions one after the other."""

    def __init__(self, name: str, engine: Engine, guard: FileGuard) -> None:
        self._engine = engine
        self._guard = guard
        self._thread = ThreadPoolExecutor(1, f"escale-{name}")

    def close(self) -> None:
        """Finish running work, then stop."""
        self._thread.shutdown()

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run a transaction that reads."""
        return await self._transact(self._engine, work)

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run a transaction that writes; it is on the disk when this returns."""
        return await self._transact(writing(self._engine), work)

    async def _transact(self, engine: Engine, work: Callable[[Connection], Result]) -> Result:
        def transaction() -> Result:
            self._guard.check()
            with engine.begin() as connection:
                return work(connection)

        return await self._run(transaction)

    async def _run(self, work: Callable[[], Result]) -> Result:
        def run(again: bool = True) -> Result:
            try:
                return work()
            except exc.DBAPIError as error:
                if error.connection_invalidated and again:
                    return run(again=False)         # the next one is connected anew
                raise StoreError(f"the database cannot be used: {error}") from error
            except (exc.SQLAlchemyError, sqlite3.Error, OSError) as error:
                raise StoreError(f"the database cannot be used: {error}") from error

        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, run)
        except RuntimeError as error:               # it has been shut down
            raise StoreError("the store is closed") from error
