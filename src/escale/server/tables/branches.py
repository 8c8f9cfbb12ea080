"""The legal moves as nested objects, from which a page lets its player choose.

An atom leads on, or completes a move. That is mostly written as 1: the move's text is the atoms so
far, joined by hyphens, and the cells among them are the way of the piece that it moves. A different
text is written instead of 1; a different way as `[text or 1, way]`, see `short_ways`. Null stands
for a branch that the client has to ask for.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from escale.game.changes import Change
from escale.game.choices import Choices
from escale.game.game import Game
from escale.game.moves import Atoms, Move
from escale.game.position import Position
from escale.game.refusals import explain
from escale.game.state_of_play import short_ways
from escale.game.viewer import viewer_on_turn
from escale.kernel import CHANCE
from escale.server.edge.problems import Problem
from escale.server.tables.messages import Became, ChoiceFacts, Reason

COMPARED_MOVES = 200
"""So many moves are compared to say what has become of pieces in the middle of them."""
SENT_ATOMS = 400
"""At most this many atoms of the tree are sent at once; the client asks for the others."""


def branch(
    game: Game[Any], node: Choices, before: Atoms = (), room: int = SENT_ATOMS
) -> dict[str, Any]:
    """The atoms that may follow `before`, as many as there is room for, the nearest first.

    A move that several atoms lead to has the way of its pieces only once.
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


def labels(position: Position, tree: dict[str, Any], lang: str) -> dict[str, str]:
    """The label of every atom of a branch; where chance decides for a seat, the seat's name."""
    game, found = position.game, dict[str, str]()
    seats = game.seat_names if position.turn == CHANCE else ()
    waiting = [tree]
    while waiting:
        for atom, after in waiting.pop().items():
            if atom not in found:
                found[atom] = game.called(atom, lang) if atom in seats else game.label(atom, lang)
            if isinstance(after, dict):
                waiting.append(after)
    return found


def choice_facts(position: Position, atoms: Atoms, lang: str) -> ChoiceFacts:
    """The branch after some atoms; Problem if they lead nowhere."""
    node = position.choices().after(*atoms)
    if node is None:
        raise Problem("illegal", detail="these atoms lead nowhere")
    tree = {} if node.move is not None else branch(position.game, node, atoms)
    prompt = position.prompt(lang, *atoms) if tree else ""
    return ChoiceFacts(tree, labels(position, tree, lang), prompt, jumped(position, node))


def jumped(position: Position, node: Choices) -> list[Became]:
    """What has become of the pieces that were jumped on the way to a node, as far as all moves
    below it agree; nothing where there are too many to compare.
    """
    moves = list(islice(node.moves(), COMPARED_MOVES + 1))
    if len(moves) > COMPARED_MOVES:
        return []
    viewer, cells, agreed = viewer_on_turn(position.turn), position.cells, list[Change]()
    for first, *others in zip(*(move.seen_by(viewer) for move in moves), strict=False):
        if any(other != first for other in others):
            break
        agreed.append(first)
        cells.update(first.cells)
    left = {place: what for place, what in cells.items() if what is not None}
    game, names = position.game, position.game.board.cell_names
    scene = game.scene(game.seen(left, viewer), turn=position.turn, options=position.options)
    there = {piece.at: piece for piece in scene.pieces if not piece.extra}
    going = {place for one in agreed if one.to in names for place in (one.at, one.to)}
    beside = dict.fromkeys(place for one in agreed for place in one.cells if place in names)
    return [
        Became(place, piece.symbol if piece else None, piece.facing if piece else None)
        for place in beside if place not in going for piece in [there.get(place)]
    ]


def reason(position: Position, atoms: Sequence[str], lang: str) -> Reason:
    """The reason why some atoms are not a legal move."""
    refusal = explain(position, tuple(atoms))
    return Reason(
        legal=False, text=refusal.text(lang), rule=refusal.rule, cells=list(refusal.cells)
    )
