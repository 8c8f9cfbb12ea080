"""A fresh environment for packages that bring games: nothing of theirs is in this one."""

from __future__ import annotations

import os
import subprocess
import sysconfig
import venv
from pathlib import Path

import escale


class Environment:
    """A virtual environment that sees this Escale and what it needs, and its own packages."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False, symlinks=True)
        self.python = folder / "bin" / "python"
        self.packages = next((folder / "lib").glob("python*/site-packages"))
        here = [str(Path(escale.__file__).parent.parent), sysconfig.get_path("purelib")]
        (self.packages / "this-escale.pth").write_text("\n".join(here) + "\n", "utf-8")

    def install(self, package: Path) -> None:
        """Build and install a package, compiling it."""
        self.run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
                 "--no-build-isolation", "--no-index", str(package), PYTHONWARNINGS="default")

    def run(self, *words: str, **more: str) -> str:
        """What a command of this environment's Python prints."""
        ran = subprocess.run(
            [str(self.python), *words], env=self.variables(**more), capture_output=True, text=True,
            timeout=300, cwd=self.packages,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran.stdout

    def variables(self, **more: str) -> dict[str, str]:
        bare = {name: value for name, value in os.environ.items()
                if name not in ("ESCALE_PURE", "PYTHONPATH")}
        return {**bare, "PYTHONWARNINGS": "error", **more}


def claim(packages: Path, name: str, module: str, code: str) -> None:
    """A package that is as good as installed: its module, and an entry point that names it."""
    (packages / f"{module}.py").write_text(code, "utf-8")
    info = packages / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[escale.games]\n{module} = {module}\n", "utf-8")


