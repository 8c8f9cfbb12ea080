"""The event log in a database: SQLite by default, PostgreSQL for several processes.

The database itself is imported when it is first asked for: tables in a browser have none.
"""

from typing import TYPE_CHECKING, Any

from escale.store.errors import Busy, Conflict, Damaged, StoreError
from escale.store.records import (
    Bot,
    BotResult,
    Gap,
    Kept,
    Listed,
    NewTable,
    OutboxRow,
    RatedGame,
    Token,
)

if TYPE_CHECKING:
    from escale.store.retention import Retention
    from escale.store.store import Store

__all__ = [
    "Bot", "BotResult", "Busy", "Conflict", "Damaged", "Gap", "Kept", "Listed", "NewTable",
    "OutboxRow", "RatedGame", "Retention", "Store", "StoreError", "Token",
]


def __getattr__(name: str) -> Any:
    if name == "Store":
        from escale.store.store import Store
        return Store
    if name == "Retention":
        from escale.store.retention import Retention
        return Retention
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
