"""How games end when a level plays against itself.

    python -m bench endings canyon-1972 pilote --games 60

Every game begins with random moves, as matches of the arena do, each opening once. A line for each
way of ending, then the share of the seat that began, what was drawn and how long games were.
"""

from __future__ import annotations

import math
from collections import Counter
from statistics import pstdev
from typing import Annotated

import typer

import escale
from escale.arena.openings import opened
from escale.cli.options import parse_options
from escale.kernel import Random
from escale.opponents import think


def played(start: escale.Position, level: str, seed: int) -> escale.Position:
    """The last position of a game in which all seats play at a level."""
    position = start
    while position.turn is not None:
        position = position.play(think(position, level, seed=seed + position.plies).move)
    return position


def main(
    game: str,
    level: str,
    games: int = 60,
    random_plies: int = 4,
    seed: int = 1,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE")] = None,
) -> None:
    """Play, and print how games ended."""
    endings: Counter[str] = Counter()
    first: list[float] = []
    drawn, plies = 0, 0
    for number in range(games):
        own_seed = 100_000 * seed + 1_000 * number
        start = escale.game(game).start_with(parse_options(option), seed=own_seed)
        last = played(opened(start, random_plies, Random(own_seed)), level, own_seed)
        assert last.outcome is not None
        assert start.turn is not None
        first.append(last.outcome.shares[start.turn])
        endings[last.outcome.name] += 1
        drawn += max(last.outcome.shares) < 1
        plies += last.plies
    for name, times in endings.most_common():
        print(f"{name:<14}{times:>5}{times / games:>8.1%}")
    error = 1.96 * pstdev(first) / math.sqrt(games)
    print(f"{'first seat':<14}{sum(first):>5g}{sum(first) / games:>8.1%} ± {error:.1%}")
    print(f"{'drawn':<14}{drawn:>5}{drawn / games:>8.1%}")
    print(f"plies a game {plies / games:.0f}")
