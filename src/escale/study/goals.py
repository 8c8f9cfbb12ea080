"""The goals of tasks. The moves that reach one are found by trying all legal moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from escale.game.changes import Change
from escale.game.moves import Move
from escale.game.position import Position


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The goal of the seat to move: one of `win`, `safe` and `change`."""

    win: int = 0
    """To win with this many moves (1 or 2), whatever the opponent does; 0 for another goal."""
    safe: bool = False
    """To leave the opponent no winning move."""
    without: str = ""
    """To leave the opponent no reply with a change of this kind, such as `captured`."""
    change: str = ""
    """To make a move with changes of this kind, …"""
    count: int = 1
    """… at least so many, …"""
    piece: str = ""
    """… of this piece, if one is named, …"""
    to: str = ""
    """… and to this place or seat, if one is named."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The opponent's reply to a move on the way to a goal."""

    move: str
    then: Mapping[str, Reply | None]
    """The moves that reach the goal after the reply."""


Answers: TypeAlias = Mapping[str, Reply | None]
"""The right moves; each with a reply if the goal takes more than one move."""


def solutions(position: Position, goal: Goal) -> Answers:
    """Every move that reaches the goal, in the order of the legal moves."""
    if goal.win > 1:
        return dict(_winning_later(position, goal.win))
    return {move.text: None for move in position.moves() if _reaches(position, move, goal)}


def _reaches(position: Position, move: Move, goal: Goal) -> bool:
    if goal.win:
        return _wins(position, move)
    if goal.change:
        return sum(_fits(change, goal) for change in move.changes) >= goal.count
    after = position.play(move)
    if goal.safe and any(_wins(after, reply) for reply in after.moves()):
        return False
    return not goal.without or not any(
        change.kind == goal.without for reply in after.moves() for change in reply.changes
    )


def _fits(change: Change, goal: Goal) -> bool:
    return (
        change.kind == goal.change and goal.piece in ("", change.piece)
        and goal.to in ("", change.to)
    )


def _wins(position: Position, move: Move) -> bool:
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winners == (position.turn,)


def _winning_later(position: Position, moves: int) -> Iterator[tuple[str, Reply | None]]:
    """The moves after which every reply still loses, each with the reply that is shown.

    The reply is the one that leaves the fewest ways to win: the hardest one to answer.
    """
    for move in position.moves():
        after = position.play(move)
        if after.outcome is not None:
            if after.outcome.winners == (position.turn,):
                yield move.text, None
            continue
        found: list[Reply] = []
        for reply in after.moves():
            then = solutions(after.play(reply), Goal(win=moves - 1))
            if not then:
                break
            found.append(Reply(reply.text, then))
        else:
            yield move.text, min(found, key=lambda reply: len(reply.then))
