"""Detects that the files of an open database were removed or replaced, or are another house's.

A removed file stays open for the processes that have opened it: SQLite would go on writing to a
file without a name, and the house would acknowledge events that are lost.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import BinaryIO

from sqlalchemy.engine import URL

from escale.store.errors import StoreError

try:
    import fcntl
except ImportError:                             # on Windows
    fcntl = None  # type: ignore[assignment]

log = logging.getLogger("escale")

Identity = tuple[int, int]


def claim(url: URL) -> BinaryIO | None:
    """Keep other houses from a SQLite file until what is returned is closed, or the process ends.

    StoreError if another house has it open. A lock on the database itself would be lost as soon as
    any connection to it is closed. Windows has no such locks.
    """
    if url.get_backend_name() != "sqlite" or fcntl is None:
        return None
    path = Path(f"{url.database}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.fdopen(os.open(path, os.O_CREAT | os.O_RDWR, 0o600), "rb")
    except OSError:                             # opening the database says why
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreError(
            f"another house has {url.database} open: close it, or open this one on another file "
            "(--database); several processes need PostgreSQL"
        ) from None
    return file


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
