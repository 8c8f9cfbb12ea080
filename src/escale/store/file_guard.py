"""Detects that the files of an open database were removed or replaced.

A removed file stays open for the processes that have opened it: SQLite would go on writing to a
file without a name, and the house would acknowledge events that are lost.
"""

from __future__ import annotations

import logging
import os

from sqlalchemy.engine import URL

from escale.store.errors import StoreError

log = logging.getLogger("escale")

Identity = tuple[int, int]


class FileGuard:
    """Remembers which files were opened."""

    def __init__(self, url: URL) -> None:
        """Note the files of a database that has just been opened; a server's has none here."""
        self._paths: tuple[str, ...] = ()
        if url.get_backend_name() == "sqlite":
            self._paths = (str(url.database), f"{url.database}-wal")
        self._known: dict[str, Identity] = {}
        self._missed = False
        self.check()

    def check(self) -> None:
        """StoreError if a file is gone or was replaced."""
        for path in self._paths:
            here = _identity(path)
            known = self._known.get(path)
            if known is None and here is not None:
                self._known[path] = here
            elif here != known:
                if not self._missed:
                    log.critical(
                        "%s was removed or replaced while the house was open: nothing is written "
                        "any more; put it back, or start again", path,
                    )
                self._missed = True
                raise StoreError(f"{path} was removed or replaced")
        self._missed = False


def _identity(path: str) -> Identity | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
