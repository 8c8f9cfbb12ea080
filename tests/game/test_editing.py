"""Positions set up by hand, and sentences for those that cannot be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.devkit.editor import editor_faults
from escale.game.definition import Supply
from escale.game.editing import Composition, compose, turns
from escale.game.errors import Impossible
from escale.game.game import Game
from escale.game.texts import LANGUAGES
from escale.games import games
from escale.games.qenj.ring import PHASES

SOURCES = Path(escale.__file__).parent
BY_HAND = [game for game in games() if game.supplies is not None]


@pytest.mark.parametrize("game", BY_HAND, ids=lambda game: str(game.slug))
def test_positions_of_random_games_can_be_set_up_again(game: Game[Any]) -> None:
    assert list(editor_faults(game, 4, seed=3)) == []


def test_the_check_finds_what_the_editor_cannot_do(monkeypatch: pytest.MonkeyPatch) -> None:
    game = escale.game("canoe")
    monkeypatch.setattr(type(game), "supplies", (Supply("light", 1), Supply("dark", 13)))
    assert any("times light" in fault for fault in editor_faults(game, 4, seed=3))
    monkeypatch.setattr(type(game), "supplies", (Supply("light", 13),))
    assert any("it becomes" in fault for fault in editor_faults(game, 4, seed=3))
    monkeypatch.setattr(type(game), "counters", ("swaps",))
    assert any("counters" in fault for fault in editor_faults(game, 4, seed=3))
    monkeypatch.setattr(type(game), "supplies", None)
    assert list(editor_faults(game, 4, seed=3)) == []
    monkeypatch.setattr(type(game), "models", ("none-such",))
    assert list(editor_faults(game, 4, seed=3)) == [
        "models: there is no example 'none-such'", "no text writing.…",
    ]
    assert list(editor_faults(escale.game("canyon-1997"), 4, seed=3)) == []


def test_seven_games_are_set_up_by_hand_and_the_eighth_says_that_it_is_not() -> None:
    assert len(BY_HAND) == 7
    cards = escale.game("canyon-1997")
    with pytest.raises(Impossible) as no:
        compose(cards, Composition(cells={}, turn="otter"))
    assert "by hand" in no.value.text("en")
    assert "à la main" in no.value.text("fr")


def test_whose_turn_it_may_be() -> None:
    assert turns(escale.game("canoe")) == ["light", "dark"]
    assert turns(escale.game("tortuga")) == ["south", "north", "chance"]
    assert turns(escale.game("qenj2")) == ["A", "B", "chance"]


@pytest.mark.parametrize(("slug", "change", "fr", "en"), [
    ("canoe", {"cells": {"z9": "light"}}, "pas de case « z9 »", "no cell “z9”"),
    ("canoe", {"cells": {"e3": "queen"}}, "pas de pièce « queen »", "no piece “queen”"),
    ("canoe", {"turn": "chance"}, "laissé au hasard", "no chance"),
    ("canyon-1972", {"cells": {"c6": "red", "a1": "red"}}, "dans le canyon : c6", "canyon: c6"),
    ("tortuga", {"cells": {"d7": "south"}, "turn": "south"}, "au tour de Nord", "North’s turn"),
    ("qenj4", {"cells": {"a1": "red"}, "turn": "A"}, "dans l’ordre", "in order"),
])
def test_what_is_impossible_is_said_in_both_languages(
    slug: str, change: dict[str, Any], fr: str, en: str
) -> None:
    game = escale.game(slug)
    with pytest.raises(Impossible) as no:
        compose(game, replace(Composition.of(game.start()), **change))
    plain = no.value.text("fr").replace("\N{NO-BREAK SPACE}", " ").replace("\u202f", " ")
    assert fr in plain
    assert en in no.value.text("en")
    assert str(no.value) == no.value.text("en")


def test_every_reason_has_its_sentence() -> None:
    """Each key that rules raise is in their game's texts, and is filled with what it needs."""
    seen = 0
    for source in SOURCES.rglob("*.py"):
        own = [game for game in games() if source.is_relative_to(game.folder)]
        family = own or [game for game in games() if source.parent in game.folder.parents]
        for key, values in raised(ast.parse(source.read_text("utf-8"))):
            for game in family or [escale.game("canoe")]:
                for lang in LANGUAGES:
                    sentence = game.texts.template(f"impossible.{key}", lang)
                    gaps = set(re.findall(r"\{(\w+)\}", sentence))
                    assert gaps <= values, f"{game.slug}: {key}"
                    seen += 1
    assert seen > 100


def raised(tree: ast.AST) -> Iterator[tuple[str, set[str]]]:
    """The keys of reasons in some source, each with the names of its values."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if getattr(node.func, "id", "") == "Impossible":
            reason = node.args[0]
        elif getattr(node.func, "attr", "") == "need":       # of Canyon (1997): what must be true
            reason = node.args[1]
        else:
            continue
        values = {str(keyword.arg) for keyword in node.keywords}
        for part in ast.walk(reason):
            if isinstance(part, ast.Constant) and not isinstance(reason, ast.JoinedStr):
                yield str(part.value), values


@pytest.mark.parametrize(("slug", "keys"), [
    ("tortuga", ["south-won", "north-won"]),
    ("qenj1", [f"turn-{phase}" for phase in PHASES]),
])
def test_reasons_whose_key_is_put_together_have_sentences(slug: str, keys: list[str]) -> None:
    assert [key for key in keys if f"impossible.{key}" not in escale.game(slug).texts] == []
