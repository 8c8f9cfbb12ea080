"""Rules pages: paragraphs are cited by name, numbers are only what readers see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import escale
from escale.game.rules_page import RulesPage
from escale.game.texts import LANGUAGES

PAGE = """# Title

Introduction.

## Aim

1. {#aim} Reach the base.

2. {#jump} Jump, by rule {aim}.
"""


def test_a_citation_within_the_page_shows_the_number() -> None:
    assert RulesPage.parse(PAGE, "en").paragraphs[1].text == "Jump, by rule 1."


@pytest.mark.parametrize(("found", "instead", "fault"), [
    ("{aim}", "{base}", "jump cites base, which is no paragraph"),
    ("{#jump}", "{#aim}", "two paragraphs have the same name"),
    ("{#aim} ", "", "expected a paragraph such as"),
    ("2. ", "3. ", "paragraph 3 follows 1"),
])
def test_a_page_that_cannot_be_cited_is_refused(found: str, instead: str, fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)):
        RulesPage.parse(PAGE.replace(found, instead), "en")


def test_inserting_a_paragraph_changes_numbers_and_no_citation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = escale.game("tortuga")
    position = game.start(first="south").play("d2-d3").play("d6-d5").play("d3-d4")
    with pytest.raises(escale.IllegalMove, match=re.escape("(Rule 18.)")) as before:
        position.play("c6-c5")
    longer = {}
    for lang in LANGUAGES:
        text = (game.folder / f"rules.{lang}.md").read_text("utf-8")
        text = re.sub(r"^(\d+)\.", lambda number: f"{int(number[1]) + 1}.", text, flags=re.M)
        first = re.compile(r"^2\. ", re.M)
        longer[lang] = RulesPage.parse(first.sub("1. {#new} Smile.\n\n2. ", text, count=1), lang)
    monkeypatch.setitem(game.__dict__, "rules", longer)
    with pytest.raises(escale.IllegalMove, match=re.escape("(Rule 19.)")) as after:
        position.play("c6-c5")
    assert before.value.rule == after.value.rule == "tortuga#must-jump"
