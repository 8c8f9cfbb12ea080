"""The numbers of an evaluation: data beside a game's rules, which can be learnt and replaced.

In a file they are whole numbers by name, one or several to each; those for draws are a table
`[draws]`. An `Evaluation` takes them as such a dictionary; a learner, as one row of numbers. The
features need no second definition: a feature's value in a state is what the evaluation returns when
that feature's weight is 1 and all others are 0.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from escale.kernel.core import State
from escale.kernel.evaluation import Evaluation

Numbers = Mapping[str, Any]
"""The form of a file: for each name a number or a list, for `draws` such a mapping."""

#: The points of an evaluation that make the odds of winning e times as good: at 250 points a seat
#: is expected to score 73 %, at 500 88 %, at 1000 98 %.
ODDS = 250

#: The table of weights for draws (`Evaluation.draw_odds`).
DRAWS = "draws"


def read_weights(path: Path, like: Numbers | None = None) -> dict[str, Any]:
    """Read the numbers in a file; ValueError unless names and sizes are those of `like`."""
    numbers = tomllib.loads(path.read_text("utf-8"))
    for name, found in flat(numbers).items():
        if not found or not all(type(number) is int for number in found):
            raise ValueError(f"{path}: {name} must have whole numbers")
    if like is not None and sizes(numbers) != sizes(like):
        raise ValueError(f"{path}: expected {_listed(like)}; found {_listed(numbers)}")
    return numbers


def flat(numbers: Numbers) -> dict[str, list[int]]:
    """Each name with a list of its numbers; `draws.` begins the names of those for draws."""
    of_draws = numbers.get(DRAWS, {})
    named = {name: found for name, found in numbers.items() if name != DRAWS}
    named |= {f"{DRAWS}.{name}": found for name, found in of_draws.items()}
    return {name: found if isinstance(found, list) else [found] for name, found in named.items()}


def sizes(numbers: Numbers) -> dict[str, int]:
    """The number of weights of each name."""
    return {name: len(found) for name, found in flat(numbers).items()}


def _listed(numbers: Numbers) -> str:
    return ", ".join(
        name if size == 1 else f"{name} ({size})" for name, size in sizes(numbers).items()
    )


def row_of(numbers: Numbers) -> list[int]:
    """All numbers in a row, those for draws last."""
    return list(chain.from_iterable(flat(numbers).values()))


def numbers_of(row: list[int], like: Numbers) -> dict[str, Any]:
    """The weights of a row that `row_of` has made, if they were named as in `like`."""
    if len(row) != len(row_of(like)):
        raise ValueError(f"expected {len(row_of(like))} numbers, not {len(row)}")
    left = iter(row)

    def filled(part: Numbers) -> dict[str, Any]:
        return {
            name: [next(left) for _ in found] if isinstance(found, list) else next(left)
            for name, found in part.items() if name != DRAWS
        }

    numbers = filled(like)
    return {**numbers, DRAWS: filled(like[DRAWS])} if DRAWS in like else numbers


def as_struct(numbers: Numbers) -> SimpleNamespace:
    """Replaces a C struct of these numbers in uncompiled code."""
    return SimpleNamespace(**{
        name: as_struct(found) if isinstance(found, Mapping) else found
        for name, found in numbers.items()
    })


def part_of(numbers: Numbers, draws: bool = False) -> range:
    """The indices of the weights that `evaluate` uses or, with `draws`, `draw_odds`."""
    split = len(row_of({name: found for name, found in numbers.items() if name != DRAWS}))
    return range(split, len(row_of(numbers))) if draws else range(split)


def features(
    evaluation: Evaluation, states: Sequence[State], draws: bool = False
) -> list[list[int]]:
    """For each state the value of each feature; an evaluation is a weighted sum of them.

    ValueError if an evaluation is anything else. One that is kept within bounds may be, as long as
    the bounds leave room for a single feature.
    """
    like = evaluation.numbers
    part, size = part_of(like, draws), len(row_of(like))
    probe = type(evaluation)(like)

    def said(row: list[int]) -> list[int]:
        probe.load(numbers_of(row, like))
        ask = probe.draw_odds if draws else probe.evaluate
        return [ask(state) for state in states]

    found: list[list[int]] = [[] for _ in states]
    fixed = said([0] * size)
    for i in part:
        for values, value, base in zip(found, said(_unit(i, size)), fixed, strict=True):
            values.append(value - base)
    row = [1 + i % 3 for i in range(size)]
    for values, value, base in zip(found, said(row), fixed, strict=True):
        total = base + sum(row[i] * feature for i, feature in zip(part, values, strict=True))
        if value != total and not abs(total) > abs(value) >= 1000:
            raise ValueError(f"an evaluation is {value}, its features add up to {total}")
    return found


def _unit(place: int, size: int) -> list[int]:
    return [int(i == place) for i in range(size)]
