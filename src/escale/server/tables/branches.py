"""The legal moves as nested objects, which is how browsers are asked to choose.

An atom leads on, or completes a move. That is mostly told by 1: the move's text is the atoms so
far, joined by hyphens, and the cells among them are the way of the piece that it moves. Where the
text is another, it stands there; where the way is, `[text or 1, way]`, see `told_way`. Null: ask.
"""

from __future__ import annotations

from typing import Any

from escale.game.choices import Choices
from escale.game.game import Game
from escale.game.moves import Atoms, Move
from escale.game.position import Position
from escale.server.messages import ChoiceFacts
from escale.server.problems import Problem

ROOM = 400
"""Atoms of the tree of choices that are sent at once; what does not fit is asked for."""


def branch(node: Choices, before: Atoms = (), room: int = ROOM) -> dict[str, Any]:
    """What may follow the atoms `before`, as far as there is room, the nearest first.

    A move that can be made in several ways tells only once where its pieces go.
    """
    told: set[int] = set()

    def leaf(move: Move, path: Atoms) -> Any:
        text = 1 if move.atoms == path else move.text
        if move.position.game.ways_in_atoms or move.code in told:
            return text
        told.add(move.code)
        way = told_way(move, path)
        return text if way is None else [text, way]

    return node.tree(leaf, before, room)


def told_way(move: Move, path: Atoms) -> str | None:
    """Where pieces go, if the cells among a move's atoms do not say it.

    Such as `-2 4-1` for a3-c2 and a4-c1 after a3 and c; nothing where none goes anywhere. What the
    atoms, and then the way before, have in the same place is left out: a cell, or its letter.
    """
    cells = tuple(atom for atom in move.atoms if atom in move.position.game.board.cell_names)
    if move.ways == ([cells] if len(cells) > 1 else []):
        return None
    before = path[:2]
    told = []
    for way in move.ways:
        told.append("-".join(map(_shorter, way, (*before, *[""] * len(way)))))
        before = way
    return " ".join(told)


def _shorter(cell: str, before: str) -> str:
    if cell == before:
        return ""
    return cell[1:] if cell[:1] == before[:1] and cell[1:2].isdigit() else cell


def labels(game: Game[Any], tree: dict[str, Any], lang: str) -> dict[str, str]:
    """What people call every atom of a branch."""
    found: dict[str, str] = {}
    waiting = [tree]
    while waiting:
        for atom, after in waiting.pop().items():
            if atom not in found:
                found[atom] = game.label(atom, lang)
            if isinstance(after, dict):
                waiting.append(after)
    return found


def choice_facts(position: Position, atoms: Atoms, lang: str) -> ChoiceFacts:
    """What may follow some atoms, where there was no room for it; Problem if nothing may."""
    node = position.choices().after(*atoms)
    if node is None or node.move is not None:
        raise Problem("illegal", detail="these atoms lead nowhere")
    tree = branch(node, atoms)
    return ChoiceFacts(tree, labels(position.game, tree, lang), position.prompt(lang, *atoms))
