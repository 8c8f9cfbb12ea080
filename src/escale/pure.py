"""Running the compiled modules from their sources: for debuggers, coverage and comparison.

With `ESCALE_PURE=1` in the environment the kernel, positions and moves, and every game's rules and
evaluation, are imported as plain Python, even where they have been compiled.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType


class SourceFinder(MetaPathFinder):
    """Finds the modules of the kernel, the contract and games as `.py` files only."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The source of a module that may have been compiled; others are found as usual."""
        parent, _, name = fullname.rpartition(".")
        package = parent.partition(".")[0]
        if path is None or package in sys.stdlib_module_names:
            return None                     # `_other_packages` itself imports some of them
        if not (
            parent in ("escale.kernel", "escale.game") or parent.startswith("escale.games.")
            or package in _other_packages()
        ):
            return None
        source = Path(sys.modules[parent].__path__[0], f"{name}.py")
        return importlib.util.spec_from_file_location(fullname, source) if source.exists() else None


@cache
def _other_packages() -> frozenset[str]:
    """The packages that bring games by an entry point."""
    points = entry_points(group="escale.games")
    return frozenset(point.module.partition(".")[0] for point in points) - {"escale"}
