"""Makes a copy of a database before its schema is migrated.

SQLite's file is copied beside itself. A database on a server is written as a backup (`escale
restore` reads it) into the folder that `ESCALE_BACKUPS` names, else into the user's data folder.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

import platformdirs
from sqlalchemy import Connection, exc

from escale.store.archive import ArchiveWriter, Record
from escale.store.errors import StoreError
from escale.store.snapshot import people, snapshot

log = logging.getLogger("escale")


def keep_copy(connection: Connection, version: str) -> None:
    """Copy a database of this version; no process may write to it meanwhile."""
    url = connection.engine.url
    named = f"version-{version}-{time.strftime('%Y-%m-%d')}"
    if url.get_backend_name() == "sqlite":
        path = Path(str(url.database))
        _copy_file(path, _unused(path.with_name(f"{path.name}.{named}")))
        return
    folder = Path(os.environ.get("ESCALE_BACKUPS")
                  or platformdirs.user_data_path("escale") / "backups")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(connection, _unused(folder / f"{url.database}.{named}"), version)
    except (OSError, exc.SQLAlchemyError, ValueError) as error:
        log.warning("the database is brought up to date without a backup, which could not be "
                    "written to %s: %s", folder, error)


def _copy_file(path: Path, copy: Path) -> None:
    try:
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            copy.unlink()
        raise StoreError(
            f"it is not brought up to date, because no copy can be kept: {error}"
        ) from error
    log.warning("a copy of %s as it was is kept: %s", path, copy)


def _write(connection: Connection, copy: Path, version: str) -> None:
    with os.fdopen(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        writer = ArchiveWriter(file, version, time.time_ns() // 1_000_000)
        writer.people = people(connection)
        for found in snapshot(connection):
            if isinstance(found, Record):
                writer.add(found)
            else:
                log.error("%s; it is not in %s", found, copy)
        writer.finish()
    log.warning("the database as it was is kept: %s", copy)


def _unused(path: Path) -> Path:
    """This path, or the next numbered one that does not exist."""
    found, number = path, 1
    while found.exists():
        number += 1
        found = path.with_name(f"{path.name}-{number}")
    return found
