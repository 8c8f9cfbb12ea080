"""Checks rules pages: a reader must be able to learn the game from them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from escale.game.game import Game
from escale.game.languages import AUTHORED
from escale.game.rules_page import (
    ASIDE,
    BRIEF,
    GLOSSARY,
    LISTS,
    ORIGIN,
    RARE,
    SETUP,
    TIPS,
    VARIANTS,
    RulesPage,
)

BRIEF_LINES = 5
BRIEF_LETTERS = 160
"""The most letters of a line of `brief`, which is read at a glance."""
TIP_COUNT = 3


def page_faults(game: Game[Any]) -> Iterator[str]:
    """Faults in a game's rules pages."""
    for lang in AUTHORED:
        page = game.rules[lang]
        faults = [*_order(page, bool(game.options)), *_lists(page), *_codes(game, lang)]
        yield from (f"rules.{lang}.md: {fault}" for fault in faults)
    yield from _alike(*(game.rules[lang] for lang in AUTHORED))
    yield from _figures(game)


def _order(page: RulesPage, options: bool) -> Iterator[str]:
    """The sections that every page has, in the order in which readers need them."""
    names = [section.id for section in page.sections]
    last = [RARE, *([VARIANTS] if options else []), TIPS, GLOSSARY, ORIGIN]
    yield from (f"no section {name}" for name in (BRIEF, SETUP, *last) if name not in names)
    if names[:1] != [BRIEF]:
        yield f"the first section must be {BRIEF}"
    if [name for name in names if name in last] != last or names[-len(last):] != last:
        yield f"the last sections must be {', '.join(last)}"


def _lists(page: RulesPage) -> Iterator[str]:
    brief = page.items(BRIEF)
    if len(brief) != BRIEF_LINES:
        yield f"{BRIEF} must have {BRIEF_LINES} lines, not {len(brief)}"
    yield from (
        f"a line of {BRIEF} is too long: {line[:40]!r}…"
        for line in brief if len(line) > BRIEF_LETTERS
    )
    if len(page.items(TIPS)) != TIP_COUNT:
        yield f"{TIPS} must be {TIP_COUNT}, not {len(page.items(TIPS))}"
    if not page.glossary:
        yield f"{GLOSSARY} explains no word"
    if not page.items(ORIGIN):
        yield f"{ORIGIN} says nothing"
    rules = " ".join(rule.text for rule in page.paragraphs).casefold()
    yield from (
        f"{GLOSSARY} explains {term!r}, a word that no paragraph uses"
        for term in page.glossary if not re.search(rf"\b{re.escape(term.casefold())}", rules)
    )
    cited = {rule.source for rule in page.paragraphs}
    yield from (f"no paragraph comes from {name}" for name in page.sources if name not in cited)


def _codes(game: Game[Any], lang: str) -> Iterator[str]:
    """Faults where an option or a button is shown by its code instead of its label."""
    page = game.rules[lang]
    texts = [page.introduction]
    for section in page.sections:
        texts += [section.heading, *section.items, *(rule.text for rule in section.paragraphs)]
    texts += [example.caption[lang] for example in game.examples]
    codes = {f"{option.name}={value}" for option in game.options for value in option.values}
    for text in texts:
        yield from (f"{code} stands for what people read: {text[:60]!r}"
                    for code in sorted(codes) if code in text)
        if "`" in text:
            yield f"a page shows no code: {text[:60]!r}"


def _alike(first: RulesPage, *others: RulesPage) -> Iterator[str]:
    """The pages have the same sections, paragraphs, marks and sources in every language."""
    for other in others:
        if [one.id for one in first.sections] != [one.id for one in other.sections]:
            yield "the rules pages do not have the same sections in the same order"
        if list(first.numbers) != list(other.numbers):
            yield "the rules pages do not have the same paragraphs in the same order"
        for mine, theirs in zip(first.paragraphs, other.paragraphs, strict=False):
            if (mine.provenance, mine.source) != (theirs.provenance, theirs.source):
                yield f"paragraph {mine.id} comes from elsewhere in the other language"
        if set(first.sources) != set(other.sources):
            yield "the rules pages do not name the same sources"
        if len(first.glossary) != len(other.glossary):
            yield "the rules pages do not explain the same words"


def _figures(game: Game[Any]) -> Iterator[str]:
    """At most one figure beside a rule, and at least one in every section of the main line."""
    beside = Counter(example.beside for example in game.examples if example.beside)
    yield from (f"{count} figures beside {name}" for name, count in beside.items() if count > 1)
    for example in game.examples:
        if example.beside and example.beside not in example.rules:
            yield f"{example.id} stands beside {example.beside}, which it does not show"
        if example.beside and example.attempt is not None:
            yield f"{example.id} is refused: it cannot stand beside a rule"
    for section in game.rules[AUTHORED[0]].sections:
        if section.id not in (*LISTS, *ASIDE):
            if not any(rule.id in beside for rule in section.paragraphs):
                yield f"no figure beside a rule of the section {section.id}"
        elif wrong := [rule.id for rule in section.paragraphs if rule.id in beside]:
            yield f"{wrong[0]} is folded away: no figure can stand beside it"
