"""Finding, opening and bringing up to date the database."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

import platformdirs
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, exc, select
from sqlalchemy.engine import URL, make_url

from escale.store.copies import keep_copy
from escale.store.errors import BadDatabase, StoreError
from escale.store.postgres import engine_for
from escale.store.schema import metadata

LOCK_SECONDS = 3
"""Seconds to wait for another process that writes to the same SQLite file."""
OPENING_SECONDS = 30
"""The same when the database is opened: another process may be migrating it."""
LOCK = 0x657363616C65
"""The number of the lock under which PostgreSQL's tables are changed: `escale` in letters."""
WRITING = "escale_writing"
"""The option of a connection that is about to write."""


def database_url(wanted: str | None = None) -> URL:
    """The database asked for, else `ESCALE_DATABASE`, else a file in the user's data folder.

    A path is a SQLite file; `postgresql://user@host/name` is PostgreSQL.
    """
    wanted = wanted or os.environ.get("ESCALE_DATABASE")
    if not wanted:
        wanted = str(platformdirs.user_data_path("escale") / "escale.sqlite3")
    if "://" not in wanted:
        return URL.create("sqlite", database=str(Path(wanted).expanduser().absolute()))
    try:
        url = make_url(wanted)
    except (exc.ArgumentError, ValueError) as error:
        raise BadDatabase("not-address") from error
    if url.drivername in ("postgres", "postgresql"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername != "sqlite" or url.database in (None, "", ":memory:"):
        raise BadDatabase("address", got=_shown(url))
    return url


def open_database(url: URL) -> Engine:
    """The database with its tables up to date; StoreError says why it cannot be opened."""
    try:
        engine = _connect(url, OPENING_SECONDS)
        try:
            with writing(engine).begin() as connection:
                _migrate(connection)
                _check(connection)
        finally:
            engine.dispose()
        return _connect(url, LOCK_SECONDS)
    except ModuleNotFoundError as error:
        raise BadDatabase("psycopg") from error
    except OSError as error:
        raise BadDatabase("cannot-open", place=_shown(url), why=error) from error
    except exc.DBAPIError as error:
        why = " ".join(str(error.orig).split())
        raise BadDatabase("cannot-open", place=_shown(url), why=why) from error
    except (exc.SQLAlchemyError, CommandError, ValueError, StoreError) as error:
        raise BadDatabase("cannot-open", place=_shown(url), why=error) from error


def _connect(url: URL, patience: float) -> Engine:
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, patience)
    return engine_for(url, opening=patience == OPENING_SECONDS)


def is_locked(error: Exception) -> bool:
    """Whether another process keeps the whole database from being written to."""
    return isinstance(error, exc.OperationalError) and "database is locked" in str(error.orig)


def writing(engine: Engine) -> Engine:
    """The same database, for transactions that write: SQLite takes the file's lock at once."""
    return engine.execution_options(**{WRITING: True})


def _sqlite(url: URL, patience: float) -> Engine:
    path = Path(str(url.database))
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))      # the file holds secrets
    engine = create_engine(
        url, hide_parameters=True, connect_args={"timeout": patience}
    )

    @event.listens_for(engine, "connect")
    def connect(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None       # this code begins transactions, not the driver
        _use_wal(connection, patience)
        connection.execute("PRAGMA synchronous=FULL")       # a commit is on the disk
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA secure_delete=ON")       # deleted data is overwritten

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get(WRITING)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


def _use_wal(connection: sqlite3.Connection, patience: float) -> None:
    """Switch to write-ahead logging; SQLite itself does not wait for others who do the same."""
    until = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _check(connection: Connection) -> None:
    """Check the file's integrity: a damaged file must not be written to."""
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if found != "ok":
            raise BadDatabase("damaged", found=" ".join(str(found).split()))
    for table in metadata.sorted_tables:
        connection.execute(select(table).limit(0))


def _migrate(connection: Connection) -> None:
    """Bring the tables up to date, alone: other processes that start wait for the lock."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
    config = _migrations()
    config.attributes["connection"] = connection
    script = ScriptDirectory.from_config(config)
    present = MigrationContext.configure(connection).get_current_revision()
    if present == script.get_current_head():
        return
    known = {revision.revision for revision in script.walk_revisions()}
    if present is not None and present not in known:
        raise BadDatabase("newer", version=present)
    if present is not None:
        keep_copy(connection, present)
    command.upgrade(config, "head")


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    return config


def head() -> str:
    """The version of the schema in this release."""
    return str(ScriptDirectory.from_config(_migrations()).get_current_head())


def _shown(url: URL) -> str:
    """The address without its password."""
    return str(url.database) if url.drivername == "sqlite" else url.render_as_string()
