"""The rules pages: Markdown in sections, with paragraphs that the program can cite.

    # Tortuga

    An introduction, one paragraph.

    ## In short {#brief}

    - To win, bring a turtle to the opponent's base.

    ## Jumps {#jumps}

    {#must-jump sheet} If any of your turtles can jump an enemy, …

    {#corner source:review} A turtle on a corner …

Each paragraph has a name and states its origin (`Provenance`). The name is the same in every
language and does not change when others are added or moved; the numbers, given when the page is
read, are for readers only. Within a text `{must-jump}` stands for the number of the paragraph of
that name, and a key of the game's texts (`{option.formation.compact}`, `{atom.pass}`) for the text
under that key.

The sections in `LISTS` are lists of sentences; all others are paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from escale.game.texts import Texts, spaced

BRIEF, SETUP, RARE, VARIANTS, TIPS, GLOSSARY, ORIGIN = (
    "brief", "setup", "rare", "variants", "tips", "glossary", "origin",
)
LISTS = (BRIEF, TIPS, GLOSSARY, ORIGIN)
"""Sections that are lists; in the last, a list of the sources."""
ASIDE = (RARE, VARIANTS)
"""Sections of paragraphs that are not needed at a first reading: pages show them folded."""

_HEADING = re.compile(r"## (.+) \{#([a-z0-9-]+)\}")
_PARAGRAPH = re.compile(r"\{#([a-z0-9-]+)(?: ([a-z]+)(?::([a-z0-9-]+))?)?\} (.+)")
_CITED = re.compile(r"\{([a-z0-9][a-z0-9.-]*)\}")
_TERM = re.compile(r"\*([^*]+)\*\s*:\s*(.+)")
_LISTED = re.compile(r"(- (?:\{#[a-z0-9-]+\} )?)(.*)")
_SOURCE = re.compile(r"\{#([a-z0-9-]+)\} (.+)")


class Provenance(StrEnum):
    """The origin of a paragraph; pages explain the values in this order."""

    SHEET = "sheet"
    """The printed rule sheet says so."""
    FOLLOWS = "follows"
    """It follows from the sheet, without any free choice."""
    SOURCE = "source"
    """Another public source says so; the end of the page names it."""
    OURS = "ours"
    """Our reconstruction of lost text, or our own addition."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One numbered rule."""

    number: int
    id: str
    """The name by which the program cites it, such as `must-jump`."""
    provenance: Provenance
    source: str | None
    """The name of the page's source that says so, if the provenance is `SOURCE`."""
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """The content under one heading."""

    id: str
    heading: str
    paragraphs: tuple[Paragraph, ...] = ()
    items: tuple[str, ...] = ()
    """The sentences of a list."""


