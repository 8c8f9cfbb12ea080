"""The rules pages: Markdown with numbered paragraphs that the program can cite."""

from __future__ import annotations

import re
from dataclasses import dataclass

from escale.texts import spaced

RECONSTRUCTION = {"fr": spaced("*Reconstitution :*", "fr"), "en": "*Reconstruction:*"}

_NUMBERED = re.compile(r"(\d+)\. (.*)")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One numbered rule."""

    number: int
    section: str
    text: str
    reconstruction: bool
    """Whether a sentence of it is ours, not the printed sheet's."""


@dataclass(frozen=True, slots=True)
class RulesText:
    """A rules page in one language."""

    title: str
    introduction: str
    paragraphs: tuple[Paragraph, ...]

    @classmethod
    def parse(cls, markdown: str, lang: str) -> RulesText:
        """Read a page; numbers must run from 1 without a gap."""
        title, section, introduction = "", "", ""
        paragraphs: list[Paragraph] = []
        for block in re.split(r"\n\s*\n", markdown.strip()):
            text = spaced(" ".join(line.strip(" ") for line in block.splitlines()), lang)
            if text.startswith("# "):
                title = text[2:]
            elif text.startswith("## "):
                section = text[3:]
            elif numbered := _NUMBERED.fullmatch(text):
                number = int(numbered[1])
                if number != len(paragraphs) + 1:
                    raise ValueError(f"paragraph {number} follows {len(paragraphs)}")
                marked = RECONSTRUCTION[lang] in text
                paragraphs.append(Paragraph(number, section, numbered[2], marked))
            elif not section:
                introduction = text
            else:
                raise ValueError(f"a paragraph without a number: {text[:60]!r}")
        return cls(title, introduction, tuple(paragraphs))
