"""The numbers of an evaluation, kept as data beside a game's rules so that they can be learnt."""

from __future__ import annotations

import tomllib
from pathlib import Path


def read_weights(rules: str, sizes: dict) -> list:
    """The numbers in `weights.toml` beside the file `rules`, in one row.

    `sizes` says which names there must be, and how many whole numbers each has.
    """
    path = Path(rules).with_name("weights.toml")
    found = tomllib.loads(path.read_text("utf-8"))
    if found.keys() != sizes.keys():
        raise ValueError(f"{path}: expected {', '.join(sizes)}; found {', '.join(found)}")
    row: list = []
    for name, size in sizes.items():
        numbers = found[name] if isinstance(found[name], list) else [found[name]]
        if len(numbers) != size or not all(type(number) is int for number in numbers):
            raise ValueError(f"{path}: {name} must have {size} whole numbers")
        row += numbers
    return row
