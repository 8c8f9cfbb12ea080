"""How long Canyon (1972) takes to find every move, where chains explode and where they do not.

    python -m bench canyon-1972

Each position is generated several times and the best time counts: what else runs on the machine
is not the rules' fault. About 2 µs of each time are the call from Python.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import escale
from escale.games.canyon_1972.geometry import BITS, CANYON
from escale.kernel import perft

GAME = escale.game("canyon-1972")
REPEATED = 20

#: The most moves and the slowest positions that a search for them found, one pair for each canyon.
DENSE = {
    "1R1y1y1y/yR1RyRyR/5R2/yR3yR1/1y6/yRRy2yR/1yRR1R2/1R1y1y2 red 40": 57_415,
    "2R2R1R/2R1yRy1/Ry2RyRy/6R1/yyy3Ry/2y5/yyRyR1Ry/2R1y1R1 red 40": 57_408,
    "1R1R1y1y/R3yRy1/4RyRy/y5R1/1yy3yR/R1R5/1yRyR2R/2y1y1R1 red 40 canyon=narrow": 13_383,
    "1R1R1y2/R2yyRy1/4Ry2/yR3yy1/1y5R/yyyy3R/1y1y4/R1R5 red 40 canyon=narrow": 9_621,
    "1R1y1y2/Ry1RRRy1/5y1R/Ry3Ry1/1y4Ry/yRyR4/1y1R2yy/3R2R1 red 40 canyon=wide-passes": 26_694,
    "R1RR4/1R2y1y1/4yyRy/5Ry1/RyR3RR/R1y5/RyyyR1Ry/2y1y1y1 red 40 canyon=wide-passes": 19_365,
}
DENSE = {text.replace("y", "Y").replace("canYon", "canyon"): n for text, n in DENSE.items()}


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
    """Boards on which pawns were dropped at random, now few, now as many as there are."""
    chance = random.Random(2)
    for _ in range(number):
        width = chance.choice(GAME.options[0].values)
        cells = [cell for cell, bit in BITS.items() if not CANYON[width] >> bit & 1]
        pawns: dict[str, int | str] = {}
        for seat in GAME.seat_names:
            free = [cell for cell in cells if cell not in pawns]
            pawns |= dict.fromkeys(chance.sample(free, chance.randint(1, 15)), seat)
        text = f"{GAME.write_board(pawns)} {chance.choice(GAME.seat_names)} 1"
        yield GAME.position(text, options={"canyon": width})


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
