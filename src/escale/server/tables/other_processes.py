"""Applies the news of other processes to the tables in this process's memory."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any

from escale.game.errors import EscaleError
from escale.server.cluster.news import (
    Asked,
    Connected,
    News,
    ProcessesChanged,
    SecondPassed,
    WhoIsConnected,
)
from escale.server.cluster.port import Cluster
from escale.server.tables.overtaking import refresh_table
from escale.server.tables.table import Table
from escale.store.notices import TableDeleted, TableModerated, TableWritten, TokensChanged

log = logging.getLogger("escale")


class OtherProcesses:
    """Handles the news of the cluster."""

    def __init__(
        self, cluster: Cluster, tables: Mapping[str, Table],
        start: Callable[[Coroutine[Any, Any, None]], None],
        wake: Callable[[Iterable[str]], Coroutine[Any, Any, None]],
        wake_due: Callable[[], Coroutine[Any, Any, None]],
        read_again: Callable[[Table], Coroutine[Any, Any, None]],
    ) -> None:
        """`tables` are those in memory; `wake` reads others, `wake_due` those that are due.

        `read_again` removes a table from memory, so that it is read from the store.
        """
        self._cluster = cluster
        self._tables = tables
        self._start = start
        self._wake = wake
        self._wake_due = wake_due
        self._read_again = read_again

    def hear(self, process: int, news: News) -> None:
        """Handle a notice of another process, or that processes have started or ended."""
        match news:
            case TableWritten():
                self._written(news)
            case TableModerated(id):
                if id in self._tables:
                    self._refresh(self._tables[id])
                elif self._cluster.owns(id):
                    self._start(self._wake([id]))
            case TableDeleted(id) if id in self._tables:
                self._refresh(self._tables[id])
            case TokensChanged(id) if id in self._tables:
                self._start(self._read_again(self._tables[id]))
            case Connected(id, seats) if id in self._tables:
                self._tables[id].presence.set_connected_elsewhere(process, seats)
            case Asked(id, seats) if id in self._tables:
                self._tables[id].presence.mark_present(seats)
            case WhoIsConnected(id) if id in self._tables:
                self._tables[id].presence.announce()
            case ProcessesChanged(ended, come):
                self._processes_changed(ended, come)
            case SecondPassed() if news.is_time_to_poll:
                self._refresh_all()

    def _written(self, news: TableWritten) -> None:
        table = self._tables.get(news.table)
        owed = news.due_soon and self._cluster.owns(news.table)
        if table is not None:
            if news.due_soon:
                table.charged_address = news.address
            if (table.awaits_news or owed) and table.length < news.n:
                self._refresh(table)
        elif owed:
            self._start(self._wake([news.table]))

    def _processes_changed(self, ended: frozenset[int], come: frozenset[int]) -> None:
        for table in list(self._tables.values()):
            if ended:
                table.presence.drop_processes(ended)
            if come and table.presence.connected:
                table.presence.announce()
            table.look_after()              # its owner may be another process now
        self._refresh_all()                 # one that died may not have announced its events
        self._start(self._wake_due())

    def _refresh_all(self) -> None:
        for table in list(self._tables.values()):
            if table.awaits_news or self._cluster.owns(table.id):
                self._refresh(table)

    def _refresh(self, table: Table) -> None:
        self._start(self._catch_up(table))

    async def _catch_up(self, table: Table) -> None:
        try:
            await refresh_table(table)
        except EscaleError as error:        # the next search or visitor tries again
            log.warning("table %s stays behind for now: %s", table.id, error)
