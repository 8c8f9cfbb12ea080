"""Checks the files of a game: those that computers read, and whether a wheel would contain all."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from escale.game.game import Game
from escale.opponents.levels import read_levels

BUILT = {".py", ".pyc", ".so", ".pyd", ".c", ".html"}
"""The ends of files that no list of data has to name."""
SENTENCES = {"Impossible": "impossible", "Refusal": "refusal"}
"""Classes whose first constant argument names their sentence in the game's texts."""


def package_faults(game: Game[Any]) -> Iterator[str]:
    """Faults in the files of a game's folder."""
    try:
        read_levels.__wrapped__(game.folder / "levels.toml")
    except (OSError, tomllib.TOMLDecodeError, AttributeError, ValueError) as error:
        yield f"levels.toml: {error}"
    yield from _sentences(game)
    yield from _left_out(game.folder)


def _sentences(game: Game[Any]) -> Iterator[str]:
    """Sentences that the code names and no catalogue has."""
    for path in sorted(game.folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name = getattr(getattr(node, "func", None), "id", "")
            if not isinstance(node, ast.Call) or name not in SENTENCES:
                continue
            words = [str(one.value) for one in node.args if isinstance(one, ast.Constant)]
            if words and (key := f"{SENTENCES[name]}.{words[0]}") not in game.texts:
                yield f"missing text {key} ({path.name}, line {node.lineno})"


def _left_out(folder: Path) -> Iterator[str]:
    """Files of the game that a wheel of its project would not contain."""
    project = next((one for one in folder.parents if (one / "pyproject.toml").exists()), None)
    package = folder if (folder / "__init__.py").exists() else folder.parent
    if project is None:
        return
    tools = tomllib.loads((project / "pyproject.toml").read_text("utf-8")).get("tool", {})
    listed = tools.get("setuptools", {}).get("package-data")
    if listed is None:                          # another way of building, or all files
        return
    name = package.name
    patterns = [one for key, some in listed.items() if fnmatchcase(name, key) or key == "*"
                for one in some]
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.suffix not in BUILT and not any(
            fnmatchcase(path.relative_to(package).as_posix(), one) for one in patterns
        ):
            yield (f"a wheel would not contain {path.name}: add \"*{path.suffix}\" to "
                   "[tool.setuptools.package-data] in pyproject.toml")
