"""A house opens at once, however many tables are stored: it wakes what is due, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.recovery import CLOCKED, THINKING, fill, report


@pytest.mark.parametrize("tables", [600, pytest.param(20_000, marks=pytest.mark.exhaustive)])
def test_a_house_wakes_only_what_is_due(folder: Path, tables: int) -> None:
    database = folder / "house.sqlite3"
    fill(database, tables)
    found = report(database)
    assert found["tables in memory"] == CLOCKED + THINKING
    assert found["megabytes"] < 60              # 1,920 when all were read
