"""What a move has over others that a beginner might play: certain facts, found by trying them.

The others are the legal moves in the order of the evaluation after one ply: what looks good at
first sight comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from escale import kernel
from escale.game.moves import Move
from escale.game.position import Position
from escale.study.facts import EXAMINED_MOVES, catches, passed, prey, winning_move

TRIED_MOVES = 16
"""Other moves that are tried."""
RANKED_MOVES = 150
"""With more legal moves, only so many, evenly chosen, are compared by the evaluation."""
LOSS_PLIES = (3, 5)
"""A loss within so many plies after a move is seen: in two or three moves."""
LOSS_NODES = 12_000
"""Positions that looking for one may take."""


MORE_MOVES = 1.05
"""A move opens many next moves if they are at least so many times those of an average move."""
COUNTED_REPLIES = 50
"""Above this, replies must be clearly fewer; and for more moves, own ones are not counted."""
CLEARLY_FEWER = 0.9


class Worse(NamedTuple):
    """Another move, and what it would allow."""

    other: Move
    reply: Move | None = None
    """The reply that wins at once, or takes."""
    number: int | None = None
    """In how many moves of the other seat it loses at most; or see `ways`."""
    taken: tuple[str, ...] = ()
    """What the reply would take."""
    ways: int = 0
    """In how many ways something can be taken after the better move; `number` then says in how
    many after the other one."""


def natural(position: Position, move: Move) -> list[Move]:
    """The other moves that look best at first sight, the best first."""
    moves = list(_others(position, move))
    moves = moves[:: -(-len(moves) // RANKED_MOVES) or 1]
    evaluation, turn = position.game.evaluation, position.turn

    def worth(other: Move) -> float:
        after = position.kernel().child(other.code)
        if not after.legal_moves() or after.turn < 0:
            return -1e9
        value = evaluation.evaluate(after)
        return value if after.turn == turn else -value

    return sorted(moves, key=worth, reverse=True)[:TRIED_MOVES]


def losing(position: Position, others: list[Move]) -> Worse | None:
    """The first of the other moves that loses at once or in two moves, and how."""
    seat = position.turn
    assert seat in (0, 1)
    for other in others:
        there = position.follow(other.code)
        if there.turn != 1 - seat:
            continue
        if (reply := winning_move(there)) is not None:
            return Worse(other, reply, 1)
        for plies in LOSS_PLIES:
            if kernel.forces(there.kernel(), 1 - seat, plies, nodes=LOSS_NODES):
                return Worse(other, None, plies // 2 + 1)
    return None


def exposing(position: Position, after: Position, others: list[Move]) -> Worse | None:
    """The first of the other moves after which more can be taken than after this one.

    More at once, or else by more of the replies.
    """
    found = None
    if after.turn is None or after.turn == position.turn:
        return None
    mine = _taking(after)
    for other in others if mine is not None else ():
        there = position.follow(other.code)
        theirs = _taking(there) if there.turn == after.turn else None
        if mine is None or theirs is None:
            continue
        most = max(theirs, key=lambda one: len(one[1]), default=(None, ()))
        if len(most[1]) > max((len(taken) for _, taken in mine), default=0):
            return Worse(other, most[0], None, most[1])
        if found is None and len(theirs) > len(mine):
            found = Worse(other, None, len(theirs), ways=len(mine))
    return found


def _taking(position: Position) -> list[tuple[Move, tuple[str, ...]]] | None:
    """Every move that takes something, and what; None if there are too many moves."""
    moves = position.moves()
    if len(moves) > EXAMINED_MOVES:
        return None
    return [(move, taken) for move in moves if (taken := prey(move))]


def cleared(theirs: Position, after: Position) -> tuple[str, ...]:
    """The cells where the other seat could have taken something, and now cannot."""
    exposed, left = catches(theirs), catches(after)
    if not exposed or left is None:
        return ()
    return tuple(cell for cell in exposed if cell not in left)


def gain(position: Position, move: Move) -> int:
    """By how many points a move improves its seat's score, if no other move does it more.

    0 if another does, if all do it as much, or if no points decide.
    """
    seat = position.turn
    gains = _gains(position)
    mine = gains.get(move.code, 0)
    assert seat is not None
    return mine if mine > 0 and mine == max(gains.values()) > min(gains.values()) else 0


def denied(theirs: Position, after: Position) -> tuple[Move, int, int] | None:
    """The move that brought the other seat most points, these, and what it can still get."""
    before, left = _gains(theirs), _gains(after)
    if not before or not left or max(before.values()) <= max(0, *left.values()):
        return None
    code = max(before, key=lambda one: before[one])
    return Move(theirs, code), before[code], max(0, *left.values())


def _gains(position: Position) -> dict[int, int]:
    """The points that each legal move brings its seat; empty where no points decide."""
    seat, state = position.turn, position.kernel()
    scores = position.game.scores(state)
    if not scores or seat is None or seat < 0:
        return {}
    return {
        code: position.game.scores(state.child(code))[seat] - scores[seat]
        for code in state.legal_moves()
    }


def replies(position: Position, move: Move) -> tuple[int, bool] | None:
    """How many replies a move leaves, if fewer than usual; whether no other leaves fewer.

    None where more than half of the moves leave as few.
    """
    state, seat = position.kernel(), position.turn
    counts: dict[int, int] = {}
    if len(position.moves()) > EXAMINED_MOVES:
        return None
    for code in state.legal_moves():
        after = state.child(code)
        counts[code] = len(after.legal_moves()) if after.turn != seat else 0
    mine, ordered = counts[move.code], sorted(counts.values())
    usual = sum(ordered) / len(ordered)
    if not 0 < mine < (usual if mine <= COUNTED_REPLIES else CLEARLY_FEWER * usual):
        return None
    return (mine, mine == ordered[0]) if mine < ordered[len(ordered) // 2] else None


def openings(position: Position, move: Move) -> int | None:
    """How many moves the seat could make next, if clearly more than usual and none gives more.

    As if the other seat did not move in between.
    """
    if len(position.moves()) > COUNTED_REPLIES:
        return None
    counts = {}
    for one in position.moves():
        again = passed(position.follow(one.code))
        counts[one.code] = 0 if again is None else len(again.moves())
    mine, most = counts[move.code], max(counts.values())
    usual = sum(counts.values()) / len(counts)
    known = min(counts.values()) > 0        # else the other seat's turn cannot be left out
    return mine if known and mine == most and mine >= MORE_MOVES * usual else None


def all_take(position: Position, move: Move) -> bool:
    """Whether every other legal move takes something, too."""
    return all(prey(other) for other in _others(position, move))


def all_parry(position: Position, move: Move) -> bool:
    """Whether after every other legal move, too, no reply wins at once."""
    after = (position.follow(other.code) for other in _others(position, move))
    return all(winning_move(there) is None for there in after)


def loses(after: Position, seat: int | None, moves: int) -> bool:
    """Whether the move that led here loses in so many moves; yes if that is not known."""
    assert seat is not None
    if after.outcome is not None:
        return after.outcome.shares[seat] == 0
    return kernel.forces(
        after.kernel(), 1 - seat, 2 * moves - 1, nodes=10 * LOSS_NODES
    ) is not False


def _others(position: Position, move: Move) -> Iterator[Move]:
    return (other for other in position.moves() if other.code != move.code)
