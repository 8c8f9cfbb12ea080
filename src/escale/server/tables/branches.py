"""The legal moves as nested objects, which is how browsers are asked to choose.

An atom leads on, or completes a move. That is mostly told by 1: the move's text is the atoms so
far, joined by hyphens, and the cells among them are the way of the piece that it moves. Where the
text is another, it stands there; where the way is, `[text or 1, way]`. Null: ask again.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from escale.game.choices import Choices
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position

ROOM = 400
"""Atoms of the tree of choices that are sent at once; what does not fit is asked for."""

Path = tuple[str, ...]


def choices_of(position: Position) -> dict[str, Any]:
    """What the seat to move may choose."""
    if position.crowded:
        return branch(position.choices())
    game = position.game
    moves = {move.code: move for move in position.moves()}
    ways: list[tuple[Path, Any]] = [
        (move.atoms, 1 if game.ways_in_atoms else _leaf(move, move.atoms))
        for move in moves.values()
    ]
    ways += [
        (atoms, _leaf(moves[code], atoms))
        for atoms, code in game.other_ways(position.kernel(), moves.keys())
    ]
    root: dict[str, Any] = {}
    room = ROOM
    for atoms, leaf in ways:
        node = root
        for atom in atoms[:-1]:
            if atom not in node:
                node[atom] = {}
                room -= 1
            node = node[atom]
        node[atoms[-1]] = leaf
    return root if len(ways) <= room else branch(position.choices())


def branch(node: Choices, before: Path = (), room: int = ROOM) -> dict[str, Any]:
    """What may follow the atoms `before`, as far as there is room, the nearest first."""
    root: dict[str, Any] = {}
    waiting = deque([(node, root, before)])
    while waiting:
        node, out, path = waiting.popleft()
        for atom, after in node.next.items():
            move = after.move
            if move is not None:
                out[atom] = _leaf(move, (*path, atom))
            elif room <= 0:
                out[atom] = None
            else:
                out[atom] = {}
                waiting.append((after, out[atom], (*path, atom)))
            room -= 1
    return root


def _leaf(move: Move, path: Path) -> Any:
    text = 1 if move.atoms == path else move.text
    if move.position.game.ways_in_atoms:
        return text
    way = told_way(move)
    return text if way is None else [text, way]


def told_way(move: Move) -> str | None:
    """Where pieces go, if the cells among a move's atoms do not say it.

    Such as `a3-c2 a4-c1` for two pieces, nothing where none goes anywhere.
    """
    cells = tuple(atom for atom in move.atoms if atom in move.position.game.board.cell_names)
    if move.ways == ([cells] if len(cells) > 1 else []):
        return None
    return " ".join(map("-".join, move.ways))


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
