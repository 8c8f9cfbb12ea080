"""Every test of the store runs on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.store.postgres import postgres

NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with postgres() as url:
        if url is None:
            pytest.skip("NO POSTGRESQL HERE: the store is tested on SQLite only; install "
                        "PostgreSQL or pgserver to test both")
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "escale.sqlite3")
    server: str = request.getfixturevalue("server")
    name = f"test{next(NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")
