"""Where canoes may end, as the witness says: on the river of the box, and in mazes.

Rocks strewn over the river make dead ends, channels of one cell and ways around, which canoes alone
seldom do: there a way of exactly so many steps often does not exist.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.games.canyon_1997 import paddling
from escale.games.canyon_1997.river import FAR, NAMES, NUMBERS, RIVER, River
from escale.games.canyon_1997.rules import CanyonState
from tests.games.canyon_1997 import witness
from tests.sizes import sized

with Path(__file__).with_name("expected.toml").open("rb") as file:
    MOVES: list[dict[str, Any]] = tomllib.load(file)["move"]

MANY = bool(escale.COMPILED)
WIDTH = 6


def ends(canoes: list[str], points: int) -> dict[str, int]:
    """Where the first of these canoes may end, each cell with its fewest steps."""
    state = CanyonState(max(3, len(canoes)))
    at = [NUMBERS[cell] for cell in canoes]
    state.lay({**state.table(), "at": at + [-1] * (3 - len(at))})
    return {NAMES[cell]: steps for cell, steps in state.choices(0, points).items()}


def expected(river: witness.River, canoes: list[str], points: int) -> dict[str, int]:
    """What the witness says; a canoe that stays ends nowhere else."""
    found = dict(witness.choices(river, canoes, 0, points))
    return {} if found == {canoes[0]: 0} else found


def same(river: witness.River, canoes: list[str], points: int) -> bool:
    """Compare; whether the canoe was hindered and had to make its steps all the same."""
    ours, theirs = ends(canoes, points), expected(river, canoes, points)
    assert ours.keys() == theirs.keys(), (river, canoes, points)
    for cell in ours:                       # elsewhere the witness tells the steps that are made
        if cell in witness.cells_with(river, "L"):
            assert ours[cell] == theirs[cell], (river, canoes, points)
    nearest = witness.distance(river, canoes[0]) - points
    return all(theirs[cell] == points and witness.distance(river, cell) > max(0, nearest)
               for cell in ours) and bool(ours)


def follow(river: River) -> None:
    """Let the rules follow this river."""
    paddling.lay_out(
        river.terrain, river.steps, river.distance, river.downstream, river.footbridge
    )


@pytest.fixture
def usual_afterwards() -> Iterator[None]:
    """Put the river of the box back."""
    yield
    follow(RIVER)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in MOVES])
def test_expected_moves(case: dict[str, Any]) -> None:
    canoes = dict(case["canoes"])
    first = canoes.pop(case["mover"])
    found = ends([first, *canoes.values()], case["points"])
    wanted = dict(case["ends"])
    assert found.keys() == (set() if wanted == {first: 0} else wanted.keys())


def test_canoes_strewn_on_the_river() -> None:
    chance = random.Random("strewn")
    hindered = 0
    for _ in range(sized(1500, 5000, 200)):
        lowest = chance.randrange(26)
        waters = [
            cell for cell in witness.cells_with(witness.RIVER, "S.>L")
            if lowest <= int(cell[1:]) <= lowest + 6
        ]
        canoes = chance.sample(waters, min(chance.randint(3, 6), len(waters)))
        if canoes[0] in witness.cells_with(witness.RIVER, "L"):
            continue
        hindered += same(witness.RIVER, canoes, chance.choice([1, 2, 3, 3, 4, 5, 6, 7, 9, 11]))
    assert hindered > (60 if MANY else 5)


@pytest.mark.usefixtures("usual_afterwards")
def test_mazes() -> None:
    chance = random.Random("mazes")
    hindered = 0
    for _ in range(sized(300, 1000, 60)):
        rocks = chance.choice([0.1, 0.15, 0.2, 0.25])
        terrain = "".join(
            "O" if sign in ".>S" and chance.random() < rocks else sign for sign in RIVER.terrain
        )
        river = River(terrain)
        rows = tuple(terrain[row : row + WIDTH] for row in range(0, len(terrain), WIDTH))
        waters = [
            cell for cell in witness.cells_with(rows, "S.>")
            if river.distance[NUMBERS[cell]] < FAR
        ]
        follow(river)
        bridge = river.footbridge           # of a sound map it leads to no pool without a landing
        starts = list(waters)
        if all(river.distance[near] < FAR for near in (bridge, *river.steps[bridge])):
            starts.append(NAMES[bridge])
        for first in chance.sample(starts, min(4, len(starts))):
            near = [
                cell for cell in waters
                if cell != first and abs(int(cell[1:]) - int(first[1:])) < 4
            ]
            if len(near) > 5:
                others = chance.sample(near, min(len(near), chance.randint(2, 5)))
                hindered += same(rows, [first, *others], chance.randint(1, 11))
    assert hindered > (60 if MANY else 5)
