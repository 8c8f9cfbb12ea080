"""What `deploy/` holds fits the project: sound units, and an image whose steps lead somewhere."""

from __future__ import annotations

import importlib.metadata
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.main import get_command

from escale.cli import app

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted(path for path in DEPLOY.iterdir() if path.suffix in (".service", ".timer"))
ESCALE = "/opt/escale/bin/escale"


def check_command(words: list[str]) -> None:
    """A command of `escale` with options that it has."""
    command = get_command(app).commands[words[0]]           # type: ignore[attr-defined]
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    given = [word for word in words[1:] if word.startswith("--")]
    assert set(given) <= known, words


def test_the_units_start_commands_that_there_are() -> None:
    started = [
        shlex.split(line.partition("=")[2]) for unit in UNITS
        for line in unit.read_text("utf-8").splitlines() if line.startswith("ExecStart=")
    ]
    assert len(started) == 3
    for program, *words in started:
        assert program == ESCALE
        check_command(words)


def test_each_of_several_processes_is_as_confined_as_one() -> None:
    one, several = (
        (DEPLOY / name).read_text("utf-8") for name in ("escale.service", "escale@.service")
    )
    confined = one.partition("# The house needs the network")[2]
    assert confined
    assert several.endswith(confined)
    page = (ROOT / "docs/hosting.md").read_text("utf-8")
    for unit in UNITS:
        assert f"deploy/{unit.stem}." in page, f"{unit.name} is not on the page about hosting"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="SYSTEMD IS NEEDED")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    escale = Path(sys.executable).with_name("escale")       # where the command is on this machine
    copies = []
    for unit in UNITS:
        copy = tmp_path / unit.name.replace("@.", "@8001.")
        copy.write_text(unit.read_text("utf-8").replace(ESCALE, str(escale)))
        copies.append(str(copy))
    ran = subprocess.run(
        ["systemd-analyze", "verify", *copies], capture_output=True, text=True, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def steps() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, continued lines put together."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Containerfile").read_text("utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split()[0], line.partition(" ")[2].strip()) for line in lines if line.strip()]


def test_the_steps_of_the_image_match_the_project() -> None:
    found = steps()
    stages = [rest.split(" AS ")[1] for step, rest in found if step == "FROM" and " AS " in rest]
    sent = set((DEPLOY / "Containerfile.containerignore").read_text().splitlines())
    for rest in (rest for step, rest in found if step == "COPY"):
        *sources, _ = rest.split()
        if sources[0].startswith("--from="):
            assert sources.pop(0).removeprefix("--from=") in stages
            continue
        for source in sources:
            assert (ROOT / source).exists(), source
            assert f"!{source}" in sent, f"{source} is not sent to the builder"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = ["README.md", *project["license-files"], "setup.py", "pyproject.toml", "src"]
    copied = {source for step, rest in found if step == "COPY" for source in rest.split()}
    assert set(needed) <= copied
    [extras] = re.findall(r"'\.\[(.*?)\]'", " ".join(rest for _, rest in found))
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    version = re.search(r"python:(\d+\.\d+)", dict(found)["ARG"])
    assert version is not None
    assert tuple(map(int, version[1].split("."))) >= (3, 11)


def closure(requirement: Requirement, seen: set[str]) -> set[str]:
    """The packages that a requirement installs, itself included."""
    name = canonicalize_name(requirement.name)
    key = f"{name}[{','.join(sorted(requirement.extras))}]"
    if key in seen:
        return set()
    found: set[str] = {name}
    seen.add(key)
    for line in importlib.metadata.requires(name) or ():
        needed = Requirement(line)
        environments = [{"extra": extra} for extra in ("", *requirement.extras)]
        if needed.marker is None or any(map(needed.marker.evaluate, environments)):
            found |= closure(needed, seen)
    return found


def test_the_constraints_have_an_exact_version_of_all_that_a_house_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    image = " ".join(rest for _, rest in steps())
    assert "pip install --no-cache-dir -c deploy/constraints.txt" in image
    [extras] = re.findall(r"'\.\[(.*?)\]'", image)
    needed = [Requirement(line) for line in project["dependencies"]]
    for extra in extras.split(","):
        needed += map(Requirement, project["optional-dependencies"][extra])
    lines = (DEPLOY / "constraints.txt").read_text("utf-8").splitlines()
    pinned = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    for requirement in needed:
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)])
    seen: set[str] = set()
    names = set[str]().union(*(closure(requirement, seen) for requirement in needed))
    missing = sorted(names - set(pinned))
    assert not missing, "\n".join(f"{name}=={importlib.metadata.version(name)}" for name in missing)


def test_a_backup_is_as_confined_as_the_house() -> None:
    house, backup = (
        (DEPLOY / name).read_text("utf-8") for name in ("escale.service", "escale-backup.service")
    )
    confined = house.partition("and nothing else of the machine.\n")[2].partition("\n[Install]")[0]
    assert len(confined.splitlines()) > 20
    assert backup.endswith(confined)


def test_the_workflows_run_targets_of_the_makefile_on_every_change() -> None:
    files = sorted((ROOT / ".github").rglob("*.yml"))
    read = {file.stem: yaml.safe_load(file.read_text("utf-8")) for file in files}
    assert {"test", "wheels", "bug", "idea"} <= set(read)
    assert {"push", "pull_request"} == set(read["test"][True])      # YAML reads `on` as true
    runs = [step["run"] for job in read["test"]["jobs"].values() for step in job["steps"]
            if "run" in step]
    assert "make test" in runs
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"make ([\w-]+)", " ".join(runs)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_image_runs_as_nobody_in_particular_and_says_how_it_is() -> None:
    found = dict(steps())                       # the last of each kind: of the last stage
    user = found["USER"]
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user)
    assert found["VOLUME"] == "/data"
    assert "ESCALE_DATABASE=/data/" in found["ENV"]
    assert json.loads(found["ENTRYPOINT"]) == ["escale"]
    check_command(json.loads(found["CMD"]))
    health = json.loads(found["HEALTHCHECK"].partition("CMD ")[2])
    assert health[0] == "escale"                            # no other program is needed for it
    check_command(health[1:])
    assert found["EXPOSE"] == "8000"
    assert "curl" not in (DEPLOY / "Containerfile").read_text("utf-8")
    # Two names for one list: each engine looks for its own.
    first, second = (DEPLOY / f"Containerfile.{one}ignore" for one in ("container", "docker"))
    assert first.read_text() == second.read_text()
