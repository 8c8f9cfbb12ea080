"""The documentation is true: its sessions run, and it leaves nothing out."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import sys
import tomllib
from pathlib import Path

import pytest

import escale
from escale.cli import app
from escale.game.texts import house
from escale.match.events import FIELDS
from escale.match.verify import Verdict, verify
from escale.opponents.engine import Engine

ROOT = Path(__file__).parent.parent
MODULES = [module.name for module in pkgutil.walk_packages(escale.__path__, "escale.")]


def test_readme_session() -> None:
    results = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert results.attempted >= 6
    assert results.failed == 0


def test_the_session_on_lots() -> None:
    results = doctest.testfile(str(ROOT / "docs/transcripts.md"), module_relative=False)
    assert results.attempted >= 5
    assert results.failed == 0


def test_the_transcript_in_the_manual_is_right() -> None:
    page = (ROOT / "docs/transcripts.md").read_text("utf-8")
    block = re.search(r"```\n(.*?)```", page, re.DOTALL)
    assert block is not None
    assert {finding.verdict for finding in verify(block[1])} == {Verdict.RIGHT}


def test_every_event_is_in_the_manual() -> None:
    page = (ROOT / "docs/transcripts.md").read_text("utf-8")
    for do, names in FIELDS.items():
        row = re.search(rf"\| `{do}` \|([^|]*)\|", page)
        assert row is not None, do
        assert set(re.findall("`([a-z]+)`", row[1])) == names


def test_the_readme_tells_the_refusal_as_it_is() -> None:
    position = escale.game("tortuga").start(first="south")
    for move in ("d2-d3", "d6-d5", "d3-d4"):
        position = position.play(move)
    with pytest.raises(escale.IllegalMove) as refused:
        position.play("c6-c5")
    assert f"IllegalMove: {refused.value}" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_docstring_sessions(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_request_of_the_protocol_is_documented() -> None:
    page = (ROOT / "docs/protocol.md").read_text("utf-8")
    answer = Engine().answer('{"do": "?"}')
    listed = re.search(r"one of ([a-z, ]+);", answer)
    assert listed is not None
    for do in listed[1].split(", "):
        assert f"| `{do}` |" in page


def test_the_bot_of_the_protocol_page_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs/protocol.md").read_text("utf-8")
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert code is not None
    bot = code[1].replace('["escale", "engine"]', repr([sys.executable, "-m", "escale", "engine"]))
    names: dict[str, object] = {}
    exec(bot, names)
    assert "tortuga#2" in capsys.readouterr().out
    names["engine"].communicate()  # type: ignore[attr-defined]


def test_every_dependency_has_a_reason() -> None:
    page = (ROOT / "docs/dependencies.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    for requirement in [*project["dependencies"], *(r for extra in extras for r in extra)]:
        name = re.match(r"[\w-]+", requirement)
        assert name is not None
        assert f"`{name[0]}`" in page, requirement
        assert re.search(r"[<>=]", requirement), f"{requirement} is not pinned"


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    commands = [c.name or c.callback.__name__ for c in app.registered_commands if c.callback]
    for name in [*commands, *(group.name for group in app.registered_groups)]:
        assert f"escale {name}" in readme


def test_the_house_speaks_every_language() -> None:
    assert house().missing() == []
