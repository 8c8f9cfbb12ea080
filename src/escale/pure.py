"""Running the compiled modules from their sources: for debuggers, coverage and comparison.

With `ESCALE_PURE=1` in the environment the kernel, the rules and the evaluations are imported as
plain Python, even where they have been compiled.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType


class SourceFinder(MetaPathFinder):
    """Finds the modules of `escale.kernel` and of the games' packages as `.py` files only."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The source of a module that may have been compiled; others are found as usual."""
        parent, _, name = fullname.rpartition(".")
        if path is None or not (parent == "escale.kernel" or parent.startswith("escale.games.")):
            return None
        source = Path(sys.modules[parent].__path__[0], f"{name}.py")
        return importlib.util.spec_from_file_location(fullname, source) if source.exists() else None