@dataclass(frozen=True)
class RulesPage:
    """A rules page in one language."""

    title: str
    introduction: str
    sections: tuple[Section, ...]

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """All numbered rules, in order."""
        return tuple(one for section in self.sections for one in section.paragraphs)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each paragraph, by its name."""
        return {paragraph.id: paragraph.number for paragraph in self.paragraphs}

    def section(self, name: str) -> Section | None:
        """The section of that name."""
        return next((section for section in self.sections if section.id == name), None)

    def items(self, name: str) -> tuple[str, ...]:
        """The sentences of a list; none if the page does not have it."""
        section = self.section(name)
        return section.items if section else ()

    @cached_property
    def glossary(self) -> Mapping[str, str]:
        """The meaning of each word that the page explains."""
        return dict(_parts(_TERM, item, "*word*: its meaning") for item in self.items(GLOSSARY))

    @cached_property
    def sources(self) -> Mapping[str, str]:
        """The public sources other than the sheet, by the names that paragraphs cite."""
        return dict(
            _parts(_SOURCE, item, "{#name} which source") for item in self.items(ORIGIN)
            if item.startswith("{#")
        )

    @classmethod
    def parse(cls, markdown: str, lang: str, texts: Texts) -> RulesPage:
        """Read a page; ValueError describes the first fault."""
        title, introduction = "", ""
        headings: list[tuple[str, str]] = []
        blocks: dict[str, list[str]] = {}
        for block in re.split(r"\n\s*\n", markdown.strip()):
            text = spaced(_joined(block), lang)
            if text.startswith("# "):
                title = text[2:]
            elif text.startswith("## "):
                name, heading = _named(text)
                if name in blocks:
                    raise ValueError(f"two sections are called {name}")
                headings.append((name, heading))
                blocks[name] = []
            elif headings:
                blocks[headings[-1][0]] += text.split("\n")
            else:
                introduction = text
        read = _Reader(blocks, lang, texts)
        page = cls(title, introduction, tuple(
            read.section(name, heading) for name, heading in headings
        ))
        for paragraph in page.paragraphs:
            if paragraph.source is not None and paragraph.source not in page.sources:
                raise ValueError(
                    f"{paragraph.id} comes from {paragraph.source}, which is no source of the page"
                )
        return page


def rule_sentences(markdown: str) -> dict[str, str]:
    """The sentences of a page for translators, by key, in the order of the page."""
    found: dict[str, str] = {}

    def noted(key: str, text: str) -> str:
        found[key] = text
        return text

    _each_sentence(markdown, noted)
    return found


def translate(markdown: str, said: Mapping[str, str]) -> str:
    """A page whose own sentences are replaced by those of `said`."""
    return _each_sentence(markdown, lambda key, text: said.get(key, text))


def _each_sentence(markdown: str, change: Callable[[str, str], str]) -> str:
    """The page with each sentence changed; names and marks around the sentences stay."""
    blocks, section = [], ""
    for block in map(_joined, re.split(r"\n\s*\n", markdown.strip())):
        if block.startswith("# "):
            block = "# " + change("title", block[2:])
        elif heading := _HEADING.fullmatch(block):
            section = heading[2]
            block = f"## {change(f'section.{section}', heading[1])} {{#{section}}}"
        elif section in LISTS:
            lines = [_LISTED.fullmatch(one) for one in block.split("\n")]
            block = "\n".join(
                line[1] + _item_of(section, line[2], change(f"{section}.{number}", line[2]))
                for number, line in enumerate(lines, 1) if line
            )
        elif section:
            name, text = _paragraph(block)[0], _paragraph(block)[3]
            block = block.removesuffix(text) + change(f"rule.{name}", text)
        else:
            block = change("introduction", block)
        blocks.append(block)
    return "\n\n".join(blocks)


def _item_of(section: str, own: str, changed: str) -> str:
    """The changed item, unless it should explain a word and does not."""
    return own if section == GLOSSARY and not _TERM.fullmatch(changed) else changed


class _Reader:
    """Reads the blocks of a page, when the names of its paragraphs are known."""

    def __init__(self, blocks: Mapping[str, list[str]], lang: str, texts: Texts) -> None:
        self._blocks = blocks
        self._lang = lang
        self._texts = texts
        names = [
            _paragraph(block)[0]
            for section, lines in blocks.items() if section not in LISTS for block in lines
        ]
        self._numbers = {name: number for number, name in enumerate(names, 1)}
        if len(self._numbers) != len(names):
            raise ValueError("two paragraphs have the same name")

    def section(self, name: str, heading: str) -> Section:
        blocks = self._blocks[name]
        if name in LISTS:
            return Section(name, heading, items=tuple(self._item(name, line) for line in blocks))
        return Section(name, heading, tuple(self._rule(block) for block in blocks))

    def _item(self, section: str, line: str) -> str:
        if not line.startswith("- "):
            raise ValueError(f"expected a list '- …' under {section}: {line[:60]!r}")
        text = line[2:]
        named = _SOURCE.fullmatch(text)
        return text if named else self._filled(section, text)

    def _rule(self, block: str) -> Paragraph:
        name, provenance, source, text = _paragraph(block)
        return Paragraph(self._numbers[name], name, provenance, source, self._filled(name, text))

    def _filled(self, where: str, text: str) -> str:
        """A text with numbers for the paragraphs it cites, and words for keys of the texts."""
        def found(cited: re.Match[str]) -> str:
            name = cited[1]
            if name in self._numbers:
                return str(self._numbers[name])
            if name in self._texts:
                return self._texts.say(name, self._lang)
            raise ValueError(f"{where} cites {name}, which is neither a paragraph nor a text")
        return _CITED.sub(found, text)


def _joined(block: str) -> str:
    """A block without line breaks; a list keeps one line for each of its items."""
    lines = [line.strip(" ") for line in block.splitlines()]
    return re.sub("\n(?!- )", " ", "\n".join(lines))


def _named(text: str) -> tuple[str, str]:
    heading = _HEADING.fullmatch(text)
    if not heading:
        raise ValueError(f"expected a heading such as '## Jumps {{#jumps}}': {text[:60]!r}")
    return heading[2], heading[1]


def _paragraph(block: str) -> tuple[str, Provenance, str | None, str]:
    found = _PARAGRAPH.fullmatch(block)
    if not found:
        raise ValueError(f"expected a paragraph such as '{{#name sheet}} …': {block[:60]!r}")
    name, provenance, source, text = found.groups()
    if provenance not in [*Provenance] or (provenance == Provenance.SOURCE) != (source is not None):
        raise ValueError(
            f"{name} must say where it comes from: sheet, follows, ours, or source:NAME with the "
            "name of a source at the end of the page"
        )
    return name, Provenance(provenance), source, text


def _parts(pattern: re.Pattern[str], item: str, expected: str) -> tuple[str, str]:
    found = pattern.fullmatch(item)
    if not found:
        raise ValueError(f"expected '- {expected}': {item[:60]!r}")
    return found[1], found[2]
