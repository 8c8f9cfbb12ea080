"""Opening a database: where it is, what it is, and several who do it at once."""

from __future__ import annotations

import multiprocessing
import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from escale.store import Store, StoreError
from escale.store.database import database_url, open_database
from escale.store.schema import metadata


def test_where_the_database_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ESCALE_DATABASE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert str(database_url().database).endswith("escale.sqlite3")
    monkeypatch.setenv("ESCALE_DATABASE", str(tmp_path / "of the house.db"))
    assert database_url().database == str(tmp_path / "of the house.db")
    assert database_url("sqlite:////x/y.db").database == "/x/y.db"
    url = database_url("postgresql://ana:pass@example.org/escale")
    assert url.drivername == "postgresql+psycopg"
    for strange in ("mysql://x/y", "://", "sqlite://", "sqlite:///:memory:"):
        with pytest.raises(StoreError, match="path"):
            database_url(strange)


def test_the_migrations_make_what_the_schema_says(database: str) -> None:
    engine = open_database(database_url(database))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        if engine.dialect.name == "sqlite":
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    engine.dispose()


def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "escale.sqlite3"
    Store(str(path)).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_newer_database_is_left_alone(database: str) -> None:
    Store(database).close()
    if database.startswith("postgresql"):
        with psycopg.connect(database) as server:
            server.execute("UPDATE alembic_version SET version_num = '9999'")
    else:
        file = sqlite3.connect(database)
        file.execute("UPDATE alembic_version SET version_num = '9999'")
        file.commit()
        file.close()
    with pytest.raises(StoreError, match="version 9999, which a newer Escale made"):
        Store(database)


def test_what_is_no_database_is_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear house,\n" * 200)
    with pytest.raises(StoreError, match=r"Cannot open .*letter.txt: file is not a database"):
        Store(str(letter))
    assert letter.read_text().startswith("Dear house")
    with pytest.raises(StoreError, match="Cannot open"):
        Store(str(tmp_path))
    with pytest.raises(StoreError, match="Cannot open"):
        Store(str(letter / "below"))


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Cannot open postgresql") as refused:
        Store(f"postgresql://ana:pass-word@/escale?host={tmp_path}")
    assert "pass-word" not in str(refused.value)


def open_and_close(database: str) -> None:
    Store(database).close()


def test_several_processes_may_start_at_once(database: str) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.store.test_database", "tests.store.appender"])
    starters = [context.Process(target=open_and_close, args=(database,)) for _ in range(5)]
    for starter in starters:
        starter.start()
    for starter in starters:
        starter.join()
    assert [starter.exitcode for starter in starters] == [0] * len(starters)
    Store(database).close()


def test_two_houses_cannot_open_one_file(tmp_path: Path) -> None:
    file = str(tmp_path / "house.sqlite3")
    one = Store(file, alone=True)
    with pytest.raises(StoreError, match="another house has .* open"):
        Store(file, alone=True)
    Store(file).close()                         # as commands do, while the house is open
    with pytest.raises(StoreError):
        Store(file, alone=True)
    one.close()
    Store(file, alone=True).close()


def test_a_killed_house_keeps_no_other_from_its_file(tmp_path: Path) -> None:
    file = str(tmp_path / "house.sqlite3")
    opening = "import sys; from escale.store import Store; s = Store(sys.argv[1], alone=True); " \
        "print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", opening, file], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout
        assert other.stdout.readline() == "open\n"
        with pytest.raises(StoreError, match="another house"):
            Store(file, alone=True)
        other.kill()
    Store(file, alone=True).close()
