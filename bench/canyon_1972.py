"""How long Canyon (1972) takes to find every move, where chains explode and where they do not.

    python -m bench.canyon_1972

Each position is generated several times and the best time counts: what else runs on the machine
is not the rules' fault. About 2 µs of each time are the call from Python.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import escale
from escale.kernel import perft
from tests.games.test_canyon_1972 import DENSE, GAME
from tests.witness.test_compare import strewn_canyon

REPEATED = 20


def microseconds(position: escale.Position) -> float:
    """The best time that generating all moves took."""
    rules, best = position.kernel(), 1e9
    for _ in range(REPEATED):
        started = time.perf_counter()
        perft(rules, 1)
        best = min(best, time.perf_counter() - started)
    return best * 1e6


def played(number: int) -> Iterator[escale.Position]:
    """Positions of random games."""
    chance = random.Random(1)
    while number > 0:
        position = GAME.start(canyon=chance.choice(GAME.options[0].values))
        while number > 0 and position.turn is not None:
            if chance.random() < 0.1:
                yield position
                number -= 1
            position = position.play(chance.choice(position.moves()))


def strewn(number: int) -> Iterator[escale.Position]:
    """Boards on which pawns were dropped at random, many of them on one side of the canyon."""
    chance = random.Random(2)
    for _ in range(number):
        options = {"canyon": chance.choice(GAME.options[0].values)}
        yield strewn_canyon(chance, options)


def row(name: str, positions: Iterator[escale.Position]) -> str:
    """How many moves there are and how long they take: median and worst."""
    found = [
        (len(position.kernel().legal_moves()), microseconds(position)) for position in positions
    ]
    moves, times = (sorted(column) for column in zip(*found, strict=True))
    middle = len(found) // 2
    return (f"{name:<22}{len(found):>6}{moves[middle]:>8}{moves[-1]:>8}"
            f"{times[middle]:>10.1f}{times[-1]:>10.1f}")


def main() -> None:
    """Print the table."""
    print(f"{'':<22}{'':>6}{'moves':>16}{'microseconds':>20}")
    print(f"{'positions':<22}{'number':>6}{'median':>8}{'most':>8}{'median':>10}{'worst':>10}")
    print(row("met in random games", played(500)))
    print(row("strewn", strewn(5000)))
    print(row("worst found", (GAME.position(text) for text in DENSE)))


if __name__ == "__main__":
    main()
