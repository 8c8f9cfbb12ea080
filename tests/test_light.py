"""`pip install escale-games` without the extra `house`: what works, and what says it is missing."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from escale.cli import host
from tests.games.golden import path_of

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
GOLDEN = str(path_of("tortuga", ".jsonl"))
MISSING = "escale: The house is not installed; to install it: pip install 'escale-games[house]'\n"
HOUSE = ("escale.server", "escale.store", "escale.web", "escale.render.animation",
         "escale.render.png", "escale.render.qr", "escale.devkit.browser_types",
         "escale.cli.serving", "escale.cli.one_process",
         "escale.cli.several_processes")
OTHERS = ("escale.adapters", "escale.devkit.build", "escale.devkit.offline",
          "escale.devkit.testing")
"""Modules that need what other extras bring, and what builds and tests packages."""

WITHOUT = """
import importlib, json, pkgutil, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

ABSENT = set(json.loads(sys.argv[1]))
sys.meta_path.insert(0, Absent())
"""
"""Run first in a process: it cannot import what stands in its first argument."""
IMPORT_ALL = WITHOUT + """
import escale
failed = {}
for module in pkgutil.walk_packages(escale.__path__, "escale.", onerror=lambda name: None):
    if not module.name.endswith("__main__") and ".migrations." not in module.name:
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            failed[module.name] = error.name
print(json.dumps(failed))
"""
RUN = WITHOUT + """
import contextlib, io, traceback
from escale.cli import main

def run(words, typed):
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()))
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            code = traceback.format_exc()
    return code, out.getvalue(), err.getvalue()

print(json.dumps([run(*one) for one in json.load(sys.stdin)]))
"""
"""Then run one command after another, each with what is typed; what comes of each is printed."""


def names_of(requirements: Iterable[str]) -> set[str]:
    """The distributions that requirements name, in the spelling of package indexes."""
    found = (re.match(r"[\w.-]+", one) for one in requirements if "extra ==" not in one)
    return {re.sub(r"[-_.]+", "-", name[0]).lower() for name in found if name}


def needed() -> set[str]:
    """The distributions that the package brings by default, with all that they need."""
    known, waiting = set(), names_of(PROJECT["dependencies"])
    while waiting:
        known.add(name := waiting.pop())
        try:
            waiting |= names_of(importlib.metadata.requires(name) or ()) - known
        except importlib.metadata.PackageNotFoundError:
            continue                                        # of another system
    return known


def absent() -> list[str]:
    """The top-level modules of all other distributions that are installed here."""
    kept = {*needed(), "escale-games", "pip", "setuptools"}
    return [
        module for module, owners in importlib.metadata.packages_distributions().items()
        if not names_of(owners) & kept and module != "tests"
    ]


def run(script: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script, json.dumps(absent())], input=typed,
        capture_output=True, text=True, timeout=600,
        env={**os.environ, "ESCALE_LANG": "en", "COLUMNS": "80"},
    )


def run_all(commands: list[tuple[list[str], str]]) -> Iterator[tuple[str, int | str, str, str]]:
    """The name of each command, with its code, its output and its errors; all in one process."""
    ran = run(RUN, json.dumps(commands))
    assert ran.returncode == 0, ran.stderr
    for (words, _), found in zip(commands, json.loads(ran.stdout), strict=True):
        yield (" ".join(words), *found)


def test_few_packages_are_needed() -> None:
    assert names_of(PROJECT["dependencies"]) == {"cython", "msgspec", "rich", "typer"}
    assert not needed() & names_of(PROJECT["optional-dependencies"]["house"])
    assert {"fastapi", "sqlalchemy", "uvicorn"} <= set(absent())


def test_the_command_knows_every_package_of_the_house() -> None:
    modules = importlib.metadata.packages_distributions()
    house = names_of(PROJECT["optional-dependencies"]["house"])
    imported = {module for module, owners in modules.items() if names_of(owners) & house}
    public = {one for one in imported if not one.startswith("_") and not one.endswith("__mypyc")}
    assert public <= host.PACKAGES


def test_only_the_house_imports_its_packages() -> None:
    ran = run(IMPORT_ALL)
    assert ran.returncode == 0, ran.stderr
    failed: dict[str, str] = json.loads(ran.stdout)
    assert "escale.server.app" in failed
    for module, name in failed.items():
        known = HOUSE if name.partition(".")[0] in host.PACKAGES else (*HOUSE, *OTHERS)
        assert module.startswith(known), f"{module} needs {name}"


WORKS = [
    (["--version"], "", "escale "),
    (["games"], "", "tortuga"),
    (["play", "tortuga", "--against", "mousse"], "quit\n", "North"),
    (["learn", "tortuga"], "quit\n", "Tortuga"),
    (["analyse", "tortuga", "--nodes", "100"], "", "1\\. "),
    (["review", GOLDEN, "--budget", "50"], "", "1\\. "),
    (["verify", GOLDEN], "", "ok"),
    (["check", "canoe", "--games", "1"], "", "ok   facts"),
    (["draw", "tortuga"], "", "<svg"),
    (["engine"], "", ""),
    (["arena", "match", "random", "mousse", "-g", "tortuga", "-n", "2", "--processes", "1"], "",
     "random against mousse"),
    (["study", "puzzles", "tortuga"], "", "puzzle"),
]
"""Commands that need no house, what is typed, and what they say."""


def test_what_works_without_the_house() -> None:
    ran = run_all([(words, typed) for words, typed, _ in WORKS])
    for (name, code, out, err), (_, _, says) in zip(ran, WORKS, strict=True):
        assert code == 0, f"{name}: {code} {err}"
        assert re.search(says, out), f"{name}: {out}"


NEEDS: list[list[str]] = [
    [], ["serve"], ["serve", "--engine", "mine=./mine"], ["backup", "x"], ["restore", "x"],
    ["tidy"], ["bot", "show"], ["score", GOLDEN],
    ["review", GOLDEN, "--budget", "50", "--format", "html"],
]


def test_what_needs_the_house_says_what_to_install() -> None:
    for name, code, out, err in run_all([(words, "") for words in NEEDS]):
        assert (code, out) == (2, ""), name
        assert err.splitlines(keepends=True)[-1] == MISSING, name
        assert "Traceback" not in err, name
