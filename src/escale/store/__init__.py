"""The event log in a database: SQLite by default, PostgreSQL for several processes."""

from escale.store.errors import Busy, Conflict, Damaged, StoreError
from escale.store.records import Bot, BotResult, Gap, Kept, Listed, NewTable, Token
from escale.store.retention import Retention
from escale.store.store import Store

__all__ = [
    "Bot", "BotResult", "Busy", "Conflict", "Damaged", "Gap", "Kept", "Listed", "NewTable",
    "Retention", "Store", "StoreError", "Token",
]
