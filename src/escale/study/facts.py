"""Facts about a move in any game: what it takes, whether it wins at once, what a pass would allow.

Nothing here is an opinion or specific to a game. The facts follow from the changes of a move, from
the owners of pieces, and from the endings.
"""

from __future__ import annotations

from escale.game.changes import retell
from escale.game.errors import EscaleError
from escale.game.moves import Move
from escale.game.position import Position
from escale.game.scene import Cells
from escale.kernel import State
from escale.kernel.brute_force import brute_force

EXAMINED_MOVES = 400
"""In positions with more legal moves, what they take is not searched for."""


def prey(move: Move) -> tuple[str, ...]:
    """The cells where a move takes something, in order.

    A piece is taken if another seat owned it and it is gone or has changed its owner, or if it
    belonged to no seat and was put aside for good. A piece that returns to its owner's reserve is
    not taken.
    """
    position = move.position
    board = position.game.board
    areas = {area.id: board.kinds[area.kind].owner for area in board.areas}
    before = position.cells
    after = retell(before, move.changes)
    found: dict[str, None] = {}
    for change in move.changes:
        if change.at is None or change.kind not in ("captured", "turned", "taken"):
            continue
        if change.kind == "taken" and areas.get(change.to or "") is not None:
            continue
        if change.kind == "turned":
            owner = _owner(position, before, change.at)
            if owner in (None, position.turn) or _owner(position, after, change.at) == owner:
                continue
        found[change.at] = None
    return tuple(found)


def _owner(position: Position, cells: Cells, cell: str) -> int | None:
    kind = position.game.board.kinds.get(str(cells.get(cell)))
    return None if kind is None else kind.owner


def catches(position: Position) -> dict[str, Move] | None:
    """Every cell where a legal move takes something, with the first such move.

    None if there are more than `EXAMINED_MOVES` moves.
    """
    found: dict[str, Move] = {}
    moves = position.moves()
    if len(moves) > EXAMINED_MOVES:
        return None
    for move in moves:
        for cell in prey(move):
            found.setdefault(cell, move)
    return found


def winning_move(position: Position) -> Move | None:
    """A move that wins the game at once, in games of two seats; None if there is none."""
    state = position.kernel()
    if position.turn not in (0, 1) or not _won(state, 1, position.turn):
        return None
    return next(
        move for move in position.moves() if _won(state.child(move.code), 0, position.turn)
    )


def _won(state: State, plies: int, seat: int) -> bool:
    """Whether one of two seats certainly wins within a number of plies."""
    bounds = brute_force(state, plies)
    assert bounds is not None
    low, high = bounds
    return bool(low == 1.0 if seat == 0 else high == 0.0)


def passed(position: Position) -> Position | None:
    """The position with the other of two seats to move; None if that is impossible."""
    if position.turn not in (0, 1) or position.seats != 2:
        return None
    board, _, plies, *rest = position.text.split()
    turn = position.game.turn_name(1 - position.turn)
    words = [word for word in rest if not word.startswith("seen=")]
    try:
        other = position.game.position(" ".join([board, turn, plies, *words]))
    except EscaleError:
        return None
    return other if other.turn == 1 - position.turn else None
