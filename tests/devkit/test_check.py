"""The conformance kit finds what a game has got wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import pytest

import escale
from escale.devkit import package, symmetry
from escale.devkit.check import check
from escale.devkit.pages import page_faults
from escale.game.definition import Study
from escale.game.examples import Example
from escale.game.prompts import Prompt, Situation
from escale.game.rules_page import RulesPage
from escale.game.scene import Board
from escale.game.symmetry import Symmetry
from escale.game.texts import Texts, house
from escale.games.canoe import Canoe
from escale.games.canyon_1997 import Canyon1997
from escale.games.canyon_1997.rules import CanyonState
from escale.games.qenj import Qenj4
from escale.games.tortuga import Tortuga
from escale.study.lessons import read_lesson


@pytest.mark.parametrize(("places", "part", "fault"), [
    ({"pass": ("z9",)}, "facts", "the places of pass are not cells of the board"),
    ({"pass": ()}, "facts", "the places of pass are not cells of the board"),
    ({"noon": ("a1",)}, "moves", "no legal move has the atom noon, which has places"),
])
def test_places_are_cells_and_stand_for_atoms_of_moves(
    places: Mapping[str, tuple[str, ...]], part: str, fault: str
) -> None:
    class Wrong(Qenj4):
        board: ClassVar[Board] = replace(Qenj4.board, places=places)

    report = dict(check(Wrong(), games=1))
    assert fault in report[part]


def test_an_atom_that_is_no_cell_needs_a_name() -> None:
    class Wrong(Qenj4):
        buttons = (*Qenj4.buttons, "hop")

    report = dict(check(Wrong(), games=1))
    assert "the atom hop has no name that people read" in report["texts"]


@pytest.mark.parametrize(("pitch", "fault"), [
    ({}, "missing text pitch"),
    ({"fr": "Trop long. " * 9, "en": "Short."}, "the pitch is one line: 80 letters at most"),
])
def test_a_game_says_in_one_line_what_it_is_about(pitch: dict[str, str], fault: str) -> None:
    class Wrong(Qenj4):
        @cached_property
        def texts(self) -> Texts:
            tree = tomllib.loads((self.folder / "texts.toml").read_text("utf-8"))
            shared = Texts.read(self.folder.parent / "texts.toml", house())
            return Texts({**tree, "pitch": pitch}, shared)

    assert fault in dict(check(Wrong(), games=1))["texts"]


@pytest.mark.parametrize(("found", "instead", "fault"), [
    ("{#rare}", "{#oddities}", "rules.fr.md: no section rare"),
    ("## Mise en place {#setup}", "## Le plateau {#board}", "rules.fr.md: no section setup"),
    ("\n- **But", "\n- Une sixième ligne.\n- **But", "rules.fr.md: brief must have 5 lines, not 6"),
    ("#must-jump sheet", "#must-jump ours",
     "paragraph must-jump comes from elsewhere in the other language"),
    ("- *base* :", "- *zythum* :",
     "rules.fr.md: glossary explains 'zythum', a word that no paragraph uses"),
    ("{#forward sheet}", "{#forward sheet} `pass` ", "rules.fr.md: a page shows no code: "),
    ("{#forward sheet}", "{#forward sheet} first=south ",
     "rules.fr.md: first=south stands for what people read: "),
])
def test_a_page_that_does_not_teach_is_found(
    found: str, instead: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = escale.game("tortuga")
    text = (game.folder / "rules.fr.md").read_text("utf-8")
    assert found in text
    page = RulesPage.parse(text.replace(found, instead, 1), "fr", game.texts)
    monkeypatch.setitem(game.__dict__, "rules", {**game.rules, "fr": page})
    assert any(one.startswith(fault) for one in page_faults(game))


@pytest.mark.parametrize(("change", "fault"), [
    ({"beside": None}, "no figure beside a rule of the section setup"),
    ({"beside": "aim"}, "opening stands beside aim, which it does not show"),
    ({"attempt": "d2-d1"}, "opening is refused: it cannot stand beside a rule"),
])
def test_figures_stand_where_they_teach(
    change: Mapping[str, Any], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = escale.game("tortuga")
    examples = tuple(
        replace(one, **change) if one.id == "opening" else one for one in game.examples
    )
    monkeypatch.setitem(game.__dict__, "examples", examples)
    assert fault in list(page_faults(game))


def with_files_of(slug: str, game: escale.Game[Any]) -> escale.Game[Any]:
    """A game that finds its texts, pages and drawings where another has them."""
    game.__dict__["folder"] = escale.game(slug).folder
    return game


def test_a_choice_that_is_not_asked_for_is_found() -> None:
    class Silent(Tortuga):
        prompts: ClassVar[tuple[Prompt, ...]] = tuple(     # type: ignore[assignment]
            prompt for prompt in Tortuga.prompts if prompt.name != "side"
        )

    report = dict(check(with_files_of("tortuga", Silent()), games=6))
    assert any(fault.startswith("no prompt asks for 'side' after 'piece empty' in the situation")
               for fault in report["prompts"])


@pytest.mark.parametrize(("prompt", "texts", "fault"), [
    (Prompt("hurry", "piece"), {}, "missing text prompt.hurry"),
    (None, {"late": {"fr": "Tard ?", "en": "Late?"}}, "text prompt.late belongs to no prompt"),
    (Prompt("hurry", "piece"), {"hurry": {"fr": "Vite, {name} !", "en": "Quick, {name}!"}},
     "prompt.hurry.fr: nothing fills the gap 'name'"),
])
def test_a_prompt_needs_its_sentence_and_a_sentence_its_prompt(
    prompt: Prompt | None, texts: Mapping[str, Any], fault: str
) -> None:
    class Wrong(Tortuga):
        prompts: ClassVar[tuple[Prompt, ...]] = (          # type: ignore[assignment]
            *([prompt] if prompt else []), *Tortuga.prompts,
        )

    game = Wrong()
    game.__dict__["texts"] = Texts({"prompt": texts}, escale.game("tortuga").texts)
    assert fault in dict(check(game, games=1))["prompts"]


def test_a_prompt_that_tells_what_is_hidden_is_found() -> None:
    class Telling(Canyon1997):
        def situation(self, state: CanyonState) -> Situation:
            situation = super().situation(state)
            hands = state.table()["hand"]
            return replace(situation, values={**situation.values, "hands": str(hands)})

    report = dict(check(with_files_of("canyon-1997", Telling()), games=1))
    assert any(fault.endswith("what is asked depends on what is hidden")
               for fault in report["prompts"])


def test_symmetries_that_the_rules_do_not_have_are_found() -> None:
    """Seats that change places where their turtles stay are not where they were."""
    class Wrong(Tortuga):
        __module__ = Tortuga.__module__
        symmetries = (Symmetry(swaps=True),)  # type: ignore[assignment]

    found = dict(check(Wrong(), games=2))["symmetries"]
    assert any("and its mirror image" in fault for fault in found)


def test_a_symmetry_with_as_many_moves_but_other_ones_is_found(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    class Wrong(Canoe):
        __module__ = Canoe.__module__
        mirrors = Study.mirrors             # type: ignore[assignment]
        symmetries = (Symmetry(places={"c3": "d3", "d3": "c3"}),)   # type: ignore[assignment]

    monkeypatch.setattr(symmetry, "RESULTS", 1000)
    here = Wrong().position("4/13/6D6/2L10/11/7 light 2")
    mirror, = symmetry.mirrored(here)
    assert len(here.moves()) == len(mirror.moves())
    fault, = symmetry._other_results(here, mirror)
    assert "has no equal from its mirror image" in fault


def test_files_that_a_wheel_would_leave_out_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "src" / "escale_one"
    folder.mkdir(parents=True)
    for name in ("__init__.py", "rules.so", "texts.toml", "puzzles.jsonl"):
        (folder / name).touch()
    for patterns, left_out in (('"*.toml"', True), ('"*.toml", "*.jsonl"', False)):
        (tmp_path / "pyproject.toml").write_text(
            f'[tool.setuptools.package-data]\n"*" = [{patterns}]\n', "utf-8"
        )
        told = [*package._left_out(folder)]
        assert [fault.split(":")[0] for fault in told] == (
            ["a wheel would not contain puzzles.jsonl"] if left_out else []
        )


ASKED = 'ask.en = "A."\ndone.en = "B."'


@pytest.mark.parametrize(("kind", "lines", "fault"), [
    ("step", f'id = "a"\nposition = "x"\n{ASKED}', "step 1 lacks `rule`"),
    ("task", 'id = "a"\nrule = "aim"', "task 1 lacks `ask`, `done`, `example` or `position`"),
    ("step", 'example = "nowhere"', "step 1: there is no example 'nowhere'"),
    ("step", f'id = "a"\nexample = "opening"\nrule = "aim"\n{ASKED}\nhint = 1',
     "step 1 has no field 'hint': expected any, ask, "),
])
def test_what_a_step_of_a_lesson_lacks_is_said(kind: str, lines: str, fault: str) -> None:
    with pytest.raises(escale.EscaleError, match=re.escape(fault)):
        read_lesson(escale.game("tortuga"), f"[[{kind}]]\n{lines}\n")


def test_what_an_example_lacks_is_said(tmp_path: Path) -> None:
    file = tmp_path / "examples.toml"
    for text, fault in (
        ('id = "a"', "example 1 lacks `rules`, `position`, `fr`, `en`"),
        ('id = "a"\nrules = []\nposition = ""\nfr = ""\nen = ""\nmoves = "a1"',
         "example 1 has no field 'moves': expected "),
    ):
        file.write_text(f"[[example]]\n{text}\n", "utf-8")
        with pytest.raises(escale.EscaleError, match=re.escape(fault)):
            Example.read(file)
