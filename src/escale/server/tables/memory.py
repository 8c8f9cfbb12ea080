"""How many bytes the tables in memory may take: the least recently used one goes first.

There is a budget for the house and one for each address, so that what an address has the house
keep costs others nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from escale.server.edge.security import client_address

if TYPE_CHECKING:
    from escale.server.tables.table import Table

HOUSE_BYTES = 64_000_000
ADDRESS_BYTES = 16_000_000
FRESH_MILLISECONDS = 10_000
"""A table that was used more recently is not let go of whole: a request may be on its way to it."""
LOOKED_AT = 20
"""Tables that are looked at in one go, so that a use costs the same however many there are."""


class TableMemory:
    """An estimate of what can be let go of each table, and the order in which they were used."""

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
        """What is kept, of all tables."""
        return self._house.bytes

    def note_use(self, table: Table) -> None:
        """A table was used: weigh it, and let go of others until all keep to their budgets."""
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
        """A table has left the memory."""
        address = self._whose.pop(table, None)
        if address is None:
            return
        self._house.drop(table)
        self._addresses[address].drop(table)
        if not self._addresses[address].tables:
            del self._addresses[address]

    def _reduce(self, share: Share, most: int) -> None:
        """Let go of what tables keep, least recently used first."""
        for table in list(islice(share.tables, LOOKED_AT)):
            if share.bytes <= most:
                return
            if table.lock.locked():
                continue
            if not table.needed and table.last_used < self._now() - FRESH_MILLISECONDS:
                self._forget_table(table)               # which drops it here
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
        """Weigh a table, as the one used last."""
        self.drop(table)
        self.tables[table] = table.size
        self.bytes += self.tables[table]

    def drop(self, table: Table) -> None:
        """A table counts no longer."""
        self.bytes -= self.tables.pop(table, 0)
