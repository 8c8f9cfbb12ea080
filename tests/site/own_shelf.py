"""Games that other packages bring to this environment are no matter of these tests."""

import importlib.metadata
from typing import Any

find = importlib.metadata.entry_points


def without_other_packages(**wanted: Any) -> Any:
    """All entry points except games."""
    return () if wanted.get("group") == "escale.games" else find(**wanted)


def own_games_only() -> None:
    """Leave out the games of other packages, in a process that has not looked for games yet."""
    vars(importlib.metadata)["entry_points"] = without_other_packages
