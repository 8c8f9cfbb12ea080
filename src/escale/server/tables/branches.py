"""The legal moves as nested objects, which is how browsers are asked to choose.

An atom leads on, or completes a move. That is mostly written as 1: the move's text is the atoms so
far, joined by hyphens, and the cells among them are the way of the piece that it moves. Where the
text is another, it stands there; where the way is, `[text or 1, way]`, see `short_ways`. Null: ask.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from escale.game.choices import Choices
from escale.game.game import Game
from escale.game.moves import Atoms, Move
from escale.game.position import Position
from escale.game.refusals import explain
from escale.game.state_of_play import short_ways
from escale.server.edge.problems import Problem
from escale.server.tables.messages import ChoiceFacts, Reason

SENT_ATOMS = 400
"""Atoms of the tree of choices that are sent at once; what does not fit is asked for."""


def branch(
    game: Game[Any], node: Choices, before: Atoms = (), room: int = SENT_ATOMS
) -> dict[str, Any]:
    """What may follow the atoms `before`, as far as there is room, the nearest first.

    A move that can be made in several ways tells only once where its pieces go.
    """
    if game.ways_in_atoms:
        return node.tree(lambda move, path: move.text, before, room, own=1)
    spelled: set[int] = set()

    def leaf(move: Move, path: Atoms) -> Any:
        text = 1 if move.atoms == path else move.text
        if move.code in spelled:
            return text
        spelled.add(move.code)
        way = short_ways(move, path)
        return text if way is None else [text, way]

    return node.tree(leaf, before, room)


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
    tree = branch(position.game, node, atoms)
    return ChoiceFacts(tree, labels(position.game, tree, lang), position.prompt(lang, *atoms))


def reason(position: Position, atoms: Sequence[str], lang: str) -> Reason:
    """Why some atoms are no move."""
    refusal = explain(position, tuple(atoms))
    return Reason(
        legal=False, text=refusal.text(lang), rule=refusal.rule, cells=list(refusal.cells)
    )
