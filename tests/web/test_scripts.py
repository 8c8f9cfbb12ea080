"""The scripts: checked for types, and every sentence they say is in the catalogue."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from escale.game.texts import LANGUAGES
from escale.server import browser_types
from escale.web import STATIC, TEMPLATES, client_words
from escale.web.script_words import all_modules, script_words

HERE = Path(__file__).parent
SCRIPTS = sorted((STATIC / "js").glob("*.js"))
TYPESCRIPT = "typescript@5.9.2"

#: Keys that a script puts together: what stands before the gap, and what may stand in it.
COMPOSED = {
    "connection-": ("connecting", "lost", "polling"),
    "speed-": ("calm", "normal", "instant"),
    "offered-": ("draw", "takeback", "rematch"),
    "challenge-": ("sent", "silent", "gone"),
}


def typescript() -> Path:
    """The compiler, installed once into the user's cache; skips where that is impossible."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("THE TYPES OF THE SCRIPTS ARE NOT CHECKED: there is no node or no npm here")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "escale" / TYPESCRIPT.replace("@", "-")
    compiler = folder / "node_modules" / "typescript" / "bin" / "tsc"
    if not compiler.exists():
        folder.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--no-audit", "--no-fund", "--no-save", TYPESCRIPT]
        done = subprocess.run(install, cwd=folder, capture_output=True, text=True, timeout=300)
        if not compiler.exists():
            pytest.skip(
                f"THE TYPES OF THE SCRIPTS ARE NOT CHECKED: no {TYPESCRIPT}: {done.stderr[-300:]}"
            )
    return compiler


def test_types() -> None:
    compiler = typescript()
    command = ["node", str(compiler), "--project", str(HERE / "tsconfig.json"), "--pretty", "false"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout


def test_modules_are_of_one_concern_and_short() -> None:
    """What is longer is two modules; `types.js` is made from the schema."""
    lengths = {
        script.name: len(script.read_text("utf-8").splitlines()) for script in SCRIPTS
        if script.name != "types.js"
    }
    assert {name: lines for name, lines in lengths.items() if lines > 320} == {}


def inside(text: str, start: int) -> str:
    """What stands between a parenthesis that has just been opened and its end."""
    depth, end = 1, start
    while depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return text[start:end - 1]


def said_by(scripts: Iterable[Path]) -> dict[str, set[str]]:
    """Every key that scripts use, with the gaps that they fill."""
    found: dict[str, set[str]] = {}
    for script in scripts:
        text = script.read_text("utf-8")
        for start in re.finditer(r"\bsay\(", text):
            call = inside(text, start.end())
            key, *rest = re.split(r",\s*\{", call, maxsplit=1)
            gaps = set(re.findall(r"(\w+)\s*:", rest[0])) if rest else set()
            if rest:                        # {ply, last: 3}: names alone fill their own gap
                gaps |= set(re.findall(r"(?:^|,)\s*(\w+)\s*(?=,|\}|$)", rest[0]))
            for name in re.findall(r'"([\w-]+)"', key):
                found.setdefault(name, set()).update(gaps)
            for name in re.findall(r"`([\w-]+-)\$\{", key):
                for end in COMPOSED[name]:
                    found.setdefault(name + end, set()).update(gaps)
    return found


def said() -> dict[str, set[str]]:
    """Every key that scripts and templates use, with the gaps that they fill."""
    found = said_by(SCRIPTS)
    for template in TEMPLATES.glob("*.html"):
        text = template.read_text("utf-8")
        for name, rest in re.findall(r"""say\(["']client\.([\w-]+)["']([^)]*)\)""", text):
            found.setdefault(name, set()).update(re.findall(r"(\w+)=", rest))
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_is_in_the_catalogue_and_used(lang: str) -> None:
    words = client_words(lang)
    used = said()
    assert not used.keys() - words.keys()
    assert not words.keys() - used.keys()
    for key, gaps in used.items():
        wanted = set(re.findall(r"\{(\w+)\}", words[key]))
        assert wanted <= gaps, f"{key}: nobody fills {wanted - gaps}"


@pytest.mark.parametrize("script", [
    "table.js", "learn.js", "puzzle.js", "puzzle_list.js", "analysis.js", "review.js", "rules.js",
    "my.js", "shelf.js",
])
def test_a_page_carries_what_its_scripts_say_and_hardly_more(script: str) -> None:
    modules = all_modules(script)
    needed = said_by(STATIC / "js" / module for module in modules).keys()
    for lang in LANGUAGES:
        carried = script_words(lang, script)
        assert needed <= carried.keys()
        assert len(carried.keys() - needed) <= 3, carried.keys() - needed


def test_words_of_modules_that_are_fetched_later_are_there() -> None:
    assert "coach.js" in all_modules("table.js")
    assert "coach-another" in script_words("fr", "table.js")
    assert "coach-another" not in script_words("fr", "learn.js", "puzzle.js")
    assert len(script_words("fr", "learn.js")) < len(client_words("fr")) / 5


def test_scripts_make_no_markup_from_words() -> None:
    for script in SCRIPTS:
        text = script.read_text("utf-8")
        for door in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert door not in text, f"{script.name} uses {door}"


def test_scripts_know_no_game() -> None:
    from escale import games

    slugs = "|".join(game.slug for game in games())
    for script in SCRIPTS:
        code = re.sub(r"//.*|/\*.*?\*/", "", script.read_text("utf-8"), flags=re.DOTALL)
        assert not re.search(rf"\b({slugs})\b", code), f"{script.name} names a game"


def test_nothing_moves_for_ever() -> None:
    from escale import games

    for sheet in (STATIC / "css").glob("*.css"):
        assert "infinite" not in sheet.read_text("utf-8"), sheet.name
    for script in SCRIPTS:
        endless = r"\bInfinity\s*[,}]|requestAnimationFrame"
        code = re.sub(r"//.*|/\*.*?\*/", "", script.read_text("utf-8"), flags=re.DOTALL)
        assert not re.search(endless, code), script.name
    for game in games():
        assert "<animate" not in game.art, game.slug


def test_no_style_asks_what_a_whole_page_has() -> None:
    """Whatever changes in an element that is asked so has all in it styled again: a move took
    fifteen times as long.
    """
    for sheet in (STATIC / "css").glob("*.css"):
        asked = re.findall(r"([\w.#:()-]*):has\(", sheet.read_text("utf-8"))
        wide = [one for one in asked if re.search(r"(html|body|main|\.table|\.layout)\b", one)]
        assert wide == [], sheet.name


def test_the_types_are_those_of_the_schema() -> None:
    """After a change of the schema: python -m escale.server.browser_types"""
    assert browser_types.FILE.read_text("utf-8") == browser_types.types()
