"""The rules of a game as a page shows them: under headings, each paragraph with its figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup, escape

from escale.game.examples import Example
from escale.game.game import Game
from escale.game.rules_page import ASIDE, GLOSSARY, LISTS, ORIGIN, Paragraph, Provenance, Section
from escale.game.texts import LANGUAGES
from escale.kernel import CHANCE
from escale.server.pages import pictures


def html(text: str) -> Markup:
    """Markup with emphasis; everything else is plain text.

    >>> html("**First**, a *proxime* < another")
    Markup('<b>First</b>, a <em>proxime</em> &lt; another')
    """
    marked = re.sub(r"\*\*([^*\s][^*]*)\*\*", r"<b>\1</b>", str(escape(text)))
    return Markup(re.sub(r"\*([^*\s][^*]*)\*", r"<em>\1</em>", marked))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFigure:
    """An example of the rules, with its figure."""

    id: str
    number: int
    caption: str
    picture: pictures.Picture
    still: bool
    """Whether the figure is only a picture: no seat is to move."""
    move: str | None
    attempt: str | None
    sentence: str
    """The result of the move or the attempt."""
    shows: list[tuple[str, int]]
    """The paragraphs that it shows: their names and numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRule:
    """A paragraph, and the figure beside it."""

    number: int
    id: str
    html: Markup
    provenance: Provenance
    source: str | None
    beside: ShownFigure | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSection:
    """The content under one heading: rules, or the sentences of a list."""

    id: str
    heading: str
    folded: bool
    rules: list[ShownRule]
    more: list[ShownFigure]
    """Further figures of its paragraphs, folded away."""
    items: list[Markup]
    terms: dict[str, Markup]
    """The words of a glossary with their meanings."""
    sources: dict[str, Markup]
    """The sources, by the names that rules cite."""


@cache
def sections(box: Game[Any], lang: str) -> list[ShownSection]:
    """The rules under their headings, each paragraph with its examples."""
    return list(_Rulebook(box, lang).sections())


class _Rulebook:
    def __init__(self, box: Game[Any], lang: str) -> None:
        self.box = box
        self.lang = lang
        self.page = box.rules[lang]
        self.examples = _in_order(box)
        self.numbers = {example.id: at for at, example in enumerate(self.examples, 1)}

    def sections(self) -> Iterator[ShownSection]:
        for section in self.page.sections:
            names = {paragraph.id for paragraph in section.paragraphs}
            yield ShownSection(
                id=section.id, heading=section.heading, folded=section.id in ASIDE,
                rules=[self._rule(paragraph) for paragraph in section.paragraphs],
                more=[
                    self._figure(one) for one in self.examples
                    if _paragraph(one) in names and not one.beside
                ],
                items=[html(item) for item in self._sentences(section)],
                terms=_all(self.page.glossary) if section.id == GLOSSARY else {},
                sources=_all(self.page.sources) if section.id == ORIGIN else {},
            )

    def _sentences(self, section: Section) -> list[str]:
        """The items of a list that consist of sentences only."""
        if section.id not in LISTS or section.id == GLOSSARY:
            return []
        return [item for item in section.items if not item.startswith("{#")]

    def _rule(self, paragraph: Paragraph) -> ShownRule:
        beside = next((one for one in self.examples if one.beside == paragraph.id), None)
        return ShownRule(
            number=paragraph.number, id=paragraph.id, html=html(paragraph.text),
            provenance=paragraph.provenance, source=paragraph.source,
            beside=self._figure(beside) if beside else None,
        )

    def _figure(self, example: Example) -> ShownFigure:
        sentence = ""
        position = self.box.position(example.position, line=example.line)
        if example.attempt is not None:
            sentence = pictures.refusal_of(self.box, example).text(self.lang)
        elif example.move is not None:
            after = position.play(example.move)
            sentence = after.outcome.text(self.lang) if after.outcome else ""
        return ShownFigure(
            id=example.id, number=self.numbers[example.id], caption=example.caption[self.lang],
            picture=pictures.figure(self.box, example.id),
            still=position.turn is None or position.turn == CHANCE,
            move=self._spelled(example.move), attempt=self._spelled(example.attempt),
            sentence=sentence,
            shows=[(name, self.page.numbers[name]) for name in example.rules],
        )

    def _spelled(self, text: str | None) -> str | None:
        """A move, legal or not, in words."""
        return None if text is None else self.box.spell(self.box.split(text), self.lang)


def _all(texts: Mapping[str, str]) -> dict[str, Markup]:
    return {name: html(text) for name, text in texts.items()}


def _in_order(box: Game[Any]) -> list[Example]:
    """The examples in the order of their paragraphs, first the one beside each."""
    numbers = box.rules[LANGUAGES[0]].numbers
    return sorted(box.examples, key=lambda one: (numbers[_paragraph(one)], one.beside is None))


def _paragraph(example: Example) -> str:
    """The paragraph at which an example stands: the one it names, else one that it is about."""
    return example.beside or example.refused or example.rules[-1]
