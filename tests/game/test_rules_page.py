"""Rules pages: paragraphs are cited by name, numbers are only what readers see."""

from __future__ import annotations

import re

import pytest

import escale
from escale.game.rules_page import Provenance, RulesPage
from escale.game.texts import LANGUAGES, Texts

PAGE = """# Title

Introduction.

## In short {#brief}

- Reach the base,
  and smile.
- Rule {jump} says how.

## Aim {#goal}

{#aim sheet} Reach the base.

{#jump source:review} Jump, by rule {aim}: {atom.pass}.

{#draw ours} Or draw.

## Glossary {#glossary}

- *base*: where one goes.

## Origin {#origin}

- The sheet.
- {#review} A review.
"""
TEXTS = Texts({"atom": {"pass": {"fr": "passer", "en": "pass"}}})


def test_a_page_has_sections_paragraphs_and_lists() -> None:
    page = RulesPage.parse(PAGE, "en", TEXTS)
    assert page.title == "Title"
    assert page.introduction == "Introduction."
    assert [section.id for section in page.sections] == ["brief", "goal", "glossary", "origin"]
    assert page.items("brief") == ("Reach the base, and smile.", "Rule 2 says how.")
    assert page.numbers == {"aim": 1, "jump": 2, "draw": 3}
    assert [one.provenance for one in page.paragraphs] == [
        Provenance.SHEET, Provenance.SOURCE, Provenance.OURS
    ]
    assert [one.source for one in page.paragraphs] == [None, "review", None]
    assert page.glossary == {"base": "where one goes."}
    assert page.sources == {"review": "A review."}


def test_citations_show_numbers_and_keys_show_what_people_read() -> None:
    assert RulesPage.parse(PAGE, "en", TEXTS).paragraphs[1].text == "Jump, by rule 1: pass."
    assert RulesPage.parse(PAGE, "fr", TEXTS).paragraphs[1].text.endswith("passer.")


@pytest.mark.parametrize(("found", "instead", "fault"), [
    ("{aim}", "{base}", "jump cites base, which is neither a paragraph nor a text"),
    ("{#jump source:review}", "{#aim ours}", "two paragraphs have the same name"),
    ("{#aim sheet} ", "", "expected a paragraph such as"),
    ("{#aim sheet}", "{#aim}", "aim must say where it comes from"),
    ("{#aim sheet}", "{#aim hearsay}", "aim must say where it comes from"),
    ("{#aim sheet}", "{#aim source}", "aim must say where it comes from"),
    ("{#aim sheet}", "{#aim ours:review}", "aim must say where it comes from"),
    ("source:review", "source:web", "jump comes from web, which is no source of the page"),
    (" {#goal}", "", "expected a heading such as"),
    ("{#goal}", "{#brief}", "two sections are called brief"),
    ("- Reach", "Reach", "expected a list '- …' under brief"),
])
def test_a_page_that_cannot_be_cited_is_refused(found: str, instead: str, fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)):
        RulesPage.parse(PAGE.replace(found, instead, 1), "en", TEXTS)


def test_inserting_a_paragraph_changes_numbers_and_no_citation(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    game = escale.game("tortuga")
    position = game.start(first="south").play("d2-d3").play("d6-d5").play("d3-d4")
    with pytest.raises(escale.IllegalMove) as before:
        position.play("c6-c5")
    number = game.rules["en"].numbers["must-jump"]
    assert f"(Rule {number}.)" in str(before.value)
    longer = {}
    for lang in LANGUAGES:
        text = (game.folder / f"rules.{lang}.md").read_text("utf-8")
        text = text.replace("{#board ", "{#new ours} Smile.\n\n{#board ", 1)
        longer[lang] = RulesPage.parse(text, lang, game.texts)
    monkeypatch.setitem(game.__dict__, "rules", longer)
    with pytest.raises(escale.IllegalMove) as after:
        position.play("c6-c5")
    assert f"(Rule {number + 1}.)" in str(after.value)
    assert before.value.rule == after.value.rule == "tortuga#must-jump"
