"""Two runs of a benchmark with `--json FILE` side by side.

    python -m bench compare before.json after.json

Rates of different runs differ as the machine is busy or not; the ratios within each run are what
to look at.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RATIOS = ("threads_to_one", "compiled_to_uncompiled", "compiled_to_c")


def read(file: Path) -> dict[str, dict[str, Any]]:
    """A run's figures by game."""
    return {game["game"]: game for game in json.loads(file.read_text("utf-8"))["games"]}


def rows(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """One line for each figure that both runs have."""
    pairs = [("one core", before["best"]["one"], after["best"]["one"])]
    pairs += [(name, before[name], after[name]) for name in RATIOS]
    return [
        f"  {name:24}{old:16,.2f}{new:16,.2f}   ×{new / old:.2f}"
        for name, old, new in pairs if old and new
    ]


def main(before: Path, after: Path) -> None:
    """Print the comparison."""
    old, new = read(before), read(after)
    for game in sorted(old.keys() & new.keys()):
        print(game)
        print("\n".join(rows(old[game], new[game])))
