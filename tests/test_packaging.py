"""What `pip` is told: the package has a name of its own, and the command is `escale`."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import escale

ROOT = Path(__file__).parent.parent
NAME = "escale-games"
TEXTS = [
    *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "Makefile", ROOT / "setup.py",
    *(path for path in ROOT.glob("src/**/*")
      if path.suffix in (".py", ".toml", ".md", ".html", ".js")),
]


def test_the_installed_package_provides_the_command() -> None:
    package = importlib.metadata.distribution(NAME)
    assert package.version == escale.__version__
    command, = package.entry_points.select(group="console_scripts")
    assert (command.name, command.value) == ("escale", "escale.cli:main")


def test_the_project_has_the_name_that_pip_is_told() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == NAME
    told = []
    for path in TEXTS:
        for line in path.read_text("utf-8").splitlines():
            # On PyPI `escale` is somebody else's program.
            for wish in re.findall(r"pip3? +(?:install|download) +(.*)", line):
                named = re.findall(r"\bescale[\w-]*", wish.split("#")[0])
                told += named
                assert set(named) <= {NAME}, f"{path.relative_to(ROOT)}: {line.strip()}"
    assert len(told) >= 3               # the readme, and what is said where an extra is missing
    for extra in re.findall(rf"{NAME}\[(\w+)\]", "".join(p.read_text("utf-8") for p in TEXTS)):
        assert extra in project["optional-dependencies"]


def build_wheel(folder: Path, **environment: str) -> Path:
    """A wheel of the sources as they are, without what was compiled before."""
    tree = folder / "tree"
    shutil.copytree(
        ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("*.so", "__pycache__", "*.egg-*")
    )
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
         "--disable-pip-version-check", "--wheel-dir", folder, "."],
        cwd=tree, check=True, env={**os.environ, **environment},
    )
    shutil.rmtree(tree)
    wheel, = folder.glob("*.whl")
    return wheel


@pytest.mark.exhaustive
def test_a_wheel_has_the_name_the_command_and_all_files(tmp_path: Path) -> None:
    wheel = build_wheel(tmp_path, CC=str(tmp_path / "no-such-compiler"))
    with zipfile.ZipFile(wheel) as file:
        held = set(file.namelist())
        info = f"{NAME.replace('-', '_')}-{escale.__version__}.dist-info"
        assert message_from_bytes(file.read(f"{info}/METADATA"))["Name"] == NAME
        assert b"escale = escale.cli:main" in file.read(f"{info}/entry_points.txt")
        file.extractall(tmp_path / "unpacked")
    tracked = subprocess.run(
        ["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert {path.removeprefix("src/") for path in tracked} <= held
    ran = subprocess.run(
        [sys.executable, "-m", "escale", "games"], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "unpacked"), "COLUMNS": "200"},
    )
    assert ran.returncode == 0, ran.stderr
    assert all(game.slug in ran.stdout for game in escale.games())


@pytest.mark.exhaustive
def test_a_compiled_wheel_satisfies_the_contract_without_compiler_and_sources(
    tmp_path: Path
) -> None:
    wheel = build_wheel(tmp_path)
    home = tmp_path / "home"
    venv.create(home, symlinks=True)
    site, = home.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(site)
    # What Escale depends on comes from here; Escale itself does not.
    depends = Path(sysconfig.get_path("purelib"))
    for path in depends.iterdir():
        if "escale" not in path.name and path.suffix != ".pth":
            (site / path.name).symlink_to(path)
    ran = subprocess.run(
        [home / "bin/python", "-m", "escale", "check", "--games", "5"], cwd=tmp_path,
        capture_output=True, text=True, env={"PATH": str(home / "bin"), "LANG": "C.UTF-8"},
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert all(game.slug in ran.stdout for game in escale.games())
    assert "not compiled" not in ran.stderr
