"""The numbers of an evaluation: data beside a game's rules, which can be learnt and replaced.

A game's rules hold their numbers in a C array, for speed, and say here how to put a number into it.
So whoever learns or compares evaluations needs no second definition of any: a feature's value in a
position is what the evaluation says when that feature's weight is 1 and all others are 0.
"""

from __future__ import annotations

import tomllib
from contextlib import contextmanager
from pathlib import Path

#: The points of an evaluation that make the odds of winning e times as good: at 250 points a seat
#: is expected to score 73 %, at 500 88 %, at 1000 98 %.
ODDS = 250

#: Begins the names of weights for draws (`State.calm`); in a file they are a table.
DRAWS = "draws."

KNOWN: dict = {}                            # the weights of every game loaded, by their file


class Weights:
    """The weights of one evaluation."""

    def __init__(self, path: Path, sizes: dict, put: object):
        self.path = path
        self.sizes = sizes                  # which names there are, and how many numbers each has
        self.put = put                      # put(i, number): number i of all, in the order of sizes
        self.row: list = []
        self.set(self.read())

    def read(self, path: Path | None = None) -> list:
        """The numbers in a file, in one row."""
        return read_weights(path or self.path, self.sizes)

    def set(self, row: list) -> None:
        """Evaluate by these numbers from now on."""
        self.row = list(row)
        for i, number in enumerate(self.row):
            self.put(i, number)

    @contextmanager
    def using(self, row: list):
        """Evaluate by these numbers for a while: for everybody in this process."""
        before = self.row
        self.set(row)
        try:
            yield
        finally:
            self.set(before)

    def part(self, draws: bool = False) -> range:
        """Which numbers of the row `evaluate` goes by, or, for `draws`, `calm`."""
        split = sum(size for name, size in self.sizes.items() if not name.startswith(DRAWS))
        return range(split, len(self.row)) if draws else range(split)

    def features(self, states: list, draws: bool = False) -> list:
        """For each position the value of each feature: what evaluations are sums of.

        ValueError if an evaluation is anything else. One that is kept within bounds may be, as
        long as the bounds leave room for a single feature.
        """
        def guesses() -> list:
            return [
                state.stillness() if draws else state.guess() for state in states
            ]

        size, part = len(self.row), self.part(draws)
        with self.using([0] * size):
            found: list = [[] for _ in states]
            fixed = guesses()
            for i in part:
                self.put(i, 1)
                for values, guess, base in zip(found, guesses(), fixed, strict=True):
                    values.append(guess - base)
                self.put(i, 0)
        with self.using([1 + i % 3 for i in range(size)]):
            numbers = [self.row[i] for i in part]
            for values, guess, base in zip(found, guesses(), fixed, strict=True):
                total = base + sum(map(int.__mul__, numbers, values))
                if guess != total and not abs(total) > abs(guess) >= 1000:
                    raise ValueError(
                        f"{self.path}: an evaluation is {guess}, its features add up to {total}"
                    )
        return found


def keep_weights(path: object, sizes: dict, put: object) -> None:
    """Read a game's weights into its rules, and let them be found by their file."""
    path = Path(path).resolve()
    KNOWN[path] = Weights(path, sizes, put)


def weights_in(folder: Path) -> Weights | None:
    """The weights kept in a game's folder, if its evaluation has any."""
    return KNOWN.get((folder / "weights.toml").resolve())


def read_weights(path: Path, sizes: dict) -> list:
    """The numbers in a file, in one row, in the order of `sizes`.

    `sizes` says which names there must be, and how many whole numbers each has.
    """
    found = tomllib.loads(path.read_text("utf-8"))
    found |= {DRAWS + name: numbers for name, numbers in found.pop(DRAWS[:-1], {}).items()}
    if found.keys() != sizes.keys():
        raise ValueError(f"{path}: expected {', '.join(sizes)}; found {', '.join(found)}")
    row: list = []
    for name, size in sizes.items():
        numbers = found[name] if isinstance(found[name], list) else [found[name]]
        if len(numbers) != size or not all(type(number) is int for number in numbers):
            raise ValueError(f"{path}: {name} must have {size} whole numbers")
        row += numbers
    return row
