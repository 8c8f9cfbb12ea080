"""What the tests of facts share: small positions worked out by hand, and outcomes in words."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

#: Witnesses count perft tables again as deep as this many nodes.
QUICK = 20_000


def load(path: Path, key: str) -> list[dict[str, Any]]:
    """The entries of a TOML file under a key."""
    with path.open("rb") as file:
        entries: list[dict[str, Any]] = tomllib.load(file)[key]
    return entries


def name_of(entry: dict[str, Any]) -> str:
    """A case's name, for the report."""
    name: str = entry["name"]
    return name


def state(shares: tuple[float, float] | None, seats: tuple[str, str]) -> str:
    """An outcome in words."""
    words = {None: "open", (0.5, 0.5): "draw", (1.0, 0.0): seats[0], (0.0, 1.0): seats[1]}
    return words[shares]
