"""Facts about a puzzle: whether a move still wins in time, and the others' replies.

Everything here is exact. `kernel.forces` examines every reply to the end of the plies. If a game's
puzzles have another task than to win (`Game.exercise`), such as to take as many tricks as were bid,
a plain walk examines everything that can be played with open cards; then all other seats together
play against the solver.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from escale import kernel
from escale.game.errors import NotNow
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import Limit
from escale.opponents import think
from escale.study.puzzles import Puzzle

SOLVER_NODES = 60_000
"""Nodes of the searches that find the consequences of a wrong move."""
DEFENCE_PLIES = 4
"""Plies left up to which the defence looks for the reply that leaves the fewest ways to win."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of the solver's last move."""

    kind: Literal["right", "solved", "slower", "wrong"]
    """`slower`: it wins for certain, but not in time."""
    replies: tuple[Move, ...] = ()
    """The others' moves, until it is the solver's turn or the end: the longest defence, or the
    refutation of a wrong move.
    """
    lost: bool = False
    """Whether it is proven that the wrong move does not win at all."""


def achieved(position: Position) -> Collection[int] | None:
    """The seats that have reached the puzzle's goal; None while that is open."""
    if position.game.has_exercises:
        before, last = position.parent, position.last
        if before is None or last is None:
            return None
        return position.game.exercise(before.kernel(), last.code)
    outcome = position.outcome
    if outcome is None:
        return None
    return [seat for seat, share in enumerate(outcome.shares) if share == 1]


def forced(position: Position, seat: int, plies: int, nodes: int = 1 << 62) -> bool | None:
    """Whether a seat can force the puzzle's goal; None if that takes too many nodes."""
    done = achieved(position)
    if done is not None:
        return seat in done
    if position.game.has_exercises:
        return _walk(position.game, position.kernel(), seat)
    return kernel.forces(position.kernel(), seat, plies, nodes=nodes)


def _walk(game: Game[Any], state: kernel.State, seat: int) -> bool:
    """Whether the seat reaches the goal of an exercise, whatever all others play."""
    own = state.turn == seat
    for move in state.legal_moves():
        done = game.exercise(state, move)
        good = seat in done if done is not None else _walk(game, state.child(move), seat)
        if good == own:
            return own
    return not own


def winning(position: Position, seat: int, plies: int) -> list[Move]:
    """The moves of the solver, who is to move, that still win within `plies`."""
    return [move for move in position.moves() if forced(position.play(move), seat, plies - 1)]


def judge(puzzle: Puzzle, here: Position) -> Verdict:
    """Judge the last move; all moves before it were right.

    `here` is the position after it, with all moves since the puzzle's position.
    """
    seat, left = _solver(puzzle, here)
    done = achieved(here)
    if done is not None:
        return Verdict("solved") if seat in done else Verdict("wrong", lost=True)
    if forced(here, seat, left):
        replies = _defence(here, seat, left)
        for reply in replies:
            here = here.play(reply)
        # Others may complete the last trick.
        return Verdict("right" if achieved(here) is None else "solved", tuple(replies))
    if here.game.has_exercises:
        return Verdict("wrong", tuple(_escape(here, seat)), lost=True)
    return _refuted(here, seat, left)


def next_move(puzzle: Puzzle, here: Position) -> Move | None:
    """A move that solves the puzzle from here on, if it is the solver's turn."""
    line = tuple(move.text for move in here.line())
    if line == puzzle.line[: len(line)] and len(line) < puzzle.plies:
        return here.find(puzzle.line[len(line)])
    seat, left = _solver(puzzle, here)
    if here.turn != seat or achieved(here) is not None:
        return None
    return next(iter(winning(here, seat, left)), None)


def _solver(puzzle: Puzzle, here: Position) -> tuple[int, int]:
    """The seat that solves the puzzle, and the number of plies left."""
    line = here.line()
    start = line[0].position if line else here
    assert start.turn is not None
    if len(line) > puzzle.plies:
        raise NotNow("the puzzle is over")
    return start.turn, puzzle.plies - len(line)


def _defence(here: Position, seat: int, left: int) -> list[Move]:
    """The others' moves in a lost position: the longest way, and the hardest to see through."""
    replies = []
    while achieved(here) is None and here.turn != seat:
        left -= 1
        after = {move: here.play(move) for move in here.moves()}
        lasting = {move: _lasts(next_, seat, left) for move, next_ in after.items()}
        longest = max(lasting.values())
        best = [move for move, plies in lasting.items() if plies == longest]
        if len(best) > 1 and (left < DEFENCE_PLIES or here.game.has_exercises):
            best.sort(key=lambda move: _ways(after[move], seat, left))
        replies.append(best[0])
        here = after[best[0]]
    return replies


def _lasts(here: Position, seat: int, most: int) -> int:
    """The number of plies within which the seat wins by force; it is at most `most`."""
    if here.game.has_exercises:
        return most                     # all hands of cards take equally long
    return next(plies for plies in range(most + 1) if plies == most or forced(here, seat, plies))


def _ways(here: Position, seat: int, left: int) -> int:
    """The number of the solver's moves that win in time."""
    return len(winning(here, seat, left)) if here.turn == seat else 0


def _escape(here: Position, seat: int) -> list[Move]:
    """The others' moves that prevent the seat from reaching the puzzle's goal."""
    replies = []
    while achieved(here) is None and here.turn != seat:
        move = next(move for move in here.moves() if not forced(here.play(move), seat, 0))
        replies.append(move)
        here = here.play(move)
    return replies


def _refuted(here: Position, seat: int, left: int) -> Verdict:
    """The best answer to a move of two that does not win in time."""
    found = think(here, limit=Limit(nodes=SOLVER_NODES))
    if found.proven and found.shares[seat] == 1:
        return Verdict("slower", tuple(found.line[:1]))
    lost = found.proven and found.shares[seat] < 1
    answers = [found.move, *here.moves()]
    reply = next(move for move in answers if not forced(here.play(move), seat, left - 1))
    return Verdict("wrong", (reply,), lost and reply == found.move)
