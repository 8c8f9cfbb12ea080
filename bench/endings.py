"""How games end when a level plays against itself.

    python -m bench.endings canyon-1972 pilote --games 60

Every game begins with random moves, as matches of the arena do, each opening once. A line for each
way of ending, then what was drawn and how long games were.
"""

from __future__ import annotations

import argparse
from collections import Counter

import escale
from escale.arena.openings import opened
from escale.kernel import Random
from escale.opponents import LEVELS, think


def played(start: escale.Position, level: str, seed: int) -> escale.Position:
    """The last position of a game in which all seats play at a level."""
    position = start
    while position.turn is not None:
        position = position.play(think(position, level, seed=seed + position.plies).move)
    return position


def main() -> None:
    """Play, and print how games ended."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("game")
    words.add_argument("level", choices=LEVELS)
    words.add_argument("--games", type=int, default=60)
    words.add_argument("--random-plies", type=int, default=4)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    asked = words.parse_args()
    options = dict(word.split("=", 1) for word in asked.option)
    start = escale.game(asked.game).start_with(options)
    endings: Counter[str] = Counter()
    drawn, plies = 0, 0
    for number in range(asked.games):
        seed = 100_000 * asked.seed + 1_000 * number
        last = played(opened(start, asked.random_plies, Random(seed)), asked.level, seed)
        assert last.outcome is not None
        endings[last.outcome.name] += 1
        drawn += max(last.outcome.shares) < 1
        plies += last.plies
    for name, times in endings.most_common():
        print(f"{name:<14}{times:>5}{times / asked.games:>8.1%}")
    print(f"{'drawn':<14}{drawn:>5}{drawn / asked.games:>8.1%}")
    print(f"plies a game {plies / asked.games:.0f}")


if __name__ == "__main__":
    main()
