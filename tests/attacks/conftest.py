"""Where the attacks put what they write."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory where that is possible: a killed process, unlike a machine, leaves its files."""
    made = Path(tempfile.mkdtemp(prefix="escale-", dir=MEMORY if MEMORY.is_dir() else None))
    yield made
    shutil.rmtree(made)
