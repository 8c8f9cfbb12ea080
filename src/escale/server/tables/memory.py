"""The memory budget of tables: the least recently used table leaves the memory first.

There is a budget for the house and one for each address, so that the tables of one address do not
push out those of others.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from escale.server.edge.current import client_address

if TYPE_CHECKING:
    from escale.server.tables.table import Table

HOUSE_BYTES = 64_000_000
ADDRESS_BYTES = 16_000_000
FRESH_MILLISECONDS = 10_000
"""A table that was used more recently stays in memory: a request may be on its way to it."""
LOOKED_AT = 20
"""At most this many tables are examined at once, whatever their number."""


class TableMemory:
    """An estimate of each table's bytes, and the order in which the tables were used."""

    def __init__(
        self, now: Callable[[], int], forget_table: Callable[[Table], None],
        house_bytes: int = HOUSE_BYTES, address_bytes: int = ADDRESS_BYTES,
    ) -> None:
        self._now = now
        self._forget_table = forget_table
        self._house_bytes = house_bytes
        self._address_bytes = address_bytes
        self._house = Share()
        self._addresses: dict[str, Share] = {}
        self._whose: dict[Table, str] = {}

    @property
    def bytes(self) -> int:
        """The estimated bytes of all tables."""
        return self._house.bytes

    def note_use(self, table: Table) -> None:
        """Note that a table was used, and free others until all budgets are kept."""
        if table.gone:
            return
        address = table.charged_address or self._whose.get(table) or client_address.get()
        self.drop(table)
        self._whose[table] = address
        for share in (self._house, self._addresses.setdefault(address, Share())):
            share.put(table)
        if address:
            self._reduce(self._addresses[address], self._address_bytes)
        self._reduce(self._house, self._house_bytes)

    def drop(self, table: Table) -> None:
        """Stop counting a table that has left the memory."""
        address = self._whose.pop(table, None)
        if address is None:
            return
        self._house.drop(table)
        self._addresses[address].drop(table)
        if not self._addresses[address].tables:
            del self._addresses[address]

    def _reduce(self, share: Share, most: int) -> None:
        """Free the caches of tables, then the tables, least recently used first."""
        for table in list(islice(share.tables, LOOKED_AT)):
            if share.bytes <= most:
                return
            if table.lock.locked():
                continue
            if not table.needed and table.last_used < self._now() - FRESH_MILLISECONDS:
                self._forget_table(table)               # which calls `drop` here
                continue
            table.views.drop_caches()
            for other in (self._house, self._addresses[self._whose[table]]):
                other.put(table)


class Share:
    """Tables with their bytes, the least recently used first."""

    def __init__(self) -> None:
        self.tables: OrderedDict[Table, int] = OrderedDict()
        self.bytes = 0

    def put(self, table: Table) -> None:
        """Add a table as the most recently used one."""
        self.drop(table)
        self.tables[table] = table.size
        self.bytes += self.tables[table]

    def drop(self, table: Table) -> None:
        """Remove a table."""
        self.bytes -= self.tables.pop(table, 0)
