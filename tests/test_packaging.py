"""What `pip` is told: the package has a name of its own, and the command is `escale`."""

from __future__ import annotations

import importlib.metadata
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import escale
from tests.test_light import MISSING, needed

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
            # On PyPI `escale` is another project.
            for wish in re.findall(r"pip3? +(?:install|download) +([^`]*)", line):
                named = re.findall(r"\bescale[\w-]*", wish.split("#")[0])
                told += named
                assert set(named) <= {NAME}, f"{path.relative_to(ROOT)}: {line.strip()}"
    assert len(told) >= 3               # the readme, and what is said where an extra is missing
    for extra in re.findall(rf"{NAME}\[(\w+)\]", "".join(p.read_text("utf-8") for p in TEXTS)):
        assert extra in project["optional-dependencies"]


@pytest.mark.parametrize("repository", ["", "https://code.example/lodge/escale"])
def test_a_package_index_gets_a_readme_without_relative_links(repository: str) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    made = runpy.run_path(str(ROOT / "setup.py"))["index_readme"](readme, repository, "v1.2")
    relative = re.findall(r"(!?)\[[^]]*\]\((?!https?:)([^)\s]+)\)", readme)
    assert sum(bool(picture) for picture, _ in relative) == 2
    assert not re.search(r"\]\((?!https?://)", made)
    for picture, path in relative:
        assert (ROOT / path).exists(), path
        address = f"({repository}/{'raw' if picture else 'blob'}/v1.2/{path})"
        assert (address in made) == bool(repository)
    assert len(made.splitlines()) == len(readme.splitlines())


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
        metadata = message_from_bytes(file.read(f"{info}/METADATA"))
        assert metadata["Name"] == NAME
        assert metadata["Description-Content-Type"] == "text/markdown"
        assert "![" not in str(metadata.get_payload())      # a picture that would not be found
        assert "house" in metadata.get_all("Provides-Extra", [])
        fastapi, = (one for one in metadata.get_all("Requires-Dist", []) if "fastapi" in one)
        assert re.search(r"extra == .house", fastapi)
        assert b"escale = escale.cli:main" in file.read(f"{info}/entry_points.txt")
        file.extractall(tmp_path / "unpacked")
    tracked = subprocess.run(
        ["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert {path.removeprefix("src/") for path in tracked} <= held
    assert {name.partition("/")[0] for name in held} == {"escale", info}
    ran = subprocess.run(
        [sys.executable, "-m", "escale", "games"], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "unpacked"), "COLUMNS": "200"},
    )
    assert ran.returncode == 0, ran.stderr
    assert all(game.slug in ran.stdout for game in escale.games())


@pytest.mark.exhaustive
def test_a_compiled_wheel_satisfies_the_contract_without_compiler_sources_and_house(
    tmp_path: Path
) -> None:
    wheel = build_wheel(tmp_path)
    home = tmp_path / "home"
    venv.create(home, symlinks=True)
    site, = home.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(site)
    # What Escale depends on comes from here; Escale itself and its extras do not.
    for name in needed():
        try:
            depends = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:     # of another system
            continue
        tops = {file.parts[0] for file in depends.files or ()} - {"..", "__pycache__"}
        for top in tops - {path.name for path in site.iterdir()}:
            (site / top).symlink_to(Path(str(depends.locate_file(top))))

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [home / "bin/python", "-m", "escale", *words], cwd=tmp_path, capture_output=True,
            text=True, env={"PATH": str(home / "bin"), "LANG": "C.UTF-8", "ESCALE_LANG": "en"},
        )

    ran = run("check", "--games", "5")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert all(game.slug in ran.stdout for game in escale.games())
    assert "not compiled" not in ran.stderr
    for words in ([], ["serve"], ["backup", "x"]):
        ran = run(*words)
        assert (ran.returncode, ran.stderr) == (2, MISSING)
