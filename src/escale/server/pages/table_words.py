"""What the page of a table says of its game by itself: its prompts, and the names of things."""

from __future__ import annotations

from functools import cache
from typing import Any

from escale.game.game import Game
from escale.game.prompts import FEW


@cache
def prompts(box: Game[Any], lang: str) -> dict[str, Any]:
    """All that the page needs to ask for a move while it is chosen, as `game/prompts.py` does."""
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
        "few": FEW, "either": texts.template("either", lang),
    }


@cache
def names(box: Game[Any], lang: str) -> dict[str, dict[str, str]]:
    """What people call the kinds of pieces, the areas, and the cells that are like no other."""
    board, texts = box.board, box.texts
    areas = {area.id: box.called(area.id, lang) for area in board.areas}
    atoms = {area.id: area.atom for area in board.areas}
    return {
        "pieces": {kind: box.called(kind, lang, ("piece",)) for kind in board.kinds},
        "areas": {
            area: box.label(atoms[area], lang) if name == area else name
            for area, name in areas.items()
        },
        "cells": {
            key.removeprefix("cell."): texts.say(key, lang)
            for key in texts if key.startswith("cell.")
        },
    }
