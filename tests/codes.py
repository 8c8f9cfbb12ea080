"""Words of notation and of options that are for programs: what people read must not have them."""

from __future__ import annotations

import re
from typing import Any

from escale.game.game import Game

WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


def button_codes(game: Game[Any], lang: str) -> set[str]:
    """What the game's notation calls buttons and areas, where it is no word of the language.

    Notation is English: there, a code that is all letters is a word like any other.
    """
    atoms = {*game.buttons, *(area.atom for area in game.board.areas)}
    spoken = {
        word for atom in atoms for form in game.forms(atom, lang)
        for word in WORD.findall(form.lower())
    }
    return {
        atom for atom in atoms - spoken
        if not atom.isdigit() and (lang != "en" or not atom.isalpha())
    }


def option_codes(game: Game[Any]) -> set[str]:
    """What options and their values are called where one writes `name=value`, except atoms."""
    names = {option.name for option in game.options}
    values = {value for option in game.options for value in option.values}
    return (names | values) - game.vocabulary(game.choose({}))


def shown_codes(game: Game[Any], text: str, lang: str) -> list[str]:
    """The codes that people would read in a text."""
    options = "|".join(re.escape(option.name) for option in game.options) or "(?!)"
    found = re.findall(rf"\b(?:{options})\s*=\s*\S+", text)
    return found + sorted(set(WORD.findall(text)) & button_codes(game, lang))
