"""The documentation is true: its sessions run, and it leaves nothing out."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from msgspec import structs

import escale
from escale.cli import app
from escale.game.texts import house
from escale.match.events import EVENTS
from escale.match.verify import Verdict, verify
from escale.opponents.engine import Session
from escale.web import STATIC
from tests.server.hosting import hosted

ROOT = Path(__file__).parent.parent
MODULES = [module.name for module in pkgutil.walk_packages(escale.__path__, "escale.")]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def links(page: Path) -> list[tuple[Path, str]]:
    """The files that a page links to or shows, each with the heading after `#`, or nothing."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    return [
        ((page.parent / file).resolve() if file else page, heading)
        for file, _, heading in (target.partition("#") for target in targets)
        if "://" not in file
    ]


def headings(page: Path) -> set[str]:
    """The anchors that GitHub gives to a page's headings."""
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target, heading in links(page):
        assert target.exists(), f"{page.name} links to {target}"
        assert not heading or heading in headings(target), f"{target.name} has no #{heading}"


def test_every_page_can_be_reached_from_the_index() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "docs/README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached and page.suffix == ".md" and page.exists():
            reached.add(page)
            waiting += [target for target, _ in links(page)]
    assert {str(page) for page in PAGES} <= {str(page) for page in reached}


def test_the_modules_in_the_glossary_exist() -> None:
    page = (ROOT / "docs/glossary.md").read_text("utf-8")
    named = re.findall(r"`([a-z_]+/[a-z_/]*(?:\.py)?)`", page)
    assert len(named) > 10
    for name in named:
        assert (ROOT / "src/escale" / name).exists() or (ROOT / name).exists(), name


def test_every_script_stands_in_the_table_of_modules() -> None:
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    table = page.partition("## In the browser")[2].partition("|---|---|")[2].partition("\n\n")[0]
    names = "".join(row.rpartition(" | ")[0] for row in table.splitlines())
    told = re.findall(r"`([\w-]+\.js)`", names)
    scripts = [script.name for script in (STATIC / "js").glob("*.js")]
    assert sorted(told) == sorted(script for script in scripts if script != "types.js")


def test_readme_session() -> None:
    results = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert results.attempted >= 6
    assert results.failed == 0


def test_the_session_on_chance_outcomes() -> None:
    results = doctest.testfile(str(ROOT / "docs/transcripts.md"), module_relative=False)
    assert results.attempted >= 5
    assert results.failed == 0


def test_the_sessions_on_adapters() -> None:
    results = doctest.testfile(str(ROOT / "docs/adapters.md"), module_relative=False)
    assert results.attempted >= 10
    assert results.failed == 0


def test_the_transcript_in_the_manual_is_right() -> None:
    page = (ROOT / "docs/transcripts.md").read_text("utf-8")
    block = re.search(r"```\n(.*?)```", page, re.DOTALL)
    assert block is not None
    assert {finding.verdict for finding in verify(block[1])} == {Verdict.RIGHT}


def test_every_event_is_in_the_manual() -> None:
    page = (ROOT / "docs/transcripts.md").read_text("utf-8")
    common = {"n", "at", "id"}
    for do, kind in EVENTS.items():
        names = {each.name for each in structs.fields(kind)} - common
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


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/reference/*.md")), ids=str)
def test_the_sessions_of_the_reference(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def test_the_documentation_becomes_pages_that_the_house_serves(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict",
         "--site-dir", tmp_path / "docs"], cwd=ROOT, capture_output=True, text=True,
    )
    assert (built.returncode, built.stderr) == (0, "")
    with hosted(tmp_path, docs=tmp_path / "docs") as house:
        index = house.client.get("/docs/", follow_redirects=True)
        reference = house.client.get("/docs/reference/index.html")
        style = house.client.get("/docs/css/docs.css")
        assert (index.status_code, reference.status_code, style.status_code) == (200, 200, 200)
        assert "content-security-policy" in index.headers
        assert house.client.get("/docs/no-such-page.html").status_code == 404
        assert house.client.get("/docs/../pyproject.toml").status_code == 404
    for name in ("Position", "moves", "outcome", "play", "IllegalMove", "games"):
        assert re.search(rf'id="[\w.]*\.{name}"', reference.text), name
    assert "The legal moves" in reference.text              # what a docstring says
    for page in tmp_path.rglob("*.html"):
        text = page.read_text("utf-8")
        assert not re.search(r"<(script|style)|<[^>]* style=", text), page  # the policy forbids it
        assert not re.search(r'<(link|img)[^>]*"(https?:)?//', text), page  # nothing from elsewhere


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_docstring_sessions(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_request_of_the_protocol_is_documented() -> None:
    page = (ROOT / "docs/protocol.md").read_text("utf-8")
    answer = Session().answer('{"do": "?"}')
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
    assert "tortuga#" in capsys.readouterr().out
    names["engine"].communicate()  # type: ignore[attr-defined]


def test_the_clients_of_the_protocol_page_talk_to_an_engine(
    capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs/protocol.md").read_text("utf-8")
    _, *examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(examples) == 2
    for code in examples:
        assert '"escale engine"' in code
        exec(code.replace('"escale engine"', repr(f"{sys.executable} -m escale engine")), {})
    assert "Escale" in capsys.readouterr().out


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


@pytest.mark.skipif(shutil.which("caddy") is None, reason="NO CADDY HERE: `make proxy`")
def test_the_proxies_on_the_page_about_hosting_are_understood(tmp_path: Path) -> None:
    page = (ROOT / "docs/hosting.md").read_text("utf-8")
    found = re.findall(r"```caddyfile\n(.*?)```", page, re.DOTALL)
    assert len(found) == 2
    for number, text in enumerate(found):
        file = tmp_path / f"{number}.caddyfile"
        file.write_text(text)
        ran = subprocess.run(
            ["caddy", "adapt", "--config", str(file), "--adapter", "caddyfile"],
            capture_output=True, text=True, timeout=60, env={**os.environ, "HOME": str(tmp_path)},
        )
        assert ran.returncode == 0, ran.stderr
        assert "not formatted" not in ran.stderr
