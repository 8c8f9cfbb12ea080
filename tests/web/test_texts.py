"""The sentences of the pages: all there, in every language, and none anywhere else."""

from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import pytest

from escale.game.texts import LANGUAGES
from escale.web import FOLDER, STATIC, TEMPLATES, client_words, words

PAGES = sorted(TEMPLATES.iterdir(), key=lambda path: path.name)
SPOKEN = {"alt", "title", "placeholder", "aria-label", "content", "label"}
"""Attributes that people read or hear."""


def gaps(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_no_sentence_lacks_a_language() -> None:
    assert words().missing() == []


def test_a_sentence_has_the_same_gaps_in_every_language() -> None:
    texts = words()
    for key in texts:
        assert len({frozenset(gaps(texts.sentence(key, lang))) for lang in LANGUAGES}) == 1, key


def test_every_sentence_of_the_pages_is_used() -> None:
    """By its whole key in a template or in the program, or by a key that is put together."""
    sources = [*PAGES, *(FOLDER.parent / "server").rglob("*.py")]
    written = " ".join(path.read_text("utf-8") for path in sources)
    put_together = (
        "character.", "error.", "ago.", "client.", "admin.is.", "admin.do.", "admin.column.",
        "admin.figure.", "admin.plot.", "admin.unit.", "about.provenance.", "my.",
        "notices.", "mail.", "lobby.clock-", "lobby.strength-",
        "print.part-", "print.paper-", "evening.format-", "evening.boards-", "evening.board-",
        "evening.place-", "evening.undo-", "evening.use-", "evening.csv-",
    )
    for key in words():
        plain = re.sub(r"\.(one|many)$", "", key)
        assert f'"{plain}"' in written or f"'{plain}'" in written or key.startswith(
            put_together
        ), f"nobody says {key}"


class Prose(HTMLParser):
    """Collects what a template says in its own words."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside.append(tag)
        self.found += [
            value or "" for name, value in attrs
            if name in SPOKEN and not (tag == "meta" and dict(attrs).get("name") != "description")
        ]

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"code", "script"} & set(self.inside):
            self.found.append(data)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.name))
def test_no_template_has_words_of_its_own(path: Path) -> None:
    text = path.read_text("utf-8")
    text = re.sub(r"\{% block body_class %\}[\w -]*\{% endblock %\}", "", text)
    bare = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", text, flags=re.DOTALL)
    prose = Prose()
    prose.feed(bare)
    assert re.findall(r"\w+", " ".join(prose.found)) == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.name))
def test_no_template_has_what_the_policy_forbids(path: Path) -> None:
    """Nor what an escape would not stop: no `safe`, no event handler, no inline style or script."""
    text = path.read_text("utf-8")
    assert not re.search(r"\sstyle\s*=|\son[a-z]+\s*=|<style|javascript:|\|\s*safe\b", text, re.I)
    for attributes in re.findall(r"<script([^>]*)>", text):
        assert "src=" in attributes or 'type="application/json"' in attributes
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text)


def test_scripts_get_their_words() -> None:
    everything = tomllib.loads((FOLDER / "texts.toml").read_text("utf-8"))
    for lang in LANGUAGES:
        assert set(client_words(lang)) == set(everything["client"])
    with pytest.raises(ValueError, match="fr, en"):
        client_words("de")


def test_styles_and_scripts_load_nothing_from_elsewhere() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix in (".css", ".js"):
            text = re.sub(r"http://www\.w3\.org/[\w/]+", "", path.read_text("utf-8"))
            assert not re.search(r"https?://|@import|url\(\s*[\"']?//", text), path.name
