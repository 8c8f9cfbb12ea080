"""The words of a game that pages with a board carry: prompts, names, captions, notation."""

from __future__ import annotations

from functools import cache
from typing import Any

from markupsafe import Markup

from escale.game.game import Game
from escale.game.position import Position
from escale.game.prompts import NAMED_ATOMS
from escale.game.state_of_play import board_part
from escale.game.texts import LANGUAGES
from escale.render.svg import definitions
from escale.server.tables.views import board_address


def board_words(box: Game[Any], lang: str) -> dict[str, Any]:
    """The words and pictures that the template of any page with a board needs of its game."""
    return {
        "art": Markup(definitions(box.art)), "captions": captions(box, lang),
        "forms": typed_forms(box, lang), "prompts": prompts(box, lang), "names": names(box, lang),
    }


@cache
def captions(box: Game[Any], lang: str) -> dict[str, str]:
    """The captions on a game's board, their gaps not filled in, and the names of its parts."""
    found = {
        key: box.texts.sentence(key, lang)
        for key in box.texts if key.partition(".")[0] in ("board", "panel", "seat")
    }
    confirmed = (f"confirm.{atom}" for atom in sorted(box.vocabulary(box.choose({}))))
    return found | {key: box.texts.say(key, lang) for key in confirmed if key in box.texts}


@cache
def typed_forms(box: Game[Any], lang: str) -> dict[str, list[str]]:
    """For each atom the ways to type it other than its name; those of this language come first."""
    languages = sorted(LANGUAGES, key=lambda one: one != lang)
    found = {
        atom: list(dict.fromkeys(form for one in languages for form in box.forms(atom, one)))
        for atom in sorted(box.vocabulary(box.choose({})))
    }
    return {atom: forms for atom, forms in found.items() if forms != [atom]}


@cache
def prompts(box: Game[Any], lang: str) -> dict[str, Any]:
    """Everything that the page needs to ask for the parts of a move, as `game/prompts.py` does."""
    texts = box.texts
    names = [prompt.name for prompt in box.prompts]
    keys = [key for name in names for key in (name, f"{name}.few") if f"prompt.{key}" in texts]
    known = box.vocabulary(box.choose({}))
    return {
        "prompts": [[one.name, one.when, one.path, one.next] for one in box.prompts],
        "groups": {
            group: [atom for atom in atoms if atom in known]
            for group, atoms in box.groups.items()
        },
        "sentences": {key: texts.template(f"prompt.{key}", lang) for key in keys},
        "few": NAMED_ATOMS, "either": texts.template("either", lang),
    }


@cache
def names(box: Game[Any], lang: str) -> dict[str, dict[str, str]]:
    """The names of kinds of pieces, areas, atoms, and cells that have a name of their own.

    An atom is left out if its word within a move is the same.
    """
    board, texts = box.board, box.texts
    areas = {area.id: box.called(area.id, lang) for area in board.areas}
    atoms = {area.id: area.atom for area in board.areas}
    return {
        "pieces": {kind: box.called(kind, lang, ("piece",)) for kind in board.kinds},
        "areas": {
            area: box.label(atoms[area], lang) if name == area else name
            for area, name in areas.items()
        },
        "atoms": {
            atom: label for atom in sorted(box.vocabulary(box.choose({})))
            if (label := box.label(atom, lang)) != box.word(atom, lang)
        },
        "cells": {
            key.removeprefix("cell."): texts.say(key, lang)
            for key in texts if key.startswith("cell.")
        },
    }


def board_json(position: Position) -> Markup:
    """The board of a table under its address, as a block of JSON."""
    part = board_part(position.game, position.options, position.seats)
    board = f'{{"{board_address(position)}":{part.json.decode()}}}'
    return Markup(board.replace("<", "\\u003c"))
