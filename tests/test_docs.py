"""The documentation is true: its sessions run, and it leaves nothing out."""

from __future__ import annotations

import ast
import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from markdown import markdown
from msgspec import structs
from typer.main import get_command

import escale
from escale.cli import app
from escale.game.texts import house
from escale.match.events import EVENTS
from escale.match.verify import Verdict, verify
from escale.opponents.engine import Session
from escale.web import STATIC
from tests.server.hosting import hosted, person

ROOT = Path(__file__).parent.parent
MODULES = [module.name for module in pkgutil.walk_packages(escale.__path__, "escale.")]
CODE = re.DOTALL | re.MULTILINE
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_code_block_of_a_page_is_shown_as_one(page: Path) -> None:
    text = markdown(page.read_text("utf-8"), extensions=["fenced_code", "tables"])
    rest = re.sub(r"<pre>.*?</pre>|<p>:::.*?</p>", "", text, flags=re.DOTALL)
    for line in rest.splitlines():
        assert not re.match(r" {4,}\S|.*```", line), line
    for paragraph in re.findall(r"<p>(.*?)</p>", rest, re.DOTALL):
        first = paragraph.splitlines()[0]
        assert not re.match(r"(escale|podman|pip|python|sudo)( [a-z-]+)*$", first), paragraph


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_code_block_is_what_it_says_it_is(page: Path) -> None:
    for lang, block in re.findall(r"^ *```(\w+)\n(.*?)^ *```$", page.read_text("utf-8"), CODE):
        code = textwrap.dedent(block)
        if lang == "toml":
            tomllib.loads(code)
        elif lang == "python" and ">>>" in code:
            assert doctest.DocTestParser().get_examples(code)
        elif lang == "python":
            ast.parse(code)


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


def test_the_names_in_the_glossary_exist() -> None:
    page = (ROOT / "docs/glossary.md").read_text("utf-8")
    code = "".join(path.read_text("utf-8") for path in (ROOT / "src/escale").rglob("*.py"))
    named = set(re.findall(r"`([A-Za-z_]\w*(?:\.\w+)*)(?:\(\w+\))?`", page))
    assert len(named) > 20
    for name in named:
        for part in name.removesuffix(".md").removesuffix(".toml").split("."):
            assert re.search(rf"\b{re.escape(part)}\b", code), name


def test_every_script_stands_in_the_table_of_modules() -> None:
    page = (ROOT / "docs/browser.md").read_text("utf-8")
    table = page.partition("## Modules")[2].partition("|---|---|")[2].partition("\n\n")[0]
    names = "".join(row.rpartition(" | ")[0] for row in table.splitlines())
    told = re.findall(r"`([\w-]+\.js)`", names)
    scripts = [script.name for script in (STATIC / "js").glob("*.js")]
    assert sorted(told) == sorted(script for script in scripts if script != "types.js")


def test_the_map_is_short_enough_to_be_one() -> None:
    assert len((ROOT / "docs/architecture.md").read_text("utf-8").splitlines()) <= 200


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_module_that_a_page_names_exists(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    files = [
        f"/{path.relative_to(ROOT).as_posix()}" for folder in ("src", "tests", "bench", "examples")
        for path in (ROOT / folder).rglob("*.*")
    ]
    for name in re.findall(r"`([\w./-]+\.(?:py|pxd|js|css))`", text):
        assert any(file.endswith(f"/{name}") for file in files), name


def test_a_move_takes_the_way_that_the_map_tells(tmp_path: Path) -> None:
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    rows = re.findall(r"^(\d+)\. `([\w/.]+)` · ([^:]+):", page, re.MULTILINE)
    assert [int(number) for number, _, _ in rows] == list(range(1, len(rows) + 1))
    assert len(rows) <= 20
    source = Path(escale.__file__).parent
    called: dict[tuple[str, str], None] = {}            # in the order of their first calls

    def note(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(source)):
            file = Path(code.co_filename).relative_to(source).as_posix()
            name = code.co_qualname.partition(".<locals>")[0]
            called.setdefault((file.removeprefix("server/"), name))

    async def watch(profile: Callable[[FrameType, str, object], None] | None) -> None:
        sys.setprofile(profile)

    with hosted(tmp_path) as house:
        table = house.create("tortuga", person("Ada"), person("Ben"), options={"first": "south"})
        with table.live() as ear:
            n = ear.next("state")["n"]
            house.run(watch(note))
            ear.send(do="play", seat=0, id="1", n=n, move="d2-d3")
            ear.next("done")
            house.run(watch(None))
    hops = [
        (module, name) for _, module, names in rows for name in re.findall(r"`([\w.]+)`", names)
    ]
    assert [call for call in called if call in hops] == hops


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


def names_that_games_import() -> list[str]:
    """All that the games of the shelf, the examples and a new game import from Escale."""
    template = ROOT / "src" / "escale" / "devkit" / "template"
    sources = [
        *(ROOT / "src" / "escale" / "games").rglob("*.py"), *template.rglob("*.py.txt"),
        *(ROOT / "examples").rglob("src/**/*.py"),
    ]
    found = set()
    for path in sources:
        code = re.sub(r"@([A-Z]+)@", r"\1", path.read_text("utf-8"))
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom) and re.match(
                r"escale\.(game|kernel|devkit)\b(?!s)", node.module or ""
            ):
                found |= {alias.name for alias in node.names}
    return sorted(found - {"geometry", "weights", "SHAPE"})


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
    authors = (tmp_path / "docs" / "reference" / "authors.html").read_text("utf-8")
    guide, source = (
        (ROOT / "docs" / page).read_text("utf-8")
        for page in ("adding-a-game.md", "reference/authors.md")
    )
    assert [name for name in names_that_games_import()
            if not re.search(rf'id="[\w.]*\.{name}"', authors + reference.text)
            and not re.search(rf"^\| .*`{name}\b.* \|", guide, re.M)
            and f"`{name}`" not in source] == []
    for page in tmp_path.rglob("*.html"):
        text = page.read_text("utf-8")
        # The policy forbids scripts and styles within a page, and nothing is loaded from elsewhere.
        assert not re.search(r"<(script(?! type=.module. src=)|style)|<[^>]* style=", text), page
        assert not re.search(r'<(link|img|script)[^>]*"(https?:)?//', text), page


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
    for name in get_command(app).commands:                  # type: ignore[attr-defined]
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
