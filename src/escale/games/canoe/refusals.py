"""Why an attempt at Canoë is refused: words for what the generator has judged."""

from __future__ import annotations

from escale.games.canoe.board import BITS, COLUMNS
from escale.play.moves import Atoms
from escale.play.position import Position
from escale.play.refusals import Refusal


def refuse(position: Position, atoms: Atoms) -> Refusal | None:
    """The paragraph that forbids these atoms, of which none is unknown."""

    def no(key: str, paragraph: int, hole: str) -> Refusal:
        return Refusal(position.game, key, paragraph, (hole,), {"hole": hole})

    seat = position.turn
    assert seat is not None
    mine, theirs = position.game.seat_names[seat], position.game.seat_names[1 - seat]
    cells = position.cells
    first, *rest = atoms
    if first not in BITS:
        return no("hole-first", 5, first)
    if len(rest) > 1:
        return no("one-action", 5, first)
    holder = cells.get(first)
    if holder == theirs:
        return no("not-yours", 10, first)
    if holder is None:
        if rest:
            return no("nothing-there", 10, first)
        return no("reserve-empty", 11, first)
    if not rest:
        return None
    [to] = rest
    if to == "reserve":
        return None
    if cells.get(to) in (mine, theirs):
        return no("occupied", 9, to)
    if max(abs(COLUMNS.index(first[0]) - COLUMNS.index(to[0])), abs(int(first[1]) - int(to[1]))) > 1:
        return no("too-far", 9, to)
    return None
