"""How many tests run at a time, at which priority, with the games of this package only.

There is also a PostgreSQL for those tests that need one.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.postgres import postgres
from tests.site.own_shelf import own_games_only

own_games_only()

NUMBERS = itertools.count()
SITE = str(Path(__file__).parent / "site")
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (SITE, os.environ.get("PYTHONPATH"))))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: tests often wait, for a page, a process or a disk."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server that runs for the whole session."""
    with postgres() as url:
        if url is None:
            pytest.skip("NO POSTGRESQL HERE: what needs it is not tested; install PostgreSQL or "
                        "pgserver to test everything")
        yield url


@pytest.fixture
def postgres_database(server: str) -> str:
    """The address of an empty database on it."""
    name = f"test{next(NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")
