"""Without a C compiler the package installs and works, and says so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_without_a_compiler(tmp_path: Path) -> None:
    copy = tmp_path / "escale"
    ignore = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(ROOT / "src", copy / "src", ignore=ignore)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    bare = {name: value for name, value in os.environ.items() if name != "ESCALE_PURE"}
    built = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=copy,
        env={**bare, "CC": str(tmp_path / "no-such-compiler")}, capture_output=True, text=True,
    )
    assert built.returncode == 0, built.stderr
    assert "not compiled" in built.stderr
    assert not list(copy.rglob("*.so"))
    ran = subprocess.run(
        [sys.executable, "-c", "import escale, escale.match.match\n"
         "print(escale.COMPILED, escale.__file__)\n"
         "print(len(escale.game('canoe').start().moves()))"],
        cwd=tmp_path, env={**bare, "PYTHONPATH": str(copy / "src")}, capture_output=True, text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == f"False {copy / 'src/escale/__init__.py'}\n61\n"
    assert ran.stderr.count("escale is not compiled") == 1
