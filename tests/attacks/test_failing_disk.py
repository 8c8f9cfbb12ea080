"""Errors of input and output at every write of the store: what is acknowledged is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("failing_disk.c")
COMPILER = shutil.which("cc") or shutil.which("gcc")


needs_compiler = pytest.mark.skipif(
    sys.platform != "linux" or COMPILER is None, reason="LINUX AND A C COMPILER ARE NEEDED"
)


@pytest.fixture
def library(folder: Path) -> Path:
    """What stands between SQLite and the disk."""
    made = folder / "failing_disk.so"
    assert COMPILER is not None
    subprocess.run([COMPILER, "-O1", "-shared", "-fPIC", "-o", made, SOURCE, "-ldl"], check=True)
    return made


def run(library: Path, module: str, *words: str) -> str:
    """What a program says that runs on the failing disk."""
    ran = subprocess.run(
        [sys.executable, "-m", f"tests.attacks.{module}", *words],
        capture_output=True, text=True, timeout=3000,
        env={**os.environ, "LD_PRELOAD": str(library)},
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout


@needs_compiler
@pytest.mark.parametrize(
    ("step", "least"), [(50, 10), pytest.param(1, 1000, marks=pytest.mark.exhaustive)]
)
def test_a_failing_disk_loses_nothing_that_was_acknowledged(
    folder: Path, library: Path, step: int, least: int
) -> None:
    assert int(run(library, "failing_disk", str(folder), str(step))) >= least


@needs_compiler
def test_a_disk_that_fills_up_or_becomes_read_only_stops_nobody_for_good(
    folder: Path, library: Path
) -> None:
    assert run(library, "full_disk", str(folder)).split() == ["full", "read-only"]
