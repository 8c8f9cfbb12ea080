"""How long Canyon (1997) takes to find where a canoe may end, also where it has to look for ways.

    python -m bench canyon-1997 [CLIMBS]

Each case is timed several times and the best time counts: what else runs on the machine is not the
rules' fault. Hard cases are looked for by hill
climbing: canoes are moved about for as long as that takes more time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

import escale
from escale.games.canyon_1997.river import ARROWS, NAMES, NUMBERS, RIVER
from escale.games.canyon_1997.rules import MOVE, CanyonState
from escale.kernel import Random, draw_chance

GAME = escale.game("canyon-1997")
MOST_POINTS = 11
"""Points: a bid of 8 that was made."""
STILL = [*RIVER.cells("S.P")]
CURRENT = [*RIVER.cells(ARROWS)]
Case = tuple[list[int], int]
"""The canoes' cells, the first being the one that moves, and its points."""

#: Among the slowest that hill climbing has found in thousands of attempts.
HARD = (
    ("a2 b4 b9 a1 b11 d9", 9),
    ("b1 b9 c12 d9 a10 c14", 8),
    ("a1 b5 b12 d9 b9 c3", 8),
    ("c0 d1 d9 e7 b9 d7", 10),
)


def state_of(case: Case) -> CanyonState:
    """A table with these canoes."""
    at, _ = case
    state = CanyonState(len(at))
    state.lay({**state.table(), "at": at})
    return state


def microseconds(case: Case, repeated: int = 5) -> float:
    """The best time that finding the ends took."""
    state, points, best = state_of(case), case[1], 1e9
    for _ in range(repeated):
        started = time.perf_counter()
        state.choices(0, points)
        best = min(best, time.perf_counter() - started)
    return best * 1e6


def played(number: int) -> Iterator[Case]:
    """Moves of canoes in random games of six."""
    chance, state = Random(1), GAME.start(seats=6).kernel()
    assert isinstance(state, CanyonState)
    start = state.copy()
    while number > 0:
        moves = state.legal_moves()
        if not moves:
            state = start.copy()
            continue
        if state.turn == escale.CHANCE:
            state.play(draw_chance(state, chance))
            continue
        if state.phase == MOVE:
            at = state.table()["at"]
            yield [*at[state.turn:], *at[:state.turn]], state.points(state.turn)
            number -= 1
        state.play(moves[chance.below(len(moves))])


def strewn(number: int, chance: random.Random) -> Iterator[Case]:
    """Six canoes close together, anywhere, with any points."""
    for _ in range(number):
        row = chance.randrange(28)
        cells = [cell for cell in (*STILL, *CURRENT) if row <= cell // 6 <= row + 6]
        at = chance.sample(cells, 6)
        yield at, chance.randint(1, 3 if at[0] in CURRENT else MOST_POINTS)


def open_water() -> Iterator[Case]:
    """Eleven points, and nobody near."""
    for start in STILL:
        free = [cell for cell in STILL if abs(cell // 6 - start // 6) > 12]
        yield [start, *free[:5]], MOST_POINTS


def climbed(number: int, chance: random.Random) -> Iterator[Case]:
    """Where no small change takes more time any more; each begins with the slowest of many."""
    for _ in range(number):
        case = max(strewn(200, chance), key=microseconds)
        slowest, idle = microseconds(case), 0
        while idle < 300:
            at, points = list(case[0]), case[1]
            for _ in range(chance.choice([1, 1, 2])):
                moved = chance.randrange(6)
                cells = [
                    cell for cell in (STILL if moved == 0 else [*STILL, *CURRENT])
                    if cell not in at and abs(cell // 6 - at[moved] // 6) <= 3
                ]
                at[moved] = chance.choice(cells or [at[moved]])
            if chance.random() < 0.3:
                points = chance.randint(2, MOST_POINTS)
            took = microseconds((at, points))
            idle += 1
            if took > 1.03 * slowest and microseconds((at, points), 20) > 1.02 * slowest:
                case, slowest, idle = (at, points), took, 0
        yield case


def row(name: str, cases: Iterable[Case]) -> list[tuple[float, Case]]:
    """Print median and worst; all cases with their times, the slowest first."""
    found = sorted(((microseconds(case), case) for case in cases), reverse=True)
    middle = found[len(found) // 2][0]
    print(f"{name:<24}{len(found):>8}{middle:>10.1f}{found[0][0]:>10.1f}")
    return found


def main(climbs: Annotated[int, typer.Argument()] = 100) -> None:
    """Print the table, then the hardest cases."""
    chance = random.Random(2)
    print(f"{'':<24}{'cases':>8}{'median':>10}{'worst':>10}   microseconds")
    row("met in random games", played(20_000))
    row("strewn", strewn(50_000, chance))
    row("open water, 11 points", open_water())
    hard = [([NUMBERS[name] for name in names.split()], points) for names, points in HARD]
    row("hardest known", hard)
    for took, (at, points) in row("hill climbing", climbed(climbs, chance))[:5]:
        print(f"    {took:6.1f}  {' '.join(NAMES[cell] for cell in at)!r}, {points}")
