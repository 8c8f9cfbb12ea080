"""Every test of the store runs on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "escale.sqlite3")
    found: str = request.getfixturevalue("postgres_database")
    return found
