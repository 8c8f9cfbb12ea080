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


@pytest.mark.skipif(
    sys.platform != "linux" or COMPILER is None, reason="LINUX AND A C COMPILER ARE NEEDED"
)
@pytest.mark.parametrize(
    ("step", "least"), [(25, 20), pytest.param(1, 1000, marks=pytest.mark.exhaustive)]
)
def test_a_failing_disk_loses_nothing_that_was_acknowledged(
    folder: Path, step: int, least: int
) -> None:
    library = folder / "failing_disk.so"
    assert COMPILER is not None
    subprocess.run(
        [COMPILER, "-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True
    )
    ran = subprocess.run(
        [sys.executable, "-m", "tests.attacks.failing_disk", str(folder), str(step)],
        capture_output=True, text=True, timeout=3000,
        env={**os.environ, "LD_PRELOAD": str(library)},
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert int(ran.stdout) >= least
