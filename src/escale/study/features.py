"""The feature of a game's evaluation that a move improves most, compared with the other moves."""

from __future__ import annotations

from typing import NamedTuple

from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import State
from escale.kernel.weights import DRAWS, features, flat

COMPARED_MOVES = 60
"""A move is compared with at most this many others, evenly chosen from all."""
NOTABLE_POINTS = 5
"""The least gain that is mentioned, in points: 250 points make the odds e times as good."""


class Gain(NamedTuple):
    """A feature, and how much a move improves it."""

    name: str
    """The name in `weights.toml`; a list of weights is one feature."""
    points: float
    """The gain for the seat, compared with the average of the other moves."""


def named(numbers: dict[str, object]) -> list[str]:
    """The feature's name for each weight of an evaluation, without the weights for draws."""
    return [
        name for name, found in flat(numbers).items() if not name.startswith(f"{DRAWS}.")
        for _ in found
    ]


def parts(position: Position, states: list[State]) -> list[dict[str, float]]:
    """The part of each feature in the evaluation of some states, for the seat that moves there."""
    evaluation = position.game.evaluation
    names = named(evaluation.numbers)
    row = [
        number for name, found in flat(evaluation.numbers).items()
        if not name.startswith(f"{DRAWS}.") for number in found
    ]
    sums = []
    for values in features(evaluation, states):
        added: dict[str, float] = dict.fromkeys(names, 0.0)
        for name, weight, value in zip(names, row, values, strict=True):
            added[name] += weight * value
        sums.append(added)
    return sums


def improved(position: Position, move: Move) -> Gain | None:
    """The feature that a move improves most; None if no feature is much better.

    The positions after it and after the other moves are compared, as far as the same seat moves
    there and the game goes on.
    """
    if not position.game.evaluation.numbers:
        return None
    after = position.follow(move.code)
    if after.turn is None or after.turn < 0:
        return None
    others = [
        other.kernel() for other in map(position.follow, _some(position, move))
        if other.turn == after.turn
    ]
    if not others:
        return None
    try:
        mine, *theirs = parts(position, [after.kernel(), *others])
    except ValueError:                  # this evaluation is not a sum of features
        return None
    sign = 1 if after.turn == position.turn else -1
    gains = [
        Gain(name, sign * (value - sum(other[name] for other in theirs) / len(theirs)))
        for name, value in mine.items()
    ]
    best = max(gains, key=lambda gain: gain.points)
    return best if best.points >= NOTABLE_POINTS else None


def _some(position: Position, move: Move) -> list[int]:
    """Some of the other moves, by their numbers in the kernel."""
    codes = [other.code for other in position.moves() if other.code != move.code]
    step = -(-len(codes) // COMPARED_MOVES) or 1
    return codes[::step]
