"""The rules pages: Markdown with numbered paragraphs that the program can cite.

Each paragraph has a name. It is the same in every language and does not change when others are
added or moved; the number is only for readers:

    18. {#must-jump} If any of your turtles can jump an enemy, …

Within a text `{must-jump}` stands for the number of the paragraph of that name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from escale.game.texts import spaced

RECONSTRUCTION = {"fr": spaced("*Reconstitution :*", "fr"), "en": "*Reconstruction:*"}

_NUMBERED = re.compile(r"(\d+)\. \{#([a-z0-9-]+)\} (.*)")
_CITED = re.compile(r"\{([a-z0-9-]+)\}")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One numbered rule."""

    number: int
    id: str
    """The name by which the program cites it, such as `must-jump`."""
    section: str
    text: str
    reconstruction: bool
    """Whether a sentence of it is ours, not the printed sheet's."""


@dataclass(frozen=True)
class RulesPage:
    """A rules page in one language."""

    title: str
    introduction: str
    paragraphs: tuple[Paragraph, ...]

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each paragraph, by its name."""
        return {paragraph.id: paragraph.number for paragraph in self.paragraphs}

    @classmethod
    def parse(cls, markdown: str, lang: str) -> RulesPage:
        """Read a page; numbers must run from 1 without a gap, names must be unique."""
        title, section, introduction = "", "", ""
        paragraphs: list[Paragraph] = []
        for block in re.split(r"\n\s*\n", markdown.strip()):
            text = spaced(" ".join(line.strip(" ") for line in block.splitlines()), lang)
            if text.startswith("# "):
                title = text[2:]
            elif text.startswith("## "):
                section = text[3:]
            elif numbered := _NUMBERED.fullmatch(text):
                number, name, rule = int(numbered[1]), numbered[2], numbered[3]
                if number != len(paragraphs) + 1:
                    raise ValueError(f"paragraph {number} follows {len(paragraphs)}")
                marked = RECONSTRUCTION[lang] in text
                paragraphs.append(Paragraph(number, name, section, rule, marked))
            elif not section:
                introduction = text
            else:
                raise ValueError(f"expected a paragraph such as '1. {{#name}} …': {text[:60]!r}")
        numbers = {paragraph.id: str(paragraph.number) for paragraph in paragraphs}
        if len(numbers) != len(paragraphs):
            raise ValueError("two paragraphs have the same name")
        return cls(title, introduction, tuple(
            replace(paragraph, text=_with_numbers(paragraph, numbers)) for paragraph in paragraphs
        ))


def _with_numbers(paragraph: Paragraph, numbers: Mapping[str, str]) -> str:
    """A paragraph's text with numbers for the names of those that it cites."""
    for name in _CITED.findall(paragraph.text):
        if name not in numbers:
            raise ValueError(f"{paragraph.id} cites {name}, which is no paragraph")
    return _CITED.sub(lambda cited: numbers[cited[1]], paragraph.text)
